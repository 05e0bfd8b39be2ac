"""What a program needs from the logs: which events are read at all, and how their occurrences are kept."""

from collections.abc import Container, Iterator
from typing import NamedTuple

from logsleuth.language import syntax as s
from logsleuth.language.program import Program, series_name, series_of

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
    return bool(event.states) or event.begins_attempt or len(joined) > 1


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


def conditions(rule: s.Rule) -> Iterator[s.Node]:
    """All conditions of the rule, those of its confidence included."""
    yield from (*rule.when, *rule.needs, *rule.unless)
    yield from (level.condition for level in rule.confidence if level.condition)


def references(rule: s.Rule) -> Iterator[s.Reference]:
    """Every reference to an event in the rule's conditions and explanations."""
    for condition in conditions(rule):
        yield from (node for node in walk(condition) if isinstance(node, s.Reference))
    for clause in rule.explains:
        yield from clause.references


def walk(node: object) -> Iterator[object]:
    """The node and everything beneath it."""
    yield node
    match node:
        case s.AllOf() | s.AnyOf():
            children: tuple[object, ...] = node.items
        case s.Not():
            children = (node.item,)
        case s.Clause():
            children = (node.condition,)
        case s.Let():
            children = (node.value,)
        case s.Operation():
            children = (node.left, node.right)
        case s.Seen() | s.Quantified():
            children = (node.pattern.reference, *(step.reference for step in node.pattern.steps))
        case s.Absent() | s.EventField():
            children = (node.reference,)
        case s.Reference():
            children = (node.filter,)
        case s.Members():
            children = (node.where,)
        case s.Call():
            children = (*node.arguments, *(value for _, value in node.options))
        case _:
            children = ()
    for child in children:
        if child is not None:
            yield from walk(child)
