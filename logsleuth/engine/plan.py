"""What a program needs from the logs: which events are read at all, and how their occurrences are kept."""

import hashlib
import json
from collections.abc import Container, Mapping
from typing import NamedTuple

from logsleuth import __version__
from logsleuth.language import codec
from logsleuth.language import syntax as s
from logsleuth.language.program import Program, series_name
from logsleuth.language.reads import Reads
from logsleuth.language.shape import shape


class Plan(NamedTuple):
    events: tuple[s.Event, ...]
    """The events that some rule, list or identity needs; no other is looked for."""
    filters: dict[str, tuple[s.Node | None, ...]]
    """For each event the filters under which its occurrences are kept apart, each once, whoever says it; None keeps
    all. No filter at all: nothing of the event is kept."""
    series: frozenset[str] = frozenset()
    """The series that some rule reads; no other is extracted."""
    reads: Mapping[str, Reads] = {}
    """What each rule reads."""


def plan(program: Program) -> Plan:
    """Derives the plan of a program. An event that nothing reads is not in it."""
    asked: dict[str, dict[object, s.Node | None]] = {}
    reads = program.reads()
    for read in reads.values():
        for name, chosen in read.kept:
            asked.setdefault(name, {}).setdefault(shape(chosen), chosen)
    for event in program.events.values():
        if tells_identity(event):
            asked.setdefault(event.name, {}).setdefault(None, None)
    wanted = {name: tuple(filters.values()) for name, filters in asked.items()}
    series = frozenset(name for read in reads.values() for name in read.series)
    for event in program.events.values():
        if any(series_name(event, clause) in series for clause in event.series):
            wanted.setdefault(event.name, ())
    if any(program.events[name].fallback and program.events[name].blocks for name in wanted):
        # A fallback block gives way to a block that ends on the same line, so those have to be read as well.
        for event in program.events.values():
            if event.blocks and not event.fallback:
                wanted.setdefault(event.name, ())
    return Plan(
        tuple(event for name, event in program.events.items() if name in wanted),
        wanted,
        series,
        reads,
    )


def use_of(plan: Plan, event: str, chosen: s.Node | None) -> int:
    """The number of the filter under which the plan keeps what a rule asks for."""
    wanted = shape(chosen)
    return next(use for use, known in enumerate(plan.filters[event]) if shape(known) == wanted)


def widened(plan: Plan, events: Container[str]) -> Plan:
    """The plan that keeps these events also whatever rules ask of them; what it keeps for rules is the same."""
    filters = {
        name: (*kept, None) if name in events and None not in kept else kept for name, kept in plan.filters.items()
    }
    return plan._replace(filters=filters)


def fingerprint(program: Program, plan: Plan) -> str:
    """A digest that is equal where the same logs are folded to the same state: by the same logsleuth, with the same
    events, filters and series."""
    parts = (
        __version__,
        [codec.encode(program.events[name]) for name in sorted(program.events)],
        [(name, [codec.encode(chosen) for chosen in filters]) for name, filters in sorted(plan.filters.items())],
        sorted(plan.series),
    )
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


def tells_identity(event: s.Event) -> bool:
    """Whether the event tells who somebody is, how large the job is, or where an attempt begins."""
    joined = [key for key, _ in event.about if key != "gpu"]
    return bool(event.states) or event.begins_attempt or event.begins_run or event.ends_run or len(joined) > 1
