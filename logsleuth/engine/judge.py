"""Judges every rule of a program: a pure function of what was folded."""

from collections.abc import Iterator

from logsleuth.engine.case import Bindings, Case
from logsleuth.engine.conditions import Evaluator, Outcome, Scope
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.language.program import Program
from logsleuth.language.syntax import Rule
from logsleuth.model.analysis import Confidence

_LOWER = {Confidence.CERTAIN: Confidence.LIKELY, Confidence.LIKELY: Confidence.LIKELY}


def judge(program: Program, evaluator: Evaluator, roster: Roster) -> list[Case]:
    """All cases of all rules, in the order of rule names and attempts."""
    cases: list[Case] = []
    for name in sorted(program.rules):
        rule = program.rules[name]
        for scope in _scopes(rule, roster):
            cases += _judge_rule(rule, scope, evaluator)
    return cases


def _scopes(rule: Rule, roster: Roster) -> Iterator[Scope]:
    for attempt in roster.attempts:
        if rule.scope == "rank":
            yield from (Scope(attempt, member) for member in roster.members(attempt))
        elif rule.scope == "host":
            yield from (Scope(attempt, Member(MemberKind.HOST, (host,))) for host in roster.hosts)
        else:
            yield Scope(attempt, None)


def _judge_rule(rule: Rule, scope: Scope, evaluator: Evaluator) -> list[Case]:
    held = Outcome(True)
    for condition in rule.when:
        outcome = evaluator.evaluate(condition, scope, held.bindings)
        if outcome.truth is False:
            return []
        held.truth = None if None in (outcome.truth, held.truth) else True
        held.bindings |= outcome.bindings
        held.deciding += outcome.deciding
        held.seen_only |= outcome.seen_only
    if not held.deciding:
        # Nothing was seen that the rule speaks of: there is no case to leave open.
        return []
    needs = [evaluator.evaluate(condition, scope, held.bindings) for condition in rule.needs]
    unless = [evaluator.evaluate(condition, scope, held.bindings).truth for condition in rule.unless]
    if any(needed.truth is False for needed in needs) or True in unless:
        return []
    for needed in needs:
        # What is needed can be told, but it decides nothing.
        held.bindings = {**needed.bindings, **held.bindings}
    doubts = ["whether an exception to the rule applies is not in these logs"] if None in unless else []
    if held.seen_only:
        doubts.append("only ranks that left a log were counted")
    confidence = _confidence(rule, scope, evaluator, held.bindings)
    if doubts:
        confidence = _LOWER.get(confidence, confidence)
    is_open = held.truth is None or any(needed.truth is None for needed in needs)
    deciding = list({id(sighting): sighting for sighting in held.deciding}.values())
    whole = Case(rule, scope.attempt, is_open, confidence, held.bindings, deciding, None, doubts=doubts)
    return _by_culprit(whole)


def _confidence(rule: Rule, scope: Scope, evaluator: Evaluator, known: Bindings) -> Confidence:
    for level in rule.confidence:
        if level.condition is None or evaluator.evaluate(level.condition, scope, known).truth:
            return Confidence(level.confidence)
    return Confidence.POSSIBLE if rule.confidence else Confidence.LIKELY


def _by_culprit(case: Case) -> list[Case]:
    """One case for every culprit, each with its own occurrences, so that each can be explained or not by itself."""
    clause = case.rule.culprit
    named = case.bindings.get(clause.binding, []) if clause else []
    if clause is None or not named:
        return [case]
    groups: dict[Member | None, list[Sighting]] = {}
    for sighting in named:
        for member in _culprits(sighting, clause.hosts):
            groups.setdefault(member, []).append(sighting)
    others = [sighting for sighting in case.deciding if sighting not in named]
    return [
        Case(
            case.rule,
            case.attempt,
            case.is_open,
            case.confidence,
            {**case.bindings, clause.binding: sightings},
            [*sightings, *others],
            member,
            clause.hosts,
            case.doubts,
        )
        for member, sightings in groups.items()
    ]


def _culprits(sighting: Sighting, hosts: bool) -> tuple[Member | None, ...]:
    if not hosts:
        return sighting.subject.members or (None,)
    if sighting.subject.host:
        return (Member(MemberKind.HOST, (sighting.subject.host,)),)
    return tuple(member for member in sighting.subject.members if member.kind is MemberKind.HOST) or (None,)
