"""Which lines are looked at for the sake of a numeric series?

Every line that may feed one counts, but looking at each would be too dear. So lines that have the shape of lines which
were looked at (``shapes``) are read by a regular expression alone. Of those that have none, the first of every window
of a source are looked at, as lessons, and then some that lie spread evenly over each writer's. A line that may tell of
a number that is none (``nan``, ``inf``) is always looked at, with those of its writer right before it, where what led
there may show. Windows lie at fixed offsets and lessons are taken in the order of lines, so that the choice does not
depend on how the source was cut into chunks.
"""

import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from operator import not_
from typing import NamedTuple

from logsleuth.tokenize.frequent import label_at, windows
from logsleuth.tokenize.learned import Learned, Lessons, Names, Told
from logsleuth.tokenize.lines import lines_at
from logsleuth.tokenize.series_rows import Alike, Lines, groups
from logsleuth.tokenize.shapes import Shapes
from logsleuth.tokenize.view import Line, View

LESSONS = 64
"""Lines of a window without a known shape that are looked at before any are left out."""
_NEW = 24
"""Patterns that are made in a window: making one costs as much as looking at many lines."""
AT_FIRST = 256
"""Further lines of the first window that are looked at, over all writers."""
SPREAD = 16
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
    """A line to look at."""

    view: View
    start: int
    end: int
    hits: Sequence[tuple[int, int]]
    """Those of the chunk."""
    number: int
    """How many such lines of its writer stand before it in the source."""

    @property
    def literals(self) -> tuple[int, ...]:
        """Each that it holds once, in the order of their first hits."""
        first = bisect_left(self.hits, (self.start + 1,))
        last = bisect_left(self.hits, (self.end + 1,), lo=first)
        return tuple(dict.fromkeys(literal for _, literal in self.hits[first:last]))


class Lesson(NamedTuple):
    """A line that was looked at."""

    line: Line
    told: list[Told]
    number: int


class Picked(NamedTuple):
    """What there is to take numbers from."""

    alike: list[Alike]
    lessons: list[Lesson]
    lines: list[SeriesLine]
    """Lines of windows that are complete, in their order, at which nobody looked yet."""


class _Writer:
    """The lines of one label."""

    __slots__ = ("label", "total")

    def __init__(self, label: bytes, total: int = 0) -> None:
        self.label, self.total = label, total

    def count(self) -> int:
        """Counts a line; returns how many stood before it."""
        self.total += 1
        return self.total - 1


class _Left:
    """The lines of one label in the window at hand that have no known shape."""

    __slots__ = ("odd", "recent")

    def __init__(self) -> None:
        self.odd = 0
        self.recent: deque[SeriesLine] = deque(maxlen=_BEFORE)


Look = Callable[[Line, tuple[int, ...]], tuple[list[Told], frozenset[int]]]
"""What a line with these literals tells for series, and those of its literals that turned out to say nothing."""


class SeriesLines:
    """Picks the lines to look at, for one source."""

    def __init__(
        self,
        literals: frozenset[int],
        names: Names,
        labelled: int,
        look: Look,
        earlier: Iterable[tuple[bytes, int]] = (),
    ) -> None:
        """``earlier`` is what ``counted`` was of a part of the source that stands in front."""
        self._literals, self._look = literals, look
        self._known = Lessons(names, labelled)
        self._writers = {label: _Writer(label, number) for label, number in earlier}
        self._left: defaultdict[bytes, _Left] = defaultdict(_Left)
        self._window = -1
        self._taught = self._made = 0
        self._level = 1
        self._spread: list[SeriesLine] = []
        self._extra: list[SeriesLine] = []

    def pick(self, view: View, hits: Sequence[tuple[int, int]]) -> Picked:
        """Takes the hits of a chunk (ascending)."""
        literals = self._literals
        picked = Picked([], [], [])
        lines = self._lines(view, [stop for stop, literal in hits if literal in literals] if literals else [])
        for window, start, end in windows(view, lines.starts):
            if window != self._window:
                picked.lines.extend(self.finish())
                self._window, self._taught, self._made = window, 0, 0
                self._left.clear()
                self._known.forget_if_full()
            self._take(view, lines.part(start, end), hits, picked)
        return picked

    def finish(self) -> list[SeriesLine]:
        """The lines of the window that is not complete, of which no more will come."""
        chosen = {(line.view.offset(line.start), line.start): line for line in (*self._spread, *self._extra)}
        self._spread, self._extra, self._level = [], [], 1
        return [chosen[place] for place in sorted(chosen)]

    @property
    def counted(self) -> tuple[tuple[bytes, int], ...]:
        """How many lines were counted of each label."""
        return tuple((label, writer.total) for label, writer in self._writers.items())

    def _lines(self, view: View, stops: list[int]) -> Lines:
        """The lines that hold hits, each with its writer."""
        places = list(lines_at(view.text, stops))
        if not places:
            return Lines((), (), (), ())
        starts, ends = zip(*places, strict=True)
        labels = list(map(label_at(view.labelled), repeat(view.text), starts))
        if not any(labels):
            writer = self._writer(b"")
            first, writer.total = writer.total, writer.total + len(starts)
            return Lines(starts, ends, [b""] * len(starts), range(first, writer.total))
        writers = [self._writer(label[0] if label else b"") for label in labels]
        return Lines(starts, ends, [writer.label for writer in writers], [writer.count() for writer in writers])

    def _take(self, view: View, lines: Lines, hits: Sequence[tuple[int, int]], picked: Picked) -> None:
        """Takes lines of one window: those that have a shape at once, of the others the first as lessons."""
        shapes = self._known.shapes
        if together := self._known.together(len(lines.starts)):
            lines = _sorted_out(view, shapes, together, lines, picked.alike)
        else:
            for learned in shapes:
                lines = _matched(view, learned, lines, picked.alike)
        while lines.starts and self._taught < LESSONS:
            new = self._lesson(view, lines, hits, picked.lessons)
            lines = lines.part(1, len(lines.starts))
            if new is not None:
                lines = _matched(view, new, lines, picked.alike)
        for start, end, label, number in zip(*lines, strict=True):
            self._leave(SeriesLine(view, start, end, hits, number), label)

    def _lesson(
        self, view: View, lines: Lines, hits: Sequence[tuple[int, int]], lessons: list[Lesson]
    ) -> Learned | None:
        """Looks at the first of these lines; returns the shape that fits others from here on."""
        self._taught += 1
        first = SeriesLine(view, lines.starts[0], lines.ends[0], hits, lines.numbers[0])
        line = view.line(first.start, first.end)
        told, quiet = self._look(line, first.literals)
        lessons.append(Lesson(line, told, first.number))
        if self._made >= _NEW:
            return None
        learned = self._known.learn(lines.labels[0], line, told, quiet)
        self._made += learned is not None
        return learned

    def _leave(self, line: SeriesLine, label: bytes) -> None:
        """Keeps a line in mind that is looked at when its window is complete, if it is then among those chosen."""
        left = self._left[label]
        if line.number % self._level == 0:
            self._spread.append(line)
            self._thin_out()
        if left.odd < _ODD and _odd_in(line.view.text, line.start, line.end):
            self._extra += (*left.recent, line) if not left.odd else (line,)
            left.odd += 1
        left.recent.append(line)

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
                return self._writers.setdefault(b"", _Writer(b""))
            known = self._writers[label] = _Writer(label)
        return known


def _sorted_out(view: View, shapes: Sequence[Learned], together: Shapes, lines: Lines, alike: list[Alike]) -> Lines:
    """Takes the lines that have one of these shapes, each as the first that it has; returns the others."""
    numbers, texts = together.matches(view.characters, lines.messages, lines.ends)
    of_shape: list[list[int]] = [[] for _ in range(len(shapes) + 1)]
    for at, number in enumerate(numbers):
        of_shape[number].append(at)
    others = of_shape.pop()
    for learned, chosen in zip(shapes, of_shape, strict=True):
        if chosen:
            said = [told for at in chosen if (told := texts[at]) is not None]
            _take_in(Alike(view, learned, lines.at(chosen), said), alike)
    return lines.at(others)


def _matched(view: View, learned: Learned, lines: Lines, alike: list[Alike]) -> Lines:
    """Takes the lines that have a shape; returns the others."""
    matches = list(map(learned.shape.pattern.fullmatch, repeat(view.characters), lines.messages, lines.ends))
    others = lines.part(0, 0)
    if None in matches:
        lines, others = lines.chosen(matches), lines.chosen(list(map(not_, matches)))
    if lines.starts:
        _take_in(Alike(view, learned, lines, [match.groups() for match in matches if match is not None]), alike)
    return others


def _take_in(whole: Alike, alike: list[Alike]) -> None:
    """Takes lines of one shape, those of each label together."""
    view, learned, lines, texts = whole
    if len(set(lines.labels)) == 1:
        alike.append(whole)
        return
    for chosen in groups(lines.labels):
        alike.append(Alike(view, learned, lines.at(chosen), [texts[at] for at in chosen]))
