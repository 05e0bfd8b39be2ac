"""Folds occurrences into bounded state that can be merged in any order.

What is kept of an event: for each filter that rules put on it, each writer, each subject and each segment a count, and
the earliest and latest 32 occurrences. Who writers are, to which attempt a segment belongs, and what follows from all
that is decided when rules are judged, so that what is read later never changes what was folded earlier.
"""

from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple, Protocol

from logsleuth.engine.admission import Admission
from logsleuth.engine.plan import Plan
from logsleuth.engine.series import Series, SeriesKey, merged_series
from logsleuth.engine.series_folder import LinesTold, Rows, SeriesFolder
from logsleuth.language import syntax as s
from logsleuth.model.event import Occurrence
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import Tag
from logsleuth.model.series import Point

KEPT = 32
"""How many of the earliest and of the latest occurrences a key keeps."""


class Key(NamedTuple):
    event: str
    use: int
    """Index into the plan's filters of the event."""
    source: int
    tag: Tag
    about: tuple[object, ...]
    """The values of the fields that the event's ``about`` names."""
    segment: int


_place: Callable[[Occurrence], tuple[int, int]] = attrgetter("offset", "end_offset")


@dataclass(slots=True)
class Kept:
    """What is kept under one key; both lists are in the order of the source."""

    count: int = 0
    earliest: list[Occurrence] = field(default_factory=list)
    latest: list[Occurrence] = field(default_factory=list)
    repeats: int = 0
    """How many were kept and then taken out, because another source holds them too."""

    def merged(self, other: "Kept") -> "Kept":
        """With what another part of the input has under the same key."""
        return Kept(
            self.count + other.count,
            sorted(self.earliest + other.earliest, key=_place)[:KEPT],
            sorted(self.latest + other.latest, key=_place)[-KEPT:],
            self.repeats + other.repeats,
        )

    def renumbered(self, number: int) -> "Kept":
        """The same of a source with this number."""
        return self.changed(lambda o: o._replace(source=number))

    def changed(self, change: Callable[[Occurrence], Occurrence]) -> "Kept":
        """The same with every occurrence changed; their order stays."""
        # The earliest are mostly the latest too: one object stays one.
        changed = {id(o): change(o) for o in (*self.earliest, *self.latest)}
        earliest, latest = ([changed[id(o)] for o in of] for of in (self.earliest, self.latest))
        return Kept(self.count, earliest, latest, self.repeats)

    @property
    def evicted(self) -> int:
        """How many were counted and are not kept."""
        return max(self.count + self.repeats - 2 * KEPT, 0)

    @property
    def occurrences(self) -> list[Occurrence]:
        """All that is kept, each once, in the order of the source."""
        if len(self.earliest) == 1 and self.earliest == self.latest:
            return [*self.earliest]
        kept = [*self.earliest, *self.latest]
        return sorted(dict(zip(map(_place, kept), kept, strict=True)).values(), key=_place)


@dataclass(slots=True)
class State:
    """The fold of any part of the input; the whole is the merge of its parts."""

    kept: dict[Key, Kept] = field(default_factory=dict)
    sources: dict[int, SourceLife] = field(default_factory=dict)
    series: dict[SeriesKey, Series] = field(default_factory=dict)

    def of(self, sources: Container[int]) -> "State":
        """What was folded of some sources."""
        return State(
            {key: kept for key, kept in self.kept.items() if key.source in sources},
            {source: life for source, life in self.sources.items() if source in sources},
            {key: series for key, series in self.series.items() if key.source in sources},
        )

    def under(self, plan: Plan) -> "State":
        """What a plan keeps, of what was folded under one that keeps more."""
        kept = {key: kept for key, kept in self.kept.items() if key.use < len(plan.filters[key.event])}
        return State(kept, self.sources, self.series)

    def merge(self, other: "State") -> None:
        """Takes over another part; parts may come in any order, but those of one source only next to each other.

        The part stays as it is. What only one part knows is shared with it: mostly all, as sources have their own keys.
        """
        for key, kept in other.kept.items():
            known = self.kept.get(key)
            self.kept[key] = kept if known is None else known.merged(kept)
        for of, series in other.series.items():
            before = self.series.get(of)
            self.series[of] = series if before is None else merged_series((before, series))
        for source, life in other.sources.items():
            one = self.sources.get(source)
            self.sources[source] = life if one is None else one.merged(life)

    def renumbered(self, mapping: Mapping[int, int]) -> "State":
        """The state with the new number of each source in place of its old one; the state itself stays as it is.

        Sources of a live job are numbered as they appear, those of logs that are there in the natural order of their
        paths, and an answer may depend on that order. ``mapping`` holds every source of the state (KeyError otherwise)
        and gives no number twice. What keeps its number is shared; if all do, the state itself comes back.
        """
        if all(old == new for old, new in mapping.items()):
            return self
        new = State({}, {mapping[source]: life for source, life in self.sources.items()})
        for key, kept in self.kept.items():
            number = mapping[key.source]
            new.kept[key._replace(source=number)] = kept if number == key.source else kept.renumbered(number)
        for of, series in self.series.items():
            number = mapping[of.source]
            new.series[of._replace(source=number)] = series if number == of.source else series.renumbered(number)
        return new


class Find(Protocol):
    """What the reader found, not yet typed and decoded."""

    @property
    def event(self) -> s.Event: ...
    @property
    def tag(self) -> Tag:
        """The label of its writer."""

    @property
    def place(self) -> tuple[int, int]:
        """Offsets of its first and last line, by which finds of one source are ordered."""

    @property
    def segment(self) -> int: ...
    def values(self, names: tuple[str, ...]) -> tuple[object, ...]:
        """The values of some of its fields; None for a field that it does not have."""

    def own(self, name: str) -> str | None:
        """What its lines say, whatever it is about: ``level``, ``exception`` or ``text``."""

    def occurrence(self) -> Occurrence:
        """The find as the record that is kept and judged."""

    def point(self, step: int, value: float) -> Point:
        """One of its numbers, and where it stands."""

    def text(self) -> str:
        """Its first line as evidence."""


class _Filling:
    """What one key holds while its source is read: finds, which become occurrences only if they are kept to the end."""

    __slots__ = ("_last", "count", "earliest", "latest")

    def __init__(self) -> None:
        self.count = 0
        self.earliest: list[Find] = []
        self.latest: deque[Find] = deque(maxlen=KEPT)
        self._last = -1, -1
        """The place of the last one."""

    def add(self, find: Find, place: tuple[int, int]) -> None:
        """Takes the next find, and where it stands."""
        self.count += 1
        if place < self._last:
            self._insert(find)
            return
        self._last = place
        if len(self.earliest) < KEPT:
            self.earliest.append(find)
        self.latest.append(find)

    def _insert(self, find: Find) -> None:
        """A block that ended behind later lines: rare, so the order may cost something."""
        self.earliest = sorted([*self.earliest, find], key=lambda f: f.place)[:KEPT]
        self.latest = deque(sorted([*self.latest, find], key=lambda f: f.place), maxlen=KEPT)

    def kept(self, made: dict[int, Occurrence]) -> Kept:
        """The finds that are left, as occurrences; ``made`` holds those that were made, by the identity of finds."""
        for find in (*self.earliest, *self.latest):
            if id(find) not in made:
                made[id(find)] = find.occurrence()
        return Kept(self.count, [made[id(f)] for f in self.earliest], [made[id(f)] for f in self.latest])


class _Use(NamedTuple):
    """How the occurrences of one event are kept apart."""

    admission: Admission | None
    """None where nothing of the event is kept."""
    about: tuple[str, ...]


class Folder:
    """Puts the finds of one source where the plan wants them."""

    def __init__(self, source: int, plan: Plan, earlier: LinesTold | None = None) -> None:
        """``earlier`` is what ``lines_told`` says of a part that was folded before and stands in front."""
        self._source, self._plan = source, plan
        self._uses: dict[str, _Use] = {}
        """Of the events that were found: most sources hold few of them."""
        self._fillings: dict[tuple[str, int, Tag, tuple[object, ...], int], _Filling] = {}
        self._series = SeriesFolder(source, plan, earlier)

    def add_numbers(self, find: Find, number: int) -> None:
        """Folds the numbers of a find of a frequent event, ``number`` lines of whose writer stand before it."""
        if self._series.reads(find.event):
            self._series.add(find, number)

    def add_rows(self, rows: Rows, segment: int) -> None:
        """Folds the numbers of many lines of a frequent event in one segment."""
        self._series.add_rows(rows, segment)

    def add(self, find: Find) -> None:
        """Folds one find under every filter of its event that it passes."""
        name, tag = find.event.name, find.tag
        if not find.event.frequent and self._series.reads(find.event):
            self._series.add(find, None)
        admission, about = self._uses.get(name) or self._use(find.event)
        if admission is None:
            return
        values, place, segment = find.values(about) if about else (), find.place, find.segment
        for use in admission.uses(find):
            self._at((name, use, tag, values, segment)).add(find, place)

    def _use(self, event: s.Event) -> _Use:
        filters, about = self._plan.filters[event.name], tuple(name for _, name in event.about)
        return self._uses.setdefault(event.name, _Use(Admission(filters) if filters else None, about))

    def _at(self, key: tuple[str, int, Tag, tuple[object, ...], int]) -> _Filling:
        filling = self._fillings.get(key)
        if filling is None:
            filling = self._fillings[key] = _Filling()
        return filling

    @property
    def counts_lines(self) -> bool:
        """Whether numbers were taken whose lines tell no step, so that those count that stand in front of them."""
        return self._series.counts_lines

    def state(self, life: SourceLife) -> State:
        """The state of the source, which has ended."""
        made: dict[int, Occurrence] = {}
        kept = {
            Key(name, use, self._source, tag, about, segment): filling.kept(made)
            for (name, use, tag, about, segment), filling in self._fillings.items()
        }
        return State(kept, {self._source: life}, self._series.state())


def lines_told(state: State) -> LinesTold:
    """How many lines stand in one source whose numbers have their place among those of their writer for a step."""
    told: dict[tuple[str, Tag], int] = {}
    for key, series in state.series.items():
        if not key.by_step:
            last = max(point.step for bucket in series.filled.values() for point in bucket.points)
            told[key.event, key.tag] = max(told.get((key.event, key.tag), 0), last + 1)
    return told


def merged(states: Iterable[State]) -> State:
    """The merge of all parts."""
    whole = State()
    for state in states:
        whole.merge(state)
    return whole
