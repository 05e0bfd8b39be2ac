"""What rules ask of a numeric series: is it rising, did it jump, what is its median?

Every function is pure and gives None where there are too few samples to tell. A sample is the mean of a bucket of the
series, so one slow step among many does not decide; medians stand where a warm-up, an evaluation or the writing of a
checkpoint would bend a mean.
"""

import math
from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from logsleuth.engine.pace import rhythm
from logsleuth.engine.series_departures import DEPARTURES
from logsleuth.engine.series_growth import climbing
from logsleuth.engine.series_in_order import Sample
from logsleuth.engine.series_level import jump, shift
from logsleuth.engine.series_of_members import SeriesView
from logsleuth.engine.series_of_peers import COMPARISONS, Compared
from logsleuth.engine.series_parts import share
from logsleuth.engine.series_samples import Argument, busy_of, groups_of, samples_of
from logsleuth.engine.series_signature import Parameter, Result, SeriesFunction
from logsleuth.engine.subject import Member

_FEW = 4
"""Samples below which a slope says nothing."""
_THINNED = 200
"""Samples that functions of quadratic cost look at; of more, medians of neighbours stand for them."""
_GROUPS = 10
"""Parts of a series that must follow each other upwards for it to be rising."""
_BASELINE = 100
"""Samples before a value that make its baseline."""
_SETTLED = 5
"""Samples before a value without which there is no baseline, and on either side of a jump."""
_BASIS = 16
"""Samples below which a level says nothing."""
_SAME = 1e-4
"""Values that differ by no more, relatively, print alike."""


def evaluate(
    name: str, series: Sequence[SeriesView], arguments: Mapping[str, Argument], at: int | None = None
) -> Result:
    """The value of a call that the checker accepted; None where it is unknown.

    ``at`` is the step of the value whose filter asks: the function then sees only what came before it.
    """
    function = FUNCTIONS[name]
    if name == "baseline" and at is None and series[0].buckets:
        at = series[0].buckets[-1].ends_at
    seen = [view if at is None else view.before(at) for view in series]
    return function.call(*seen, **_given(function, arguments))


def compare(name: str, compared: Compared, arguments: Mapping[str, Argument], member: Member | None) -> Result:
    """The value of a call that compares what members print; unknown where it is asked of nobody and needs somebody."""
    function = FUNCTIONS[name]
    given = _given(function, arguments)
    if function.compares == "members":
        return function.call(compared, **given)
    return function.call(member, compared, **given) if member in compared.views else None


def _given(function: SeriesFunction, arguments: Mapping[str, Argument]) -> dict[str, Any]:
    return {p.name: arguments.get(p.name, p.default) for p in function.parameters if p.kind != "series"}


def is_not_finite(value: float) -> bool:
    """Whether a value is ``nan`` or infinite."""
    return not math.isfinite(value)


# Trends


def slope(x: SeriesView, over: Argument | None) -> float | None:
    """Gain a step: the median of the slopes between all pairs of samples (Theil and Sen)."""
    samples = samples_of(x, over)
    if samples is None or len(samples) < _FEW:
        return None
    places = groups_of(samples, _THINNED)
    return median((b[1] - a[1]) / (b[0] - a[0]) for i, a in enumerate(places) for b in places[i + 1 :] if b[0] > a[0])


def rising(
    x: SeriesView, over: Argument | None, at_least: Argument, gain: Argument, busy: Argument | None = None
) -> bool | None:
    """Whether it only ever grows, over all of the time and not in one leap, by at least ``gain`` of where it began."""
    return _moves(busy_of(samples_of(x, over), busy), at_least, gain, 1.0)


def falling(x: SeriesView, over: Argument | None, at_least: Argument, gain: Argument) -> bool | None:
    """The same downwards."""
    return _moves(samples_of(x, over), at_least, gain, -1.0)


def _moves(samples: list[Sample] | None, at_least: Argument, gain: Argument, sign: float) -> bool | None:
    if samples is None or len(samples) < max(at_least.value, _FEW):
        return None
    levels = [sign * value for _, value in groups_of(samples, _GROUPS)]
    gained = levels[-1] - levels[0]
    if gained <= 0 or gained < abs(levels[0]) * gain.value / 100:
        return False
    steps = [after - before for before, after in pairwise(levels)]
    # A warm-up that ends in a plateau is one leap; so is a change of level.
    went_on = levels[-1] - levels[len(levels) // 2] >= gained / 5
    return min(steps) >= -0.15 * gained and max(steps) <= 0.6 * gained and went_on


def flat(x: SeriesView, over: Argument | None, at_least: Argument) -> bool | None:
    """Whether all values print alike to four digits."""
    samples = samples_of(x, over)
    if samples is None or len(samples) < at_least.value:
        return None
    low = min(s.bucket.low.value for s in samples if s.bucket.low)
    high = max(s.bucket.high.value for s in samples if s.bucket.high)
    return high - low <= _SAME * max(abs(low), abs(high))


# Outliers and levels


def spike(x: SeriesView, factor: Argument) -> bool | None:
    """Whether some value is above ``factor`` times the median of those before it."""
    samples = samples_of(x, None) or []
    if len(samples) <= _SETTLED:
        return None
    earlier: list[float] = []
    for place, sample in enumerate(samples):
        high = sample.bucket.high
        if place >= _SETTLED and high and high.value > factor.value * _middle(earlier) > 0:
            return True
        insort(earlier, sample.value)
        if place >= _BASELINE:
            del earlier[bisect_left(earlier, samples[place - _BASELINE].value)]
    return False


def _middle(ordered: list[float]) -> float:
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def baseline(x: SeriesView, last: Argument) -> float | None:
    """The median of the latest samples: of so many steps, but of no fewer than make a baseline where lines are rare."""
    samples = samples_of(x, last)
    if samples is None:
        return None
    if len(samples) < _SETTLED:
        samples = (samples_of(x, None) or [])[-_SETTLED:]
    return median(sample.value for sample in samples) if len(samples) >= _SETTLED else None


# Plain numbers


def mean(x: SeriesView, over: Argument | None, busy: Argument | None = None) -> float | None:
    samples = busy_of(samples_of(x, over), busy)
    if not samples:
        return None
    return sum(s.bucket.sum for s in samples) / sum(s.bucket.count for s in samples)


def middle(x: SeriesView, over: Argument | None, busy: Argument | None = None) -> float | None:
    """The median of the samples."""
    samples = busy_of(samples_of(x, over), busy)
    return median(s.value for s in samples) if samples else None


def level(x: SeriesView, over: Argument | None, busy: Argument | None) -> float | None:
    """The upper quartile of the means of four neighbouring samples: how high it stands while work is done, whatever
    pauses there are. What goes up and down within every step counts by its mean."""
    samples = busy_of(samples_of(x, over), busy) or []
    if len(samples) < _BASIS:
        return None
    means = sorted(sum(s.value for s in samples[at : at + 4]) / 4 for at in range(0, len(samples) - 3, 4))
    return means[len(means) * 3 // 4]


def first(x: SeriesView, over: Argument | None) -> float | None:
    samples = samples_of(x, over)
    return samples[0].bucket.first.value if samples and samples[0].bucket.first else None


def last(x: SeriesView, over: Argument | None) -> float | None:
    samples = samples_of(x, over)
    return samples[-1].bucket.last.value if samples and samples[-1].bucket.last else None


def least(x: SeriesView, over: Argument | None) -> float | None:
    return min((s.bucket.low.value for s in samples_of(x, over) or () if s.bucket.low), default=None)


def greatest(x: SeriesView, over: Argument | None) -> float | None:
    return max((s.bucket.high.value for s in samples_of(x, over) or () if s.bucket.high), default=None)


def isnan(x: SeriesView) -> bool | None:
    """Whether some value is ``nan`` or infinite."""
    return any(bucket.odd for bucket in x.buckets) if x.buckets else None


def count(x: SeriesView) -> float:
    """How many finite values were looked at."""
    return sum(bucket.count for bucket in x.buckets)


_X = Parameter("x", "series")
_OVER = Parameter("over", "span", is_optional=True)
_BUSY = Parameter("busy", "percent", is_optional=True)
_AT_LEAST = Parameter("at_least", "number", Argument(8))
_GAIN = Parameter("gain", "percent", Argument(5, "percent"))
_FACTOR = Parameter("factor", "number")

FUNCTIONS: dict[str, SeriesFunction] = {
    "slope": SeriesFunction((_X, _OVER), "number", "per step", slope),
    "rising": SeriesFunction((_X, _OVER, _AT_LEAST, _GAIN, _BUSY), "bool", "", rising),
    "falling": SeriesFunction((_X, _OVER, _AT_LEAST, _GAIN), "bool", "", falling),
    "rhythm": SeriesFunction((_X,), "number", "", rhythm),
    "climbing": SeriesFunction((_X, _OVER, _AT_LEAST, _GAIN), "bool", "", climbing),
    "shift": SeriesFunction((_X, _OVER), "number", "", shift),
    "flat": SeriesFunction((_X, _OVER, _AT_LEAST), "bool", "", flat),
    "spike": SeriesFunction((_X, _FACTOR), "bool", "", spike),
    "jump": SeriesFunction((_X, _FACTOR), "bool", "", jump),
    "baseline": SeriesFunction(
        (_X, Parameter("last", "span", Argument(_BASELINE, "steps"))), "number", "series", baseline
    ),
    "mean": SeriesFunction((_X, _OVER, _BUSY), "number", "series", mean),
    "median": SeriesFunction((_X, _OVER, _BUSY), "number", "series", middle),
    "level": SeriesFunction((_X, _OVER, _BUSY), "number", "series", level),
    "first": SeriesFunction((_X, _OVER), "number", "series", first),
    "last": SeriesFunction((_X, _OVER), "number", "series", last),
    "min": SeriesFunction((_X, _OVER), "number", "series", least),
    "max": SeriesFunction((_X, _OVER), "number", "series", greatest),
    "share": SeriesFunction(
        (_X, Parameter("of", "series"), _OVER, Parameter("at_least", "number", Argument(3))), "number", "percent", share
    ),
    "isnan": SeriesFunction((_X,), "bool", "", isnan),
    "count": SeriesFunction((_X,), "number", "", count),
    **DEPARTURES,
    **COMPARISONS,
}
"""Every function of a series that conditions may call. A parameter with neither default nor ``is_optional`` must be
given; the first series stands without a name."""
