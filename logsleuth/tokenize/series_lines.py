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
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from logsleuth.tokenize.frequent import label_at, windows
from logsleuth.tokenize.learned import Learned, Lessons, Names, Told
from logsleuth.tokenize.lines import lines_at
from logsleuth.tokenize.series_rows import Alike, Place, groups
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
    literals: tuple[int, ...]
    number: int
    """How many such lines of its writer stand before it in the source."""


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

    __slots__ = ("label", "odd", "recent", "total", "window")

    def __init__(self, label: bytes, total: int = 0) -> None:
        self.label, self.total = label, total
        self.window = -1
        self.odd = 0
        self.recent: deque[SeriesLine] = deque(maxlen=_BEFORE)

    def enter(self, window: int) -> None:
        """What is remembered of a window ends with it."""
        self.window, self.odd = window, 0
        self.recent.clear()


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
        self._window = -1
        self._taught = self._made = 0
        self._level = 1
        self._spread: list[SeriesLine] = []
        self._extra: list[SeriesLine] = []

    def pick(self, view: View, hits: Sequence[tuple[int, int]]) -> Picked:
        """Takes the hits of a chunk (ascending)."""
        literals = self._literals
        picked = Picked([], [], [])
        stops = [stop for stop, literal in hits if literal in literals] if literals else []
        places = self._places(view, stops)
        for window, part in windows(view, places):
            if window != self._window:
                picked.lines.extend(self.finish())
                self._window, self._taught, self._made = window, 0, 0
                self._known.forget_if_full()
            self._take(view, part, hits, picked)
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

    def _places(self, view: View, stops: list[int]) -> list[Place]:
        """The lines that hold hits, each with its writer."""
        text, places = view.text, []
        find = label_at(view.labelled)
        writer = None
        for start, end in lines_at(text, stops):
            label = find(text, start)
            name = label[0] if label else b""
            if writer is None or writer.label != name:
                writer = self._writer(name)
            places.append(Place(start, end, writer.label, writer.total))
            writer.total += 1
        return places

    def _take(self, view: View, places: list[Place], hits: Sequence[tuple[int, int]], picked: Picked) -> None:
        """Takes lines of one window: those that have a shape at once, of the others the first as lessons."""
        for learned in self._known.shapes:
            places = _matched(view, learned, places, picked.alike)
        while places and self._taught < LESSONS:
            new = self._lesson(view, places[0], hits, picked.lessons)
            places = places[1:] if new is None else _matched(view, new, places[1:], picked.alike)
        for place in places:
            self._leave(view, place, hits)

    def _lesson(
        self, view: View, place: Place, hits: Sequence[tuple[int, int]], lessons: list[Lesson]
    ) -> Learned | None:
        """Looks at a line; returns the shape that fits others from here on."""
        self._taught += 1
        line = view.line(place.start, place.end)
        told, quiet = self._look(line, _literals(hits, place.start, place.end))
        lessons.append(Lesson(line, told, place.number))
        if self._made >= _NEW:
            return None
        learned = self._known.learn(place.label, line, told, quiet)
        self._made += learned is not None
        return learned

    def _leave(self, view: View, place: Place, hits: Sequence[tuple[int, int]]) -> None:
        """Keeps a line in mind that is looked at when its window is complete, if it is then among those chosen."""
        start, end, _, number = place
        writer = self._writers[place.label]
        if writer.window != self._window:
            writer.enter(self._window)
        line = SeriesLine(view, start, end, _literals(hits, start, end), number)
        if number % self._level == 0:
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
                return self._writers.setdefault(b"", _Writer(b""))
            known = self._writers[label] = _Writer(label)
        return known


def _matched(view: View, learned: Learned, places: list[Place], alike: list[Alike]) -> list[Place]:
    """Takes the lines that have a shape; returns the others."""
    fullmatch, text = learned.shape.pattern.fullmatch, view.characters
    matches = [fullmatch(text, start + len(label), end) for start, end, label, _ in places]
    others = [place for place, match in zip(places, matches, strict=True) if match is None]
    if others:
        places = [place for place, match in zip(places, matches, strict=True) if match is not None]
    texts = [match.groups() for match in matches if match is not None]
    labels = list(map(itemgetter(2), places))
    for chosen in groups(labels) if len(set(labels)) > 1 else [range(len(places))] if places else []:
        if len(chosen) == len(places):
            alike.append(Alike(view, learned, places, texts))
        else:
            alike.append(Alike(view, learned, [places[at] for at in chosen], [texts[at] for at in chosen]))
    return others


def _literals(hits: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, ...]:
    """The literals of a line, each once, in the order of their first hits."""
    first = bisect_left(hits, (start + 1,))
    last = bisect_left(hits, (end + 1,), lo=first)
    return tuple(dict.fromkeys(literal for _, literal in hits[first:last]))
