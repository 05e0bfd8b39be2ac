"""Why a rule fired, or did not: what judging asked of it, clause by clause, and what of the rest would have held.

Nothing is judged twice: a ``Watch`` is the evaluator that judges, and remembers what it was asked.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from logsleuth.engine.case import Case
from logsleuth.engine.citation import Citation
from logsleuth.engine.conditions import Evaluator, Outcome
from logsleuth.engine.judge import scopes
from logsleuth.engine.nearest import Nearest, Wide
from logsleuth.engine.plan import Plan
from logsleuth.engine.reasons import closing, members_in_words
from logsleuth.engine.roster import Roster
from logsleuth.engine.scope import At, Bindings, MemberSet, Scope, ValueSet
from logsleuth.engine.subject import GroupKey, Member
from logsleuth.engine.trace_parts import PartTracer, standing
from logsleuth.engine.trace_values import Units, Values
from logsleuth.language import syntax as s
from logsleuth.language.program import Program
from logsleuth.language.spelled import spelled
from logsleuth.language.walk import walk
from logsleuth.model.analysis import Severity
from logsleuth.model.trace import Fate, Judged, Standing, Trace, TracedClause

_MOST_SCOPES = 32
"""Scopes that are told of one job, where they do not stand alike: the nearest to firing."""
Worked = s.Let | MemberSet | ValueSet
Place = tuple[int, Member | None, GroupKey | None]


class Asked(NamedTuple):
    """A question that was put to the evaluator, and its answer."""

    scope: Scope
    known: Bindings
    answer: Outcome | Worked


class Watch(Evaluator):
    """An evaluator that remembers what it was asked of some rules' clauses."""

    def __init__(self, program: Program, plan: Plan, roster: Roster, rules: Sequence[s.Rule]) -> None:
        super().__init__(program, plan, roster)
        self._rules = frozenset(rule.name for rule in rules)
        self._watched = {id(node) for rule in rules for _, node in _clauses(rule)}
        self._asked: dict[tuple[int, Place], Asked] = {}

    def can_hold(self, rule: str) -> bool:
        """What is watched is asked in any case."""
        return rule in self._rules or super().can_hold(rule)

    def denies(self, rule: s.Rule, scope: Scope) -> bool:
        """What is watched is asked in the order in which it is written."""
        return rule.name not in self._rules and super().denies(rule, scope)

    def evaluate(self, node: s.Node, scope: Scope, known: Bindings) -> Outcome:
        """See ``Evaluator.evaluate``."""
        outcome = super().evaluate(node, scope, known)
        if id(node) in self._watched:
            self._asked.setdefault((id(node), place(scope)), Asked(scope, dict(known), outcome))
        return outcome

    def let(self, let: s.Let, scope: Scope, known: Bindings) -> Worked:
        """See ``Evaluator.let``."""
        value = super().let(let, scope, known)
        if id(let) in self._watched:
            self._asked.setdefault((id(let), place(scope)), Asked(scope, dict(known), value))
        return value

    def asked(self, node: s.Node, where: Place) -> Asked | None:
        """What was asked of a clause in a scope; None where it was not."""
        return self._asked.get((id(node), where))


def place(scope: Scope) -> Place:
    """What tells a scope from others."""
    return scope.attempt, scope.member, scope.group.key if scope.group is not None else None


def _clauses(rule: s.Rule) -> list[tuple[str, s.Clause | s.Let | s.Node]]:
    """The clauses of a rule in the order in which they are asked, with their kinds."""
    when = [("let" if isinstance(clause, s.Let) else "when", clause) for clause in rule.when]
    others = [*(("needs", one) for one in rule.needs), *(("unless", one) for one in rule.unless)]
    levels = [("confidence", level.condition) for level in rule.confidence if level.condition is not None]
    return [*when, *others, *levels]


class _Stand(NamedTuple):
    """How a clause stands in one scope, before anybody looks for details."""

    kind: str
    node: s.Node
    asked: Asked
    was_asked: bool

    @property
    def holds(self) -> Standing:
        if isinstance(self.asked.answer, Outcome):
            return standing(self.asked.answer.truth)
        return Standing.NAMES


Fates = Callable[[Sequence[Case]], tuple[Fate, ...]]
"""Tells what became of cases."""


class Tracer:
    """Traces one rule over one job."""

    def __init__(
        self, program: Program, rule: s.Rule, watch: Watch, roster: Roster, wide: Wide, citation: Citation
    ) -> None:
        self._rule, self._watch, self._roster = rule, watch, roster
        self._units = Units(program, rule)
        values = Values(self._units, watch.measures, roster)
        nearest = Nearest(program, watch, wide, values, citation)
        self._parts = PartTracer(watch, roster, nearest, values, citation)

    def trace(self, cases: Sequence[Case], fates: Fates, job: str) -> list[Judged]:
        """The rule in every scope in which it was judged, the nearest to firing first."""
        of_scope: dict[Place, list[Case]] = {}
        for case in cases:
            if case.rule.name == self._rule.name and case.scope is not None:
                of_scope.setdefault(place(case.scope), []).append(case)
        groups: dict[tuple[object, ...], list[tuple[Scope, list[_Stand]]]] = {}
        judged_in = list(scopes(self._rule, self._roster))
        if not judged_in:
            return [self._unjudged(job)]
        for scope in judged_in:
            stands = self._stands(scope)
            outcome = _outcome(of_scope.get(place(scope), ()))
            key = (outcome, scope.attempt, *((one.holds, one.was_asked) for one in stands))
            groups.setdefault(key, []).append((scope, stands))
        ranked = sorted(groups.values(), key=lambda group: _nearness(group[0], of_scope))
        return [self._judged(group, of_scope, fates, job) for group in ranked[:_MOST_SCOPES]]

    def _stands(self, scope: Scope) -> list[_Stand]:
        """How every clause stands: as it was answered, or as it would have been."""
        where = place(scope)
        bound: Bindings = {}
        out: list[_Stand] = []
        for kind, node in _clauses(self._rule):
            asked = self._watch.asked(node, where)
            was_asked = asked is not None
            if kind == "confidence" and not was_asked:
                continue
            if asked is None:
                asked = self._work_out(node, scope, bound)
            if isinstance(node, s.Let):
                assert not isinstance(asked.answer, Outcome)
                scope = scope._replace(lets={**scope.lets, node.name: asked.answer})
            elif kind == "when" and isinstance(asked.answer, Outcome):
                bound = {**bound, **asked.answer.bindings}
            out.append(_Stand(kind, node, asked, was_asked))
        return out

    def _unjudged(self, job: str) -> Judged:
        """The rule over the whole job, where there was nothing to judge it in."""
        scope = Scope(self._roster.last_attempt)
        stands = self._stands(scope)
        first = next((n for n, one in enumerate(stands) if one.holds is Standing.FAILS), len(stands))
        clauses = tuple(self._clause(one._replace(was_asked=number <= first)) for number, one in enumerate(stands))
        each = {"pg": "process group", "comm": "communicator"}.get(self._rule.scope, self._rule.scope)
        because = f"there was no {each} to judge it for"
        if self._rule.scope == "attempt":
            because = "no line was seen that is as any rule asks for it"
        return Judged(job, scope.attempt, "", (), "no", because, clauses, was_judged=False)

    def _work_out(self, node: s.Node, scope: Scope, bound: Bindings) -> Asked:
        if isinstance(node, s.Let):
            return Asked(scope, bound, Evaluator.let(self._watch, node, scope, bound))
        return Asked(scope, bound, Evaluator.evaluate(self._watch, node, scope, bound))

    def _judged(
        self,
        group: list[tuple[Scope, list[_Stand]]],
        of_scope: dict[Place, list[Case]],
        fates: Fates,
        job: str,
    ) -> Judged:
        (scope, stands), *others = group
        cases = [case for one, _ in group for case in of_scope.get(place(one), ())]
        outcome = _outcome(cases)
        return Judged(
            job=job,
            attempt=scope.attempt,
            scope=_named(scope),
            alike=tuple(_named(one) for one, _ in others),
            outcome=outcome,
            because="" if cases else _because(self._rule, stands),
            clauses=tuple(self._clause(stand) for stand in stands),
            fates=fates(cases) if cases else (),
        )

    def _clause(self, stand: _Stand) -> TracedClause:
        asked, node = stand.asked, stand.node
        at = At(asked.scope, asked.known)
        unbound = self._unbound(node, asked)
        if isinstance(node, s.Let):
            assert not isinstance(asked.answer, Outcome)
            part = self._parts.of_let(node, asked.answer, at)
            text = f"{node.name} = {part.text}"
            parts = (part, *self._parts.of_undecided(node, asked.answer, at))
            return TracedClause("let", text, Standing.NAMES, stand.was_asked, parts, "", unbound)
        assert isinstance(asked.answer, Outcome)
        parts = tuple(self._parts.of_condition(node, at)) if not unbound else ()
        closes = closing(asked.answer, self._roster) if asked.answer.truth is None else ""
        text = self._level(node) if stand.kind == "confidence" else spelled(node)
        return TracedClause(stand.kind, text, stand.holds, stand.was_asked, parts, closes, unbound)

    def _level(self, node: s.Node) -> str:
        level = next(one.confidence for one in self._rule.confidence if one.condition is node)
        return f"{level} when {spelled(node)}"

    def _unbound(self, node: s.Node, asked: Asked) -> tuple[str, ...]:
        """The names of occurrences that the clause speaks of, where there are none."""
        spoken: dict[str, None] = {}
        binds = {name for inner in walk(node) if isinstance(inner, s.Seen | s.Quantified) for name in _binds(inner)}
        for inner in walk(node):
            name = inner.binding if isinstance(inner, s.Attribute | s.Together) else ""
            if name in self._units.events and name not in binds and not asked.known.get(name):
                spoken[name] = None
        return tuple(spoken)


def _binds(node: s.Seen | s.Quantified) -> tuple[str, ...]:
    return (node.pattern.binding, *(step.binding for step in node.pattern.steps))


def _outcome(cases: Sequence[Case]) -> str:
    if not cases:
        return "no"
    return "open" if all(case.is_open for case in cases) else "fired"


def _nearness(judged: tuple[Scope, list[_Stand]], of_scope: dict[Place, list[Case]]) -> tuple[object, ...]:
    """Sorts what fired before what is open, and both before the rest, of which the nearest to firing comes first."""
    scope, stands = judged
    outcome = ("fired", "open", "no").index(_outcome(of_scope.get(place(scope), ())))
    asked = [stand.holds for stand in stands if stand.kind in ("when", "needs")]
    first = next((number for number, holds in enumerate(asked) if holds is Standing.FAILS), len(asked))
    return outcome, -scope.attempt, -first, -sum(holds is Standing.HOLDS for holds in asked)


def _because(rule: s.Rule, stands: Sequence[_Stand]) -> str:
    """Why there is no case, in a sentence."""
    asked = [stand for stand in stands if stand.was_asked]
    fails = next((one for one in asked if one.kind in ("when", "needs") and one.holds is Standing.FAILS), None)
    if fails is not None and fails.kind == "when":
        return f"{spelled(fails.node)} does not hold"
    kills = next((one for one in asked if one.kind == "unless" and one.holds is Standing.HOLDS), None)
    if kills is not None:
        return f"unless {spelled(kills.node)}: that is so"
    if fails is not None:
        return f"it needs {spelled(fails.node)}, which does not hold"
    if any(one.holds is Standing.OPEN for one in asked):
        if rule.role != "symptom" and Severity(rule.severity).fails:
            return "it is not decided, and no line was seen that it could be told by"
        undecided = "an effect" if rule.role == "symptom" else f"only {rule.severity}"
        return f"it is not decided, and would be {undecided}: what is open of that is not told"
    return "no line was seen that it speaks of"


def _named(scope: Scope) -> str:
    if scope.member is not None:
        return members_in_words((scope.member,))
    if scope.group is None:
        return ""
    kind, name = scope.group.key
    return f"{'process group' if kind == 'pg' else 'communicator'} {name}"


def traced(rule: s.Rule, judged: Sequence[Judged]) -> Trace:
    """What was judged of a rule in all jobs, as one record."""
    title = rule.doc.strip().rstrip(".")
    return Trace(rule.name, title, rule.cause, f"{rule.at.file}:{rule.at.line}", tuple(judged))
