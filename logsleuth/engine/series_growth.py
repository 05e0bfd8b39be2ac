"""Does a series keep growing at an even pace, as memory does that is never given back?

Memory also grows where nothing is wrong: until the optimizer has its state and the caches are warm, at the first
evaluation, with every stage of a curriculum, and in saw teeth between two collections. A leak differs in its shape:
many small steps, at one pace, on to the end.
"""

from collections.abc import Sequence
from itertools import pairwise

from logsleuth.engine.series_in_order import Sample
from logsleuth.engine.series_of_members import SeriesView
from logsleuth.engine.series_samples import Argument, groups_of, samples_of

_FEW = 6
"""Samples below which a shape says nothing."""
_WARM_UP = 10
"""One part of so many at the start is left out, and never less than the first sample."""
_COARSE, _FINE = 10, 40
"""Parts in which falls are looked for, and in which leaps are."""
_FALLS = 0.15
"""Share of the gain that all falls together may make up."""
_TINY, _MOSTLY = 0.03, 0.7
"""Where there are few samples, so many of the steps between them must bring more than this share of the gain."""
_LEAP = 0.2
"""Share of the gain that one step between fine parts may make up; a curriculum of few stages has larger ones."""
_SETTLING = 0.12
"""Share of the gain by which it may lie above the line from its start to its end: what settles bulges upwards."""
_HASTE = 0.5
"""The same below the line: what grows faster and faster is no less a leak."""
_LATE = 0.25
"""Share of the gain that the last third must bring; an even pace brings a third."""


def climbing(x: SeriesView, over: Argument | None, at_least: Argument, gain: Argument) -> bool | None:
    """Whether it grows by at least ``gain`` of where it began, in many small steps, at an even pace, on to the end.

    Unknown below ``at_least`` samples (and never with fewer than six).
    """
    samples = samples_of(x, over)
    if samples is None or len(samples) < max(at_least.value, _FEW):
        return None
    samples = samples[max(1, len(samples) // _WARM_UP) :]
    return _climbs(samples, _COARSE, gain) and _climbs(samples, _FINE, gain) and _goes_on(samples)


def _climbs(samples: Sequence[Sample], parts: int, gain: Argument) -> bool:
    """Whether so many parts of it, each by its median, follow each other upwards and near a line."""
    places = groups_of(samples, parts)
    (start, low), (end, high) = places[0], places[-1]
    gained = high - low
    if gained <= 0 or gained < abs(low) * gain.value / 100 or end <= start:
        return False
    steps = [after - before for (_, before), (_, after) in pairwise(places)]
    largest = max(_LEAP, 2.4 / len(steps))
    if max(steps) > largest * gained:
        return False
    if len(steps) < _COARSE and sum(step > _TINY * gained for step in steps) < _MOSTLY * len(steps):
        return False
    if parts == _COARSE and -sum(step for step in steps if step < 0) > _FALLS * gained:
        return False
    above = [(value - low) / gained - (at - start) / (end - start) for at, value in places]
    return max(above) <= _SETTLING and min(above) >= -_HASTE


def _goes_on(samples: Sequence[Sample]) -> bool:
    """Whether the last third still brings its share of the gain."""
    places = groups_of(samples, min(_COARSE, len(samples)))
    late = places[-1][1] - places[len(places) - 1 - len(places) // 3][1]
    return late >= _LATE * (places[-1][1] - places[0][1])
