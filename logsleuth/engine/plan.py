"""What a program needs from the logs: which events are read at all, and how their occurrences are kept."""

from collections.abc import Container, Iterator
from typing import NamedTuple

from logsleuth.language import syntax as s
from logsleuth.language.program import Program, series_name, series_of
from logsleuth.language.walk import conditions, references, walk

STATIC_FIELDS = frozenset(("level", "exception", "text"))
"""Fields of the line itself: a filter that asks only for these and the event's own is decided while reading."""


class Plan(NamedTuple):
    events: tuple[s.Event, ...]
    """The events that some rule, list or identity needs; no other is looked for."""
    filters: dict[str, tuple[s.Node | None, ...]]
    """For each event the filters under which its occurrences are kept apart; None keeps all. No filter at all: nothing
    of the event is kept."""
    series: frozenset[str] = frozenset()
    """The series that some rule reads; no other is extracted."""


def plan(program: Program) -> Plan:
    """Derives the plan of a program. An event that nothing reads is not in it."""
    wanted: dict[str, list[s.Node | None]] = {}
    known = series_of(program.events)
    for rule in program.rules.values():
        for reference in references(rule):
            if reference.event in known:
                continue
            filters = wanted.setdefault(reference.event, [])
            chosen = static_filter(reference, program)
            if chosen not in filters:
                filters.append(chosen)
    for event in program.events.values():
        if tells_identity(event):
            filters = wanted.setdefault(event.name, [])
            if None not in filters:
                filters.append(None)
    series = frozenset(name for rule in program.rules.values() for name in series_read(rule, known))
    for event in program.events.values():
        if any(series_name(event, clause) in series for clause in event.series):
            wanted.setdefault(event.name, [])
    if any(program.events[name].fallback and program.events[name].blocks for name in wanted):
        # A fallback block gives way to a block that ends on the same line, so those have to be read as well.
        for event in program.events.values():
            if event.blocks and not event.fallback:
                wanted.setdefault(event.name, [])
    return Plan(
        tuple(event for name, event in program.events.items() if name in wanted),
        {name: tuple(filters) for name, filters in wanted.items()},
        series,
    )


def widened(plan: Plan, events: Container[str]) -> Plan:
    """The plan that keeps these events also whatever rules ask of them; what it keeps for rules is the same."""
    filters = {
        name: (*kept, None) if name in events and None not in kept else kept for name, kept in plan.filters.items()
    }
    return plan._replace(filters=filters)


def series_read(rule: s.Rule, known: Container[str]) -> Iterator[str]:
    """The series, of those known, that the rule's conditions mention: compared, or referred to like an event."""
    for condition in conditions(rule):
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


def tells_identity(event: s.Event) -> bool:
    """Whether the event tells who somebody is, how large the job is, or where an attempt begins."""
    joined = [key for key, _ in event.about if key != "gpu"]
    return bool(event.states) or event.begins_attempt or event.begins_run or event.ends_run or len(joined) > 1


def static_filter(reference: s.Reference, program: Program) -> s.Node | None:
    """The reference's filter where it can be decided on the line alone, else None."""
    if reference.filter is None:
        return None
    if reference.event not in program.events:
        return None
    known = STATIC_FIELDS | program.fields(reference.event).keys()
    nodes = list(walk(reference.filter))
    joined = any(isinstance(node, s.Attribute | s.Call | s.EventField | s.SeriesName | s.Reference) for node in nodes)
    foreign = any(isinstance(node, s.Field) and node.name not in known for node in nodes)
    return None if joined or foreign else reference.filter
