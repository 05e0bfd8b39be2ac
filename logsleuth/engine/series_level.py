"""Did the level of a series change once, and stay where it went?

A slow step, the first steps after a start, an evaluation or the writing of a checkpoint are single values and move no
median; what comes back is no change either.
"""

from statistics import median

from logsleuth.engine.series_of_members import SeriesView
from logsleuth.engine.series_samples import Argument, groups_of, samples_of

_PARTS = 200
"""Medians of neighbours that stand for the samples where these are more."""
_SETTLED = 8
"""Samples on either side of a change, at least."""
_FEW = 5
"""The same where a factor is given that the change must reach."""
_SIDE = 10
"""Either side is no less than one part of so many."""
_CLEAR = 3.5
"""The levels lie at least so many times farther apart than values usually lie from their own."""
_END = 5
"""Samples at the end that must still be at the new level."""


def shift(x: SeriesView, over: Argument | None) -> float | None:
    """The factor by which its level changed for good: 2 where it doubled, 1 where it did not change.

    Unknown below sixteen samples.
    """
    return _shift(x, over, _SETTLED)


def jump(x: SeriesView, factor: Argument) -> bool | None:
    """Whether its level changed for good to ``factor`` times what it was or more; below one: fell to that or less.

    Unknown below ten samples.
    """
    changed = _shift(x, None, _FEW)
    if changed is None:
        return None
    return changed >= factor.value if factor.value >= 1 else changed <= factor.value


def _shift(x: SeriesView, over: Argument | None, settled: int) -> float | None:
    """The change is where two levels describe the series best. The middle half of what came after must lie apart from
    that before, and the end must not have come back."""
    samples = samples_of(x, over)
    if samples is None or len(samples) < 2 * settled:
        return None
    values = [value for _, value in groups_of(samples, _PARTS)]
    side = max(settled, len(values) // _SIDE)
    at = min(range(side, len(values) - side + 1), key=lambda at: (_spread(values[:at]) + _spread(values[at:]), at))
    before, after = sorted(values[:at]), sorted(values[at:])
    low, high = median(before), median(after)
    if low <= 0 or high <= 0 or not _apart(before, after):
        return 1.0
    usual = median([*(abs(value - low) for value in before), *(abs(value - high) for value in after)])
    if abs(high - low) < _CLEAR * usual:
        return 1.0
    came_back = (median(values[-_END:]) - (low + high) / 2) * (high - low) < 0
    return 1.0 if came_back else high / low


def _spread(values: list[float]) -> float:
    """How far values lie from one level."""
    level = median(values)
    return sum(abs(value - level) for value in values)


def _apart(before: list[float], after: list[float]) -> bool:
    """Whether the middle halves of two sorted lists do not touch."""
    first, second = len(before) // 4, len(after) // 4
    return before[-1 - first] < after[second] or after[-1 - second] < before[first]
