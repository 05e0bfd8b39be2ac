"""The job as the logs show it: its members, its size, its attempts, and every occurrence with its identity resolved."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from logsleuth.engine.attempts import Attempts, Marks
from logsleuth.engine.axis import Axis
from logsleuth.engine.calendar import Calendar
from logsleuth.engine.clock import Moment
from logsleuth.engine.fold import State
from logsleuth.engine.groups import Groups, Told
from logsleuth.engine.identity import Identity
from logsleuth.engine.moments import Moments
from logsleuth.engine.passing import passed
from logsleuth.engine.repeats import identity as _id
from logsleuth.engine.repeats import without_repeats
from logsleuth.engine.series_of_members import SeriesOfMembers, SeriesView
from logsleuth.engine.spans import Spans
from logsleuth.engine.subject import (
    MOST_RANKS,
    Group,
    GroupKey,
    Member,
    MemberKind,
    Subject,
    better,
    covered,
    local_ranks_between,
    place_of_gpu,
)
from logsleuth.engine.undated import placed
from logsleuth.language.program import Program
from logsleuth.language.syntax import Event
from logsleuth.model.event import FieldValue, Occurrence
from logsleuth.model.life import Life
from logsleuth.model.origin import BARE, PathLabel, Tag
from logsleuth.model.present import Present


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """An occurrence with its identity resolved."""

    occurrence: Occurrence
    event: Event
    subject: Subject
    attempt: int
    began: Moment
    group: GroupKey | None = None
    """The process group or communicator that it concerns; None where the event speaks of none."""

    @property
    def fields(self) -> dict[str, FieldValue]:
        """What its line tells."""
        return self.occurrence.fields


class Evicted(NamedTuple):
    """Occurrences of one writer, subject and segment that were counted but not kept."""

    number: int
    among: list[Sighting]
    """Those that were kept; the others lie between them and concern the same."""


class Roster:
    """A pure function of the folded state: what is known late changes nothing that was folded early."""

    def __init__(
        self, program: Program, state: State, labels: dict[int, PathLabel], present: Present | None = None
    ) -> None:
        """``present`` is the moment at which a live job is judged; None where its logs have ended."""
        self.present = present
        state, placed_in = placed(state, labels)
        occurrences = _distinct(state)
        self.seen = {(key.event, key.use) for key in state.kept} | {(key.series, None) for key in state.series}
        """Of what there is an occurrence: events under which filters of the plan, and series."""
        self.identity = Identity(labels, state.sources, [(program.events[o.event], o) for o in occurrences])
        lives = state.sources.values()
        stamps = [stamp for life in lives for stamp in (life.first_stamp, life.last_stamp) if stamp]
        self.calendar = Calendar([*stamps, *(o.stamp for o in occurrences if o.stamp)])
        marks = Marks(program, occurrences, labels)
        self.axis = Axis(program, occurrences, state.sources, self.identity, self.calendar, marks.of)
        self._attempts = Attempts(marks, self.axis.seconds_near)
        self._spans = Spans(program, self.identity, occurrences)
        self._lives = self._lives_of_members(state)
        self._moments = Moments(program, occurrences, self._lives, self._attempts, self.axis)
        state, self._twins = without_repeats(program, state, labels, occurrences, self.calendar, placed_in)
        occurrences = _distinct(state) if self._twins else occurrences
        told = [Told(o, self._subject(program.events[o.event], o), self._attempt_of(marks, o)) for o in occurrences]
        self.groups = Groups(program, told)
        resolved = {_id(item.occurrence): self._resolve(program.events[item.occurrence.event], item) for item in told}
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
            of_attempt.update(dict.fromkeys(m for m in sighting.subject.members if m.is_process))
        self._last_signs: dict[Member, float | None] = {}
        self._everyone: dict[int, tuple[Member, ...]] = {}
        self.sources = state.sources
        self.span = self.axis.span(state.sources)
        """The first and the last moment that any stamp tells; None without a clock."""
        self._series = SeriesOfMembers(program, state.series, self.identity, self._attempts, self.calendar)
        self._gpus: dict[int, set[Member]] = defaultdict(set)
        for attempt, member in (*self._series.tellers(), *_concerned(resolved.values())):
            if member.kind is MemberKind.GPU:
                self._gpus[attempt].add(member)
            else:
                self._members[attempt][member] = None
        self.attempts = sorted({*(s.attempt for s in resolved.values()), *self._members, *self._gpus})
        """Those of which something was seen: a line may claim to begin any."""
        self._count_ranks(state, labels, list(resolved.values()))

    def sightings(self, event: str, use: int, attempt: int) -> list[Sighting]:
        """What is kept of an event under one filter of the plan in one attempt, in the order of sources."""
        return [s for s in self._sightings.get((event, use), ()) if s.attempt == attempt]

    def sightings_of(self, event: str, attempt: int) -> list[Sighting]:
        """All that is kept of an event in one attempt; what several filters keep comes several times."""
        return [s for (name, _), of in self._sightings.items() if name == event for s in of if s.attempt == attempt]

    def evicted(self, event: str, use: int, attempt: int) -> list[Evicted]:
        """What more occurred than was kept, and may lie in the attempt: what is not found among the kept is unknown."""
        return [
            evicted
            for evicted in self._evicted.get((event, use), ())
            if min(s.attempt for s in evicted.among) <= attempt <= max(s.attempt for s in evicted.among)
        ]

    def all_sightings(self) -> Iterator[Sighting]:
        """All that is kept; what several filters keep comes several times."""
        return chain.from_iterable(self._sightings.values())

    def copied(self) -> Iterator[tuple[int, int]]:
        """Of every occurrence that stands in several sources: that in which it counts, with each of the others."""
        return ((source, twin.source) for (_, source, _, _), twins in self._twins.items() for twin in twins)

    def series(self, name: str, attempt: int) -> dict[Member, SeriesView]:
        """A numeric series of every member that prints it in the attempt."""
        return self._series.of(name, attempt)

    def series_view(self, name: str, attempt: int, member: Member | None) -> SeriesView | None:
        """A series of one member; without one that of the whole job, all members taken together."""
        return self._series.of_job(name, attempt) if member is None else self.series(name, attempt).get(member)

    def series_is_job_wide(self, name: str, attempt: int) -> bool:
        """Whether only one member prints the series: its numbers are then the job's and convict nobody."""
        return self._series.is_job_wide(name, attempt)

    @property
    def last_attempt(self) -> int:
        """The attempt that decided the job, counted from 0."""
        return self._attempts.last

    # Who there is

    def members(self, attempt: int) -> list[Member]:
        """Of whom something was seen in the attempt: ranks, local ranks where no rank is known, else processes."""
        return list(self._members.get(attempt, ()))

    def gpus(self, attempt: int) -> tuple[Member, ...]:
        """The GPUs of which something was seen in the attempt, in the order of hosts and numbers."""
        return tuple(sorted(self._gpus.get(attempt, ()), key=place_of_gpu))

    def everyone(self, attempt: int) -> tuple[Member, ...]:
        """All members that the job is known to have: its ranks, else whatever members were seen in the attempt."""
        if attempt not in self._everyone:
            self._everyone[attempt] = self._everyone_of(attempt)
        return self._everyone[attempt]

    def _everyone_of(self, attempt: int) -> tuple[Member, ...]:
        if self.seen_ranks or any(member.rank is not None for member in self._members.get(attempt, ())):
            ranks = (Member(MemberKind.RANK, (rank,)) for rank in range(min(self.size, MOST_RANKS)))
            return (*ranks, *self._apart(attempt))
        members = self.members(attempt)
        return (*members, *(member for member in local_ranks_between(members) if member not in members))

    def _apart(self, attempt: int) -> list[Member]:
        """Local ranks of hosts of which no rank is known: none of the ranks that are known from other hosts."""
        hosts = {self.host_of(Member(MemberKind.RANK, (rank,))) for rank in self.seen_ranks}
        found = (m for m in self._members.get(attempt, ()) if m.kind is MemberKind.LOCAL_RANK)
        return [member for member in found if member.key[0] is not None and member.key[0] not in hosts]

    def left_log(self, member: Member) -> bool:
        """Whether lines are known to be the member's own, of its errors too where these have a file of their own."""
        if member.kind is MemberKind.RANK:
            return member in self.covered
        if member.kind is MemberKind.GPU:
            return True
        if member.kind is MemberKind.HOST:
            return member.key[0] in self._speaking
        return any(member in of_attempt for of_attempt in self._members.values())

    def groups_of(self, kind: str, attempt: int) -> list[Group]:
        """The process groups (``pg``) or communicators (``comm``) that were seen in an attempt."""
        return self.groups.all(kind, attempt, self.size, self.size_is_stated)

    def host_of(self, member: Member) -> str | None:
        """The host of a member, where lines tell it."""
        return self.identity.host_of(member)

    def host_at(self, address: str) -> str:
        """The host that has an address, with or without a port; the address itself where none is known."""
        return self.identity.host_at(address)

    def last_sign(self, member: Member) -> float | None:
        """The moment, in seconds, until which the member's own log tells of it: that of its last line, and while
        somebody follows it the present. None without a clock or a log."""
        if member not in self._last_signs:
            signs = [
                sign.seconds + passed(self.present, source, life.last)
                for source, tag, life in self._lives.get(member, ())
                if (sign := self.axis.instant(source, tag, life.stamp)) is not None
            ]
            self._last_signs[member] = max(signs, default=None)
        return self._last_signs[member]

    def bytes_after(self, o: Occurrence) -> int:
        """How much its writer wrote after an occurrence, up to the start of its last line."""
        facts = self.sources.get(o.source)
        life = facts.lives.get(o.tag) if facts else None
        return max(life.last - o.end_offset, 0) if life else 0

    def first_moment_after(self, o: Occurrence) -> float | None:
        """The first moment that its source tells, in seconds, where the line that tells it stands behind it."""
        facts = self.sources.get(o.source)
        if facts is None or facts.first_stamp_at <= o.offset:
            return None
        first = self.axis.instant(o.source, BARE, facts.first_stamp)
        return first.seconds if first else None

    @cached_property
    def end(self) -> float | None:
        """The last moment that any stamp tells; of a job that is live the present."""
        ends = [self.span[1].seconds] if self.span else []
        for source, facts in self.sources.items() if self.present else ():
            if (last := self.axis.instant(source, BARE, facts.last_stamp)) is not None:
                ends.append(last.seconds + passed(self.present, source))
        return max(ends, default=None)

    def _count_ranks(self, state: State, labels: dict[int, PathLabel], sightings: list[Sighting]) -> None:
        labelled = {(source, self.identity.named(source)) for source in labels}
        labelled |= {(source, tag) for source, life in state.sources.items() for tag in life.lives}
        spoken = {(s.occurrence.source, s.occurrence.tag) for s in sightings if s.event.witness != "launcher"}
        of_source = {(source, self.identity.writer(source, tag)) for source, tag in labelled | spoken}
        writers = {writer for _, writer in of_source}
        told = [*((s.event, s.subject) for s in sightings), *self._series.subjects()]
        # A process that says which rank it speaks of speaks of itself.
        writers |= {subject for event, subject in told if event.witness == "process" and event.about}
        self.seen_ranks = tuple(sorted({m.rank for w in writers for m in w.members if m.rank is not None}))
        self.covered = frozenset(covered(of_source, labels, self.seen_ranks))
        named = {m.rank for _, subject in told for m in subject.members if m.rank is not None} | set(self.seen_ranks)
        self.size_is_stated = bool(self.identity.world_sizes)
        # A number far beyond those of all others is garbage, and would make the job as large as it claims.
        plausible = [rank for rank in named if rank < 64 * len(named) + 4096]
        least = max(plausible, default=-1) + 1
        self.size = max([least, *self.identity.world_sizes])
        self._speaking = frozenset(w.host for w in writers if w.host)
        """Hosts that lines come from, and are not only told of."""
        hosts = self._speaking | {host for s in sightings for host in s.subject.hosts}
        self.hosts = tuple(sorted(hosts | self.identity.hosts))

    # When things began

    def _lives_of_members(self, state: State) -> dict[Member, list[tuple[int, Tag, Life]]]:
        lives: dict[Member, list[tuple[int, Tag, Life]]] = defaultdict(list)
        for source, facts in state.sources.items():
            for tag, life in facts.lives.items():
                for member in self.identity.writer(source, tag).members:
                    lives[member].append((source, tag, life))
        return lives

    def _subject(self, event: Event, o: Occurrence) -> Subject:
        inherited = None if event.about or event.about_job else self._spans.around(o)
        subject = inherited or self.identity.subject(event, o)
        for twin in self._twins.get(_id(o), ()) if self._twins else ():
            subject = better(subject, self.identity.subject(event, twin))
        return subject

    def _attempt_of(self, marks: Marks, o: Occurrence) -> int:
        twins = self._twins.get(_id(o), ()) if self._twins else ()
        return self._attempts.of(next((one for one in (o, *twins) if marks.tells(one)), o) if twins else o)

    def _resolve(self, event: Event, item: Told) -> Sighting:
        o, subject = item.occurrence, item.subject
        twins = self._twins.get(_id(o), ()) if self._twins else ()
        began = _narrowest([self._moments.began(event, one, subject) for one in (o, *twins)])
        return Sighting(o, event, subject, item.attempt, began, self.groups.of(o))


def _concerned(sightings: Iterable[Sighting]) -> Iterator[tuple[int, Member]]:
    """The GPUs that occurrences concern, with their attempts."""
    for sighting in sightings:
        yield from ((sighting.attempt, m) for m in sighting.subject.members if m.kind is MemberKind.GPU)


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
