"""Which clocks may be hours off for all that the logs show: those that say no zone, beside others that do.

A stamp without a zone is taken to be UTC, which most clusters keep. Where no shared moment tells the difference, the
times at which logs begin and end do: those of one job are written at the same time.
"""

from collections.abc import Iterable
from typing import NamedTuple

FARTHEST_ZONE = 14 * 3600.0
"""Seconds; no place lies further east or west of Greenwich."""
_APART = 900.0
"""Seconds between logs of one job that may be written one after another; also the least that zones differ by."""
_ALIKE = 120.0
"""Seconds by which logs that begin together, and end together, may differ at both ends."""


class Shown(NamedTuple):
    """The time that one clock shows, from its first stamp to its last."""

    first: float
    last: float


def is_of_another_zone(shown: Shown, zoned: Iterable[Shown]) -> bool:
    """Whether a clock that says no zone contradicts those that do.

    It does where it shows another time than all of these together, or the same time but for hours: it begins and ends
    as much earlier or later.
    """
    all_zoned = list(zoned)
    if not all_zoned:
        return False
    first, last = min(s.first for s in all_zoned), max(s.last for s in all_zoned)
    if shown.first > last + _APART or shown.last < first - _APART:
        return max(shown.first - last, first - shown.last) <= FARTHEST_ZONE
    early, late = shown.first - first, shown.last - last
    return min(abs(early), abs(late)) > _APART - _ALIKE and abs(early - late) <= _ALIKE and abs(early) <= FARTHEST_ZONE
