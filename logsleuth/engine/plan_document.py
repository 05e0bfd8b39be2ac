"""What a plan asks to be read, as a document for JSON, and back: for a process that reads what another one judges.

Rules are not in it. Reading asks for events only, under the filters that rules put on them.
"""

from typing import Any, NamedTuple

from logsleuth import __version__
from logsleuth.engine.documented import DocumentError, Json, entry, part, text
from logsleuth.engine.plan import Plan
from logsleuth.language import codec
from logsleuth.language import syntax as s
from logsleuth.language.cards import Shelf
from logsleuth.language.program import Program


class Wanted(NamedTuple):
    """What is to be read."""

    plan: Plan
    """Without what each rule reads."""
    events: tuple[s.Event, ...]
    """All events of the program, also those that nothing reads."""


class OtherVersionError(DocumentError):
    """The document was written by a logsleuth of another version; ``str()`` names both."""


def plan_document(program: Program, plan: Plan) -> dict[str, Json]:
    """The plan as JSON knows it, with the events of its program."""
    return {
        "version": __version__,
        "events": [codec.encode(event) for event in program.events.values()],
        "wanted": [card.name for card in plan.events.cards],
        "filters": {name: [codec.encode(chosen) for chosen in filters] for name, filters in plan.filters.items()},
        "series": [*sorted(plan.series)],
    }


def wanted_of(document: object) -> Wanted:
    """What ``plan_document`` made the document of.

    Raises OtherVersionError where another version wrote it, whose states could not be judged together with those of
    this one, and DocumentError where it is none.
    """
    version = text(entry(document, "version"))
    if version != __version__:
        raise OtherVersionError(f"it has logsleuth {__version__}, and logsleuth {version} asks")
    try:
        events: dict[str, s.Event] = {event.name: event for event in map(codec.decode, part(document, "events"))}
        filters = entry(document, "filters")
        plan = Plan(
            Shelf.of([events[text(name)] for name in part(document, "wanted")]),
            {name: tuple(map(codec.decode, kept)) for name, kept in _named(filters)},
            frozenset(map(text, part(document, "series"))),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise DocumentError from error
    return Wanted(plan, tuple(events.values()))


def _named(document: object) -> list[tuple[str, Any]]:
    if not isinstance(document, dict):
        raise DocumentError
    return list(document.items())
