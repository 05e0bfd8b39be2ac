"""Lines that several clocks stamped at nearly the same moment: by these, clocks can be compared.

Ranks move in lock step, so all tell the same training step at one time; agents tell together that they have met.
Timeouts of one collective are weaker: the ranks came to it one after another, but none later than the first gave up.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from logsleuth.engine.calendar import Calendar
from logsleuth.engine.identity import Identity
from logsleuth.language.program import Program
from logsleuth.language.syntax import Event
from logsleuth.model.event import Occurrence
from logsleuth.model.origin import Tag

STEP = "step"
"""The field of a ``frequent`` event that counts training steps."""


class Dial(NamedTuple):
    """What shows the time of a line. Sources of one host may show different zones, and so may lines of one source."""

    host: str
    """Empty where no host is known."""
    source: int
    is_zoned: bool
    """Whether its stamps say in which zone they are."""


class Count(NamedTuple):
    """A number that all ranks of a job reach at about the same time."""

    loop: tuple[object, ...]
    """What is counted; numbers of different loops say nothing of each other."""
    number: int
    apart: float
    """Seconds that may lie between the ranks; 0 where they reach it together."""


Key = tuple[object, ...]


@dataclass(slots=True)
class Anchors:
    """When each dial showed each moment that others may share; seconds as written."""

    tight: dict[Dial, dict[Key, float]] = field(default_factory=dict)
    loose: dict[Dial, dict[Key, float]] = field(default_factory=dict)
    apart: dict[Key, float] = field(default_factory=dict)
    """Seconds that may lie between the ranks, by key of the loose ones."""
    ranks: dict[Dial, set[int]] = field(default_factory=dict)
    """Whose lines they are: one rank does not run twice at a time."""


class Dials:
    """Which dial a writer's stamps are read from."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._hosts: dict[tuple[int, Tag], str] = {}

    def of(self, source: int, tag: Tag, is_zoned: bool) -> Dial:
        """The clock of the writer's host where it is known."""
        key = source, tag
        if key not in self._hosts:
            self._hosts[key] = self._identity.writer(source, tag).host or ""
        return Dial(self._hosts[key], source, is_zoned)


def anchors(
    program: Program,
    occurrences: Iterable[Occurrence],
    identity: Identity,
    dials: Dials,
    calendar: Calendar,
    attempt_of: Callable[[Occurrence], int | None],
) -> Anchors:
    """Collects the anchors. ``attempt_of`` tells the attempt of a line where its source does.

    A writer whose count does not rise starts over, or is several: what it tells is nobody's anchor.
    """
    told: dict[Key, list[tuple[Count, Occurrence]]] = defaultdict(list)
    for o in occurrences:
        event = program.events[o.event]
        count = count_of(event, o, attempt_of(o))
        if count is not None and o.stamp is not None:
            about = tuple(o.fields.get(name) for _, name in event.about)
            told[o.source, o.tag, about, count.loop].append((count, o))
    vague = {(c.loop, c.number) for row in told.values() if not _rises(row) for c, _ in row}
    out = Anchors()
    for row in told.values():
        for count, o in row:
            key = (count.loop, count.number)
            seconds = calendar.seconds(o.stamp)
            if key in vague or o.stamp is None or seconds is None:
                continue
            dial = dials.of(o.source, o.tag, o.stamp.has_zone)
            readings = (out.loose if count.apart else out.tight).setdefault(dial, {})
            readings[key] = min(seconds, readings.get(key, seconds))
            if count.apart:
                out.apart[key] = max(count.apart, out.apart.get(key, 0.0))
            members = identity.subject(program.events[o.event], o).members
            out.ranks.setdefault(dial, set()).update(m.rank for m in members if m.rank is not None)
    return out


def count_of(event: Event, o: Occurrence, attempt: int | None) -> Count | None:
    """What the line counts that all ranks reach at about the same time; None where it counts nothing of the kind.

    Steps are counted anew in every attempt, so they say nothing where the attempt is not known.
    """
    number = o.fields.get(STEP)
    if event.frequent and isinstance(number, int) and attempt is not None:
        return Count((attempt, event.name, tuple(o.fields)), number, 0.0)
    for key, name in event.states:
        number = o.fields.get(name) if key == "attempt" and isinstance(name, str) else None
        if isinstance(number, int):
            sizes = tuple(o.fields.get(str(other)) for state, other in event.states if state == "world_size")
            return Count((event.name, sizes), number, 0.0)
    waited, number = o.fields.get(event.began), o.fields.get("seq")
    if event.witness == "watchdog" and isinstance(waited, int | float) and isinstance(number, int) and waited > 0:
        group = (o.group.guid, o.group.description) if o.group else None
        # All give up the same time after they came, and the first to give up ends the others.
        return Count((attempt, event.name, group, o.fields.get("op")), number, float(waited))
    return None


def _rises(row: list[tuple[Count, Occurrence]]) -> bool:
    numbers = [count.number for count, _ in sorted(row, key=lambda item: item[1].offset)]
    return all(before < after for before, after in pairwise(numbers))
