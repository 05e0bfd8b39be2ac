"""Many values of one series that are taken at once: the buckets that they fill, and which are worth a quote."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import nlargest, nsmallest
from itertools import chain, compress, islice, pairwise, repeat
from operator import lt, mul, ne, rshift, sub
from typing import NamedTuple, Protocol

from logsleuth.engine.bucket import FEW, UNITS, Bucket, units_of
from logsleuth.model.series import Point

QUOTED = 16
"""How many of the greatest values, and of the smallest, have their lines kept as evidence."""
_TO_POINTS = 4
"""Values of a bucket of which no more are left out than kept: all become points then, which many at once do cheaply."""


class Places(Protocol):
    """Lines whose numbers are taken together."""

    def point(self, at: int, step: int, value: float) -> Point:
        """A number of one line, and where it stands."""

    def points(self, lines: Sequence[int], steps: Sequence[int], values: Sequence[float]) -> list[Point]:
        """The same of many lines."""

    def text(self, at: int) -> str:
        """One line as evidence."""


class Filled(NamedTuple):
    """The buckets of a column, in the order of steps."""

    places: Sequence[int]
    """The steps of each, divided by the stride."""
    starts: Sequence[int]
    """Where in the column each begins."""
    buckets: list[Bucket]


class Column:
    """Values by their steps; those of one step stand in the order of their lines."""

    def __init__(self, steps: Sequence[int], values: Sequence[float], places: Places) -> None:
        order: Sequence[int] = range(len(steps))
        if any(map(lt, steps[1:], steps)):
            order = sorted(order, key=steps.__getitem__)
            steps, values = [steps[at] for at in order], [values[at] for at in order]
        self.is_finite = all(map(math.isfinite, values))
        self.steps = steps
        """Ascending."""
        self._values = values if self.is_finite else list(map(one_nan, values))
        self._order, self._places = order, places
        self._points: list[Point] | None = None
        """All of them, where all were asked for."""

    def filled(self, stride: int) -> Filled:
        """The buckets that the values fill, of so many steps each (a power of two)."""
        steps, values = self.steps, self._values
        places = steps if stride == 1 else list(map(rshift, steps, repeat(stride.bit_length() - 1)))
        borders = [0, *compress(range(1, len(places)), map(ne, places, islice(places, 1, None))), len(places)]
        point: Callable[[int], Point] = self._point
        if len(steps) <= _TO_POINTS * (len(borders) - 1):
            points = self._points = self._places.points(self._order, steps, values)
            if len(borders) == len(steps) + 1 and self.is_finite:
                alone = list(map(Bucket, repeat(1), repeat(0), points, points, points, points))
                return Filled(places, range(len(places)), alone)
            if self.is_finite and max(map(sub, borders[1:], borders)) <= FEW:
                return Filled([places[start] for start in borders[:-1]], borders[:-1], _of_few(points, borders))
            point = points.__getitem__
        units = in_units(values)
        fill = _finite_bucket if self.is_finite else _bucket
        buckets = [fill(values, units, start, end, point) for start, end in pairwise(borders)]
        return Filled([places[start] for start in borders[:-1]], borders[:-1], buckets)

    def quotes(self, filled: Filled) -> Iterator[tuple[Point, str]]:
        """The values whose lines may be kept: the first and last, the greatest and the least, and of those that are no
        finite number the first."""
        values = self._values
        finite: Sequence[int] = list(_candidates(filled, len(values)))
        if not self.is_finite:
            finite = [at for at in finite if math.isfinite(values[at])]
        ranked = sorted(finite, key=values.__getitem__)
        chosen = {*ranked[:QUOTED], *ranked[-QUOTED:], *finite[:1], *finite[-1:]}
        if not self.is_finite:
            chosen.add(next(at for at, value in enumerate(values) if not math.isfinite(value)))
        for at in sorted(chosen):
            yield self._point(at), self._places.text(self._order[at])

    def _point(self, at: int) -> Point:
        if self._points is not None:
            return self._points[at]
        return self._places.point(self._order[at], self.steps[at], self._values[at])


def one_nan(value: float) -> float:
    """One object for all that is no number, so that equal points compare as equal."""
    return math.nan if value != value else value


def _candidates(filled: Filled, size: int) -> Iterable[int]:
    """Places in a column of this size, among which the first, the last, the greatest and the least finite values are.

    What is greater than the greatest of sixteen buckets is not among the sixteen greatest of all.
    """
    known = [(at, one.low.value, one.high.value) for at, one in enumerate(filled.buckets) if one.low and one.high]
    if len(known) < QUOTED or len(filled.buckets) == size:
        return range(size)
    least_high = min(nlargest(QUOTED, (high for _, _, high in known)))
    greatest_low = max(nsmallest(QUOTED, (low for _, low, _ in known)))
    edges = {known[0][0], known[-1][0]}
    ends = [*filled.starts[1:], size]
    chosen = (at for at, low, high in known if high >= least_high or low <= greatest_low or at in edges)
    return chain.from_iterable(range(filled.starts[at], ends[at]) for at in chosen)


class _Units(NamedTuple):
    """Values as whole numbers; what is no finite number is nothing."""

    numbers: list[int]
    shift: int
    """By so many binary digits they are smaller than the units of totals."""


def in_units(values: Sequence[float]) -> _Units:
    finite = list(map(math.isfinite, values))
    known = values if all(finite) else [value if is_one else 0.0 for value, is_one in zip(values, finite, strict=True)]
    least = min(map(abs, known), default=0.0) or min((abs(value) for value in known if value), default=1.0)
    # Every value is a whole multiple of the last binary digit of the least of them.
    shift = min(53 - math.frexp(least)[1], UNITS)
    if -1000 < shift < 1000:
        scaled = list(map(mul, known, repeat(math.ldexp(1.0, shift))))
        if all(map(math.isfinite, scaled)):
            return _Units(list(map(int, scaled)), UNITS - shift)
    return _Units(list(map(units_of, known)), 0)


def _of_few(points: Sequence[Point], borders: Sequence[int]) -> list[Bucket]:
    """The buckets between borders, each of no more than ``FEW`` finite values."""
    firsts = [points[start] for start in borders[:-1]]
    lasts = [points[end - 1] for end in borders[1:]]
    is_rising = [first.value <= last.value for first, last in zip(firsts, lasts, strict=True)]
    lows = [first if rises else last for first, last, rises in zip(firsts, lasts, is_rising, strict=True)]
    highs = [last if rises else first for first, last, rises in zip(firsts, lasts, is_rising, strict=True)]
    return list(map(Bucket, map(sub, borders[1:], borders), repeat(0), firsts, lasts, lows, highs))


def _finite_bucket(
    values: Sequence[float], units: _Units, start: int, end: int, point: Callable[[int], Point]
) -> Bucket:
    """The bucket of the finite values from one to another, whose steps ascend."""
    first = point(start)
    if end == start + 1:
        return Bucket(1, 0, first, first, first, first)
    last = point(end - 1)
    kept = values[start:end]
    least, greatest = min(kept), max(kept)
    return Bucket(
        end - start,
        sum(units.numbers[start:end]) << units.shift if end - start > FEW else 0,
        first,
        last,
        first if least == kept[0] else point(start + kept.index(least)),
        last if greatest == kept[-1] else point(end - 1 - kept[::-1].index(greatest)),
    )


def _bucket(values: Sequence[float], units: _Units, start: int, end: int, point: Callable[[int], Point]) -> Bucket:
    """The same where some may be no finite numbers."""
    finite = [at for at in range(start, end) if math.isfinite(values[at])]
    if len(finite) == end - start:
        return _finite_bucket(values, units, start, end, point)
    odd = point(next(at for at in range(start, end) if not math.isfinite(values[at])))
    if not finite:
        return Bucket(odd=odd)
    kept, numbers = [values[at] for at in finite], [units.numbers[at] for at in finite]
    of_kept = _finite_bucket(kept, _Units(numbers, units.shift), 0, len(kept), lambda at: point(finite[at]))
    return replace(of_kept, odd=odd)
