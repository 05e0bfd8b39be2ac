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
    needed: tuple[tuple[int, ...], ...]
    """Places in ``kept``, and behind them in ``series``: unless of each of these some were seen, there is no case."""


def reads_of(rule: s.Rule, fields: Fields, series: Container[str]) -> Reads:
    """What the rule reads; ``series`` names those that there are."""
    mentioned = [reference for reference in references(rule) if reference.event not in series]
    kept = dict.fromkeys((reference.event, static_filter(reference, fields)) for reference in mentioned)
    read = dict.fromkeys(series_read(conditions(rule), series))
    places = {one: place for place, one in enumerate((*kept, *((name, None) for name in read)))}

    def place(reference: s.Reference) -> int:
        chosen = None if reference.event in series else static_filter(reference, fields)
        return places[reference.event, chosen]

    deciding = frozenset(place(reference) for clause in rule.when for reference in _deciding(clause))
    seen = (frozenset(map(place, group)) for clause in rule.when for group in _needed(clause))
    needed = tuple(tuple(sorted(group)) for group in dict.fromkeys((deciding, *seen)))
    return Reads(tuple(kept), tuple(read), needed)


def _deciding(node: s.Node) -> Iterator[s.Reference]:
    """What a case rests on: conditions that only count, compare or ask for what is not there decide none."""
    match node:
        case s.Clause():
            yield from _deciding(node.condition)
        case s.AllOf() | s.AnyOf():
            for item in node.items:
                yield from _deciding(item)
        case s.Seen():
            yield node.pattern.reference
        case s.Quantified() if node.quantifier != "no":
            yield node.pattern.reference


def _needed(node: s.Node) -> list[list[s.Reference]]:
    """Of each of these some must have been seen, or the condition is false. A quantifier needs none: there may be
    members of which there are no logs."""
    match node:
        case s.Clause():
            return _needed(node.condition)
        case s.AllOf():
            return [group for item in node.items for group in _needed(item)]
        case s.AnyOf():
            groups = [_needed(item) for item in node.items]
            return [[reference for of in groups for reference in of[0]]] if all(groups) else []
        case s.Seen():
            return [[node.pattern.reference]]
        case _:
            return []


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
