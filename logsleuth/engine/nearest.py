"""What comes nearest to the occurrences that a rule asks for: those that its filter does not let pass, and why."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from logsleuth.engine.citation import Citation
from logsleuth.engine.conditions import Evaluator
from logsleuth.engine.expressions import Lookup, holds, values
from logsleuth.engine.reasons import members_in_words
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.scope import At, Scope
from logsleuth.engine.trace_values import Values
from logsleuth.engine.values import time_of
from logsleuth.language import syntax as s
from logsleuth.language.constants import written
from logsleuth.language.program import Program
from logsleuth.language.spelled import reference as reference_text
from logsleuth.language.spelled import spelled
from logsleuth.language.walk import walk
from logsleuth.model.trace import Miss, NearLine, Sought

MOST = 3
"""Occurrences that are told of those that come near."""


class Wide:
    """All that is kept of the events, whatever rules ask of them."""

    def __init__(self, evaluator: Evaluator, roster: Roster, near: Mapping[str, tuple[NearLine, ...]]) -> None:
        self.evaluator, self.roster, self.near = evaluator, roster, near


class Nearest:
    """Looks for evidence on behalf of one rule."""

    def __init__(
        self, program: Program, evaluator: Evaluator, wide: Wide, values_of: Values, citation: Citation
    ) -> None:
        self._program = program
        self._evaluator, self._wide, self._values, self._citation = evaluator, wide, values_of, citation

    def sought(self, reference: s.Reference, at: At, misses: bool = True) -> Sought:
        """How many there are, and those that come nearest to what is asked where ``misses`` is true."""
        bare = s.Reference(reference.event, None, reference.at, reference.job_wide)
        everything = self._wide.evaluator.measures.found(bare, at)
        passing = self._evaluator.measures.found(reference, at)
        seen, passed = (len(found.kept) + found.most for found in (everything, passing))
        asked = reference_text(reference)
        if not everything.kept:
            others = self._elsewhere(bare)
            near = () if others else self._wide.near.get(reference.event, ())
            told = tuple(self._from_elsewhere(x, at) for x in others[:MOST]) if misses else ()
            return Sought(reference.event, asked, seen, passed, len(others), told, *self._event(reference.event), near)
        if reference.filter is None or not misses:
            return Sought(reference.event, asked, seen, passed)
        chosen = {id(x) for x in passing.kept}
        places = {(x.occurrence.source, x.occurrence.offset) for x in passing.kept}
        left = [
            x
            for x in everything.kept
            if id(x) not in chosen and (x.occurrence.source, x.occurrence.offset) not in places
        ]
        return Sought(reference.event, asked, seen, passed, 0, tuple(self._misses(reference, left, at)))

    def _event(self, name: str) -> tuple[str, str]:
        """What an event, or a series, means, and who tells of it."""
        event = self._program.events.get(name)
        return ("", "process") if event is None else (event.doc.strip().rstrip("."), event.witness)

    def _elsewhere(self, bare: s.Reference) -> list[Sighting]:
        found = (self._wide.evaluator.search.find(bare, Scope(a), {}).kept for a in self._wide.roster.attempts)
        return [sighting for one in found for sighting in one]

    def _from_elsewhere(self, sighting: Sighting, at: At) -> Miss:
        whom = members_in_words(sighting.subject.members) if sighting.subject.members else "the job"
        attempt = f"in attempt {sighting.attempt}" if sighting.attempt != at.scope.attempt else ""
        return Miss(self._citation.line(sighting), (" ".join(word for word in (f"it is of {whom}", attempt) if word),))

    def _misses(self, reference: s.Reference, left: list[Sighting], at: At) -> Iterator[Miss]:
        condition = reference.filter
        assert condition is not None
        ranked: list[tuple[int, float, Sighting, tuple[str, ...]]] = []
        for sighting in left:
            lookup = self._evaluator.measures.lookup(sighting, at.scope, at.known)
            failing = [part for part in _conjuncts(condition) if not holds(part, lookup)]
            words = tuple(self._why(part, lookup, reference.event) for part in failing)
            distance = sum(_distance(part, lookup) for part in failing)
            ranked.append((len(failing), distance, sighting, words))
        told: set[tuple[str, ...]] = set()
        for _, _, sighting, words in sorted(ranked, key=lambda item: (item[0], item[1], time_of(item[2]))):
            if words not in told and len(told) < MOST:
                told.add(words)
                yield Miss(self._citation.line(sighting), words)

    def _why(self, part: s.Node, lookup: Lookup, event: str) -> str:
        """``free = 3 GiB, asked: < 1 GiB``."""
        if isinstance(part, s.Operation) and part.right is not None:
            if not values(part.right, lookup):
                return f"asked: {spelled(part)}, and {spelled(part.right)} is unknown"
            if isinstance(part.left, s.Field) and part.left.name == "text":
                return f"text, asked: {part.operator} {self._right(part, lookup, event)}"  # The line is shown.
            left = self._values.of_filter(part.left, lookup, event)
            told = f"{spelled(part.left)} = {left}" if left else f"{spelled(part.left)} is not told"
            return f"{told}, asked: {part.operator} {self._right(part, lookup, event)}"
        fields = {node.name: node for node in walk(part) if isinstance(node, s.Field)}
        worths = {name: self._values.of_filter(node, lookup, event) or "unknown" for name, node in fields.items()}
        told = ", ".join(f"{name} = {worth}" for name, worth in worths.items())
        asked = f"asked: {spelled(part)}{_lists(part)}"
        return f"{told}, {asked}" if told else asked

    def _right(self, part: s.Operation, lookup: Lookup, event: str) -> str:
        assert part.right is not None
        if isinstance(part.right, s.Value):
            return f"`{part.right.value}`" if part.operator == "matches" else written(part.right)
        worth = self._values.of_filter(part.right, lookup, event)
        if isinstance(part.right, s.Values):
            return f"{spelled(part.right)}{_lists(part.right)}"
        return f"{worth} ({spelled(part.right)})"


def _lists(part: s.Node) -> str:
    """`` (sigkill = [-9, 137])``: what the named lists hold that a condition speaks of."""
    named = {node.name: node for node in walk(part) if isinstance(node, s.Values) and node.name}
    told = [f"{name} = {spelled(replace(node, name=''))}" for name, node in named.items()]
    return f" ({', '.join(told)})" if told else ""


def _conjuncts(node: s.Node) -> tuple[s.Node, ...]:
    if isinstance(node, s.AllOf):
        return tuple(part for item in node.items for part in _conjuncts(item))
    return (node,)


def _distance(part: s.Node, lookup: Lookup) -> float:
    """How far a comparison is from holding: 0 for next to nothing, 1 where it is of no numbers."""
    if not isinstance(part, s.Operation) or part.right is None:
        return 1.0
    pairs = [(a, b) for a in values(part.left, lookup) for b in values(part.right, lookup)]
    apart = [
        abs(a - b) / (abs(a) + abs(b) or 1.0)
        for a, b in pairs
        if isinstance(a, int | float) and isinstance(b, int | float) and a == a and b == b and abs(a) + abs(b) < 1e300
    ]
    return min(apart, default=1.0)
