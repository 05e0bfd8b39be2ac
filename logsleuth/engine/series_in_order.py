"""What functions ask of a series again and again.

Of most series every bucket holds one value, and there may be thousands of each of thousands of members.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from itertools import accumulate, chain, repeat
from operator import add, attrgetter
from typing import NamedTuple

from logsleuth.engine.bucket import Bucket
from logsleuth.engine.series import Series
from logsleuth.model.series import Point


class Sample(NamedTuple):
    at: int
    """The step."""
    value: float
    """The mean of the bucket."""
    bucket: Bucket


_STEP, _VALUE = attrgetter("step"), attrgetter("value")


class InOrder:
    """The buckets of a series in the order of steps, and what is told of them."""

    def __init__(self, series: Series) -> None:
        self.series = series

    @cached_property
    def buckets(self) -> list[Bucket]:
        return self.series.buckets

    @cached_property
    def _firsts(self) -> list[Point | None]:
        return list(map(attrgetter("first"), self.buckets))

    @cached_property
    def _is_plain(self) -> bool:
        """Whether each bucket holds one finite value."""
        return set(map(attrgetter("count"), self.buckets)) <= {1} and not any(map(attrgetter("odd"), self.buckets))

    @cached_property
    def lasts(self) -> list[int]:
        """The last step of each bucket."""
        return list(map(_STEP, self._firsts)) if self._is_plain else [bucket.ends_at for bucket in self.buckets]

    @cached_property
    def samples(self) -> list[Sample]:
        """One for each bucket with a finite value."""
        if not self._is_plain:
            return [Sample(b.at.step, mean, b) for b in self.buckets if (mean := b.mean) is not None]
        # A mean is a sum, and never minus zero.
        means = map(add, map(_VALUE, self._firsts), repeat(0.0))
        return list(
            map(partial(tuple.__new__, Sample), zip(map(_STEP, self._firsts), means, self.buckets, strict=True))
        )

    @cached_property
    def known(self) -> Sequence[int]:
        """How many samples the buckets up to each have."""
        if self._is_plain:
            return range(1, len(self.buckets) + 1)
        return list(accumulate(1 if bucket.count else 0 for bucket in self.buckets))

    def points_of(self, size: int | None) -> Iterable[Point]:
        """The values that are kept of the first so many buckets, of all where that is None."""
        if self._is_plain:
            return filter(None, self._firsts[:size])
        return chain.from_iterable(map(attrgetter("points"), self.buckets[:size]))

    @cached_property
    def points(self) -> list[Point]:
        """The values that are kept."""
        return list(self.points_of(None))

    @cached_property
    def values(self) -> list[float]:
        return list(map(_VALUE, self.points))

    @cached_property
    def steps(self) -> list[int]:
        return list(map(_STEP, self.points))
