"""Draws the line from cases to the occurrences that they explain, and finds the cases that nothing explains."""

from collections import defaultdict
from dataclasses import dataclass, field

from logsleuth.engine.case import Case
from logsleuth.engine.clock import certainly_after
from logsleuth.engine.conditions import Evaluator, Scope
from logsleuth.engine.roster import Sighting
from logsleuth.engine.subject import Member, same
from logsleuth.language.syntax import Explains


@dataclass(slots=True, eq=False)
class Explained:
    """A case with what it explains and what explains it."""

    case: Case
    echoes: list[Sighting] = field(default_factory=list)
    """Occurrences that the case explains away."""
    causes: list["Explained"] = field(default_factory=list)
    """Cases that explain some of this case's deciding occurrences; all of them where ``is_symptom``."""
    is_symptom: bool = False


def explain(cases: list[Case], evaluator: Evaluator, attempts: range) -> list[Explained]:
    """Each case with its echoes; a case is a symptom if others explain all of its deciding occurrences.

    An open case explains nothing: what is not decided cannot be a cause.
    """
    nodes = [Explained(case) for case in cases]
    explainers: dict[int, list[Explained]] = defaultdict(list)
    for node in nodes:
        if node.case.is_open:
            continue
        node.echoes = _echoes(node.case, evaluator, attempts)
        for sighting in node.echoes:
            explainers[id(sighting)].append(node)
    for node in nodes:
        by = [[other for other in explainers[id(s)] if other is not node] for s in node.case.deciding]
        node.causes = list({id(other): other for others in by for other in others}.values())
        node.is_symptom = bool(by) and all(by)
    _break_circles(nodes)
    return nodes


def _echoes(case: Case, evaluator: Evaluator, attempts: range) -> list[Sighting]:
    own = {id(sighting) for sighting in case.deciding}
    members = case.members
    found: dict[int, Sighting] = {}
    for clause in case.rule.explains:
        for sighting in _candidates(clause, case, evaluator, attempts):
            if id(sighting) not in own and _concerns(clause, case, members, sighting) and _in_time(case, sighting):
                found[id(sighting)] = sighting
    return list(found.values())


def _candidates(clause: Explains, case: Case, evaluator: Evaluator, attempts: range) -> list[Sighting]:
    scopes = [Scope(case.attempt, None)]
    if clause.later_attempts:
        scopes += [Scope(attempt, None) for attempt in attempts if attempt > case.attempt]
    return [
        sighting
        for reference in clause.references
        for scope in scopes
        for sighting in evaluator.find(reference, scope, case.bindings)[0]
    ]


def _in_time(case: Case, sighting: Sighting) -> bool:
    """Whether the occurrence did not certainly come before all of the case."""
    if sighting.attempt != case.attempt:
        return True
    return not all(certainly_after(own.began, sighting.began) for own in case.deciding)


def _concerns(clause: Explains, case: Case, members: set[Member], sighting: Sighting) -> bool:
    """Whether the occurrence concerns those whom the clause names.

    Where it is not known whether two members are one, either may be meant: an unlabelled line never stands in the way.
    """
    if clause.on == "any":
        return True
    if clause.on == "same":
        return not sighting.subject.members or _may_share(members, sighting)
    if case.culprit is None:
        return True
    if case.culprit_is_host:
        return sighting.subject.host != case.culprit.key[0]
    return any(same(case.culprit, member) is not True for member in sighting.subject.members)


def _may_share(members: set[Member], sighting: Sighting) -> bool:
    return any(same(own, member) is not False for own in members for member in sighting.subject.members)


def _break_circles(nodes: list[Explained]) -> None:
    """Cases that only explain each other are no explanation: without a cause outside of the circle they are roots.

    Works from the causes down: what a root reaches stays a symptom.
    """
    reached = {id(node) for node in nodes if not node.is_symptom}
    frontier = [node for node in nodes if not node.is_symptom]
    below: dict[int, list[Explained]] = defaultdict(list)
    for node in nodes:
        for cause in node.causes:
            below[id(cause)].append(node)
    while frontier:
        node = frontier.pop()
        for symptom in below[id(node)]:
            if id(symptom) not in reached:
                reached.add(id(symptom))
                frontier.append(symptom)
    for node in nodes:
        if id(node) not in reached:
            node.is_symptom = False
