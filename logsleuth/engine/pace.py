"""How long has it been since something was last seen, and at what pace did it come before?"""

import math
from collections.abc import Iterable
from itertools import pairwise
from statistics import median

from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.series_of_members import SeriesView
from logsleuth.model.origin import Tag

_FEW = 4
"""Gaps below which there is no pace."""
_WORDS = 4096
"""Bytes that a writer may leave behind its last sign and still count as silent: how it was ended stands there."""

_LONGEST = 60 * 86_400
"""Seconds; a longer silence is a year that only one of two stamps tells."""
_ZONE, _ZONES, _NEAR = 1800, 27 * 3600, 90
"""Seconds: what time zones differ by, by how much at most, and what lies between a last step and the end as a rule."""


def quiet(
    found: Iterable[Sighting], roster: Roster, attempt: int, until: float, is_of_other_clock: bool
) -> float | None:
    """Seconds from the last of the occurrences to a moment.

    Unknown where there is none, where no clock tells, in an attempt that another one followed, and where a writer of
    theirs went on writing: it lives, and does something else. Unknown too where the moment is of another clock, as
    SLURM's is that writes local time, and may only be some time zones away.
    """
    last: dict[tuple[int, Tag], Sighting] = {}
    for sighting in found:
        o = sighting.occurrence
        known = last.get((o.source, o.tag))
        if known is None or known.occurrence.offset < o.offset:
            last[o.source, o.tag] = sighting
    if not last or attempt != roster.last_attempt:
        return None
    if any(roster.bytes_after(s.occurrence) > _WORDS for s in last.values()):
        return None
    latest = max(_at_the_latest(sighting, roster) for sighting in last.values())
    passed = until - latest
    is_known = math.isfinite(passed) and not (is_of_other_clock and (passed > _LONGEST or _may_be_zones(passed)))
    return passed if is_known else None


def _may_be_zones(passed: float) -> bool:
    return abs(passed - _ZONE * round(passed / _ZONE)) < _NEAR and passed < _ZONES


def _at_the_latest(sighting: Sighting, roster: Roster) -> float:
    """When it had happened: at its stamp, or before the first stamp of its source where that stands behind it."""
    if math.isfinite(sighting.began.high):
        return sighting.began.high
    first = roster.first_moment_after(sighting.occurrence)
    return math.inf if first is None else first


def rhythm(x: SeriesView) -> float | None:
    """Seconds from one value to the next, as a rule; unknown without a clock, and of fewer than five values."""
    moments = [at for bucket in x.buckets if (at := x.seconds(bucket.at.stamp)) is not None]
    gaps = [after - before for before, after in pairwise(sorted(moments))]
    return median(gaps) if len(gaps) >= _FEW else None
