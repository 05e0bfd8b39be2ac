"""Tells the cases that nothing explains from those that are only echoes of others."""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from logsleuth.diagnosis.families import Family
from logsleuth.engine.case import Case
from logsleuth.engine.conditions import Evaluator
from logsleuth.engine.roster import Sighting


@dataclass(slots=True, eq=False)
class Explained:
    """A case, and whether others explain all of its deciding occurrences."""

    case: Case
    is_symptom: bool = False


class Explanation:
    """What explains what among the cases of a job.

    Works from the causes down. A case is a root if some occurrence of its is explained by no other case; what roots
    explain, and what that explains in turn, are symptoms. Cases that only explain each other in a circle are roots too.
    An open case explains nothing: what is not decided cannot be a cause.
    """

    def __init__(self, cases: Sequence[Case], evaluator: Evaluator, attempts: Sequence[int]) -> None:
        groups: dict[tuple[str, int], list[Case]] = defaultdict(list)
        for case in cases:
            if not case.is_open and case.rule.explains:
                groups[case.rule.name, case.attempt].append(case)
        self._families = [Family(group, evaluator, attempts) for group in groups.values()]
        self._by_event: dict[str, list[Family]] = defaultdict(list)
        for family in self._families:
            for event in family.events:
                self._by_event[event].append(family)
        self.nodes = [Explained(case) for case in cases]
        self._settle()

    def echoes(self, cases: Iterable[Case]) -> list[Sighting]:
        """The occurrences that these cases explain."""
        chosen = {id(case) for case in cases}
        found: dict[int, Sighting] = {}
        for family in self._families:
            if any(id(case) in chosen for case in family.cases):
                found |= {id(s): s for s in family.candidates() if family.explainer(s, chosen)}
        return list(found.values())

    def explainers(self, case: Case) -> list[Case]:
        """Other cases that explain deciding occurrences of the case, the root ones first."""
        roots = {id(node.case) for node in self.nodes if not node.is_symptom and not node.case.is_open}
        found: dict[int, Case] = {}
        for among in (roots - {id(case)}, None):
            for sighting in case.deciding:
                for family in self._by_event.get(sighting.event.name, ()):
                    if (other := family.explainer(sighting, among)) is not None and other is not case:
                        found.setdefault(id(other), other)
        return list(found.values())

    def _is_explained(self, case: Case, among: Set[int] | None = None) -> bool:
        """Whether other cases, of those with these ids or of all, explain every deciding occurrence of the case."""
        return all(
            any(family.explainer(s, among) for family in self._by_event.get(s.event.name, ())) for s in case.deciding
        )

    def _settle(self) -> None:
        waiting = [node for node in self.nodes if self._is_explained(node.case)]
        unsure = {id(node.case) for node in waiting}
        grounded = {id(node.case) for node in self.nodes} - unsure
        waiting = self._ground(waiting, grounded)
        for node in _causes_first(waiting, self._below(waiting)):
            if id(node.case) not in grounded:
                # Of those that are left this one comes first, so whatever explains it is in a circle with it.
                grounded |= {id(member.case) for member in self._circle(node, waiting)}
                self._ground([other for other in waiting if id(other.case) not in grounded], grounded)

    def _ground(self, waiting: list[Explained], grounded: set[int]) -> list[Explained]:
        """Marks as symptoms what grounded cases explain, again and again; returns what they do not explain."""
        while found := [node for node in waiting if self._is_explained(node.case, grounded)]:
            for node in found:
                node.is_symptom = True
            grounded |= {id(node.case) for node in found}
            waiting = [node for node in waiting if not node.is_symptom]
        return waiting

    def _causes(self, node: Explained, among: list[Explained]) -> list[Explained]:
        """Which of these nodes explain some occurrence of the node."""
        by_case = {id(other.case): other for other in among}
        found: dict[int, Explained] = {}
        for sighting in node.case.deciding:
            for family in self._by_event.get(sighting.event.name, ()):
                for case in family.cases:
                    if id(case) in by_case and family.explainer(sighting, {id(case)}):
                        found[id(case)] = by_case[id(case)]
        return list(found.values())

    def _below(self, nodes: list[Explained]) -> dict[int, list[Explained]]:
        below: dict[int, list[Explained]] = defaultdict(list)
        for node in nodes:
            for cause in self._causes(node, nodes):
                below[id(cause)].append(node)
        return below

    def _circle(self, node: Explained, among: list[Explained]) -> list[Explained]:
        """The node and everything that explains it, directly or through others."""
        found, seen = [node], {id(node)}
        for member in found:
            for cause in self._causes(member, among):
                if id(cause) not in seen:
                    seen.add(id(cause))
                    found.append(cause)
        return found


def _causes_first(nodes: list[Explained], below: dict[int, list[Explained]]) -> list[Explained]:
    """The nodes in an order in which each comes before what follows from it, but for circles."""
    finished: list[Explained] = []
    seen: set[int] = set()
    for start in nodes:
        path = [(start, iter(below[id(start)]))] if id(start) not in seen else []
        seen.add(id(start))
        while path:
            node, others = path[-1]
            other = next((other for other in others if id(other) not in seen), None)
            if other is not None:
                seen.add(id(other))
                path.append((other, iter(below[id(other)])))
            else:
                path.pop()
                finished.append(node)
    return finished[::-1]
