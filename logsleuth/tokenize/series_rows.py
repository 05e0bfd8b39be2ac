"""Many lines of one shape and one writer, as columns of numbers."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from operator import itemgetter
from typing import NamedTuple

from logsleuth.language.syntax import Event
from logsleuth.model.event import FieldValue
from logsleuth.model.origin import Stamp, Tag
from logsleuth.model.series import LateStamp, Point
from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.learned import Learned, Writer
from logsleuth.tokenize.view import View

_LINES = 1 << 15
"""Lines whose stamps are remembered: those of one tell numbers for several series."""


@lru_cache(_LINES)
def _stamp(head: bytes, labelled: int) -> Stamp | None:
    return frame(head, labelled).stamp


@dataclass(frozen=True, slots=True)
class StampReader:
    """Reads the stamp of a line by its beginning; equal to all that read alike, copied or not."""

    labelled: int
    """As in ``frame``."""

    def __call__(self, head: bytes) -> Stamp | None:
        return _stamp(head, self.labelled)


class Place(NamedTuple):
    """A line in a chunk."""

    start: int
    end: int
    label: bytes
    """What names its writer at its start."""
    number: int
    """How many lines of its writer that may feed series stand before it in the source."""


class Alike(NamedTuple):
    """Lines of one shape and one label in a chunk, in their order."""

    view: View
    learned: Learned
    places: list[Place]
    texts: list[tuple[str, ...]]
    """What their fields say."""


class Rows:
    """Lines of one shape, writer and event in a chunk, in their order."""

    def __init__(
        self,
        source: int,
        view: View,
        writer: Writer,
        event: Event,
        places: Sequence[Place],
        columns: dict[str, list[FieldValue | None]],
    ) -> None:
        self._source, self._view, self._writer = source, view, writer
        self.event = event
        self._lines = places
        self.columns = columns
        """The values of each field, one for each line."""
        self._places: dict[int, tuple[int, int, LateStamp | None]] = {}
        self._texts: dict[int, str] = {}
        self._read = StampReader(view.labelled)

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def tag(self) -> Tag:
        return self._writer.tag

    @property
    def numbers(self) -> list[int]:
        """How many lines of the writer stand before each."""
        return list(map(itemgetter(3), self._lines))

    def offset(self, at: int) -> int:
        """Where in the source a line stands."""
        return self._view.offset(self._lines[at].start)

    def part(self, chosen: Sequence[int]) -> "Rows":
        """Some of the lines."""
        columns = {name: [values[at] for at in chosen] for name, values in self.columns.items()}
        return Rows(self._source, self._view, self._writer, self.event, [self._lines[at] for at in chosen], columns)

    def point(self, at: int, step: int, value: float) -> Point:
        """A number of one line, and where it stands."""
        return Point(step, value, self._source, *self._place(at))

    def points(self, lines: Sequence[int], steps: Sequence[int], values: Sequence[float]) -> list[Point]:
        """The same of many lines."""
        if not lines:
            return []
        offsets, numbers, stamps = zip(*map(self._place, lines), strict=True)
        return list(map(Point, steps, values, repeat(self._source), offsets, numbers, stamps))

    def _place(self, at: int) -> tuple[int, int, LateStamp | None]:
        place = self._places.get(at)
        if place is None:
            start, view, head = self._lines[at].start, self._view, self._writer.head
            late = LateStamp(view.text[start : min(start + head, self._lines[at].end)], self._read) if head else None
            place = self._places[at] = view.offset(start), view.number(start), late
        return place

    def text(self, at: int) -> str:
        """One line as evidence."""
        text = self._texts.get(at)
        if text is None:
            text = self._texts[at] = self._view.evidence(self._lines[at].start, self._lines[at].end)
        return text


def rows_of(source: int, alike: Alike) -> Iterator[Rows]:
    """The lines for each event that they feed."""
    view, first = alike.view, alike.places[0]
    writer = alike.learned.writer(first.label, view.text[first.start : first.end], view.labelled)
    texts = list(zip(*alike.texts, strict=True))
    for feed in alike.learned.feeds:
        columns = {column.name: column.values(texts[column.group]) for column in feed.columns}
        for count in feed.event.counts:
            if count.field not in columns and all(part in columns for part in count.parts):
                columns[count.field] = list(map(count.number, *(columns[part] for part in count.parts)))
        yield Rows(source, view, writer, feed.event, alike.places, columns)


def groups(keys: Sequence[object]) -> list[list[int]]:
    """The places with equal keys, in the order of the first of each."""
    found: dict[object, list[int]] = defaultdict(list)
    for at, key in enumerate(keys):
        found[key].append(at)
    return list(found.values())
