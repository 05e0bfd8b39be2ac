"""Did a series leave its level, and did it come back?

Levels are medians and noise is measured by what neighbouring samples differ by, so neither a trend nor what stands out
bends them. Values that are all positive are compared on a logarithmic scale: a loss of 10 scatters by more than one of
0.1. A step that goes back to the beginning (counted anew in every epoch) begins another pass, and each pass is looked
at by itself.
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from logsleuth.engine.series_of_members import SeriesView
from logsleuth.engine.series_samples import Argument
from logsleuth.engine.series_signature import Parameter, SeriesFunction

_SETTLED = 5
"""Samples that make a level."""
_RECENT = 11
"""Samples before one whose median is its usual level: few, since a loss falls meanwhile."""
_WINDOW = 50
"""Samples before one that tell how far values scatter."""
_FEW = 10
"""Samples of a pass below which only a rise without any step back counts."""
_TENTH = 10
_ODD_ONES = 0.05
"""The share of values that may be zero or negative (nothing to tell yet) in a series of positive ones."""
_DEVIATION = 1.4826
"""Of a normal distribution the standard deviation by the median deviation."""
_ALONE = 5 / 3
"""How much farther a sample must stand out that stands alone: single values have heavy tails."""


class Level(NamedTuple):
    """A value and where it stands."""

    step: int
    value: float


def passes(x: SeriesView, peaks: bool = False) -> list[list[Level]]:
    """The samples in the order in which they came: one list, or several where the steps were counted anew.

    A sample of many steps is their mean, or with ``peaks`` the greatest value of them.
    """
    written = _as_written(x)
    runs: list[list[Level]] = [[]]
    for level in written:
        run = runs[-1]
        if len(run) >= _SETTLED and 2 * level.step < run[-1].step:
            runs.append([])
        runs[-1].append(level)
    if len(runs) > 1:
        return runs
    if peaks and x.series.stride > 1:
        return [[Level(high.step, high.value) for bucket in x.buckets if (high := bucket.high) is not None]]
    return [[Level(bucket.at.step, mean) for bucket in x.buckets if (mean := bucket.mean) is not None]]


def _as_written(x: SeriesView) -> list[Level]:
    """The values of the source that tells most, in the order of its lines."""
    points = [point for bucket in x.buckets for point in bucket.points if math.isfinite(point.value)]
    if not points:
        return []
    counts = Counter(point.source for point in points)
    source = min(counts, key=lambda each: (-counts[each], each))
    told = sorted((point.offset, point.step, point.value) for point in points if point.source == source)
    return [Level(step, value) for _, step, value in told]


def spikes(x: SeriesView, gain: Argument, noise: Argument, longest: Argument) -> tuple[float, ...] | None:
    """The steps of the peaks at which it left its level upwards, by ``gain`` and ``noise`` times its usual scatter, and
    came back within ``longest`` samples."""
    found: list[float] = []
    is_known = False
    for run in passes(x, peaks=True):
        positive = _logarithms(run)
        if positive is None or len(positive) <= _SETTLED:
            continue
        is_known = True
        found += _peaks(positive, math.log1p(gain.value / 100), noise.value, int(longest.value))
    return tuple(dict.fromkeys(found)) if is_known else None


def _peaks(run: list[Level], gain: float, noise: float, longest: int) -> list[float]:
    """The peaks of one pass, on a logarithmic scale."""
    found: list[float] = []
    # A few samples may happen to agree: less than most of what all scatter by is not believed.
    usual_scatter = 0.8 * _scatter([level.value for level in run])
    earlier = [level.value for level in run[:_SETTLED]]
    place = _SETTLED
    while place < len(run):
        window = earlier[-_WINDOW:]
        if run[place].value <= min(window[-_RECENT:]) + gain:
            earlier.append(run[place].value)
            place += 1
            continue
        usual, far = median(window[-_RECENT:]), noise * max(usual_scatter, _scatter(window))
        least = max(gain, far)
        if run[place].value <= usual + least:
            earlier.append(run[place].value)
            place += 1
            continue
        end = place
        while end < len(run) and run[end].value > usual + least / 2:
            end += 1
        peak = max(run[place:end], key=lambda level: level.value)
        is_alone = end - place == 1
        if end - place > longest:
            earlier = [level.value for level in run[place:end]]  # Another level, not a spike.
        elif _came_back(run[end:], usual + least / 2, is_alone) and (not is_alone or peak.value > usual + _ALONE * far):
            found.append(peak.step)
        place = max(end, place + 1)
    return found


def _came_back(after: Sequence[Level], limit: float, is_alone: bool) -> bool:
    """Whether what follows lies below the limit again; at the end of a log two samples in a row are spike enough."""
    if not after:
        return not is_alone
    return median(level.value for level in after[:_SETTLED]) <= limit


def departure(x: SeriesView, gain: Argument, noise: Argument, at_least: Argument) -> float | None:
    """The step from which it lay above the lowest level that it had reached, by ``gain`` and more than ``noise``
    standard errors, until the end; unknown where it does not."""
    run = passes(x)[-1]
    logarithms = _logarithms(run)
    if logarithms is None or len(logarithms) < max(at_least.value, _SETTLED):
        return None
    if len(logarithms) < _FEW:
        return _only_rises(logarithms, math.log1p(gain.value / 100))
    size = max(_SETTLED, len(logarithms) // _TENTH)
    tail = logarithms[-max(_SETTLED - 1, len(logarithms) // _TENTH) :]
    before = logarithms[: -len(tail)]
    starts = range(0, len(before) - size + 1, max(1, size // _TENTH))
    levels = [(median(v.value for v in before[at : at + size]), at) for at in starts]
    low, at = min(levels)
    scatter = _scatter([level.value for level in logarithms])
    error = 1.25 * scatter * math.sqrt(1 / size + 1 / len(tail))
    least = max(math.log1p(gain.value / 100), noise.value * error, 2 * scatter)
    reached = sorted(level.value for level in tail)[len(tail) // 4]
    fell = math.exp(levels[0][0]) - math.exp(low)
    if reached <= low + least or math.exp(reached) - math.exp(low) < fell / _TENTH:
        return None
    if min(level.value for level in tail[-2:]) <= low + least / 2:
        return None
    start = len(logarithms)
    while start > at + size and logarithms[start - 1].value > low + least / 2:
        start -= 1
    return logarithms[min(start, len(logarithms) - 1)].step


def _only_rises(run: list[Level], gain: float) -> float | None:
    """The second step of a few samples of which each is above the one before."""
    grows = all(before.value < after.value for before, after in pairwise(run))
    return run[1].step if grows and run[-1].value - run[0].value > gain else None


def steady(x: SeriesView, noise: Argument, at_least: Argument) -> bool | None:
    """Whether it ends where it began, as far as its scatter lets one tell: by ``noise`` standard errors, or 1%."""
    run = passes(x)[-1]
    if len(run) < max(at_least.value, _SETTLED):
        return None
    values = [level.value for level in run]
    size = max(2, len(values) // 4)
    start, end = median(values[:size]), median(values[-size:])
    error = 1.25 * _scatter(values) * math.sqrt(2 / size)
    return abs(end - start) <= max(noise.value * error, abs(start) / 100)


def early(x: SeriesView, at_least: Argument) -> float | None:
    """The median of the first quarter of its samples."""
    values = [level.value for run in passes(x) for level in run]
    return median(values[: max(1, len(values) // 4)]) if len(values) >= max(1, at_least.value) else None


def late(x: SeriesView, at_least: Argument) -> float | None:
    """The median of the last quarter of its samples."""
    values = [level.value for run in passes(x) for level in run]
    return median(values[-max(1, len(values) // 4) :]) if len(values) >= max(1, at_least.value) else None


def _logarithms(run: Sequence[Level]) -> list[Level] | None:
    """The samples on a logarithmic scale; None where it is no series of positive numbers."""
    positive = [Level(level.step, math.log(level.value)) for level in run if level.value > 0]
    return positive if len(run) - len(positive) <= _ODD_ONES * len(run) else None


def _scatter(values: Sequence[float]) -> float:
    """The standard deviation around the trend, by what neighbours differ by. Few samples are given less credit."""
    steps = [abs(after - before) for before, after in pairwise(values)]
    if not steps:
        return 0.0
    scatter = _DEVIATION * median(steps) / math.sqrt(2)
    return scatter if len(steps) >= _FEW else 1.25 * scatter


_X = Parameter("x", "series")
_GAIN = Parameter("gain", "percent", Argument(50, "percent"))
_NOISE = Parameter("noise", "number", Argument(5))
_AT_LEAST = Parameter("at_least", "number", Argument(8))

DEPARTURES: dict[str, SeriesFunction] = {
    "spikes": SeriesFunction((_X, _GAIN, _NOISE, Parameter("longest", "number", Argument(50))), "numbers", "", spikes),
    "departure": SeriesFunction((_X, _GAIN, _NOISE, _AT_LEAST), "number", "", departure),
    "steady": SeriesFunction((_X, Parameter("noise", "number", Argument(3)), _AT_LEAST), "bool", "", steady),
    "early": SeriesFunction((_X, _AT_LEAST), "number", "series", early),
    "late": SeriesFunction((_X, _AT_LEAST), "number", "series", late),
}
