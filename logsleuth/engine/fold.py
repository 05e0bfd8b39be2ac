"""Folds occurrences into bounded state that can be merged in any order.

What is kept of an event: for each filter that rules put on it, each writer, each subject and each segment a count, and the
earliest and latest 32 occurrences. Who writers are, to which attempt a segment belongs, and what follows from all that is
decided when rules are judged, so that what is read later never changes what was folded earlier.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from logsleuth.engine.expressions import holds
from logsleuth.engine.plan import Plan
from logsleuth.language import syntax as s
from logsleuth.model.event import Occurrence
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import Tag

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


@dataclass(slots=True)
class Kept:
    """What is kept under one key; both lists are in the order of the source."""

    count: int = 0
    earliest: list[Occurrence] = field(default_factory=list)
    latest: list[Occurrence] = field(default_factory=list)

    def add(self, occurrence: Occurrence) -> None:
        """Takes one occurrence; blocks may come a little later than lines behind them."""
        self.count += 1
        self.earliest = _trim([*self.earliest, occurrence]) if self._is_early(occurrence) else self.earliest
        self.latest = (
            _trim([*self.latest, occurrence], last=True) if len(self.latest) < KEPT else self._slide(occurrence)
        )

    def _is_early(self, occurrence: Occurrence) -> bool:
        return len(self.earliest) < KEPT or occurrence.offset < self.earliest[-1].offset

    def _slide(self, occurrence: Occurrence) -> list[Occurrence]:
        if occurrence.offset >= self.latest[-1].offset:
            del self.latest[0]
            self.latest.append(occurrence)
            return self.latest
        return _trim([*self.latest, occurrence], last=True)

    def merge(self, other: "Kept") -> None:
        self.count += other.count
        self.earliest = _trim(self.earliest + other.earliest)
        self.latest = _trim(self.latest + other.latest, last=True)

    @property
    def occurrences(self) -> list[Occurrence]:
        """All that is kept, each once, in the order of the source."""
        if self.count <= KEPT:
            return self.earliest
        return sorted({o.offset: o for o in (*self.earliest, *self.latest)}.values(), key=_place)


def _trim(occurrences: list[Occurrence], last: bool = False) -> list[Occurrence]:
    occurrences.sort(key=_place)
    return occurrences[-KEPT:] if last else occurrences[:KEPT]


def _place(occurrence: Occurrence) -> tuple[int, int]:
    return occurrence.offset, occurrence.end_offset


@dataclass(slots=True)
class State:
    """The fold of any part of the input; the whole is the merge of its parts."""

    kept: dict[Key, Kept] = field(default_factory=dict)
    sources: dict[int, SourceLife] = field(default_factory=dict)

    def merge(self, other: "State") -> None:
        """Takes over another part; parts may come in any order, but a source belongs to one part."""
        for key, kept in other.kept.items():
            self.kept.setdefault(key, Kept()).merge(kept)
        self.sources.update(other.sources)


class Folder:
    """Puts occurrences where the plan wants them."""

    def __init__(self, plan: Plan, state: State) -> None:
        self._filters = plan.filters
        self._about = {event.name: tuple(name for _, name in event.about) for event in plan.events}
        self._state = state

    def add(self, occurrence: Occurrence) -> None:
        """Folds one occurrence under every filter of its event that it passes."""
        filters = self._filters.get(occurrence.event)
        if filters is None:
            return
        about = tuple(occurrence.fields.get(name) for name in self._about[occurrence.event])
        for use, condition in enumerate(filters):
            if condition is None or holds(condition, lambda node: line_values(occurrence, node)):
                key = Key(occurrence.event, use, occurrence.source, occurrence.tag, about, occurrence.segment)
                kept = self._state.kept.get(key)
                if kept is None:
                    kept = self._state.kept[key] = Kept()
                kept.add(occurrence)


def line_values(occurrence: Occurrence, node: s.Field | s.Attribute) -> tuple[object, ...]:
    """The value of a field that the line itself decides."""
    if isinstance(node, s.Attribute):
        return ()
    if node.name in occurrence.fields:
        return (occurrence.fields[node.name],)
    value = getattr(occurrence, node.name) if node.name in ("level", "exception", "text") else None
    return () if value is None else (value,)


def merged(states: Iterable[State]) -> State:
    """The merge of all parts."""
    whole = State()
    for state in states:
        whole.merge(state)
    return whole
