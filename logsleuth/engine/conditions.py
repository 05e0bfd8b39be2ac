"""Evaluates the conditions of rules over what was seen: true, false, or unknown (None), after Kleene."""

import math
from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from logsleuth.engine.case import Bindings
from logsleuth.engine.clock import seems_after
from logsleuth.engine.expressions import holds
from logsleuth.engine.plan import Plan, static_filter
from logsleuth.engine.quantify import quantify
from logsleuth.engine.roster import Evicted, Roster, Sighting
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.engine.truth import Between, Truth, compared, every, some
from logsleuth.engine.values import binding_values, values_of
from logsleuth.language import syntax as s
from logsleuth.language.program import Program


@dataclass(slots=True)
class Outcome:
    """A truth, with the occurrences that decided it and those that it named."""

    truth: Truth
    bindings: Bindings = field(default_factory=dict)
    deciding: list[Sighting] = field(default_factory=list)
    seen_only: bool = False
    """True where members without a log were left out."""


class Scope(NamedTuple):
    """Where a rule is judged: one attempt, and one member of it for a rule ``for each`` member."""

    attempt: int
    member: Member | None


class Found(NamedTuple):
    """The occurrences that pass a filter in a scope."""

    kept: list[Sighting]
    least: int
    """So many more certainly do that were evicted..."""
    most: int
    """... and no more than so many."""


class Evaluator:
    """Evaluates conditions of one program on one roster."""

    def __init__(self, program: Program, plan: Plan, roster: Roster) -> None:
        self._program, self._plan, self._roster = program, plan, roster
        self._logged = frozenset(Member(MemberKind.RANK, (rank,)) for rank in roster.seen_ranks)
        self._hosts = frozenset(Member(MemberKind.HOST, (host,)) for host in roster.hosts)
        self._cache: dict[tuple[str, s.Node | None, int], list[Sighting]] = {}
        self._evictions: dict[tuple[str, int, int], list[Evicted]] = {}
        self._members: dict[tuple[str, s.Node | None, int], dict[Member, list[Sighting]]] = {}

    def evaluate(self, node: s.Node, scope: Scope, known: Bindings) -> Outcome:
        """The truth of a condition. ``known`` holds what earlier conditions of the rule have named."""
        match node:
            case s.AllOf():
                return self._all(node, scope, known)
            case s.AnyOf():
                outcomes = [self.evaluate(item, scope, known) for item in node.items]
                held = [o for o in outcomes if o.truth]
                return _join(held or outcomes, True if held else some(o.truth for o in outcomes))
            case s.Not():
                truth = self.evaluate(node.item, scope, known).truth
                return Outcome(None if truth is None else not truth)
            case s.Seen():
                return self._seen(node.pattern, scope, known)
            case s.Absent():
                found, _, evicted = self.find(node.reference, scope, known)
                return Outcome(False if found else None if evicted else True)
            case s.Quantified():
                return self._quantified(node, scope, known)
            case s.Comparison():
                return self._comparison(node, scope, known)
            case _:
                raise TypeError(f"{type(node).__name__} is no condition")

    def find(self, reference: s.Reference, scope: Scope, known: Bindings) -> Found:
        """The occurrences of an event that pass the reference's filter in the scope."""
        found = self._kept(reference, scope.attempt)
        if scope.member is not None:
            found = [sighting for sighting in found if _concerns(sighting, scope.member)]
        if self.is_joined(reference):
            assert reference.filter is not None
            condition = reference.filter
            found = [sighting for sighting in found if holds(condition, partial(values_of, sighting, known))]
        members = None if scope.member is None else (scope.member,)
        return Found(found, *self._evicted(reference, scope.attempt, members))

    def _find_of(self, members: Iterable[Member], reference: s.Reference, scope: Scope, known: Bindings) -> Found:
        """The occurrences that ``find`` gives and that concern some of these members."""
        if self.is_joined(reference):
            wanted = set(members)
            found = [s for s in self.find(reference, scope, known).kept if not wanted.isdisjoint(s.subject.members)]
            return Found(found, *self._evicted(reference, scope.attempt, members))
        key = (reference.event, static_filter(reference, self._program), scope.attempt)
        if key not in self._members:
            by_member = self._members[key] = defaultdict(list)
            for sighting in self._kept(reference, scope.attempt):
                for member in sighting.subject.members:
                    by_member[member].append(sighting)
        chosen = {id(s): s for member in members for s in self._members[key].get(member, ())}
        return Found(list(chosen.values()), 0, 0)

    def _kept(self, reference: s.Reference, attempt: int) -> list[Sighting]:
        chosen = static_filter(reference, self._program)
        key = (reference.event, chosen, attempt)
        if key not in self._cache:
            self._cache[key] = self._roster.sightings(reference.event, self._use(reference), attempt)
        return self._cache[key]

    def _evicted(self, reference: s.Reference, attempt: int, members: Iterable[Member] | None) -> tuple[int, int]:
        """How many that were evicted pass the reference's filter: at least, and at most."""
        key = (reference.event, self._use(reference), attempt)
        if key not in self._evictions:
            self._evictions[key] = self._roster.evicted(*key)
        least = most = 0
        for number, among in self._evictions[key]:
            if members is None or any(_concerns(s, member) for s in among for member in members):
                most += number
                if not self.is_joined(reference) and all(s.attempt == attempt for s in among):
                    least += number
        return least, most

    def _use(self, reference: s.Reference) -> int:
        """Under which of the plan's filters the reference finds its occurrences."""
        return self._plan.filters[reference.event].index(static_filter(reference, self._program))

    def is_joined(self, reference: s.Reference) -> bool:
        """Whether the reference's filter asks for more than the line tells: for bindings, or for identities."""
        return reference.filter is not None and static_filter(reference, self._program) is None

    def _all(self, node: s.AllOf, scope: Scope, known: Bindings) -> Outcome:
        outcomes: list[Outcome] = []
        for item in node.items:
            outcome = self.evaluate(item, scope, known)
            known = {**known, **outcome.bindings}
            outcomes.append(outcome)
        return _join(outcomes, every(o.truth for o in outcomes))

    def _seen(self, pattern: s.Pattern, scope: Scope, known: Bindings) -> Outcome:
        """Some occurrence, with whatever has to come before, after or not at all; steps may be of different members."""
        found, _, evicted = self.find(pattern.reference, scope, known)
        kept, steps, is_open = [], Outcome(True), evicted > 0
        for sighting in found:
            outcome = self._steps(pattern, sighting, scope, known, same_member=False)
            is_open |= outcome.truth is None
            if outcome.truth:
                kept.append(sighting)
                steps = _join([steps, outcome], True)
        truth: Truth = True if kept else None if is_open else False
        return _named(pattern.binding, kept or found, truth, steps) if truth is not False else Outcome(False)

    def _steps(self, pattern: s.Pattern, first: Sighting, scope: Scope, known: Bindings, same_member: bool) -> Outcome:
        """Whether the steps of a pattern hold behind its first occurrence."""
        named = {**known, **({pattern.binding: [first]} if pattern.binding else {})}
        before = first
        out = Outcome(True)
        for step in pattern.steps:
            if same_member or step.kind == "without":
                found, _, evicted = self._find_of(first.subject.members, step.reference, scope, named)
            else:
                found, _, evicted = self.find(step.reference, scope, named)
            if step.kind == "then" and (step.binding or step is not pattern.steps[-1]):
                after = [other for other in found if seems_after(other.began, before.began)]
                found = [min(after, key=_time)] if after else []
            elif step.kind == "then":
                # Nobody asks which one it is.
                found = next(([other] for other in found if seems_after(other.began, before.began)), [])
            elif step.kind == "then no":
                found = _any_after(found, before)
            # Without a join the kept ones decide: they are the first and the last.
            is_open = evicted > 0 and self.is_joined(step.reference)
            if step.kind != "then":
                if found:
                    return Outcome(False)
                out.truth = None if is_open else out.truth
            elif not found:
                return Outcome(None if is_open else False)
            else:
                before = found[0]
                out.deciding += found[:1]
                if step.binding:
                    out.bindings[step.binding] = named[step.binding] = found[:1]
        return out

    def _quantified(self, node: s.Quantified, scope: Scope, known: Bindings) -> Outcome:
        found, _, evicted = self.find(node.pattern.reference, scope, known)
        by_member: dict[Member, list[Sighting]] = {}
        steps: dict[Member, Outcome] = {}
        maybe: dict[Member, list[Sighting]] = {}
        for sighting in found:
            outcome = self._steps(node.pattern, sighting, scope, known, same_member=True)
            for member in self._counted(sighting, node):
                if outcome.truth:
                    by_member.setdefault(member, []).append(sighting)
                    steps.setdefault(member, outcome)
                elif outcome.truth is None:
                    maybe.setdefault(member, []).append(sighting)
        anybody = evicted > 0 and self.is_joined(node.pattern.reference)
        truth = self._quantify(node, by_member.keys(), maybe.keys(), anybody)
        told = [*by_member.values(), *(maybe.values() if truth is None else ())]
        kept = list({id(s): s for sightings in told for s in sightings}.values())
        if node.quantifier == "no":
            return Outcome(truth, seen_only=node.seen_only)
        out = _named(node.pattern.binding, kept, truth, _join([Outcome(True), *steps.values()], True))
        out.seen_only = node.seen_only
        return out

    def _counted(self, sighting: Sighting, node: s.Quantified) -> list[Member]:
        """The members that the quantifier counts of those that an occurrence concerns."""
        if node.member == "host":
            return [Member(MemberKind.HOST, (sighting.subject.host,))] if sighting.subject.host else []
        members = [member for member in sighting.subject.members if member.kind is not MemberKind.HOST]
        return [m for m in members if m.rank is None or m in self._logged] if node.seen_only else members

    def _quantify(self, node: s.Quantified, yes: Set[Member], maybe: Set[Member], anybody: bool) -> Truth:
        """``yes`` have it, ``maybe`` may; so may others that left no log, and all others where ``anybody`` is true."""
        roster = self._roster
        if node.member == "host":
            logged, size, stated = self._hosts, len(roster.hosts), True
        else:
            logged, size, stated = self._logged, max(roster.size, 1), roster.size_is_stated
        total = max(len(logged) if node.seen_only else size, len(yes))
        answered = len(yes) if anybody else max(len((logged - maybe) | yes), 0 if logged or maybe else 1)
        more = not stated and not node.seen_only
        return quantify(node.quantifier, node.number, len(yes), max(total - answered, 0), total, more)

    def _comparison(self, node: s.Comparison, scope: Scope, known: Bindings) -> Outcome:
        left, right = (self._operand(side, scope, known) for side in (node.left, node.right))
        return Outcome(some(compared(node.operator, a, b) for a in left for b in right))

    def _operand(self, node: s.Count | s.Attribute | s.Value, scope: Scope, known: Bindings) -> tuple[object, ...]:
        match node:
            case s.Value():
                return (node.value,)
            case s.Attribute():
                return binding_values(known, node.binding, node.field)
            case s.Count(what="ranks"):
                size = self._roster.size
                return (size if self._roster.size_is_stated else Between(size, math.inf),)
            case s.Count(what="seen ranks"):
                return (len(self._roster.seen_ranks),)
            case s.Count(what="hosts"):
                return (len(self._roster.hosts),)
            case s.Count(what="binding"):
                return (len({m for sighting in known.get(node.binding, ()) for m in sighting.subject.members}),)
            case s.Count():
                assert node.reference is not None
                found, least, most = self.find(node.reference, scope, known)
                return (Between(len(found) + least, len(found) + most),)


def _concerns(sighting: Sighting, member: Member) -> bool:
    if member.kind is MemberKind.HOST and sighting.subject.host == member.key[0]:
        return True
    return member in sighting.subject.members


def _any_after(found: list[Sighting], before: Sighting) -> list[Sighting]:
    """One of them that seems to come after, or none; the last are asked first, as they are the likeliest."""
    return next(([other] for other in reversed(found) if seems_after(other.began, before.began)), [])


def _named(binding: str, kept: list[Sighting], truth: Truth, steps: Outcome) -> Outcome:
    bindings = {**steps.bindings, **({binding: kept} if binding and kept else {})}
    return Outcome(truth, bindings, [*kept, *steps.deciding])


def _join(outcomes: Iterable[Outcome], truth: Truth) -> Outcome:
    joined = Outcome(truth)
    for outcome in outcomes:
        for name, sightings in outcome.bindings.items():
            joined.bindings[name] = [*joined.bindings.get(name, ()), *sightings]
        joined.deciding += outcome.deciding
        joined.seen_only |= outcome.seen_only
    return joined


def _time(sighting: Sighting) -> tuple[float, float, int, int]:
    """The order in which occurrences seem to have come."""
    return sighting.began.high, sighting.began.low, sighting.occurrence.source, sighting.occurrence.offset
