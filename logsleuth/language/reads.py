"""What does a rule read of the logs: which events under which filters, which series?

Worked out of its conditions once, and kept with the compiled rule, so that a rule of which nothing was seen is never
decoded.
"""

from collections.abc import Callable, Container, Iterator, Mapping
from typing import NamedTuple

from logsleuth.language import syntax as s
from logsleuth.language.walk import conditions, references, walk

STATIC_FIELDS = frozenset(("level", "exception", "text"))
"""Fields of the line itself: a filter that asks only for these and the event's own is decided while reading."""

Fields = Callable[[str], Mapping[str, str] | None]
"""The fields of an event, None for one that is not known."""


class Reads(NamedTuple):
    kept: tuple[tuple[str, s.Node | None], ...]
    """Events that its conditions and explanations mention, each with the filter under which occurrences are kept."""
    series: tuple[str, ...]
    """The series that its conditions read."""
    asked: tuple[str, ...]
    """Events and series that its ``when`` mentions: where none of them was seen, the rule has no case."""


def reads_of(rule: s.Rule, fields: Fields, series: Container[str]) -> Reads:
    """What the rule reads; ``series`` names those that there are."""
    mentioned = [reference for reference in references(rule) if reference.event not in series]
    kept = dict.fromkeys((reference.event, static_filter(reference, fields)) for reference in mentioned)
    asked = [node for clause in rule.when for node in walk(clause)]
    events = (node.event for node in asked if isinstance(node, s.Reference))
    return Reads(
        tuple(kept),
        tuple(dict.fromkeys(series_read(conditions(rule), series))),
        tuple(dict.fromkeys([*events, *series_read(rule.when, series)])),
    )


def series_read(nodes: Iterator[s.Node] | tuple[s.Node, ...], known: Container[str]) -> Iterator[str]:
    """The series, of those known, that conditions mention: compared, or referred to like an event."""
    for condition in nodes:
        for node in walk(condition):
            match node:
                case s.SeriesName():
                    name = node.name
                case s.Reference():
                    name = node.event
                case _:
                    continue
            if name in known:
                yield name


def static_filter(reference: s.Reference, fields: Fields) -> s.Node | None:
    """The reference's filter where it can be decided on the line alone, else None."""
    own = fields(reference.event)
    if reference.filter is None or own is None:
        return None
    known = STATIC_FIELDS | own.keys()
    nodes = list(walk(reference.filter))
    joined = any(isinstance(node, s.Attribute | s.Call | s.EventField | s.SeriesName | s.Reference) for node in nodes)
    foreign = any(isinstance(node, s.Field) and node.name not in known for node in nodes)
    return None if joined or foreign else reference.filter
