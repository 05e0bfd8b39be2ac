"""A checked program: what the engine runs. Lists are resolved; every name in it is known."""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from logsleuth.language.cards import Shelf
from logsleuth.language.syntax import Column, Event, ListOf, OwnCause, Place, Rule, SeriesOf, Test, Wording
from logsleuth.language.template import NUMERIC, Hole, parse_template

if TYPE_CHECKING:
    from logsleuth.language.uses import Uses

_GROUP = re.compile(r"\(\?P<(\w+)>")

ORIGIN_FIELDS = frozenset(
    (
        "rank",
        "host",
        "local_rank",
        "pid",
        "time",
        "level",
        "exception",
        "text",
        "source",
        "attempt",
        "began",
    )
)
"""Fields that every event has: whom it concerns, when, and the line itself."""


@dataclass(frozen=True, slots=True)
class Program:
    events: Mapping[str, Event] = field(default_factory=dict)
    rules: Mapping[str, Rule] = field(default_factory=dict)
    """In a program that was compiled before, each event and rule is decoded when it is asked for."""
    lists: dict[str, ListOf] = field(default_factory=dict)
    tests: tuple[Test, ...] = ()
    _fields: dict[str, dict[str, str]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def fields(self, event: str) -> dict[str, str]:
        """The fields of one of its events with their types, worked out once."""
        if event not in self._fields:
            self._fields[event] = fields_of(self.events[event])
        return self._fields[event]

    def fields_if_known(self, event: str) -> dict[str, str] | None:
        """The same, or None where it has no such event."""
        return self.fields(event) if event in self.events else None

    disabled: dict[str, Place] = field(default_factory=dict)
    """Rules that a site has taken out, and where."""
    causes: dict[str, OwnCause] = field(default_factory=dict)
    """What sites add to the vocabulary."""
    ready: "Uses | None" = field(default=None, compare=False, repr=False)
    """What its rules use, where it was worked out when the program was compiled."""
    _uses: "list[Uses]" = field(default_factory=list, init=False, compare=False, repr=False)

    def uses(self) -> "Uses":
        """What all its rules need from the logs, worked out once."""
        if self.ready is not None:
            return self.ready
        if not self._uses:
            from logsleuth.language.uses import uses_of

            self._uses.append(uses_of(self))
        return self._uses[0]

    @property
    def shelf(self) -> Shelf:
        """Its events with their cards."""
        return Shelf(self.events, self.uses().cards)

    @property
    def is_adjusted(self) -> bool:
        """Whether a site has made something else of some rule."""
        return bool(self.disabled) or any(rule.adjusted for rule in self.rules.values())


def wordings_of(event: Event) -> Iterator[Wording]:
    """All wordings of an event, those in blocks included."""
    yield from event.wordings
    for block in event.blocks:
        for item in block.items:
            if item.wording:
                yield item.wording


def fields_of(event: Event) -> dict[str, str]:
    """The event's own fields with their types."""
    fields: dict[str, str] = {}
    for wording in wordings_of(event):
        fields.update(types_of(wording))
    for table in event.tables:
        for column in table.columns:
            fields.update(types_of_column(column))
    return fields


def types_of_column(column: Column) -> dict[str, str]:
    """The fields that the cells of a column give, with their types."""
    if column.is_stamp:
        return {}
    return {part.name: part.type for part in parse_template(column.cell) if isinstance(part, Hole)}


def types_of(wording: Wording) -> dict[str, str]:
    """The fields that one wording gives, with their types; a group of a regular expression without a type is text."""
    fields = own_types_of(wording)
    for also in wording.also:
        fields = own_types_of(also) | fields
    return fields


def own_types_of(wording: Wording) -> dict[str, str]:
    """The same without what a line may tell besides."""
    if wording.is_regex:
        return {**dict.fromkeys(_GROUP.findall(wording.text), "text"), **dict(wording.types)}
    return {part.name: part.type for part in parse_template(wording.text) if isinstance(part, Hole)}


def series_name(event: Event, clause: SeriesOf) -> str:
    """The series that a clause feeds: ``train.loss`` for ``series loss`` in ``train.step``."""
    return f"{event.name.partition('.')[0]}.{clause.field}"


def fed_fields(event: Event, series: Container[str]) -> frozenset[str]:
    """The event's fields whose values these series take."""
    return frozenset(clause.field for clause in event.series if series_name(event, clause) in series)


def series_of(events: Mapping[str, Event]) -> dict[str, str]:
    """All series that the events feed, each with its unit: ``bytes``, ``seconds`` or none."""
    units: dict[str, str] = {}
    for event in events.values():
        if event.series:
            fields = fields_of(event)
            units |= {
                series_name(event, clause): NUMERIC.get(fields.get(clause.field, ""), "") for clause in event.series
            }
    return units
