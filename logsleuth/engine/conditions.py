"""Evaluates the conditions of rules over what was seen: true, false, or unknown (None), after Kleene."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from logsleuth.engine.case import Bindings
from logsleuth.engine.clock import seems_after
from logsleuth.engine.expressions import compare, holds
from logsleuth.engine.fold import line_values
from logsleuth.engine.plan import Plan, static_filter
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.language import syntax as s
from logsleuth.language.program import Program

Truth = bool | None


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


class Evaluator:
    """Evaluates conditions of one program on one roster."""

    def __init__(self, program: Program, plan: Plan, roster: Roster) -> None:
        self._program, self._plan, self._roster = program, plan, roster
        self._cache: dict[tuple[str, s.Node | None, int], tuple[list[Sighting], bool]] = {}
        self._members: dict[tuple[str, s.Node | None, int], dict[Member, list[Sighting]]] = {}

    def evaluate(self, node: s.Node, scope: Scope, known: Bindings) -> Outcome:
        """The truth of a condition. ``known`` holds what earlier conditions of the rule have named."""
        match node:
            case s.AllOf():
                return self._all(node, scope, known)
            case s.AnyOf():
                outcomes = [self.evaluate(item, scope, known) for item in node.items]
                held = [o for o in outcomes if o.truth]
                return _join(held or outcomes, True if held else _any(o.truth for o in outcomes))
            case s.Not():
                truth = self.evaluate(node.item, scope, known).truth
                return Outcome(None if truth is None else not truth)
            case s.Seen():
                return self._seen(node.pattern, scope, known)
            case s.Absent():
                found, evicted = self.find(node.reference, scope, known)
                return Outcome(False if found else None if evicted else True)
            case s.Quantified():
                return self._quantified(node, scope, known)
            case s.Comparison():
                return self._comparison(node, scope, known)
            case _:
                raise TypeError(f"{type(node).__name__} is no condition")

    def find(self, reference: s.Reference, scope: Scope, known: Bindings) -> tuple[list[Sighting], bool]:
        """The occurrences of an event that pass the reference's filter in the scope, and whether some were evicted."""
        found, evicted = self._kept(reference, scope.attempt)
        if scope.member is not None:
            found = [sighting for sighting in found if _concerns(sighting, scope.member)]
        if self._is_joined(reference):
            assert reference.filter is not None
            condition = reference.filter
            found = [sighting for sighting in found if holds(condition, partial(_values, sighting, known))]
        return found, evicted

    def _find_of(
        self, members: Iterable[Member], reference: s.Reference, scope: Scope, known: Bindings
    ) -> list[Sighting]:
        """The occurrences that ``find`` gives and that concern some of these members."""
        if self._is_joined(reference):
            wanted = set(members)
            return [s for s in self.find(reference, scope, known)[0] if not wanted.isdisjoint(s.subject.members)]
        key = (reference.event, static_filter(reference, self._program), scope.attempt)
        if key not in self._members:
            by_member = self._members[key] = defaultdict(list)
            for sighting in self._kept(reference, scope.attempt)[0]:
                for member in sighting.subject.members:
                    by_member[member].append(sighting)
        found = {id(s): s for member in members for s in self._members[key].get(member, ())}
        return list(found.values())

    def _kept(self, reference: s.Reference, attempt: int) -> tuple[list[Sighting], bool]:
        chosen = static_filter(reference, self._program)
        key = (reference.event, chosen, attempt)
        if key not in self._cache:
            use = self._plan.filters[reference.event].index(chosen)
            sightings = self._roster.sightings(reference.event, use, attempt)
            self._cache[key] = sightings, self._roster.was_evicted(reference.event, use)
        return self._cache[key]

    def _is_joined(self, reference: s.Reference) -> bool:
        return reference.filter is not None and static_filter(reference, self._program) is None

    def _all(self, node: s.AllOf, scope: Scope, known: Bindings) -> Outcome:
        outcomes: list[Outcome] = []
        for item in node.items:
            outcome = self.evaluate(item, scope, known)
            known = {**known, **outcome.bindings}
            outcomes.append(outcome)
        return _join(outcomes, _every(o.truth for o in outcomes))

    def _seen(self, pattern: s.Pattern, scope: Scope, known: Bindings) -> Outcome:
        """Some occurrence, with whatever has to come before, after or not at all; steps may be of different members."""
        found, evicted = self.find(pattern.reference, scope, known)
        kept, steps = [], Outcome(True)
        for sighting in found:
            outcome = self._steps(pattern, sighting, scope, known, same_member=False)
            if outcome.truth:
                kept.append(sighting)
                steps = _join([steps, outcome], True)
        truth: Truth = True if kept else None if evicted else False
        return _named(pattern.binding, kept, truth, steps)

    def _steps(self, pattern: s.Pattern, first: Sighting, scope: Scope, known: Bindings, same_member: bool) -> Outcome:
        """Whether the steps of a pattern hold behind its first occurrence."""
        named = {**known, **({pattern.binding: [first]} if pattern.binding else {})}
        before = first
        out = Outcome(True)
        for step in pattern.steps:
            if same_member or step.kind == "without":
                found = self._find_of(first.subject.members, step.reference, scope, named)
            else:
                found, _ = self.find(step.reference, scope, named)
            if step.kind != "without":
                found = [other for other in found if seems_after(other.began, before.began)]
            if (step.kind == "then") != bool(found):
                return Outcome(False)
            if found:
                before = found[0]
                out.deciding += found[:1]
                if step.binding:
                    out.bindings[step.binding] = named[step.binding] = found[:1]
        return out

    def _quantified(self, node: s.Quantified, scope: Scope, known: Bindings) -> Outcome:
        found, _ = self.find(node.pattern.reference, scope, known)
        by_member: dict[Member, list[Sighting]] = {}
        steps: dict[Member, Outcome] = {}
        for sighting in found:
            outcome = self._steps(node.pattern, sighting, scope, known, same_member=True)
            if outcome.truth:
                for member in self._counted(sighting, node.member):
                    by_member.setdefault(member, []).append(sighting)
                    steps.setdefault(member, outcome)
        truth = self._quantify(node, len(by_member))
        kept = list({id(s): s for sightings in by_member.values() for s in sightings}.values())
        if node.quantifier == "no":
            return Outcome(truth, seen_only=node.seen_only)
        out = _named(node.pattern.binding, kept, truth, _join([Outcome(True), *steps.values()], True))
        out.seen_only = node.seen_only
        return out

    def _counted(self, sighting: Sighting, kind: str) -> Iterable[Member]:
        """The members of a kind that an occurrence concerns."""
        if kind == "host":
            return [Member(MemberKind.HOST, (sighting.subject.host,))] if sighting.subject.host else []
        return [member for member in sighting.subject.members if member.kind is not MemberKind.HOST]

    def _quantify(self, node: s.Quantified, yes: int) -> Truth:
        roster = self._roster
        seen = len(roster.hosts) if node.member == "host" else max(len(roster.seen_ranks), 1)
        stated = roster.size_is_stated if node.member == "rank" else True
        total = seen if node.seen_only else len(roster.hosts) if node.member == "host" else max(roster.size, 1)
        unknown = 0 if node.seen_only else max(total - max(seen, yes), 0)
        more = not stated and not node.seen_only
        return quantify(node.quantifier, node.number, yes, unknown, max(total, yes), more)

    def _comparison(self, node: s.Comparison, scope: Scope, known: Bindings) -> Outcome:
        left, right = (self._operand(side, scope, known) for side in (node.left, node.right))
        return Outcome(any(compare(node.operator, a, b) for a in left for b in right))

    def _operand(self, node: s.Count | s.Attribute | s.Value, scope: Scope, known: Bindings) -> tuple[object, ...]:
        match node:
            case s.Value():
                return (node.value,)
            case s.Attribute():
                return binding_values(known, node.binding, node.field)
            case s.Count(what="ranks"):
                return (self._roster.size,)
            case s.Count(what="seen ranks"):
                return (len(self._roster.seen_ranks),)
            case s.Count(what="hosts"):
                return (len(self._roster.hosts),)
            case s.Count(what="binding"):
                return (len({m for sighting in known.get(node.binding, ()) for m in sighting.subject.members}),)
            case s.Count():
                assert node.reference is not None
                return (len(self.find(node.reference, scope, known)[0]),)


def quantify(quantifier: str, number: float, yes: int, unknown: int, total: int, more: bool) -> Truth:
    """A quantifier over ``total`` members of which ``yes`` have it and ``unknown`` may have it.

    ``more`` where the size of the job is not stated, so that there may be any number of further members.
    """
    most = yes + unknown
    if quantifier == "some":
        return True if yes else None if unknown else False
    if quantifier == "no":
        return False if yes else None if unknown else True
    if quantifier == "every":
        return None if yes == total and more else True if yes == total else None if most >= total else False
    if quantifier in ("exactly", "all but"):
        wanted = number if quantifier == "exactly" else total - number
        if yes > wanted or (most < wanted and not more):
            return False
        return None if unknown or more else yes == wanted
    if quantifier == "at least":
        return True if yes >= number else None if most >= number or more else False
    # ``most`` is more than half, a percentage is at least that share.
    if _is_share(quantifier, number, yes, total):
        return None if more else True
    return None if more or _is_share(quantifier, number, most, total) else False


def _is_share(quantifier: str, number: float, count: int, total: int) -> bool:
    return count * 2 > total if quantifier == "most" else count * 100 >= number * total


def binding_values(known: Bindings, binding: str, name: str) -> tuple[object, ...]:
    """The distinct values of a field over the occurrences of a binding, in their order."""
    values: list[object] = []
    for sighting in known.get(binding, ()):
        for value in sighting_values(sighting, name):
            if value not in values:
                values.append(value)
    return tuple(values)


def sighting_values(sighting: Sighting, name: str) -> tuple[object, ...]:
    """The values of a field of an occurrence, those of its identity included."""
    if name in sighting.occurrence.fields:
        return (sighting.occurrence.fields[name],)
    if name == "rank":
        return tuple(member.rank for member in sighting.subject.members if member.rank is not None)
    if name == "local_rank":
        return tuple(member.local_rank for member in sighting.subject.members if member.local_rank is not None)
    told = {
        "host": sighting.subject.host,
        "pid": sighting.subject.pid,
        "attempt": sighting.attempt,
        "source": sighting.occurrence.source,
        "text": sighting.occurrence.text,
        "level": sighting.occurrence.level,
        "exception": sighting.occurrence.exception,
    }
    value = told.get(name)
    return () if value is None else (value,)


def _values(sighting: Sighting, known: Bindings, node: s.Field | s.Attribute) -> tuple[object, ...]:
    if isinstance(node, s.Attribute):
        return binding_values(known, node.binding, node.field)
    return line_values(sighting.occurrence, node) or sighting_values(sighting, node.name)


def _concerns(sighting: Sighting, member: Member) -> bool:
    if member.kind is MemberKind.HOST and sighting.subject.host == member.key[0]:
        return True
    return member in sighting.subject.members


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


def _every(truths: Iterable[Truth]) -> Truth:
    values = list(truths)
    return False if False in values else None if None in values else True


def _any(truths: Iterable[Truth]) -> Truth:
    values = list(truths)
    return True if True in values else None if None in values else False
