"""What do all rules of a program need from the logs together?

Worked out once, and kept with a compiled program, so that a start looks into no rule.
"""

from collections.abc import Mapping
from typing import NamedTuple

from logsleuth.language import syntax as s
from logsleuth.language.cards import Card, card_of
from logsleuth.language.program import Program, series_name, series_of
from logsleuth.language.reads import Reads, reads_of
from logsleuth.language.shape import shape

Sight = tuple[str, int | None]
"""An event and the place of a filter among its filters; or a series and None."""


class Uses(NamedTuple):
    filters: Mapping[str, tuple[s.Node | None, ...]]
    """For each event that is read the filters under which its occurrences are kept apart, each once, whoever says
    it; None keeps all. No filter at all: nothing of the event is kept."""
    series: frozenset[str]
    """The series that some rule reads."""
    cards: tuple[Card, ...]
    """Of all events of the program."""
    needed: Mapping[str, tuple[tuple[Sight, ...], ...]]
    """By rule: it has no case unless of each of these some were seen."""


def uses_of(program: Program) -> Uses:
    """What the rules, lists and identities of a program need. An event that nothing reads is not in it."""
    series = series_of(program.events)
    reads = {name: reads_of(rule, program.fields_if_known, series) for name, rule in program.rules.items()}
    wanted: dict[str, dict[object, s.Node | None]] = {}
    for read in reads.values():
        for name, chosen in read.kept:
            wanted.setdefault(name, {}).setdefault(shape(chosen), chosen)
    for event in program.events.values():
        if tells_identity(event):
            wanted.setdefault(event.name, {}).setdefault(None, None)
    asked = frozenset(name for read in reads.values() for name in read.series)
    for event in program.events.values():
        if any(series_name(event, clause) in asked for clause in event.series):
            wanted.setdefault(event.name, {})
    if any(program.events[name].fallback and program.events[name].blocks for name in wanted):
        # A fallback block gives way to a block that ends on the same line, so those have to be read as well.
        for event in program.events.values():
            if event.blocks and not event.fallback:
                wanted.setdefault(event.name, {})
    kept = {name: tuple(filters.values()) for name, filters in wanted.items()}
    places = {name: {said: place for place, said in enumerate(filters)} for name, filters in wanted.items()}
    cards = tuple(map(card_of, program.events.values()))
    return Uses(kept, asked, cards, {name: _needed(read, places) for name, read in reads.items()})


def _needed(read: Reads, places: Mapping[str, Mapping[object, int]]) -> tuple[tuple[Sight, ...], ...]:
    sights = [
        *((event, places[event][shape(chosen)]) for event, chosen in read.kept),
        *((name, None) for name in read.series),
    ]
    return tuple(tuple(sights[place] for place in group) for group in read.needed)


def tells_identity(event: s.Event) -> bool:
    """Whether the event tells who somebody is, how large the job is, or where an attempt begins."""
    joined = [key for key, _ in event.about if key != "gpu"]
    return bool(event.states) or event.begins_attempt or event.begins_run or event.ends_run or len(joined) > 1
