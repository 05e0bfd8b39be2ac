"""Which lines need not be looked at, because lines of their shape turned out to say nothing but numbers?"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from operator import itemgetter

from logsleuth.tokenize.series_rows import Alike


class QuietLines:
    """Those of a chunk."""

    def __init__(self, alike: Iterable[Alike]) -> None:
        parts = [item for item in alike if item.learned.quiet]
        self._literals = frozenset().union(*(item.learned.quiet for item in parts))
        lines = sorted(chain.from_iterable(zip(item.lines.starts, item.lines.ends, strict=True) for item in parts))
        self._starts, self._ends = [start for start, _ in lines], [end for _, end in lines]
        self._passed = 0

    def taken_out(self, hits: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """The hits without those for whose sake alone these lines would be looked at."""
        literals, ends = self._literals, self._ends
        suspects = [hit for hit in hits if hit[1] in literals] if ends else []
        before = map(bisect_right, repeat(self._starts), map(itemgetter(0), suspects))
        quiet = {hit for hit, number in zip(suspects, before, strict=True) if number and hit[0] <= ends[number - 1]}
        return [hit for hit in hits if hit[1] not in literals or hit not in quiet]

    def last_before(self, start: int) -> tuple[int, int] | None:
        """Where the last of them before a place in the chunk stands, if there is one that was not asked for yet; places
        ascend."""
        if self._passed == len(self._starts):
            return None
        number = bisect_left(self._starts, start, lo=self._passed)
        if number == self._passed:
            return None
        self._passed = number
        return self._starts[number - 1], self._ends[number - 1]
