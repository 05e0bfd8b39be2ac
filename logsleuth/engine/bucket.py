"""The values of some steps in a row of a series: what is kept of them."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from logsleuth.model.series import Point

UNITS = 1074
"""Every finite number is a whole multiple of two to the power of minus this, so sums are exact integers."""


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
        return cls(1, numerator << (UNITS + 1 - denominator.bit_length()), point, point, point, point)

    def merge(self, other: "Bucket") -> None:
        """Takes over the values of another."""
        self.count += other.count
        self.total += other.total
        self.first = _least(self.first, other.first, place_of)
        self.last = _greatest(self.last, other.last, place_of)
        self.low = _least(self.low, other.low, size_of)
        self.high = _greatest(self.high, other.high, size_of)
        self.odd = _least(self.odd, other.odd, place_of)

    def renumbered(self, number: int) -> "Bucket":
        """The same of a source with this number."""
        first = self.first and self.first.of(number)
        # Most buckets hold one value, and there may be a million of them.
        last, low, high = (
            first if point == self.first else point and point.of(number) for point in (self.last, self.low, self.high)
        )
        return Bucket(self.count, self.total, first, last, low, high, self.odd and self.odd.of(number))

    @property
    def mean(self) -> float | None:
        """Of its finite values; None without one."""
        if self.count == 1 and self.first is not None:
            return self.first.value + 0.0  # Minus nothing is nothing, as in a sum.
        return self.sum / self.count if self.count else None

    @property
    def sum(self) -> float:
        """Of its finite values; infinite where it is beyond the largest number."""
        try:
            return self.total / (1 << UNITS)
        except OverflowError:
            return math.copysign(math.inf, self.total)

    @property
    def at(self) -> Point:
        """Its first value, finite or not."""
        start = self.first if self.odd is None else _least(self.first, self.odd, place_of)
        assert start is not None  # a bucket is made of a point
        return start

    @property
    def ends_at(self) -> int:
        """The step of its last value, finite or not."""
        return max(point.step for point in (self.last, self.odd) if point is not None)

    @property
    def points(self) -> list[Point]:
        """The values that are kept, each once, in the order of steps."""
        if self.count == 1 and self.odd is None and self.high is not None:
            return [self.high]
        kept = {place_of(p): p for p in (self.first, self.last, self.low, self.high, self.odd) if p}
        return [kept[place] for place in sorted(kept)]


def place_of(point: Point) -> tuple[int, int, int]:
    return point.step, point.source, point.offset


def size_of(point: Point) -> tuple[float, int, int, int]:
    return point.value, *place_of(point)


def _least(left: Point | None, right: Point | None, key: Callable[[Point], tuple[float, ...]]) -> Point | None:
    return left if right is None or (left is not None and key(left) <= key(right)) else right


def _greatest(left: Point | None, right: Point | None, key: Callable[[Point], tuple[float, ...]]) -> Point | None:
    return left if right is None or (left is not None and key(left) >= key(right)) else right
