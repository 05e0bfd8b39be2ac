"""Takes the numbers of one source into series, as far as rules read them."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeGuard, TypeVar

from logsleuth.engine.plan import Plan
from logsleuth.engine.series import Series, SeriesKey
from logsleuth.language import syntax as s
from logsleuth.language.program import series_name
from logsleuth.model.event import FieldValue
from logsleuth.model.origin import Tag
from logsleuth.model.series import Point

_LARGEST = 2**63

_Values = Sequence[FieldValue | None]
_Key = TypeVar("_Key", bound=Hashable)
_Kind = TypeVar("_Kind")


class Numbers(Protocol):
    """A find, as far as its numbers go."""

    @property
    def event(self) -> s.Event: ...
    @property
    def tag(self) -> Tag: ...
    @property
    def segment(self) -> int: ...
    def values(self, names: tuple[str, ...]) -> tuple[object, ...]: ...
    def point(self, step: int, value: float) -> Point: ...
    def text(self) -> str: ...


class Rows(Protocol):
    """Many lines of one writer and event."""

    @property
    def event(self) -> s.Event: ...
    @property
    def tag(self) -> Tag: ...
    @property
    def columns(self) -> dict[str, list[FieldValue | None]]:
        """The values of each field, one for each line."""

    @property
    def numbers(self) -> Sequence[int]:
        """How many lines of the writer stand before each."""

    def __len__(self) -> int: ...
    def point(self, at: int, step: int, value: float) -> Point: ...
    def points(self, lines: Sequence[int], steps: Sequence[int], values: Sequence[float]) -> list[Point]: ...
    def text(self, at: int) -> str: ...


LinesTold = Mapping[tuple[str, Tag], int]
"""Of every event and writer whose lines tell no step: how many of them are known to stand in a part of a source."""


class _Feed(NamedTuple):
    """What one event gives to series."""

    about: tuple[str, ...]
    series: tuple[tuple[str, str, str], ...]
    """(series, field, the field that counts steps or nothing)"""


class _Lines(NamedTuple):
    """Some of many lines."""

    rows: Rows
    chosen: Sequence[int]

    def point(self, at: int, step: int, value: float) -> Point:
        return self.rows.point(self.chosen[at], step, value)

    def points(self, lines: Sequence[int], steps: Sequence[int], values: Sequence[float]) -> list[Point]:
        return self.rows.points([self.chosen[at] for at in lines], steps, values)

    def text(self, at: int) -> str:
        return self.rows.text(self.chosen[at])


class SeriesFolder:
    """The series of one source while it is read."""

    def __init__(self, source: int, plan: Plan, earlier: LinesTold | None = None) -> None:
        """``earlier`` tells of lines of the source that were folded before and stand in front of all others."""
        self._source, self._read = source, plan.series
        self._feeds: dict[str, _Feed] = {}
        """What the events give that were found."""
        self._filling: dict[SeriesKey, Series] = {}
        self._counts: Counter[tuple[str, Tag]] = Counter(earlier)

    def reads(self, event: s.Event) -> bool:
        """Whether the event feeds a series that is read."""
        return bool(self._feed(event).series)

    def _feed(self, event: s.Event) -> _Feed:
        feed = self._feeds.get(event.name)
        if feed is None:
            named = ((series_name(event, clause), clause.field, clause.step) for clause in event.series)
            series = tuple(item for item in named if item[0] in self._read)
            feed = self._feeds[event.name] = _Feed(tuple(field for _, field in event.about), series)
        return feed

    def add(self, find: Numbers, number: int | None) -> None:
        """Takes the numbers of a find; ``number`` tells its place among the lines of its writer, where that was
        counted while reading."""
        name, tag = find.event.name, find.tag
        feed = self._feed(find.event)
        if number is None:
            number = self._counts[name, tag]
            self._counts[name, tag] += 1
        about = find.values(feed.about)
        steps: dict[str, int | None] = {"": None}
        for series, field, counted in feed.series:
            (value,) = find.values((field,))
            if not isinstance(value, int | float):
                continue
            if counted not in steps:
                steps[counted] = _step(*find.values((counted,)))
            at = steps[counted]
            key = SeriesKey(series, name, self._source, tag, about, find.segment, at is not None)
            self._at(key).add(find.point(number if at is None else at, float(value)), find.text())

    def add_rows(self, rows: Rows, segment: int) -> None:
        """Takes the numbers of many lines in one segment."""
        feed = self._feed(rows.event)
        lines, nothing = range(len(rows)), [None] * len(rows)
        whom = list(zip(*(rows.columns.get(field, nothing) for field in feed.about), strict=True))
        for about, chosen in _groups(whom) if whom else [((), lines)]:
            for series, field, counted in feed.series:
                if field not in rows.columns:
                    continue
                key = SeriesKey(series, rows.event.name, self._source, rows.tag, about, segment, True)
                values, steps = rows.columns[field], rows.columns.get(counted, nothing)
                if chosen is not lines:
                    values, steps = [values[at] for at in chosen], [steps[at] for at in chosen]
                self._add_column(key, rows, chosen, values, steps)

    def _add_column(self, key: SeriesKey, rows: Rows, lines: Sequence[int], values: _Values, counted: _Values) -> None:
        """Takes one value of each line, by its step or, where it tells none, by its number."""
        numbers = rows.numbers
        steps: Sequence[int] | None = None
        if _all_are(counted, int):
            steps = counted
        elif _all_are(counted, type(None)):
            key, steps = key._replace(by_step=False), _chosen(numbers, lines)
        if steps is not None and (floats := _as_floats(values)) is not None:
            self._at(key).add_all(steps, floats, rows if len(lines) == len(rows) else _Lines(rows, lines))
            return
        for place, (value, step) in enumerate(zip(values, counted, strict=True)):
            if isinstance(value, int | float):
                at, line = _step(step), lines[place]
                point = rows.point(line, numbers[line] if at is None else at, float(value))
                self._at(key._replace(by_step=at is not None)).add(point, rows.text(line))

    def _at(self, key: SeriesKey) -> Series:
        filling = self._filling.get(key)
        if filling is None:
            filling = self._filling[key] = Series()
        return filling

    @property
    def counts_lines(self) -> bool:
        """Whether some lines told no step, so that their number counts instead."""
        return not all(key.by_step for key in self._filling)

    def state(self) -> dict[SeriesKey, Series]:
        """The series of the source, which has ended."""
        return {key: series.trimmed() for key, series in self._filling.items()}


def _step(value: object) -> int | None:
    """A step as a whole number: ``20``, or ``5.000`` as some bars print it."""
    return int(value) if isinstance(value, int | float) and abs(value) < _LARGEST else None


def _all_are(values: Sequence[object], kind: type[_Kind]) -> TypeGuard[Sequence[_Kind]]:
    return set(map(type, values)) == {kind}


def _as_floats(values: _Values) -> Sequence[float] | None:
    """Values all of which are numbers; else None."""
    if _all_are(values, float):
        return values
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    return numbers if len(numbers) == len(values) else None


def _chosen(values: Sequence[int], places: Sequence[int]) -> Sequence[int]:
    return values if len(places) == len(values) else [values[at] for at in places]


def _groups(keys: Sequence[_Key]) -> Iterable[tuple[_Key, Sequence[int]]]:
    """The places of equal keys, in the order of the first of each."""
    if len(set(keys)) == 1:
        return [(keys[0], range(len(keys)))]
    found: dict[_Key, list[int]] = defaultdict(list)
    for at, key in enumerate(keys):
        found[key].append(at)
    return found.items()
