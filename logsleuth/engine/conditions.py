"""Evaluates the conditions of rules over what was seen: true, false, or unknown (None), after Kleene."""

import math
from collections.abc import Iterable, Set
from dataclasses import dataclass, field

from logsleuth.engine.ahead import Ahead, ahead, may_be_open
from logsleuth.engine.expressions import compare_any
from logsleuth.engine.measures import Measures
from logsleuth.engine.plan import Plan
from logsleuth.engine.quantify import quantify
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.scope import At, Bindings, MemberSet, Scope, ValueSet
from logsleuth.engine.sequence import Sequences, Steps
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.engine.truth import Truth, compared, every, some
from logsleuth.language import syntax as s
from logsleuth.language.program import Program

SEEN_ONLY = "only ranks that left a log were counted"
_ARITHMETIC = frozenset(("+", "-", "*", "/", "of"))
_KLEENE = frozenset(("==", "!=", "<", "<=", ">", ">="))


@dataclass(frozen=True, slots=True)
class Tally:
    """Over whom a quantifier was decided."""

    yes: tuple[Member, ...]
    total: int
    or_more: bool
    """True where the job may have more members than ``total``."""
    unknown: int
    """Of how many members nothing is known."""
    kind: str
    """``rank`` or ``host``."""
    undecided: int = 0
    """How many of these left a log, which does not decide it."""


@dataclass(slots=True)
class Outcome:
    """A truth, with the occurrences that decided it and those that it named."""

    truth: Truth
    bindings: Bindings = field(default_factory=dict)
    deciding: list[Sighting] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    """What lowers the confidence, in words."""
    tallies: list[Tally] = field(default_factory=list)
    awaits: float | None = None
    """The moment until which logs would have to reach to decide what is open."""


class Evaluator:
    """Evaluates conditions of one program on one roster."""

    def __init__(self, program: Program, plan: Plan, roster: Roster) -> None:
        self._roster, self._needed = roster, plan.needed
        self.measures = Measures(program, plan, roster, self._truth_of)
        self.search = self.measures.search
        self.sequences = Sequences(program, self.measures, roster)
        self._ahead: dict[tuple[str, tuple[str, ...]], Ahead] = {}
        self._logged = roster.covered
        self._hosts = frozenset(Member(MemberKind.HOST, (host,)) for host in roster.hosts)

    def can_hold(self, rule: str) -> bool:
        """Whether something was seen of all that the rule needs; it has no case where it was not."""
        return not any(self._roster.seen.isdisjoint(sights) for sights in self._needed[rule])

    def denies(self, rule: s.Rule, scope: Scope) -> bool:
        """Whether the rule has no case in the scope by what can be asked ahead of its other conditions."""
        sets = tuple(name for name, let in scope.lets.items() if isinstance(let, MemberSet))
        if (rule.name, sets) not in self._ahead:
            self._ahead[rule.name, sets] = ahead(rule, sets)
        asked = self._ahead[rule.name, sets]
        at = At(scope._replace(lets={**scope.lets, **asked.lets}), {})
        unmet = (False,) if may_be_open(rule) else (False, None)
        is_excluded = any(self._at(clause, at).truth in unmet for clause in asked.needed)
        return is_excluded or any(self._at(clause, at).truth for clause in asked.excluded)

    def evaluate(self, node: s.Node, scope: Scope, known: Bindings) -> Outcome:
        """The truth of a condition. ``known`` holds what earlier conditions of the rule have named."""
        return self._at(node, At(scope, known))

    def let(self, let: s.Let, scope: Scope, known: Bindings) -> s.Let | MemberSet | ValueSet:
        """What a ``let`` stands for: a set is worked out now, anything else where it is used."""
        if isinstance(let.value, s.Members) or (isinstance(let.value, s.Call) and let.value.function == "distinct"):
            (value,) = self.measures.values(let.value, At(scope, known)) or (let,)
            assert isinstance(value, s.Let | MemberSet | ValueSet)
            return value
        return let

    def _truth_of(self, node: s.Node, at: At) -> Truth:
        return self._at(node, at).truth

    def _at(self, node: s.Node, at: At) -> Outcome:
        self.search.work.spend(1)
        match node:
            case s.Clause():
                return self._at(node.condition, at)
            case s.AllOf():
                return self._all(node, at)
            case s.AnyOf():
                outcomes = [self._at(item, at) for item in node.items]
                held = [o for o in outcomes if o.truth]
                return _join(held or outcomes, True if held else some(o.truth for o in outcomes))
            case s.Not():
                inner = self._at(node.item, at)
                return Outcome(None if inner.truth is None else not inner.truth, tallies=inner.tallies)
            case s.Seen():
                return self._seen(node.pattern, at)
            case s.Absent():
                return self._absent(node.reference, at)
            case s.Quantified():
                return self._quantified(node, at)
            case s.Together():
                return Outcome(_together(at.known.get(node.binding, []), float(node.within.value)))
            case s.Operation() if node.operator not in _ARITHMETIC:
                return Outcome(self._compared(node, at))
            case _:
                values = self.measures.values(node, at)
                return Outcome(None if values is None else any(value is True for value in values))

    def _absent(self, reference: s.Reference, at: At) -> Outcome:
        found, _, evicted = self.measures.found(reference, at)
        return Outcome(False if found else None if evicted or self._is_silent(at) else True)

    def _is_silent(self, at: At) -> bool:
        """Whether the member at hand left no log, so that nothing seen of it means nothing."""
        return at.member is not None and not self._roster.left_log(at.member)

    def _all(self, node: s.AllOf, at: At) -> Outcome:
        outcomes: list[Outcome] = []
        for item in node.items:
            outcome = self._at(item, at)
            at = at._replace(known={**at.known, **outcome.bindings})
            outcomes.append(outcome)
        return _join(outcomes, every(o.truth for o in outcomes))

    def _compared(self, node: s.Operation, at: At) -> Truth:
        left = self.measures.values(node.left, at)
        if node.operator == "is known":
            return bool(left)
        assert node.right is not None
        right = self.measures.values(node.right, at)
        if left is None or right is None:
            return None
        if node.operator in _KLEENE:
            return some(compared(node.operator, a, b) for a, b in self.search.work.pairs(left, right))
        self.search.work.spend(len(left) * len(right))
        return compare_any(node.operator, tuple(left), tuple(right))

    def _seen(self, pattern: s.Pattern, at: At) -> Outcome:
        """Some occurrence, with whatever has to come before, after or not at all; steps may be of different members."""
        found, _, evicted = self.measures.found(pattern.reference, at)
        kept: list[Sighting] = [] if pattern.steps else list(found)
        held, joined, is_open = list[Outcome](), Outcome(True), evicted > 0 or self._is_silent(at)
        same_member = at.member is not None or _is_of_one(at.scope)
        for sighting in found if pattern.steps else ():
            steps = self.sequences.holds(pattern, sighting, at.scope, at.known, same_member)
            is_open |= steps.truth is None
            joined.awaits = steps.awaits or joined.awaits
            if steps.truth:
                kept.append(sighting)
                held.append(_of_steps(steps))
        joined = _join([joined, *held], True)
        truth: Truth = True if kept else None if is_open else False
        return _named(pattern.binding, kept or found, truth, joined) if truth is not False else Outcome(False)

    # Quantifiers

    def _quantified(self, node: s.Quantified, at: At) -> Outcome:
        scope, known = at.scope, at.known
        found, _, evicted = self.search.find(node.pattern.reference, scope, known)
        by_member: dict[Member, list[Sighting]] = {}
        maybe: dict[Member, list[Sighting]] = {}
        steps: dict[Member, Outcome] = {}
        out = Outcome(None)
        for sighting in found:
            outcome = self.sequences.holds(node.pattern, sighting, scope, known, same_member=True)
            out.awaits = outcome.awaits or out.awaits
            for member in self._counted(sighting, node, at):
                if outcome.truth:
                    by_member.setdefault(member, []).append(sighting)
                    steps.setdefault(member, _of_steps(outcome))
                elif outcome.truth is None:
                    maybe.setdefault(member, []).append(sighting)
        anybody = evicted > 0 and self.search.is_joined(node.pattern.reference)
        out.truth = self._quantify(node, by_member.keys(), maybe.keys() - by_member.keys(), anybody, at, out.tallies)
        if node.seen_only:
            out.doubts.append(SEEN_ONLY)
        if node.quantifier == "no":
            return out
        told = [*by_member.values(), *(maybe.values() if out.truth is None else ())]
        kept = list({id(s): s for sightings in told for s in sightings}.values())
        return _named(node.pattern.binding, kept, out.truth, _join([out, *steps.values()], True))

    def _counted(self, sighting: Sighting, node: s.Quantified, at: At) -> list[Member]:
        """The members that the quantifier counts of those that an occurrence concerns."""
        if node.member == "host":
            members = [Member(MemberKind.HOST, (host,)) for host in sighting.subject.hosts]
        else:
            members = [member for member in sighting.subject.members if member.is_process]
            if node.seen_only:
                members = [m for m in members if m.rank is None or m in self._logged]
        if node.other:
            bound = {m for named in at.known.values() for x in named for m in x.subject.members}
            members = [member for member in members if member not in bound]
        return members

    def _quantify(
        self, node: s.Quantified, yes: Set[Member], maybe: Set[Member], anybody: bool, at: At, tallies: list[Tally]
    ) -> Truth:
        """``yes`` have it, ``maybe`` may; so may others that left no log, and all others where ``anybody`` is true."""
        group = at.scope.group
        if node.member == "host":
            logged, size, stated = self._hosts, len(self._roster.hosts), True
        elif group is not None:
            logged = frozenset(member for member in group.members if self._roster.left_log(member))
            size, stated = group.size, group.size_is_stated
            yes = {member: None for member in yes if member in group.members}.keys()
        else:
            logged, size, stated = self._logged, max(self._roster.size, 1), self._roster.size_is_stated
        total = max(len(logged) if node.seen_only else size, len(yes))
        answered = len(yes) if anybody else max(len((logged - maybe) | yes), 0 if logged or maybe else 1)
        more = not stated and not node.seen_only
        unknown = max(total - answered, 0)
        undecided = 0 if anybody else min(len((logged & maybe) - yes), unknown)
        tallies.append(Tally(tuple(yes), total, more, unknown, node.member, undecided))
        return quantify(node.quantifier, node.number, len(yes), unknown, total, more)


def _is_of_one(scope: Scope) -> bool:
    """Whether the scope is one process; a host has several."""
    return scope.member is not None and scope.member.kind is not MemberKind.HOST


def _together(sightings: list[Sighting], seconds: float) -> Truth:
    """Whether all of them began within so many seconds of each other."""
    if not sightings:
        return None
    low, high = min(s.began.low for s in sightings), max(s.began.high for s in sightings)
    if high - low <= seconds:
        return True
    apart = max(s.began.low for s in sightings) - min(s.began.high for s in sightings)
    return False if math.isfinite(apart) and apart > seconds else None


def _of_steps(steps: Steps) -> Outcome:
    return Outcome(steps.truth, steps.bindings, steps.deciding, steps.doubts)


def _named(binding: str, kept: list[Sighting], truth: Truth, joined: Outcome) -> Outcome:
    joined.bindings = {**joined.bindings, **({binding: kept} if binding and kept else {})}
    joined.truth, joined.deciding = truth, [*kept, *joined.deciding]
    return joined


def _join(outcomes: Iterable[Outcome], truth: Truth) -> Outcome:
    joined = Outcome(truth)
    for outcome in outcomes:
        for name, sightings in outcome.bindings.items():
            joined.bindings.setdefault(name, []).extend(sightings)
        joined.deciding += outcome.deciding
        joined.doubts += outcome.doubts
        joined.tallies += outcome.tallies
        joined.awaits = outcome.awaits or joined.awaits
    return joined
