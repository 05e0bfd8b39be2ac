"""What the cases of one rule explain.

A job of thousands of ranks gives thousands of cases of few rules, and each may explain thousands of occurrences. So
edges are not drawn one by one: the cases of a rule share what they may explain, and whether some case of theirs
explains an occurrence is mostly decided by the first that is asked.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set

from logsleuth.engine.case import Case
from logsleuth.engine.clock import certainly_after
from logsleuth.engine.conditions import Evaluator, Scope
from logsleuth.engine.roster import Sighting
from logsleuth.engine.subject import Member, MemberKind, same
from logsleuth.language.syntax import Explains, Reference


class Family:
    """The firm cases of one rule in one attempt."""

    def __init__(self, cases: Sequence[Case], evaluator: Evaluator, attempts: Sequence[int]) -> None:
        # Those that began first are the likeliest to explain anything.
        self.cases = sorted(cases, key=lambda case: min(s.began.low for s in case.deciding))
        self._own = {id(case): {id(s) for s in case.deciding} for case in cases}
        self._members = {id(case): case.members for case in cases}
        self._by_member: dict[Member, list[Case]] = defaultdict(list)
        for case in self.cases:
            for member in self._members[id(case)]:
                self._by_member[member].append(case)
        self._vague = [case for case in self.cases if not all(_is_rank(m) for m in self._members[id(case)])]
        self.candidates: dict[int, Sighting] = {}
        """Occurrences that the rule speaks of as echoes."""
        self._clauses: dict[int, list[tuple[str, Case | None]]] = defaultdict(list)
        for clause in cases[0].rule.explains:
            self._add(clause, evaluator, attempts)

    def _add(self, clause: Explains, evaluator: Evaluator, attempts: Sequence[int]) -> None:
        first = self.cases[0]
        later = [a for a in attempts if a > first.attempt] if clause.later_attempts else []
        for reference in clause.references:
            # A filter that asks for bindings gives each case echoes of its own.
            owners: Iterable[Case | None] = self.cases if evaluator.is_joined(reference) else (None,)
            for owner in owners:
                for sighting in _found(reference, owner or first, [first.attempt, *later], evaluator):
                    self.candidates[id(sighting)] = sighting
                    self._clauses[id(sighting)].append((clause.on, owner))

    def explainer(self, sighting: Sighting, among: Set[int] | None = None) -> Case | None:
        """The first case that explains the occurrence, of those whose ids are given or of all."""
        clauses = self._clauses.get(id(sighting))
        if not clauses:
            return None
        pool = self._sharing(sighting) if all(on == "same" for on, _ in clauses) else self.cases
        chosen = pool if among is None else (case for case in pool if id(case) in among)
        return next((case for case in chosen if self._explains(case, sighting, clauses)), None)

    def _sharing(self, sighting: Sighting) -> Sequence[Case]:
        """The cases that may concern a member of the occurrence."""
        members = sighting.subject.members
        if not members or not all(_is_rank(member) for member in members):
            return self.cases
        return [*(case for member in members for case in self._by_member.get(member, ())), *self._vague]

    def _explains(self, case: Case, sighting: Sighting, clauses: list[tuple[str, Case | None]]) -> bool:
        return (
            id(sighting) not in self._own[id(case)]
            and any(self._concerns(on, case, sighting) for on, owner in clauses if owner is None or owner is case)
            and _in_time(case, sighting)
        )

    def _concerns(self, on: str, case: Case, sighting: Sighting) -> bool:
        """Whether the occurrence concerns those whom the clause names.

        Where it is not known whether two members are one, either may be meant: an unlabelled line never stands in the
        way.
        """
        if on == "any":
            return True
        if on == "same":
            return not sighting.subject.members or _may_share(self._members[id(case)], sighting)
        if case.culprit is None:
            return True
        if case.culprit_is_host:
            return sighting.subject.host != case.culprit.key[0]
        return any(member != case.culprit for member in sighting.subject.members)


def _found(reference: Reference, case: Case, attempts: Iterable[int], evaluator: Evaluator) -> list[Sighting]:
    return [s for attempt in attempts for s in evaluator.find(reference, Scope(attempt, None), case.bindings).kept]


def _in_time(case: Case, sighting: Sighting) -> bool:
    """Whether the occurrence did not certainly come before all of the case."""
    if sighting.attempt != case.attempt:
        return True
    return any(not certainly_after(own.began, sighting.began) for own in case.deciding)


def _is_rank(member: Member) -> bool:
    return member.kind is MemberKind.RANK


def _may_share(members: set[Member], sighting: Sighting) -> bool:
    theirs = sighting.subject.members
    if not members.isdisjoint(theirs):
        return True
    if all(_is_rank(member) for member in theirs):
        # Two ranks are either one or not.
        members = {member for member in members if not _is_rank(member)}
    return any(same(own, member) is not False for own in members for member in theirs)
