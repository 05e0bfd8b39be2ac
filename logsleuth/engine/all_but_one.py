"""What many values come to without one of them, asked once for each: what the peers of ten thousand ranks come to is
worked out from values that are put in order once."""

import math
import statistics
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property

from logsleuth.engine.aggregates import is_far, mode

_EXACT = 2**53
"""Differences of larger whole numbers are rounded, and need not be in the order of the numbers."""


class AllButOne:
    """Values. ``but`` is the place of the one that is left out; None where all are asked."""

    def __init__(self, values: Sequence[object]) -> None:
        self._values = values

    def count(self, but: int | None) -> int:
        """How many they are."""
        return len(self._values) - (but is not None)

    def count_of_numbers(self, but: int | None) -> int:
        """How many of them are numbers."""
        return len(self._numbers) - (but in self._numbers)

    def mode(self, but: int | None) -> object | None:
        """The most frequent of one or more; None on a tie."""
        if but is None:
            return mode(self._values)
        commonest = {value: len(self._alike[value]) for value, _ in self._commonest}
        commonest[self._values[but]] = len(self._alike[self._values[but]]) - 1
        (most, first), *rest = sorted(((n, v) for v, n in commonest.items()), key=lambda item: -item[0])
        if rest and rest[0][0] == most:
            return None
        return next(self._values[at] for at in self._alike[first] if at != but)

    def greatest(self, but: int | None) -> float:
        """Of one or more numbers."""
        if not self._is_plain:
            return max(self._left(but))
        gap = self._rank(but)
        # Of equal ones the first.
        first = bisect_left(self._sorted, self._ordered(self.count_of_numbers(but) - 1, gap))
        return self._sorted[first + (first == gap)]

    def median(self, but: int | None) -> float:
        """Of one or more numbers."""
        if not self._is_plain:
            return statistics.median(self._left(but))
        gap, half = self._rank(but), self.count_of_numbers(but) // 2
        upper = self._ordered(half, gap)
        return upper if self.count_of_numbers(but) % 2 else (self._ordered(half - 1, gap) + upper) / 2

    def is_far(self, own: float, but: int | None, factor: float) -> bool:
        """Whether ``own`` is far from two or more numbers, as ``aggregates.is_far`` has it."""
        if not self._is_plain:
            return is_far(own, self._left(but), factor)
        middle, count, gap = self.median(but), self.count_of_numbers(but), self._rank(but)
        distance = self._distance(count // 2, middle, gap)
        if count % 2 == 0:
            distance = (self._distance(count // 2 - 1, middle, gap) + distance) / 2
        return abs(own - middle) > factor * max(distance, abs(middle) * 0.01)

    def _distance(self, place: int, middle: float, gap: int) -> float:
        """How far from the middle that number is which has so many nearer ones."""
        count, wanted = len(self._sorted) - (gap < len(self._sorted)), place + 1
        below = bisect_left(self._sorted, middle)
        below -= gap < below
        # So many of the nearest lie below the middle, the rest does not.
        low, high = max(0, wanted - (count - below)), min(wanted, below)
        while low < high:
            taken = (low + high) // 2
            nearer = middle - self._ordered(below - 1 - taken, gap)
            if nearer < self._ordered(below + wanted - taken - 1, gap) - middle:
                low = taken + 1
            else:
                high = taken
        farthest = [middle - self._ordered(below - low, gap)] if low else []
        if wanted > low:
            farthest.append(self._ordered(below + wanted - low - 1, gap) - middle)
        return max(farthest)

    def _ordered(self, place: int, gap: int) -> float:
        """A number by its place among those that are left."""
        return self._sorted[place + (place >= gap)]

    def _rank(self, but: int | None) -> int:
        """The place of the one that is left out among the numbers in their order; behind them where it is none."""
        return len(self._sorted) if but is None else self._ranks.get(but, len(self._sorted))

    def _left(self, but: int | None) -> list[float]:
        return [number for at, number in self._numbers.items() if at != but]

    @cached_property
    def _numbers(self) -> dict[int | None, float]:
        return {at: value for at, value in enumerate(self._values) if isinstance(value, int | float)}

    @cached_property
    def _is_plain(self) -> bool:
        """Whether numbers and what they differ by have one order."""
        return all(math.isfinite(x) and (abs(x) <= _EXACT or type(x) is float) for x in self._numbers.values())

    @cached_property
    def _ranks(self) -> dict[int | None, int]:
        order = sorted(self._numbers, key=self._numbers.__getitem__)
        return {at: rank for rank, at in enumerate(order)}

    @cached_property
    def _sorted(self) -> list[float]:
        return [self._numbers[at] for at in self._ranks]

    @cached_property
    def _alike(self) -> dict[object, list[int]]:
        alike: dict[object, list[int]] = defaultdict(list)
        for at, value in enumerate(self._values):
            alike[value].append(at)
        return alike

    @cached_property
    def _commonest(self) -> list[tuple[object, int]]:
        return Counter(self._values).most_common(3)


def of_peers(name: str, values: AllButOne, but: int | None, others: int) -> object | None:
    """The mode, median or greatest of what is known of so many others; None on a tie, or where less than half is."""
    count = values.count(but)
    if not count or count * 2 < others:
        return None
    if name == "peers.mode":
        return values.mode(but)
    if not values.count_of_numbers(but):
        return None
    return values.greatest(but) if name == "peers.max" else values.median(but)
