"""The job as the logs show it: its members, its size, its attempts, and every occurrence with its identity resolved."""

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from logsleuth.engine.attempts import Attempts
from logsleuth.engine.calendar import Calendar
from logsleuth.engine.clock import Moment
from logsleuth.engine.fold import State
from logsleuth.engine.identity import Identity
from logsleuth.engine.repeats import identity as _id
from logsleuth.engine.repeats import without_repeats
from logsleuth.engine.spans import Spans
from logsleuth.engine.subject import Member, MemberKind, Subject
from logsleuth.language.program import Program
from logsleuth.language.syntax import Event
from logsleuth.model.event import Occurrence
from logsleuth.model.life import Life
from logsleuth.model.origin import PathLabel


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """An occurrence with its identity resolved."""

    occurrence: Occurrence
    event: Event
    subject: Subject
    attempt: int
    began: Moment


class Evicted(NamedTuple):
    """Occurrences of one writer, subject and segment that were counted but not kept."""

    number: int
    among: list[Sighting]
    """Those that were kept; the others lie between them and concern the same."""


class Roster:
    """A pure function of the folded state: what is known late changes nothing that was folded early."""

    def __init__(self, program: Program, state: State, labels: dict[int, PathLabel]) -> None:
        occurrences = _distinct(state)
        self.identity = Identity(labels, state.sources, [(program.events[o.event], o) for o in occurrences])
        lives = state.sources.values()
        stamps = [stamp for life in lives for stamp in (life.first_stamp, life.last_stamp) if stamp]
        self.calendar = Calendar([*stamps, *(o.stamp for o in occurrences if o.stamp)])
        self._attempts = Attempts(program, occurrences, labels, self.calendar)
        self._spans = Spans(program, self.identity, occurrences)
        self._lives = self._lives_of_members(state)
        state, self._twins = without_repeats(program, state, labels, occurrences, self.calendar)
        occurrences = _distinct(state)
        resolved = {_id(o): self._resolve(program.events[o.event], o) for o in occurrences}
        self._sightings: dict[tuple[str, int], list[Sighting]] = defaultdict(list)
        self._evicted: dict[tuple[str, int], list[Evicted]] = defaultdict(list)
        for key, kept in sorted(state.kept.items(), key=lambda item: (item[0].source, item[0].segment)):
            found = [resolved[_id(o)] for o in kept.occurrences]
            self._sightings[key.event, key.use] += found
            if kept.evicted:
                self._evicted[key.event, key.use].append(Evicted(kept.evicted, found))
        for sightings in self._sightings.values():
            sightings.sort(key=lambda s: (s.occurrence.source, s.occurrence.offset))
        self._members: dict[int, dict[Member, None]] = defaultdict(dict)
        for sighting in resolved.values():
            of_attempt = self._members[sighting.attempt]
            of_attempt.update(dict.fromkeys(m for m in sighting.subject.members if m.kind is not MemberKind.HOST))
        self.attempts = sorted({s.attempt for s in resolved.values()})
        """Those of which something was seen: a line may claim to begin any."""
        self._count_ranks(state, labels, list(resolved.values()))

    def sightings(self, event: str, use: int, attempt: int) -> list[Sighting]:
        """What is kept of an event under one filter of the plan in one attempt, in the order of sources."""
        return [s for s in self._sightings.get((event, use), ()) if s.attempt == attempt]

    def evicted(self, event: str, use: int, attempt: int) -> list[Evicted]:
        """What more occurred than was kept, and may lie in the attempt: what is not found among the kept is unknown."""
        return [
            evicted
            for evicted in self._evicted.get((event, use), ())
            if min(s.attempt for s in evicted.among) <= attempt <= max(s.attempt for s in evicted.among)
        ]

    @property
    def last_attempt(self) -> int:
        """The attempt that decided the job, counted from 0."""
        return self._attempts.last

    # Who there is

    def members(self, attempt: int) -> list[Member]:
        """Of whom something was seen in the attempt: ranks, local ranks where no rank is known, else processes."""
        return list(self._members.get(attempt, ()))

    def _count_ranks(self, state: State, labels: dict[int, PathLabel], sightings: list[Sighting]) -> None:
        writers = {self.identity.writer(source, label.tag) for source, label in labels.items()}
        for source, life in state.sources.items():
            writers |= {self.identity.writer(source, tag) for tag in life.lives}
        spoken = {(s.occurrence.source, s.occurrence.tag) for s in sightings if s.event.witness != "launcher"}
        writers |= {self.identity.writer(source, tag) for source, tag in spoken}
        # A process that says which rank it speaks of speaks of itself.
        writers |= {s.subject for s in sightings if s.event.witness == "process" and s.event.about}
        self.seen_ranks = tuple(sorted({m.rank for w in writers for m in w.members if m.rank is not None}))
        named = {m.rank for s in sightings for m in s.subject.members if m.rank is not None} | set(self.seen_ranks)
        self.size_is_stated = bool(self.identity.world_sizes)
        least = max(named, default=-1) + 1
        self.size = max([least, *self.identity.world_sizes])
        hosts = {w.host for w in writers if w.host} | {s.subject.host for s in sightings if s.subject.host}
        self.hosts = tuple(sorted(hosts | self.identity.hosts))

    # When things began

    def _lives_of_members(self, state: State) -> dict[Member, list[tuple[int, Life]]]:
        lives: dict[Member, list[tuple[int, Life]]] = defaultdict(list)
        for source, facts in state.sources.items():
            for tag, life in facts.lives.items():
                for member in self.identity.writer(source, tag).members:
                    lives[member].append((source, life))
        return lives

    def _resolve(self, event: Event, o: Occurrence) -> Sighting:
        inherited = None if event.about or event.about_job else self._spans.around(o)
        subject = inherited or self.identity.subject(event, o)
        if twins := self._twins.get(_id(o)):
            for twin in twins:
                subject = _better(subject, self.identity.subject(event, twin))
            placed = next((one for one in (o, *twins) if self._attempts.tells(one)), o)
            began = [self._began(event, one, subject) for one in (o, *twins)]
            return Sighting(o, event, subject, self._attempts.of(placed), _narrowest(began))
        return Sighting(o, event, subject, self._attempts.of(o), self._began(event, o, subject))

    def _began(self, event: Event, o: Occurrence, subject: Subject) -> Moment:
        said = self.calendar.seconds(o.stamp)
        after = self.calendar.seconds(o.after)
        low = said if said is not None else after if after is not None else -math.inf
        high = said if said is not None else math.inf
        told = said is not None
        if event.began == "said":
            return Moment(low, high, o.source, o.offset, o.end_offset, o.tag, told)
        if event.began == "after life":
            return self._after_life(o, subject, high, told)
        lasted = o.fields.get(event.began)
        if not isinstance(lasted, int | float):
            return Moment(low, high, o.source, o.offset, o.end_offset, o.tag, told)
        return Moment(low - lasted, high - lasted, o.source, 0, o.end_offset, o.tag, told)

    def _after_life(self, o: Occurrence, subject: Subject, high: float, told: bool) -> Moment:
        """Between the last line of those concerned and the line that tells of their end."""
        lives = [entry for member in subject.members for entry in self._lives.get(member, ())]
        seconds = [self.calendar.seconds(life.stamp) for _, life in lives]
        low = max((s for s in seconds if s is not None and s <= high), default=-math.inf)
        start = max((life.last for source, life in lives if source == o.source and life.last <= o.offset), default=0)
        return Moment(low, high, o.source, start, o.end_offset, o.tag, told and math.isfinite(low))


def _better(left: Subject, right: Subject) -> Subject:
    """What two copies of one occurrence tell together of whom it concerns."""
    kinds = [MemberKind.RANK, MemberKind.LOCAL_RANK, MemberKind.PROCESS, MemberKind.HOST]
    order = [min((kinds.index(m.kind) for m in s.members), default=len(kinds)) for s in (left, right)]
    members = right.members if order[1] < order[0] else left.members
    return Subject(members, left.host or right.host, left.pid if left.pid is not None else right.pid)


def _narrowest(began: list[Moment]) -> Moment:
    """When copies of one occurrence say that it began. Without a stamp the place in the other log tells more: there
    it stands among the lines of others."""
    best = next((moment for moment in began if moment.resolution), began[-1])
    low, high = max(moment.low for moment in began), min(moment.high for moment in began)
    return best._replace(low=low, high=high) if low <= high else best


def _distinct(state: State) -> list[Occurrence]:
    """Every kept occurrence once, in the order of sources."""
    kept = {_id(o): o for kept in state.kept.values() for o in kept.occurrences}
    return sorted(kept.values(), key=lambda o: (o.source, o.offset, o.end_offset, o.event))
