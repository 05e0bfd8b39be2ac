"""Which lines are looked at for the sake of a numeric series?

A line of every step is too much to look at, so of the lines that may feed a series only some are: in every window of a
source, lines spread evenly over those of each writer. A line that may tell of a number that is none (``nan``, ``inf``)
is always looked at, with those of its writer right before it, where what led there may show. Windows lie at fixed
offsets, so that the choice does not depend on how the source was cut into chunks.
"""

import re
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from logsleuth.tokenize.frequent import WINDOW, label_at
from logsleuth.tokenize.lines import hit_lines
from logsleuth.tokenize.view import View

AT_FIRST = 256
"""Lines of the first window that are looked at, over all writers; a short log is seen whole."""
SPREAD = 32
"""The same for every later window."""
_ODD = 4
"""Lines of a writer in one window that may tell of a number that is none."""
_BEFORE = 8
"""Lines of the writer before the first of these."""
_WRITERS = 4096
"""Labels that are told apart in a source; in a log with more, the last ones count as unlabelled."""

# Megatron ends every line with `number of nan iterations:   0 |`.
_odd_in = re.compile(rb"(?<![A-Za-z])(?:nan|NaN|NAN|[iI]nf(?:inity)?)(?![A-Za-z]| iterations)").search


class SeriesLine(NamedTuple):
    view: View
    start: int
    end: int
    literals: tuple[int, ...]
    number: int
    """How many such lines of its writer stand before it in the source."""


class _Writer:
    """The lines of one label."""

    __slots__ = ("odd", "recent", "total", "window")

    def __init__(self) -> None:
        self.total = 0
        self.window = -1
        self.odd = 0
        self.recent: deque[SeriesLine] = deque(maxlen=_BEFORE)

    def enter(self, window: int) -> None:
        """What is remembered of a window ends with it."""
        self.window, self.odd = window, 0
        self.recent.clear()


class SeriesLines:
    """Picks the lines to look at, for one source."""

    def __init__(self, literals: frozenset[int]) -> None:
        self._literals = literals
        self._writers: dict[bytes, _Writer] = {}
        self._window = -1
        self._level = 1
        self._spread: list[SeriesLine] = []
        self._extra: list[SeriesLine] = []

    def pick(self, view: View, hits: Sequence[tuple[int, int]]) -> list[SeriesLine]:
        """Takes the hits of a chunk (ascending); returns the lines of windows that are complete, in their order."""
        literals = self._literals
        if not literals or not any(literal in literals for _, literal in hits):
            return []
        out: list[SeriesLine] = []
        for start, end, found in hit_lines(view.text, hits):
            if not literals.isdisjoint(found):
                window = view.offset(start) // WINDOW
                if window != self._window:
                    out += self.finish()
                    self._window = window
                self._take(view, start, end, found)
        return out

    def finish(self) -> list[SeriesLine]:
        """The lines of the window that is not complete, of which no more will come."""
        chosen = {(line.view.offset(line.start), line.start): line for line in (*self._spread, *self._extra)}
        self._spread, self._extra, self._level = [], [], 1
        return [chosen[place] for place in sorted(chosen)]

    def _take(self, view: View, start: int, end: int, literals: tuple[int, ...]) -> None:
        label = label_at(view.text, start)
        writer = self._writer(label[0] if label else b"")
        if writer.window != self._window:
            writer.enter(self._window)
        line = SeriesLine(view, start, end, literals, writer.total)
        writer.total += 1
        if line.number % self._level == 0:
            self._spread.append(line)
            self._thin_out()
        if writer.odd < _ODD and _odd_in(view.text, start, end):
            self._extra += (*writer.recent, line) if not writer.odd else (line,)
            writer.odd += 1
        writer.recent.append(line)

    def _thin_out(self) -> None:
        """Keeps every second line of each writer where there are too many; its numbers tell which they are."""
        most = SPREAD if self._window else AT_FIRST
        while len(self._spread) > most and self._level < 1 << 20:
            self._level *= 2
            self._spread = [line for line in self._spread if line.number % self._level == 0]

    def _writer(self, label: bytes) -> _Writer:
        known = self._writers.get(label)
        if known is None:
            if len(self._writers) >= _WRITERS:
                return self._writers.setdefault(b"", _Writer())
            known = self._writers[label] = _Writer()
        return known
