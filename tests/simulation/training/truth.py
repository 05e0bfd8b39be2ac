"""What would a thoughtful reader say of a run's logs?"""

from typing import NamedTuple

from logsleuth.model.analysis import Severity


class Truth(NamedTuple):
    kind: str
    causes: tuple[str, ...] = ()
    """Fair answers; empty: nothing is wrong."""
    culprits: tuple[int, ...] = ()
    """Ranks that the logs convict: they must be named, and nobody else may be. Empty: nobody may be named."""
    shared: tuple[int, ...] = ()
    """Ranks that all have the trouble alike: to name them all accuses nobody falsely."""
    least: Severity | None = None
    """What has to be said at least; None: silence is as good."""
    most: Severity = Severity.FATAL
    """The worst that may be said, where something may be."""

    @property
    def is_healthy(self) -> bool:
        return not self.causes
