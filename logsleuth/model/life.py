"""The signs of life of a source and of its writers."""

from dataclasses import dataclass, field
from typing import NamedTuple

from logsleuth.model.origin import Stamp, Tag


class Life(NamedTuple):
    """First and last sign of one writer in one source, as far as it was looked for."""

    first: int
    """Offset of its first line."""
    last: int
    """Offset of its last line."""
    stamp: Stamp | None
    """The stamp of its last line; None where that line has none."""


@dataclass(slots=True)
class SourceLife:
    """What is known of one source besides its events."""

    first_stamp: Stamp | None = None
    first_stamp_at: int = 0
    """Offset of the line with it."""
    last_stamp: Stamp | None = None
    lives: dict[Tag, Life] = field(default_factory=dict)
    content: str = ""
    """A digest of the length of the source and of samples from it, equal for copies; empty for an empty source."""
    endings: frozenset[int] = frozenset()
    """Checksums of how some of its lines end, which framing does not change. Of all lines that are looked at those
    with the smallest checksums: what two sources share shows in what both chose."""
    undated: tuple[tuple[int, Stamp], ...] = ()
    """The stamps that tell no day of lines that were looked at, and the offsets of these: they tell of midnights."""
