"""One value of a numeric series."""

from collections.abc import Callable
from typing import NamedTuple

from logsleuth.model.origin import Stamp


class LateStamp(NamedTuple):
    """A stamp that is read only when somebody asks: of most values of a series nobody does."""

    head: bytes
    """The line as far as its framing may go."""
    read: Callable[[bytes], Stamp | None]


class Point(NamedTuple):
    """A value, and where it stands."""

    step: int
    value: float
    """In base units (bytes, seconds); may be no finite number."""
    source: int
    """Index into the analysis' list of sources."""
    offset: int
    """Bytes from the start of the source to its line."""
    line: int
    """1-based number of that line."""
    told: Stamp | LateStamp | None

    def of(self, source: int) -> "Point":
        """The same in a source with this number."""
        step, value, _, offset, line, told = self
        return Point(step, value, source, offset, line, told)

    @property
    def stamp(self) -> Stamp | None:
        """The time that its line tells."""
        return self.told.read(self.told.head) if isinstance(self.told, LateStamp) else self.told
