"""Spares a run the lines that are written again and again.

Of an event that is declared ``frequent`` (a line of every training step) rules only ask whether there is one before or
after something else. So of the hits of its literals only those at the edges of windows are looked at: the first and the
last few of every MiB of a source, and more at its end, where the last line of each of many ranks may stand. Windows lie
at fixed offsets, so that the answer does not depend on how the source was cut into chunks.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence

from logsleuth.tokenize.view import View

WINDOW = 1 << 20
EDGE = 8
"""Hits at either edge of a window."""
LAST = 64
"""Hits at the end of a source."""

Hits = list[tuple[int, int]]
Late = tuple[View, tuple[int, int]]


class FrequentHits:
    """Picks the hits to look at, for one source."""

    def __init__(self, literals: frozenset[int]) -> None:
        self._literals = literals
        self._window = -1
        self._early = 0
        self._late: deque[Late] = deque(maxlen=LAST)

    def pick(self, view: View, hits: Sequence[tuple[int, int]]) -> tuple[Hits, list[Late]]:
        """Of a chunk's hits (ascending) those to look at now, and those at the ends of windows that are complete."""
        frequent = [hit for hit in hits if hit[1] in self._literals]
        if not frequent:
            return list(hits), []
        chosen: Hits = [hit for hit in hits if hit[1] not in self._literals]
        late: list[Late] = []
        for window, part in _windows(view, frequent):
            if window != self._window:
                late += self.finish()[-EDGE:]
                self._window = window
            room = max(EDGE - self._early, 0)
            chosen += part[:room]
            self._early += len(part[:room])
            self._late.extend((view, hit) for hit in part[room:][-LAST:])
        return sorted(chosen), late

    def finish(self) -> list[Late]:
        """The hits at the end of the last window; the source, or the window, is over."""
        late, self._early = list(self._late), 0
        self._late.clear()
        return late


def _windows(view: View, hits: Hits) -> Iterator[tuple[int, Hits]]:
    """The hits of each window; where a hit ends decides in which it lies."""
    start = 0
    while start < len(hits):
        window = view.offset(hits[start][0]) // WINDOW
        border = (window + 1) * WINDOW
        end = bisect_left(hits, border, lo=start, key=lambda hit: view.offset(hit[0]))
        yield window, hits[start:end]
        start = end
