"""The signs of life of a source and of its writers."""

import heapq
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


ENDINGS = 64
"""Of how many lines of a source it is told how they end."""


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

    def merged(self, other: "SourceLife") -> "SourceLife":
        """What is known of both of two parts of a source that stand next to each other, in any order.

        Its content is equal to that of another source that was cut in the same place only.
        """
        if not (self.lives and other.lives):
            return self if self.lives else other
        early, late = sorted((self, other), key=lambda life: min(one.first for one in life.lives.values()))
        has_stamp = early.first_stamp is not None
        return SourceLife(
            early.first_stamp if has_stamp else late.first_stamp,
            early.first_stamp_at if has_stamp else late.first_stamp_at,
            late.last_stamp or early.last_stamp,
            {
                tag: _joined(early.lives.get(tag), late.lives.get(tag))
                for tag in (*early.lives, *(tag for tag in late.lives if tag not in early.lives))
            },
            _digest_of_both(early.content, late.content),
            frozenset(heapq.nsmallest(ENDINGS, early.endings | late.endings)),
            (*early.undated, *late.undated),
        )


def _joined(early: Life | None, late: Life | None) -> Life:
    """What is known of a writer in two parts, in one of which it may be missing."""
    if early is None or late is None:
        known = early or late
        assert known
        return known
    return Life(early.first, late.last, late.stamp or early.stamp)


def _digest_of_both(digest: str, other: str) -> str:
    """Of two digests in hexadecimal one that does not depend on their order."""
    total = (int(digest or "0", 16) + int(other or "0", 16)) % (1 << 128)
    return f"{total:032x}"
