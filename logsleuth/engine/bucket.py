"""The values of some steps in a row of a series: what is kept of them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter, lt

from logsleuth.model.series import Point

UNITS = 1074
"""Every finite number is a whole multiple of two to the power of minus this, so sums are exact integers."""

FEW = 2
"""Finite values of which the least and the greatest are all."""

place_of: Callable[[Point], tuple[int, int, int]] = attrgetter("step", "source", "offset")
"""What points are ordered by."""
size_of: Callable[[Point], tuple[float, int, int, int]] = attrgetter("value", "step", "source", "offset")
"""The same where the least comes first."""


@dataclass(slots=True)
class Bucket:
    """The values of some steps in a row. What has no finite value has neither first, last, low nor high.

    Most hold one value or two, which then are points and no sum: of a large job there are millions. None is changed
    once it was made, so that series may share them.
    """

    count: int = 0
    """Of finite values."""
    total: int = 0
    """Of more than ``FEW`` finite values the sum in units, exactly; else zero. See ``units``."""
    first: Point | None = None
    last: Point | None = None
    low: Point | None = None
    high: Point | None = None
    odd: Point | None = None
    """The first value that is no finite number."""

    @classmethod
    def of(cls, point: Point) -> "Bucket":
        """The bucket of one value."""
        return cls(1, 0, point, point, point, point) if math.isfinite(point.value) else cls(odd=point)

    def merged(self, other: "Bucket") -> "Bucket":
        """The values of both."""
        if self.odd is None and other.odd is None and self.last and other.first:
            # Mostly one of them was read behind the other.
            if self.last.step < other.first.step:
                return self._followed_by(other)
            if other.last and self.first and other.last.step < self.first.step:
                return other._followed_by(self)
        count = self.count + other.count
        return Bucket(
            count,
            self.units + other.units if count > FEW else 0,
            _least(self.first, other.first, place_of),
            _greatest(self.last, other.last, place_of),
            _least(self.low, other.low, size_of),
            _greatest(self.high, other.high, size_of),
            _least(self.odd, other.odd, place_of),
        )

    def _followed_by(self, other: "Bucket") -> "Bucket":
        """The values of both, all of which are finite and those of the other of later steps."""
        low, lower, high, higher = self.low, other.low, self.high, other.high
        assert low is not None
        assert lower is not None
        assert high is not None
        assert higher is not None
        count = self.count + other.count
        return Bucket(
            count,
            self.units + other.units if count > FEW else 0,
            self.first,
            other.last,
            lower if lower.value < low.value else low,
            high if high.value > higher.value else higher,
        )

    def renumbered(self, number: int) -> "Bucket":
        """The same of a source with this number."""
        first = self.first and self.first.of(number)
        # Most buckets hold one value, and there may be a million of them.
        last, low, high = (
            first if point == self.first else point and point.of(number) for point in (self.last, self.low, self.high)
        )
        return Bucket(self.count, self.total, first, last, low, high, self.odd and self.odd.of(number))

    @property
    def units(self) -> int:
        """The sum of its finite values, exactly: so many times two to the power of minus ``UNITS``."""
        if self.count > FEW or not (self.low and self.high):
            return self.total
        return units_of(self.low.value) + (units_of(self.high.value) if self.count == FEW else 0)

    @property
    def mean(self) -> float | None:
        """Of its finite values; None without one."""
        return self.sum / self.count if self.count else None

    @property
    def sum(self) -> float:
        """Of its finite values; infinite where it is beyond the largest number."""
        if self.count <= FEW and self.low and self.high:
            # A sum is never minus zero.
            return self.low.value + (self.high.value if self.count == FEW else 0.0) + 0.0
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
        first, last, low, high = self.first, self.last, self.low, self.high
        if self.odd is None and first and last and low and high:
            if self.count == 1:
                return [first]
            inner = [
                p for p in ((low, high) if low.step < high.step else (high, low)) if p is not first and p is not last
            ]
            kept = [first, *inner, last]
            steps = [point.step for point in kept]
            if all(map(lt, steps, steps[1:])):
                return kept
        return self._sorted

    @property
    def _sorted(self) -> list[Point]:
        kept = {place_of(p): p for p in (self.first, self.last, self.low, self.high, self.odd) if p}
        return [kept[place] for place in sorted(kept)]


def units_of(value: float) -> int:
    """A value in units; 0 for what is no finite number."""
    if not math.isfinite(value):
        return 0
    numerator, denominator = value.as_integer_ratio()
    return numerator << (UNITS + 1 - denominator.bit_length())


def _least(left: Point | None, right: Point | None, key: Callable[[Point], tuple[float, ...]]) -> Point | None:
    return left if right is None or (left is not None and key(left) <= key(right)) else right


def _greatest(left: Point | None, right: Point | None, key: Callable[[Point], tuple[float, ...]]) -> Point | None:
    return left if right is None or (left is not None and key(left) >= key(right)) else right
