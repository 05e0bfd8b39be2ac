"""When did a writer tell a time, and what are the longest stretches in which it told none?"""

import heapq
from typing import NamedTuple

from logsleuth.model.origin import Stamp, Tag

SHORTEST = 60.0
"""Seconds; a shorter stretch is none."""
_KEPT = 32
"""The longest stretches of a writer that are kept."""
_BACK = 2.0
"""Seconds by which lines may stand out of order without that meaning anything."""
_LONGEST = 20 * 366 * 86_400.0
"""Seconds; what lies further apart is no time of one log, or one of them tells no day."""
_HALF_A_YEAR, _YEAR = 183 * 86_400.0, 366 * 86_400.0


class Stretch(NamedTuple):
    """Two lines with none between them that tells a time."""

    seconds: float
    after: Stamp
    before: Stamp
    lines: tuple[int, int]


class Voice(NamedTuple):
    """The times that one writer told."""

    tag: Tag | None
    """Of a labelled writer; None for all lines of the source together."""
    first: Stamp
    last: Stamp
    stretches: tuple[Stretch, ...]
    """In the order of the source."""
    shortest: float
    """Seconds; all that are longer are there."""
    tells_all: bool
    """Whether all that the writer wrote into the source is known to be its own: not where only torch's own label
    (``[rank3]:``) stands before some of its lines."""


class Point(NamedTuple):
    """A line that tells a time."""

    at: int
    """In the text of its window."""
    stamp: Stamp
    line: int = 0
    """Its number, where it stands in an earlier window."""


class Following:
    """What is known of one writer so far."""

    def __init__(self, label: bytes, tag: Tag | None) -> None:
        self.label, self.tag = label, tag
        self.first: Stamp | None = None
        self.last: Point | None = None
        self.window = 0
        """That of the last point."""
        self._latest: Stamp | None = None
        self._longest: list[Stretch] = []
        self.shortest = SHORTEST

    def away(self, point: Point) -> float:
        """Seconds from the last point to the next."""
        return apart(self.last.stamp, point.stamp) if self.last is not None else 0.0

    def keep(self, point: Point, lines: tuple[int, int]) -> None:
        """Between the last point and the next nobody told a time. A clock that had been further before shows no gap."""
        assert self.last is not None
        seconds, is_back = self.away(point), self._latest is not None and apart(self.last.stamp, self._latest) > _BACK
        if seconds > self.shortest and not is_back and _are_alike(self.last.stamp, point.stamp):
            heapq.heappush(self._longest, Stretch(seconds, self.last.stamp, point.stamp, lines))
            if len(self._longest) > _KEPT:
                heapq.heappop(self._longest)
                self.shortest = max(self.shortest, self._longest[0].seconds)

    def pass_on(self, point: Point) -> None:
        """Goes to the next point. One that tells an earlier time than others before it shows that somebody wrote
        then."""
        stamp = point.stamp
        if self._longest and self.away(point) < -_BACK:
            self._longest = [s for s in self._longest if not s.after.seconds <= stamp.seconds < s.before.seconds]
            heapq.heapify(self._longest)
        if self._latest is None or not _are_alike(self._latest, stamp) or apart(self._latest, stamp) > 0:
            self._latest = stamp
        self.first = self.first or stamp
        self.last = point

    def voice(self) -> Voice | None:
        """All that was found."""
        if self.first is None or self.last is None:
            return None
        ordered = tuple(sorted(self._longest, key=lambda stretch: stretch.lines))
        return Voice(
            self.tag, self.first, self.last.stamp, ordered, self.shortest, not self.label.startswith(b"\n[rank")
        )


def _are_alike(stamp: Stamp, other: Stamp) -> bool:
    """Whether two stamps can be compared: of one that tells a zone, a year or a day and one that does not nobody knows
    the distance."""
    is_same_kind = stamp.has_year == other.has_year and stamp.has_zone == other.has_zone
    return is_same_kind and abs(stamp.seconds - other.seconds) < _LONGEST


def apart(early: Stamp, late: Stamp) -> float:
    """Seconds from one to the other; where they tell no year, over New Year if that is nearer."""
    seconds = late.seconds - early.seconds
    return seconds + _YEAR if seconds < -_HALF_A_YEAR and not late.has_year and not early.has_year else seconds
