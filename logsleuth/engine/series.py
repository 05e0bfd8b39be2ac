"""Numbers by step, folded into a bounded number of buckets that can be merged in any order.

A bucket holds the values of ``stride`` steps. The stride is the smallest power of two with which the steps that were
seen fill no more than 4,096 buckets, so it depends on which they were, not on the order in which they came.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from logsleuth.model.origin import Tag
from logsleuth.model.series import Point

BUCKETS = 4096
QUOTED = 16
"""How many of the greatest values, and of the smallest, have their lines kept as evidence."""
_UNITS = 1074
"""Every finite number is a whole multiple of two to the power of minus this, so sums are exact integers."""


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
class Bucket:
    """The values of some steps in a row. What has no finite value has neither first, last, low nor high."""

    count: int = 0
    """Of finite values."""
    total: int = 0
    """Their sum, exactly; see ``mean``."""
    first: Point | None = None
    last: Point | None = None
    low: Point | None = None
    high: Point | None = None
    odd: Point | None = None
    """The first value that is no finite number."""

    @classmethod
    def of(cls, point: Point) -> "Bucket":
        """The bucket of one value."""
        if not math.isfinite(point.value):
            return cls(odd=point)
        numerator, denominator = point.value.as_integer_ratio()
        return cls(1, numerator << (_UNITS + 1 - denominator.bit_length()), point, point, point, point)

    def merge(self, other: "Bucket") -> None:
        """Takes over the values of another."""
        self.count += other.count
        self.total += other.total
        self.first = _least(self.first, other.first, _place)
        self.last = _greatest(self.last, other.last, _place)
        self.low = _least(self.low, other.low, _size)
        self.high = _greatest(self.high, other.high, _size)
        self.odd = _least(self.odd, other.odd, _place)

    @property
    def mean(self) -> float | None:
        """Of its finite values; None without one."""
        return self.sum / self.count if self.count else None

    @property
    def sum(self) -> float:
        """Of its finite values; infinite where it is beyond the largest number."""
        try:
            return self.total / (1 << _UNITS)
        except OverflowError:
            return math.copysign(math.inf, self.total)

    @property
    def at(self) -> Point:
        """Its first value, finite or not."""
        start = _least(self.first, self.odd, _place)
        assert start is not None  # a bucket is made of a point
        return start

    @property
    def points(self) -> list[Point]:
        """The values that are kept, each once, in the order of steps."""
        kept = {_place(p): p for p in (self.first, self.last, self.low, self.high, self.odd) if p}
        return [kept[place] for place in sorted(kept)]


def _place(point: Point) -> tuple[int, int, int]:
    return point.step, point.source, point.offset


def _size(point: Point) -> tuple[float, int, int, int]:
    return point.value, *_place(point)


def _least(left: Point | None, right: Point | None, key: Callable[[Point], tuple[float, ...]]) -> Point | None:
    return left if right is None or (left is not None and key(left) <= key(right)) else right


def _greatest(left: Point | None, right: Point | None, key: Callable[[Point], tuple[float, ...]]) -> Point | None:
    return left if right is None or (left is not None and key(left) >= key(right)) else right


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
        if point.value != point.value:
            point = point._replace(value=math.nan)  # one object, so that equal points compare as equal
        self._put(point.step // self.stride, Bucket.of(point))
        self.quotes[point] = text
        if len(self.quotes) > 8 * QUOTED:
            self.quotes = _worth_quoting(self.quotes)
        self._coarsen()

    def merge(self, other: "Series") -> None:
        """Takes over the values of another; what comes out does not depend on the order of merges."""
        while self.stride < other.stride:
            self._double()
        factor = self.stride // other.stride
        for place, bucket in other.filled.items():
            self._put(place // factor, _copy(bucket))
        self.quotes = _worth_quoting({**self.quotes, **other.quotes})
        self._coarsen()

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

    def _coarsen(self) -> None:
        while len(self.filled) > BUCKETS:
            self._double()

    def _double(self) -> None:
        finer, self.filled = self.filled, {}
        self.stride *= 2
        for place, bucket in finer.items():
            self._put(place // 2, bucket)


def _copy(bucket: Bucket) -> Bucket:
    return Bucket(bucket.count, bucket.total, bucket.first, bucket.last, bucket.low, bucket.high, bucket.odd)


def _worth_quoting(quotes: dict[Point, str]) -> dict[Point, str]:
    """Those that are among the first, the last, the greatest or the smallest of all: a choice that any order of
    choosing leads to."""
    finite = sorted((p for p in quotes if math.isfinite(p.value)), key=_size)
    odd = sorted((p for p in quotes if not math.isfinite(p.value)), key=_place)
    chosen = {*finite[:QUOTED], *finite[-QUOTED:], *odd[:1]}
    if finite:
        chosen |= {min(finite, key=_place), max(finite, key=_place)}
    return {point: quotes[point] for point in sorted(chosen, key=_place)}


def merged_series(parts: Iterable[Series]) -> Series:
    """One series of all parts, which stay as they are."""
    whole = Series()
    for part in parts:
        whole.merge(part)
    return whole
