"""On which day a clock that tells none was read. Rows are of offsets and seconds, in the order of a source."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor

DAY = 86_400.0
_TOGETHER = 600.0
"""Seconds within which the logs of a job begin, or end."""
_NEAR = 6 * 3600.0
"""Seconds by which logs of one job may lie apart. Less than a quarter of a day, so that only one day can be meant."""
_CONTRADICTION = 3600.0
"""Seconds by which a clock may contradict a stamp beside it in its log, which another writer's buffer kept back."""

Span = tuple[float, float]
Row = list[tuple[float, float]]


def counted_days(row: Row) -> Row:
    """The same with a day added wherever the clock went over midnight.

    Of two readings the second lies on the day that brings it closer to the first: lines of several writers may come
    late by seconds, and a log that falls silent for half a day or more tells its own day.
    """
    out: Row = []
    days = 0.0
    for place, (at, seconds) in enumerate(row):
        if place:
            days -= round((seconds - row[place - 1][1]) / DAY) * DAY
        out.append((at, seconds + days))
    return out


def day_beside(row: Row, dated: Row) -> float | None:
    """Seconds to add to a row so that it stands among the stamps of its own source that tell a day.

    None where no whole number of days makes it agree with those in front of its readings and behind them.
    """
    merged = sorted([*((at, 0, seconds) for at, seconds in row), *((at, 1, seconds) for at, seconds in dated)])
    pairs = [(a[2], b[2]) if a[1] else (b[2], a[2]) for a, b in pairwise(merged) if a[1] != b[1]]
    if not pairs:
        return None
    told, clock = min(pairs, key=lambda pair: abs(_within_a_day(pair[0] - pair[1])))
    shift = round((told - clock) / DAY) * DAY
    for before, after in pairwise(merged):
        if before[1] != after[1]:
            fell = before[2] + (0 if before[1] else shift) - after[2] - (0 if after[1] else shift)
            if fell > _CONTRADICTION:
                return None
    return shift if abs(told - clock - shift) <= _CONTRADICTION else None


def day_among(span: Span, others: Sequence[Span]) -> float | None:
    """Seconds to add to a span so that it lies at the time of others; None where several days may be meant, or none.

    Logs of one job begin together, or end together; else they lie near each other.
    """
    told = {
        round((other[end] - span[end]) / DAY)
        for other in others
        for end in (0, 1)
        if abs(_within_a_day(other[end] - span[end])) <= _TOGETHER
    }
    if len(told) == 1:
        return told.pop() * DAY
    first, last = min(other[0] for other in others), max(other[1] for other in others)
    least, most = ceil((first - _NEAR - span[1]) / DAY), floor((last + _NEAR - span[0]) / DAY)
    return least * DAY if least == most else None


def _within_a_day(seconds: float) -> float:
    return seconds - round(seconds / DAY) * DAY
