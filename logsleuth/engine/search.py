"""Finds the occurrences that rules speak of: of an event, past a filter, in a scope, of certain members."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from logsleuth.engine.expressions import Lookup, holds
from logsleuth.engine.plan import Plan, use_of
from logsleuth.engine.point_search import PointSearch
from logsleuth.engine.roster import Evicted, Roster, Sighting
from logsleuth.engine.scope import Bindings, Scope
from logsleuth.engine.subject import GroupKey, Member, MemberKind, Subject
from logsleuth.engine.work import Work
from logsleuth.language import syntax as s
from logsleuth.language.program import Program
from logsleuth.language.reads import static_filter

_Place = tuple[str, int, int, GroupKey | None]
"""Event, number of the plan's filter, attempt, group."""


class Found(NamedTuple):
    """The occurrences that pass a filter in a scope."""

    kept: list[Sighting]
    least: int
    """So many more certainly do that were evicted..."""
    most: int
    """... and no more than so many."""


class _Evicted(NamedTuple):
    number: int
    concerned: frozenset[Member]
    is_certain: bool
    """Whether all are known to be of the attempt."""


class LookupFor(Protocol):
    """Makes the lookup of a filter's names for one occurrence."""

    def __call__(self, sighting: Sighting, scope: Scope, known: Bindings) -> Lookup: ...


class Search:
    """Finds occurrences of one program on one roster."""

    def __init__(self, program: Program, plan: Plan, roster: Roster, lookup: LookupFor) -> None:
        self._program, self._plan, self._roster = program, plan, roster
        self.work = Work()

        def counted(sighting: Sighting, scope: Scope, known: Bindings) -> Lookup:
            look = lookup(sighting, scope, known)

            def counting(node: s.Node) -> tuple[object, ...]:
                found = look(node)
                self.work.spend(1 + len(found) // 8)
                return found

            return counting

        self._lookup = counted
        self._uses: dict[int, tuple[s.Reference, int]] = {}
        self._cache: dict[_Place, list[Sighting]] = {}
        self._static: dict[int, tuple[s.Reference, s.Node | None]] = {}
        self._evictions: dict[tuple[str, int, int], list[_Evicted]] = {}
        self._members: dict[_Place, dict[Member, list[Sighting]]] = {}
        self._points = PointSearch(roster, counted, _members_of, self.work)

    def find(self, reference: s.Reference, scope: Scope, known: Bindings) -> Found:
        """The occurrences of an event that pass the reference's filter in the scope."""
        if scope.member is not None:
            return self.find_of((scope.member,), reference, scope, known)
        if self.is_series(reference):
            return Found(self._points.find(reference, scope, known), 0, 0)
        found = self._filtered(self._kept(reference, scope), reference, scope, known)
        self.work.spend(1 + len(found))
        return Found(found, *self._evicted(reference, scope.attempt, None))

    def find_of(self, members: Iterable[Member], reference: s.Reference, scope: Scope, known: Bindings) -> Found:
        """The occurrences that ``find`` gives and that concern some of these members."""
        wanted = tuple(members)
        if self.is_series(reference):
            return Found(self._points.find_of(wanted, reference, scope, known), 0, 0)
        place = self._place(reference, scope)
        if place not in self._members:
            by_member = self._members[place] = defaultdict(list)
            for sighting in self._kept(reference, scope):
                for member in dict.fromkeys(_members_of(sighting.subject)):
                    by_member[member].append(sighting)
        self.work.spend(len(wanted))
        of_members = self._members[place]
        if len(wanted) == 1:
            concerned = [*of_members.get(wanted[0], ())]
        else:
            concerned = [*{id(s): s for member in wanted for s in of_members.get(member, ())}.values()]
        found = self._filtered(concerned, reference, scope, known)
        return Found(found, *self._evicted(reference, scope.attempt, wanted))

    def is_joined(self, reference: s.Reference) -> bool:
        """Whether the reference's filter asks for more than the line tells: for bindings, or for identities."""
        return reference.filter is not None and self._static_filter(reference) is None

    def is_alike(self, reference: s.Reference, scope: Scope) -> bool:
        """Whether ``find`` gives the same in the scope whatever is bound, at a step for each and one more."""
        return scope.member is None and not self.is_series(reference) and not self.is_joined(reference)

    def _filtered(self, found: list[Sighting], reference: s.Reference, scope: Scope, known: Bindings) -> list[Sighting]:
        if not self.is_joined(reference):
            return found
        condition = reference.filter
        assert condition is not None
        self.work.spend(len(found))
        return [sighting for sighting in found if holds(condition, self._lookup(sighting, scope, known))]

    def is_series(self, reference: s.Reference) -> bool:
        """Whether it speaks of the values of a series."""
        return reference.event not in self._plan.filters

    def _place(self, reference: s.Reference, scope: Scope) -> _Place:
        group = scope.group.key if scope.group is not None and not reference.job_wide else None
        return reference.event, self._use(reference), scope.attempt, group

    def _kept(self, reference: s.Reference, scope: Scope) -> list[Sighting]:
        place = self._place(reference, scope)
        if place not in self._cache:
            self._cache[place] = self._seen_in(reference, scope)
        return self._cache[place]

    def _seen_in(self, reference: s.Reference, scope: Scope) -> list[Sighting]:
        found = self._roster.sightings(reference.event, self._use(reference), scope.attempt)
        if scope.group is None or reference.job_wide:
            return found
        members = frozenset(scope.group.members)
        return [sighting for sighting in found if _is_within(sighting, scope.group.key, members)]

    def _evicted(self, reference: s.Reference, attempt: int, members: Iterable[Member] | None) -> tuple[int, int]:
        """How many that were evicted pass the reference's filter: at least, and at most."""
        key = (reference.event, self._use(reference), attempt)
        if key not in self._evictions:
            self._evictions[key] = [_told_of(evicted, attempt) for evicted in self._roster.evicted(*key)]
        least = most = 0
        for number, concerned, is_certain in self._evictions[key]:
            if members is None or not concerned.isdisjoint(members):
                most += number
                if is_certain and not self.is_joined(reference):
                    least += number
        return least, most

    def _use(self, reference: s.Reference) -> int:
        """Under which of the plan's filters the reference finds its occurrences; the nodes of a program live as long
        as it does."""
        known = self._uses.get(id(reference))
        if known is None or known[0] is not reference:
            use = use_of(self._plan, reference.event, self._static_filter(reference))
            known = self._uses[id(reference)] = reference, use
        return known[1]

    def _static_filter(self, reference: s.Reference) -> s.Node | None:
        """Its filter where that can be decided on the line alone; the nodes of a program live as long as it does."""
        known = self._static.get(id(reference))
        if known is None or known[0] is not reference:
            known = self._static[id(reference)] = reference, static_filter(reference, self._program.fields_if_known)
        return known[1]


def _told_of(evicted: Evicted, attempt: int) -> _Evicted:
    concerned = frozenset(member for s in evicted.among for member in _members_of(s.subject))
    return _Evicted(evicted.number, concerned, all(s.attempt == attempt for s in evicted.among))


def _members_of(subject: Subject) -> tuple[Member, ...]:
    """Whom an occurrence concerns, the host that it comes from among them."""
    if subject.host is None:
        return subject.members
    at = Member(MemberKind.HOST, (subject.host,))
    return subject.members if at in subject.members else (*subject.members, at)


def _is_within(sighting: Sighting, group: GroupKey, members: frozenset[Member]) -> bool:
    """Whether an occurrence concerns the group: by what it says, else as something that happened to a member."""
    if sighting.group is not None:
        return sighting.group == group
    theirs = sighting.subject.members
    return not theirs or any(member in members or member.rank is None for member in theirs)
