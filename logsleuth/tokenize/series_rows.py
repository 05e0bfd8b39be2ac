"""Many lines of one shape and one writer, as columns of numbers."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache, partial
from itertools import compress, repeat
from operator import add
from typing import NamedTuple, TypeVar

from logsleuth.language.syntax import Event
from logsleuth.model.event import FieldValue
from logsleuth.model.origin import Stamp, Tag
from logsleuth.model.series import LateStamp, Point
from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.learned import Learned, Writer
from logsleuth.tokenize.view import View

_LINES = 1 << 15
"""Lines whose stamps are remembered: those of one tell numbers for several series."""

_Kind = TypeVar("_Kind")

# What the classes themselves do, without a call of Python code for each.
_point: Callable[[Iterable[object]], Point] = partial(tuple.__new__, Point)
_late: Callable[[Iterable[object]], LateStamp] = partial(tuple.__new__, LateStamp)


@lru_cache(_LINES)
def _stamp(head: bytes, labelled: int) -> Stamp | None:
    return frame(head, labelled).stamp


class StampReader:
    """Reads the stamp of a line by its beginning. There is one for all lines that are read alike (``stamp_reader``),
    copied or not: points hold it, and are looked up by millions."""

    __slots__ = ("_labelled",)

    def __init__(self, labelled: int) -> None:
        """``labelled`` is as in ``frame``."""
        self._labelled = labelled

    def __call__(self, head: bytes) -> Stamp | None:
        return _stamp(head, self._labelled)

    def __reduce__(self) -> tuple[Callable[[int], "StampReader"], tuple[int]]:
        return stamp_reader, (self._labelled,)


@cache
def stamp_reader(labelled: int) -> StampReader:
    """The one that reads lines with these labels."""
    return StampReader(labelled)


class Lines(NamedTuple):
    """Lines of a chunk that may feed series, in their order, by columns."""

    starts: Sequence[int]
    ends: Sequence[int]
    labels: Sequence[bytes]
    """What names the writer of each at its start."""
    numbers: Sequence[int]
    """How many such lines of its writer stand before each in the source."""

    def part(self, start: int, end: int) -> "Lines":
        """Those from one to another."""
        starts, ends, labels, numbers = self
        return Lines(starts[start:end], ends[start:end], labels[start:end], numbers[start:end])

    def chosen(self, which: Sequence[object]) -> "Lines":
        """Those of which this is true."""
        starts, ends, labels, numbers = self
        return Lines(
            list(compress(starts, which)),
            list(compress(ends, which)),
            list(compress(labels, which)),
            list(compress(numbers, which)),
        )

    def at(self, places: Sequence[int]) -> "Lines":
        """Those in these places."""

        def take(column: Sequence[_Kind]) -> list[_Kind]:
            return [column[at] for at in places]

        starts, ends, labels, numbers = self
        return Lines(take(starts), take(ends), take(labels), take(numbers))

    @property
    def messages(self) -> Sequence[int]:
        """Where each goes on behind its label."""
        return list(map(add, self.starts, map(len, self.labels))) if any(self.labels) else self.starts


class Alike(NamedTuple):
    """Lines of one shape and one label in a chunk, in their order."""

    view: View
    learned: Learned
    lines: Lines
    texts: list[tuple[str, ...]]
    """What their fields say."""


_Place = tuple[int, int, LateStamp | None]
"""Offset, number and stamp of a line."""


class Standing:
    """Where lines of one writer stand in a source."""

    def __init__(self, source: int, view: View, writer: Writer, lines: Lines) -> None:
        self.source, self.writer, self.lines = source, writer, lines
        self._view = view
        self._places: dict[int, _Place] = {}
        self._texts: dict[int, str] = {}
        self._read = stamp_reader(view.labelled)

    def offset(self, at: int) -> int:
        """Where in the source a line stands."""
        return self._view.offset(self.lines.starts[at])

    def place(self, at: int) -> _Place:
        """The same with what else a point tells of it."""
        place = self._places.get(at)
        if place is None:
            start, view, head = self.lines.starts[at], self._view, self.writer.head
            late = LateStamp(view.text[start : min(start + head, self.lines.ends[at])], self._read) if head else None
            place = self._places[at] = view.offset(start), view.number(start), late
        return place

    @cached_property
    def places(self) -> tuple[Sequence[int], Sequence[int], Sequence[LateStamp | None]]:
        """The same of all lines, by columns."""
        starts, view, head, text = self.lines.starts, self._view, self.writer.head, self._view.text
        stamps: list[LateStamp | None] = [None] * len(starts)
        if head:
            heads = [text[start : start + head] for start in starts]
            for at, (start, end) in enumerate(zip(starts, self.lines.ends, strict=True)):
                if end - start < head:
                    heads[at] = text[start:end]
            stamps = list(map(_late, zip(heads, repeat(self._read))))
        return view.offsets(starts), view.numbers(starts), stamps

    def text(self, at: int) -> str:
        """One line as evidence."""
        text = self._texts.get(at)
        if text is None:
            text = self._texts[at] = self._view.evidence(self.lines.starts[at], self.lines.ends[at])
        return text


class Rows:
    """Lines of one shape, writer and event in a chunk, in their order."""

    def __init__(
        self, standing: Standing, lines: Sequence[int], event: Event, columns: dict[str, list[FieldValue | None]]
    ) -> None:
        """``lines`` says which of those that are standing there they are."""
        self._standing, self._lines = standing, lines
        self.event = event
        self.columns = columns
        """The values of each field, one for each line."""

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def tag(self) -> Tag:
        return self._standing.writer.tag

    @property
    def numbers(self) -> Sequence[int]:
        """How many lines of the writer stand before each."""
        return self._of_mine(self._standing.lines.numbers)

    def offset(self, at: int) -> int:
        """Where in the source a line stands."""
        return self._standing.offset(self._lines[at])

    def part(self, chosen: Sequence[int]) -> "Rows":
        """Some of the lines."""
        columns = {name: [values[at] for at in chosen] for name, values in self.columns.items()}
        return Rows(self._standing, [self._lines[at] for at in chosen], self.event, columns)

    def point(self, at: int, step: int, value: float) -> Point:
        """A number of one line, and where it stands."""
        return Point(step, value, self._standing.source, *self._standing.place(self._lines[at]))

    def points(self, lines: Sequence[int], steps: Sequence[int], values: Sequence[float]) -> list[Point]:
        """The same of many lines."""
        columns: Iterable[Sequence[object]] = map(self._of_mine, self._standing.places)
        if lines != range(len(self)):
            columns = [[column[at] for at in lines] for column in columns]
        return list(map(_point, zip(steps, values, repeat(self._standing.source), *columns)))

    def text(self, at: int) -> str:
        """One line as evidence."""
        return self._standing.text(self._lines[at])

    def _of_mine(self, column: Sequence[_Kind]) -> Sequence[_Kind]:
        """What a column tells of these lines."""
        return column if len(self._lines) == len(column) else [column[at] for at in self._lines]


def rows_of(source: int, alike: Alike) -> Iterator[Rows]:
    """The lines for each event that they feed."""
    view, learned, lines, found = alike
    writer = learned.writer(lines.labels[0], view.text[lines.starts[0] : lines.ends[0]], view.labelled)
    standing = Standing(source, view, writer, lines)
    texts = list(zip(*found, strict=True))
    for feed in learned.feeds:
        columns = {column.name: column.values(texts[column.group]) for column in feed.columns}
        for count in feed.event.counts:
            if count.field not in columns and all(part in columns for part in count.parts):
                columns[count.field] = list(map(count.number, *(columns[part] for part in count.parts)))
        yield Rows(standing, range(len(lines.starts)), feed.event, columns)


def groups(keys: Sequence[object]) -> list[list[int]]:
    """The places with equal keys, in the order of the first of each."""
    found: dict[object, list[int]] = defaultdict(list)
    for at, key in enumerate(keys):
        found[key].append(at)
    return list(found.values())
