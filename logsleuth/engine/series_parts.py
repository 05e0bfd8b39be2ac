"""How much of a time goes into a part of it that the same lines tell?

Training loops print the time of a step and, beside it, how long it waited for data. Values are paired line by line, so
that steps that are counted anew in every epoch do no harm; only where the two stand on different lines, by step.
"""

import math
from collections.abc import Iterator
from statistics import median

from logsleuth.engine.series_of_members import SeriesView, points
from logsleuth.engine.series_samples import Argument, samples_of
from logsleuth.model.series import Point

_FEW = 8
"""Lines below which each of them is asked, and the middle one answers: a single long wait would decide a sum."""
_TRIMMED = 10
"""One line of so many is left out, those with the largest part: workers start up at the beginning of an epoch."""


def share(x: SeriesView, of: SeriesView, over: Argument | None, at_least: Argument) -> float | None:
    """How many percent of another series it makes up where both are told, the extreme places left out.

    A part that is larger than its whole in most places stands beside it instead of in it; the two then count together.
    Unknown below ``at_least`` places.
    """
    pairs = sorted(_pairs(x, of, over)) or sorted(_pairs_by_step(x, of, over))
    if len(pairs) < at_least.value:
        return None
    pairs = pairs[: len(pairs) - -(-len(pairs) // _TRIMMED)] if len(pairs) >= _FEW else pairs
    is_beside = 2 * sum(part > whole for part, whole in pairs) > len(pairs)
    parts = math.fsum(part for part, _ in pairs)
    shares = [part / total for part, whole in pairs if (total := whole + (part if is_beside else 0.0)) > 0]
    if not shares or not any(whole for _, whole in pairs):
        return None
    if len(pairs) < _FEW:
        return 100 * median(shares)
    whole = math.fsum(whole for _, whole in pairs) + (parts if is_beside else 0.0)
    return 100 * parts / whole


def _pairs(x: SeriesView, of: SeriesView, over: Argument | None) -> Iterator[tuple[float, float]]:
    wholes = {(p.source, p.offset): p.value for p in points(of)}
    for part in _points(x, over):
        whole = wholes.get((part.source, part.offset))
        if whole is not None and math.isfinite(whole) and math.isfinite(part.value):
            yield part.value, whole


def _pairs_by_step(x: SeriesView, of: SeriesView, over: Argument | None) -> list[tuple[float, float]]:
    stride = max(x.series.stride, of.series.stride)
    parts, wholes = _by_stride(x, over, stride), _by_stride(of, over, stride)
    return [(parts[at], wholes[at]) for at in parts.keys() & wholes.keys()] if x.by_step == of.by_step else []


def _by_stride(x: SeriesView, over: Argument | None, stride: int) -> dict[int, float]:
    """The mean of every stride of steps."""
    found: dict[int, list[float]] = {}
    for sample in samples_of(x, over) or ():
        found.setdefault(sample.bucket.at.step // stride, []).append(sample.value)
    return {place: math.fsum(values) / len(values) for place, values in found.items()}


def _points(x: SeriesView, over: Argument | None) -> Iterator[Point]:
    """The kept values of the last steps or seconds."""
    start = min((sample.at for sample in samples_of(x, over) or ()), default=math.inf)
    return (point for point in points(x) if point.step >= start)
