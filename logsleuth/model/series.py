"""One value of a numeric series."""

from typing import NamedTuple

from logsleuth.model.origin import Stamp


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
    stamp: Stamp | None
