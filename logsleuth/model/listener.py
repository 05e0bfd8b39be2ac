"""Who is told what happens to a live job."""

from collections.abc import Sequence

from logsleuth.model.change import Change
from logsleuth.model.snapshot import Snapshot


class Listener:
    """Takes what it is told. Nothing here may wait or raise; what takes longer is done beside (``close``)."""

    @property
    def is_gone(self) -> bool:
        """Whether nobody is there any more who could be told."""
        return False

    def heard(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:
        """The job was judged; mostly nothing has changed."""

    def trouble(self, text: str) -> None:
        """Something is wrong with the following itself, in a sentence."""

    def tick(self, now: float) -> None:
        """Called about once a second, as time goes by (seconds since 1970)."""

    def ended(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:
        """The job was judged for the last time."""
        self.heard(snapshot, changes)

    async def close(self, patience: float) -> None:
        """Delivers what is left, within so many seconds."""
