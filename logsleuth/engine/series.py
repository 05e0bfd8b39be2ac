"""Numbers by step, folded into a bounded number of buckets that can be merged in any order.

A bucket holds the values of ``stride`` steps. The stride is the smallest power of two with which the steps that were
seen fill no more than 2,048 buckets, so it depends on which they were, not on the order in which they came.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nlargest, nsmallest
from itertools import pairwise, repeat
from operator import lt, mul, rshift
from typing import NamedTuple, Protocol

from logsleuth.engine.bucket import UNITS, Bucket, place_of, size_of
from logsleuth.model.origin import Tag
from logsleuth.model.series import Point

BUCKETS = 2048
QUOTED = 16
"""How many of the greatest values, and of the smallest, have their lines kept as evidence."""


class Places(Protocol):
    """Lines whose numbers are taken together."""

    def point(self, at: int, step: int, value: float) -> Point:
        """A number of one line, and where it stands."""

    def text(self, at: int) -> str:
        """One line as evidence."""


class SeriesKey(NamedTuple):
    series: str
    event: str
    """The event that feeds it: its ``about`` says whom it concerns."""
    source: int
    tag: Tag
    about: tuple[object, ...]
    """The values of the fields that the event's ``about`` names."""
    segment: int
    by_step: bool
    """False where lines tell no step, so that the number of the line among its writer's counts instead."""


@dataclass(slots=True)
class Series:
    """The values of one series under one key."""

    stride: int = 1
    filled: dict[int, Bucket] = field(default_factory=dict)
    """Buckets by step // stride."""
    quotes: dict[Point, str] = field(default_factory=dict)
    """The lines of a few values: the first and last, the greatest and smallest, and the first that is no number."""

    def add(self, point: Point, text: str) -> None:
        """Takes one value and its line."""
        point = point._replace(value=_one_nan(point.value))
        self._put(point.step // self.stride, Bucket.of(point))
        self.quotes[point] = text
        if len(self.quotes) > 8 * QUOTED:
            self.quotes = _worth_quoting(self.quotes)
        self._coarsen()

    def add_all(self, steps: Sequence[int], values: Sequence[float], places: Places) -> None:
        """Takes many values, with the same outcome as one by one; lines of one step stand in their order."""
        order: Sequence[int] = range(len(steps))
        if any(map(lt, steps[1:], steps)):
            order = sorted(order, key=steps.__getitem__)
            steps, values = [steps[at] for at in order], [values[at] for at in order]
        self._make_room(steps)
        units = _units(values)
        runs = [
            _Run(place, start, _bucket(steps, values, units, start, end, order, places))
            for place, start, end in _parts(steps, self.stride)
        ]
        for at in _worth_a_quote(values, runs):
            point = places.point(order[at], steps[at], _one_nan(values[at]))
            self.quotes[point] = places.text(order[at])
        for run in runs:
            self._put(run.place, run.bucket)
        self.quotes = _worth_quoting(self.quotes)

    def merge(self, other: "Series") -> None:
        """Takes over the values of another; what comes out does not depend on the order of merges."""
        while self.stride < other.stride:
            self._double()
        factor = self.stride // other.stride
        for place, bucket in other.filled.items():
            self._put(place // factor, _copy(bucket))
        self.quotes = _worth_quoting({**self.quotes, **other.quotes})
        self._coarsen()

    def renumbered(self, number: int) -> "Series":
        """The same of a source with this number; as all of it stands in one source, what was chosen stays chosen."""
        filled = {place: bucket.renumbered(number) for place, bucket in self.filled.items()}
        return Series(self.stride, filled, {point.of(number): text for point, text in self.quotes.items()})

    def trimmed(self) -> "Series":
        """The series with no more lines kept than its values are worth."""
        self.quotes = _worth_quoting(self.quotes)
        return self

    @property
    def buckets(self) -> list[Bucket]:
        """In the order of steps."""
        return [self.filled[place] for place in sorted(self.filled)]

    def text(self, point: Point) -> str:
        """The line of a value; empty where it was not kept."""
        return self.quotes.get(point, "")

    def _put(self, place: int, bucket: Bucket) -> None:
        known = self.filled.get(place)
        if known is None:
            self.filled[place] = bucket
        else:
            known.merge(bucket)

    def _make_room(self, steps: Sequence[int]) -> None:
        """Doubles the stride until these steps, which ascend, find room."""
        new = {step // self.stride for step in steps}
        while len(new | self.filled.keys()) > BUCKETS:
            self._double()
            new = {place // 2 for place in new}

    def _coarsen(self) -> None:
        while len(self.filled) > BUCKETS:
            self._double()

    def _double(self) -> None:
        finer, self.filled = self.filled, {}
        self.stride *= 2
        for place, bucket in finer.items():
            self._put(place // 2, bucket)


class _Run(NamedTuple):
    """Values of one bucket among those that are taken together."""

    place: int
    start: int
    bucket: Bucket


def _parts(steps: Sequence[int], stride: int) -> Iterator[tuple[int, int, int]]:
    """The buckets that ascending steps lie in: the place of each, and where its steps begin and end."""
    places = list(map(rshift, steps, repeat(stride.bit_length() - 1)))
    borders = [0, *(at for at, (a, b) in enumerate(pairwise(places), 1) if a != b), len(places)]
    for start, end in pairwise(borders):
        if start < end:
            yield places[start], start, end


def _bucket(
    steps: Sequence[int],
    values: Sequence[float],
    units: "_Units",
    start: int,
    end: int,
    order: Sequence[int],
    places: Places,
) -> Bucket:
    """The bucket of a part of the values, whose steps ascend."""

    def point(at: int) -> Point:
        return places.point(order[at], steps[at], _one_nan(values[at]))

    part = values[start:end]
    bucket = Bucket()
    whole: Sequence[int] = range(start, end)
    if not all(map(math.isfinite, part)):
        bucket.odd = point(next(at for at in whole if not math.isfinite(values[at])))
        whole = [at for at in whole if math.isfinite(values[at])]
        part = [values[at] for at in whole]
        if not part:
            return bucket
    low, high = min(part), max(part)
    bucket.count, bucket.total = len(part), sum(units.numbers[start:end]) << units.shift
    bucket.first, bucket.last = point(whole[0]), point(whole[-1])
    bucket.low = point(whole[part.index(low)])
    bucket.high = point(whole[len(part) - 1 - part[::-1].index(high)])
    return bucket


class _Units(NamedTuple):
    """Values as whole numbers; what is no finite number is nothing."""

    numbers: list[int]
    shift: int
    """By so many binary digits they are smaller than the units of totals."""


def _units(values: Sequence[float]) -> _Units:
    finite = list(map(math.isfinite, values))
    known = values if all(finite) else [value if is_one else 0.0 for value, is_one in zip(values, finite, strict=True)]
    least = min(map(abs, known), default=0.0) or min((abs(value) for value in known if value), default=1.0)
    # Every value is a whole multiple of the last binary digit of the least of them.
    shift = min(53 - math.frexp(least)[1], UNITS)
    if -1000 < shift < 1000:
        scaled = list(map(mul, known, repeat(math.ldexp(1.0, shift))))
        if all(map(math.isfinite, scaled)):
            return _Units(list(map(int, scaled)), UNITS - shift)
    return _Units([Bucket.of(Point(0, value, 0, 0, 0, None)).total for value in known], 0)


def _worth_a_quote(values: Sequence[float], runs: Sequence[_Run]) -> Iterable[int]:
    """The places of values whose lines may be kept: the first and last, the greatest and the least, and of those that
    are no finite number the first."""
    highs = [run.bucket.high.value for run in runs if run.bucket.high]
    lows = [run.bucket.low.value for run in runs if run.bucket.low]
    chosen: set[int] = set()
    odd = next((run for run in runs if run.bucket.odd), None)
    if odd is not None:
        chosen.add(next(at for at in range(odd.start, len(values)) if not math.isfinite(values[at])))
    if not highs:
        return chosen
    # What is greater than the greatest of sixteen buckets is not among the sixteen greatest of all.
    high = min(nlargest(QUOTED, highs)) if len(highs) >= QUOTED else -math.inf
    low = max(nsmallest(QUOTED, lows)) if len(lows) >= QUOTED else math.inf
    finite = [at for at in _ends(runs, values, low, high) if math.isfinite(values[at])]
    chosen.update(sorted((at for at in finite if values[at] >= high), key=lambda at: (values[at], at))[-QUOTED:])
    chosen.update(sorted((at for at in finite if values[at] <= low), key=lambda at: (values[at], at))[:QUOTED])
    chosen |= {finite[0], finite[-1]}
    return sorted(chosen)


def _ends(runs: Sequence[_Run], values: Sequence[float], low: float, high: float) -> Iterable[int]:
    """The places of values in buckets that hold the first, the last, or any beyond a limit."""
    known = [at for at, run in enumerate(runs) if run.bucket.high]
    edges = {known[0], known[-1]}
    for number in known:
        bucket = runs[number].bucket
        assert bucket.low
        assert bucket.high
        if number in edges or bucket.high.value >= high or bucket.low.value <= low:
            end = runs[number + 1].start if number + 1 < len(runs) else len(values)
            yield from range(runs[number].start, end)


def _one_nan(value: float) -> float:
    """One object for all that is no number, so that equal points compare as equal."""
    return math.nan if value != value else value


def _copy(bucket: Bucket) -> Bucket:
    return Bucket(bucket.count, bucket.total, bucket.first, bucket.last, bucket.low, bucket.high, bucket.odd)


def _worth_quoting(quotes: dict[Point, str]) -> dict[Point, str]:
    """Those that are among the first, the last, the greatest or the smallest of all: a choice that any order of
    choosing leads to."""
    finite = sorted((p for p in quotes if math.isfinite(p.value)), key=size_of)
    odd = sorted((p for p in quotes if not math.isfinite(p.value)), key=place_of)
    chosen = {*finite[:QUOTED], *finite[-QUOTED:], *odd[:1]}
    if finite:
        chosen |= {min(finite, key=place_of), max(finite, key=place_of)}
    return {point: quotes[point] for point in sorted(chosen, key=place_of)}


def merged_series(parts: Iterable[Series]) -> Series:
    """One series of all parts, which stay as they are."""
    whole = Series()
    for part in parts:
        whole.merge(part)
    return whole
