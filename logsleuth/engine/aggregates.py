"""What many values come to: one that stands for them all, or how many lie close together."""

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import repeat
from operator import sub

from logsleuth.engine.truth import Between

_REDUCED: dict[str, Callable[[Sequence[float]], float]] = {
    "min": min, "max": max, "mean": statistics.fmean, "median": statistics.median, "sum": math.fsum,
}  # fmt: skip

ANY_ORDER = frozenset(_REDUCED)
"""What values come to in whatever order they are taken."""


def mode(values: Sequence[object]) -> object | None:
    """The most frequent value; None on a tie."""
    (first, most), *rest = Counter(values).most_common(2)
    return None if rest and rest[0][1] == most else first


def reduced(name: str, values: Sequence[object]) -> object | None:
    """The first, last, mode, min, max, mean, median or sum of values; None where there is none."""
    if not values:
        return None
    if name in ("first", "last"):
        return values[0 if name == "first" else -1]
    if name == "mode":
        return mode(values)
    numbers = [value for value in values if isinstance(value, int | float) and math.isfinite(value)]
    if not numbers:
        return None
    return _REDUCED[name](numbers) if name in _REDUCED else None


def most_within(moments: list[float], seconds: float) -> Between:
    """The largest number of moments that lie within so many seconds; unknown where some have no clock."""
    known = sorted(moment for moment in moments if math.isfinite(moment))
    most = start = 0
    for end, moment in enumerate(known):
        while moment - known[start] > seconds:
            start += 1
        most = max(most, end - start + 1)
    return Between(most, most + len(moments) - len(known))


def is_far(own: float, others: Sequence[float], factor: float) -> bool:
    """Whether a number lies more than ``factor`` times as far from the median of the others as these usually do; one
    percent of the median is the least that counts as usual."""
    middle = statistics.median(others)
    usual: float = max(statistics.median(map(abs, map(sub, others, repeat(middle)))), abs(middle) * 0.01)
    return abs(own - middle) > factor * usual
