"""What a program needs from the logs: which events are read at all, and how their occurrences are kept."""

import hashlib
import json
from collections.abc import Container, Mapping
from typing import NamedTuple

from logsleuth import __version__
from logsleuth.language import codec
from logsleuth.language import syntax as s
from logsleuth.language.cards import Shelf
from logsleuth.language.program import Program
from logsleuth.language.shape import shape
from logsleuth.language.uses import Sight

Filters = Mapping[str, tuple[s.Node | None, ...]]


class Plan(NamedTuple):
    events: Shelf
    """The events that some rule, list or identity needs; no other is looked for."""
    filters: Filters
    """For each event the filters under which its occurrences are kept apart, each once, whoever says it; None keeps
    all. No filter at all: nothing of the event is kept."""
    series: frozenset[str] = frozenset()
    """The series that some rule reads; no other is extracted."""
    needed: Mapping[str, tuple[tuple[Sight, ...], ...]] = {}
    """By rule: it has no case unless of each of these some were seen."""


def plan(program: Program) -> Plan:
    """Derives the plan of a program. An event that nothing reads is not in it."""
    uses = program.uses()
    events = program.shelf.those(lambda card: card.name in uses.filters)
    return Plan(events, uses.filters, uses.series, uses.needed)


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
