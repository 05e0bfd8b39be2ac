"""What the cases of one rule explain.

A job of thousands of ranks gives thousands of cases of few rules, and each may explain thousands of occurrences. So
edges are not drawn one by one: the cases of a rule share what they may explain, and whether some case of theirs
explains an occurrence is mostly decided by the first that is asked.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from logsleuth.engine.case import Case
from logsleuth.engine.clock import certainly_after
from logsleuth.engine.conditions import Evaluator
from logsleuth.engine.roster import Sighting
from logsleuth.engine.scope import Scope
from logsleuth.engine.subject import Member, MemberKind, same
from logsleuth.engine.work import TooMuchWorkError
from logsleuth.language import syntax as s
from logsleuth.language.syntax import Explains


class _Claim(NamedTuple):
    """One event of an ``explains`` clause, with the occurrences that pass its filter."""

    on: str
    found: dict[int, Sighting]
    owner: Case | None
    """The only case that the claim is of, where the filter asks for what the case has bound."""
    within: s.Value | None
    """So many seconds after the case began, at most."""


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
        self._claims: dict[str, list[_Claim]] = defaultdict(list)
        work = evaluator.search.work
        work.begin()
        try:
            for clause in cases[0].rule.explains:
                self._add(clause, evaluator, attempts)
        except TooMuchWorkError:
            work.give_up(cases[0].rule)
        work.end()

    @property
    def events(self) -> Set[str]:
        """The events that the rule speaks of as echoes."""
        return self._claims.keys()

    def candidates(self) -> Iterator[Sighting]:
        """The occurrences that the rule speaks of as echoes, each once."""
        for claims in self._claims.values():
            yield from {key: s for claim in claims for key, s in claim.found.items()}.values()

    def _add(self, clause: Explains, evaluator: Evaluator, attempts: Sequence[int]) -> None:
        first = self.cases[0]
        reach = [first.attempt, *(a for a in attempts if clause.later_attempts and a > first.attempt)]
        for reference in clause.references:
            owners: Sequence[Case | None] = self.cases if evaluator.search.is_joined(reference) else (None,)
            for owner in owners:
                known = (owner or first).bindings
                founds = (evaluator.search.find(reference, Scope(attempt), known) for attempt in reach)
                found = {id(x): x for one in founds for x in one.kept}
                if found:
                    self._claims[reference.event].append(_Claim(clause.on, found, owner, clause.within))

    def explainer(self, sighting: Sighting, among: Set[int] | None = None) -> Case | None:
        """The first case that explains the occurrence, of those whose ids are given or of all."""
        key = id(sighting)
        claims = [claim for claim in self._claims.get(sighting.event.name, ()) if key in claim.found]
        if not claims:
            return None
        pool = self._sharing(sighting) if all(claim.on == "same" for claim in claims) else self.cases
        for case in pool:
            if (
                (among is None or id(case) in among)
                and key not in self._own[id(case)]
                and self._concerns(claims, case, sighting)
                and _in_time(case, sighting)
            ):
                return case
        return None

    def _sharing(self, sighting: Sighting) -> Sequence[Case]:
        """The cases that may concern a member of the occurrence."""
        members = sighting.subject.members
        if not members or not all(_is_rank(member) for member in members):
            return self.cases
        return [*(case for member in members for case in self._by_member.get(member, ())), *self._vague]

    def _concerns(self, claims: list[_Claim], case: Case, sighting: Sighting) -> bool:
        """Whether the occurrence concerns those whom some clause names.

        Where it is not known whether two members are one, either may be meant: an unlabelled line never stands in the
        way.
        """
        for on, _, owner, within in claims:
            if (owner is not None and owner is not case) or not _is_soon(case, sighting, within):
                continue
            if on == "any" or (on == "other" and _is_other(case, sighting)):
                return True
            if on == "same" and (not sighting.subject.members or _may_share(self._members[id(case)], sighting)):
                return True
        return False


def _is_soon(case: Case, sighting: Sighting, within: s.Value | None) -> bool:
    """Whether the occurrence began within the span after the case, as far as one can tell."""
    if within is None:
        return True
    return sighting.began.low - min(x.began.high for x in case.deciding) <= float(within.value)


def _in_time(case: Case, sighting: Sighting) -> bool:
    """Whether the occurrence did not certainly come before all of the case."""
    if sighting.attempt != case.attempt:
        return True
    return any(not certainly_after(own.began, sighting.began) for own in case.deciding)


def _is_rank(member: Member) -> bool:
    return member.kind is MemberKind.RANK


def _is_other(case: Case, sighting: Sighting) -> bool:
    """Whether the occurrence concerns, or may concern, somebody else than the culprit; anybody where there is none."""
    if case.culprit is None:
        return True
    if case.culprit_is_host:
        return sighting.subject.host != case.culprit.key[0]
    return any(member != case.culprit for member in sighting.subject.members)


def _may_share(members: set[Member], sighting: Sighting) -> bool:
    theirs = sighting.subject.members
    if not members.isdisjoint(theirs):
        return True
    if all(_is_rank(member) for member in theirs):
        # Two ranks are either one or not.
        members = {member for member in members if not _is_rank(member)}
    return any(same(own, member) is not False for own in members for member in theirs)
