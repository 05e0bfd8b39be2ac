"""Judges every rule of a program: a pure function of what was folded."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from logsleuth.engine.ahead import may_be_open
from logsleuth.engine.case import Case, Told
from logsleuth.engine.conditions import Evaluator, Outcome
from logsleuth.engine.reasons import reason, set_reason
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.scope import At, MemberSet, Scope, ValueSet
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.engine.work import TooMuchWorkError
from logsleuth.language import syntax as s
from logsleuth.language.program import Program
from logsleuth.language.syntax import Rule
from logsleuth.model.analysis import Confidence, Reason

_LOWER = {Confidence.CERTAIN: Confidence.LIKELY, Confidence.LIKELY: Confidence.LIKELY}
UNSURE_EXCEPTION = "whether an exception to the rule applies is not in these logs"
INFERRED = "the group of the culprit follows from the spacing of its other ranks"


def judge(program: Program, evaluator: Evaluator, roster: Roster) -> list[Case]:
    """All cases of all rules, in the order of rule names and attempts. A rule that takes too many steps has
    none, and ``evaluator.search.work`` tells of it."""
    cases: list[Case] = []
    work = evaluator.search.work
    for name in filter(evaluator.can_hold, sorted(program.rules)):
        rule = program.rules[name]
        work.begin()
        try:
            cases += [case for scope in scopes(rule, roster) for case in _judge_rule(rule, scope, evaluator, roster)]
        except TooMuchWorkError:
            work.give_up(rule)
    work.end()
    return cases


def scopes(rule: Rule, roster: Roster) -> Iterator[Scope]:
    """Where the rule is judged: in every attempt, and there once for each member or group that it asks for."""
    for attempt in roster.attempts:
        if rule.scope == "rank":
            yield from (Scope(attempt, member) for member in roster.members(attempt))
        elif rule.scope == "host":
            yield from (Scope(attempt, Member(MemberKind.HOST, (host,))) for host in roster.hosts)
        elif rule.scope in ("pg", "comm"):
            yield from (Scope(attempt, None, group) for group in roster.groups_of(rule.scope, attempt))
        else:
            yield Scope(attempt, None)


def _judge_rule(rule: Rule, scope: Scope, evaluator: Evaluator, roster: Roster) -> list[Case]:
    if evaluator.denies(rule, scope):
        return []
    held = Outcome(True)
    reasons: list[Reason] = []
    sets = 0
    for clause in rule.when:
        evaluator.search.work.asked = f"let {clause.name}" if isinstance(clause, s.Let) else clause.text
        if isinstance(clause, s.Let):
            value = evaluator.let(clause, scope, held.bindings)
            scope = scope._replace(lets={**scope.lets, clause.name: value})
            if isinstance(value, MemberSet):
                reasons.append(set_reason(clause, value))
                sets += 1
            continue
        if len(reasons) == sets > 0 and evaluator.denies(rule, scope):
            return []
        outcome = evaluator.evaluate(clause, scope, held.bindings)
        if outcome.truth is False:
            return []
        reasons.append(reason(clause, outcome, roster))
        held.truth = None if None in (outcome.truth, held.truth) else True
        held.bindings |= outcome.bindings
        held.deciding += outcome.deciding
        held.doubts += outcome.doubts
    if not held.deciding:
        # Nothing was seen that the rule speaks of: there is no case to leave open.
        return []
    needs = [evaluator.evaluate(condition, scope, held.bindings) for condition in rule.needs]
    unless = [evaluator.evaluate(condition, scope, held.bindings) for condition in rule.unless]
    if any(needed.truth is False for needed in needs) or any(outcome.truth for outcome in unless):
        return []
    for needed in needs:
        # What is needed can be told, but it decides nothing.
        held.bindings = {**needed.bindings, **held.bindings}
    for clause, outcome in zip(rule.needs, needs, strict=True):
        if outcome.truth is None:
            reasons.append(reason(clause, outcome, roster))
    doubts = [UNSURE_EXCEPTION] if any(outcome.truth is None for outcome in unless) else []
    doubts += dict.fromkeys(held.doubts)
    confidence = _confidence(rule, scope, evaluator, held)
    is_open = held.truth is None or any(needed.truth is None for needed in needs)
    if is_open and not may_be_open(rule):
        return []
    deciding = list({id(sighting): sighting for sighting in held.deciding}.values())
    lets = _told(rule, scope, evaluator, held)
    whole = Case(
        rule, scope.attempt, is_open, confidence, held.bindings, deciding, None,
        doubts=doubts, lets=lets, support=_support(lets), reasons=tuple(reasons), scope=scope,
    )  # fmt: skip
    return [_capped(case) for case in _by_culprit(whole, scope, roster)]


def _capped(case: Case) -> Case:
    """Doubts lower certainty."""
    if case.doubts:
        case.confidence = _LOWER.get(case.confidence, case.confidence)
    return case


def _confidence(rule: Rule, scope: Scope, evaluator: Evaluator, held: Outcome) -> Confidence:
    for level in rule.confidence:
        if level.condition is None or evaluator.evaluate(level.condition, scope, held.bindings).truth:
            return Confidence(level.confidence)
    return Confidence.POSSIBLE if rule.confidence else Confidence.LIKELY


# Names for texts


def _told(rule: Rule, scope: Scope, evaluator: Evaluator, held: Outcome) -> dict[str, Told]:
    """What every ``let`` came to: sets, values, and values of the members of the rule's sets."""
    sets = [value for value in scope.lets.values() if isinstance(value, MemberSet)]
    named = dict.fromkeys(member for chosen in sets for member in chosen.members)
    told: dict[str, Told] = {}
    for clause in rule.when:
        if not isinstance(clause, s.Let):
            continue
        value = scope.lets[clause.name]
        if isinstance(value, MemberSet):
            told[clause.name] = Told(clause.unit, value)
        elif isinstance(value, ValueSet):
            told[clause.name] = Told(clause.unit, None, value.values)
        else:
            at = At(scope, held.bindings)
            whole = tuple(evaluator.measures.values(value.value, at) or ())
            of_members = {m: evaluator.measures.values(value.value, at._replace(member=m)) for m in named}
            by_member = {m: told[-1] for m, told in of_members.items() if told}
            told[clause.name] = Told(clause.unit, None, whole, by_member)
    return told


def _support(lets: dict[str, Told]) -> list[Sighting]:
    chosen = (told.members for told in lets.values() if told.members is not None)
    found = (x for one in chosen for member in one.members for x in one.support.get(member, ()))
    return list({id(sighting): sighting for sighting in found}.values())


# Culprits


def _by_culprit(case: Case, scope: Scope, roster: Roster) -> list[Case]:
    """One case for every culprit, each with its own occurrences, so that each can be explained or not by itself."""
    clause = case.rule.culprit
    if clause is None:
        return [case]
    if clause.name == case.rule.scope and scope.member is not None:
        return [replace(case, culprit=scope.member, culprit_is_host=clause.hosts, culprit_is_from_set=True)]
    if clause.name in case.lets:
        return _by_set(case, clause, scope, roster)
    named = case.bindings.get(clause.name, [])
    if not named:
        return [case]
    groups: dict[Member | None, list[Sighting]] = {}
    for sighting in named:
        for member in _culprits(sighting, clause.hosts):
            groups.setdefault(member, []).append(sighting)
    chosen = {id(sighting) for sighting in named}
    others = [sighting for sighting in case.deciding if id(sighting) not in chosen]
    return [
        replace(
            case,
            bindings={**case.bindings, clause.name: sightings},
            deciding=[*sightings, *others],
            culprit=member,
            culprit_is_host=clause.hosts,
        )
        for member, sightings in groups.items()
    ]


def _by_set(case: Case, clause: s.Culprit, scope: Scope, roster: Roster) -> list[Case]:
    told = case.lets[clause.name]
    chosen = told.members
    if chosen is None or not chosen.members:
        return [case]
    named: dict[Member | None, list[Member]] = {}
    for member in chosen.members:
        named.setdefault(_host_of(member, roster) if clause.hosts else member, []).append(member)
    inferred = scope.group.inferred if scope.group is not None else frozenset()
    out = []
    for culprit, members in named.items():
        support = {member: chosen.support.get(member, ()) for member in members}
        only = MemberSet(tuple(members), chosen.maybe, chosen.support, chosen.of, chosen.silent)
        lets = {**case.lets, clause.name: Told(told.unit, only)}
        is_host = clause.hosts or (culprit is not None and culprit.kind is MemberKind.HOST)
        doubts = [*case.doubts, *([INFERRED] if inferred.intersection(members) else [])]
        out.append(
            replace(
                case,
                deciding=_of_devices(case.deciding, members),
                culprit=culprit,
                culprit_is_host=is_host,
                culprit_is_from_set=True,
                lets=lets,
                doubts=doubts,
                support=list({id(x): x for found in support.values() for x in found}.values()),
            )
        )
    return out


def _of_devices(deciding: list[Sighting], members: Sequence[Member]) -> list[Sighting]:
    """Of what monitors say of many devices that which is about these; all of it where the set holds none."""
    devices = {member for member in members if member.kind is MemberKind.GPU}
    if not devices:
        return deciding
    others = {m for s in deciding for m in s.subject.members if m.kind is MemberKind.GPU} - devices
    return [s for s in deciding if others.isdisjoint(s.subject.members)] or deciding


def _host_of(member: Member, roster: Roster) -> Member | None:
    if member.kind is MemberKind.HOST:
        return member
    host = roster.host_of(member)
    return Member(MemberKind.HOST, (host,)) if host else None


def _culprits(sighting: Sighting, hosts: bool) -> tuple[Member | None, ...]:
    if not hosts:
        return sighting.subject.members or (None,)
    if sighting.subject.host:
        return (Member(MemberKind.HOST, (sighting.subject.host,)),)
    return tuple(member for member in sighting.subject.members if member.kind is MemberKind.HOST) or (None,)


def told_of(cases: Sequence[Case]) -> dict[str, Told]:
    """What the lets of several cases of one rule came to together."""
    merged: dict[str, Told] = {}
    for case in cases:
        for name, told in case.lets.items():
            merged[name] = merged[name].merged(told) if name in merged else told
    return merged
