"""A checked program: what the engine runs. Lists are resolved; every name in it is known."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from logsleuth.language.syntax import Event, ListOf, Rule, Test, Wording
from logsleuth.language.template import Hole, parse_template

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
        "occurrences",
        "source",
        "attempt",
        "began",
    )
)
"""Fields that every event has: whom it concerns, when, and the line itself."""


@dataclass(frozen=True, slots=True)
class Program:
    events: dict[str, Event] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    lists: dict[str, ListOf] = field(default_factory=dict)
    tests: tuple[Test, ...] = ()


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
    return fields


def series_of(events: Iterable[Event]) -> dict[str, str]:
    """Every series that events feed, with the type of its values."""
    return {}


def types_of(wording: Wording) -> dict[str, str]:
    """The fields that one wording gives, with their types; a group of a regular expression without a type is text."""
    if wording.is_regex:
        return {**dict.fromkeys(_GROUP.findall(wording.text), "text"), **dict(wording.types)}
    return {part.name: part.type for part in parse_template(wording.text) if isinstance(part, Hole)}
