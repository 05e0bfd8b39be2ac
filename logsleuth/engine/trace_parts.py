"""How the parts of a condition stand: over whom, by which values, after which occurrences, and what is missing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from logsleuth.engine.citation import Citation
from logsleuth.engine.conditions import Evaluator, Outcome, Tally
from logsleuth.engine.nearest import Nearest
from logsleuth.engine.reasons import members_in_words, tally_in_words
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.scope import At, MemberSet, ValueSet
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.engine.trace_steps import Followed, StepTracer
from logsleuth.engine.trace_values import UNKNOWN, Values
from logsleuth.engine.truth import Truth
from logsleuth.language import syntax as s
from logsleuth.language.spelled import spelled
from logsleuth.language.walk import walk
from logsleuth.model.analysis import Evidence
from logsleuth.model.trace import Part, Sought, Standing, Worth

_MOST_LINES = 4
"""Lines that are cited of those that decide a part."""


def standing(truth: Truth) -> Standing:
    """A truth as it is told."""
    return Standing.OPEN if truth is None else Standing.HOLDS if truth else Standing.FAILS


class PartTracer:
    """Takes the conditions of one rule apart, and asks the evaluator that judged it of each part."""

    def __init__(
        self, evaluator: Evaluator, roster: Roster, nearest: Nearest, values: Values, citation: Citation
    ) -> None:
        self._evaluator, self._roster, self._nearest = evaluator, roster, nearest
        self._values, self._citation = values, citation
        self._steps = StepTracer(evaluator.sequences, roster, citation)

    def of_condition(self, node: s.Node, at: At) -> Iterator[Part]:
        """The parts of a condition, in its order; what one of them binds is known to the next."""
        match node:
            case s.Clause():
                yield from self.of_condition(node.condition, at)
            case s.AllOf() | s.AnyOf():
                for item in node.items:
                    yield from self.of_condition(item, at)
                    if isinstance(node, s.AllOf):
                        bound = self._evaluator.evaluate(item, at.scope, at.known).bindings
                        at = at._replace(known={**at.known, **bound})
            case _:
                yield self._part(node, at)

    def of_let(self, let: s.Let, value: s.Let | MemberSet | ValueSet, at: At) -> Part:
        """What a ``let`` stands for."""
        text = spelled(let.value)
        if isinstance(value, MemberSet) and isinstance(let.value, s.Members):
            inner = let.value.where
            everybody = self._all_of(let.value, at)
            worths = self._values.worths(inner, at, everybody) if inner is not None else ()
            sought = () if value.members or inner is None else self._asked_for(inner, at)
            no = [m for m in everybody if m not in value.members and m not in value.maybe]
            return Part(text, Standing.NAMES, who=_named(value.members, no, value.maybe), worths=worths, sought=sought)
        if isinstance(let.value, s.Value):
            return Part(text, Standing.NAMES)
        if isinstance(value, ValueSet):
            return Part(text, Standing.NAMES, worths=(Worth(text, self._values.words((value,), let.unit)),))
        worth = self._values.worth(let.value, at)
        is_unknown = not worth.values and all(told == UNKNOWN for _, told in worth.by_member)
        return Part(text, Standing.NAMES, worths=(worth,), sought=self._asked_for(let.value, at) if is_unknown else ())

    def of_undecided(self, let: s.Let, value: s.Let | MemberSet | ValueSet, at: At) -> tuple[Part, ...]:
        """Of a set of which it is open whether some are in it: the patterns that are open for the first of these."""
        inner = let.value.where if isinstance(let.value, s.Members) else None
        if inner is None or not isinstance(value, MemberSet) or not value.maybe:
            return ()
        member = min(value.maybe, key=lambda one: members_in_words((one,)))
        parts = self.of_condition(inner, at._replace(member=member))
        of_whom = members_in_words((member,))
        return tuple(
            replace(part, text=f"for {of_whom}, {part.text}")
            for part in parts
            if part.holds is Standing.OPEN and part.steps
        )

    def _all_of(self, node: s.Members, at: At) -> tuple[Member, ...]:
        """Those of whom a set asks."""
        everybody = self._evaluator.measures.values(s.Members(node.kind, "", node.job_wide, None, "", node.at), at)
        return everybody[0].members if everybody and isinstance(everybody[0], MemberSet) else ()

    def _part(self, node: s.Node, at: At) -> Part:
        outcome = self._evaluator.evaluate(node, at.scope, at.known)
        stands = standing(outcome.truth)
        text = spelled(node)
        match node:
            case s.Seen():
                return self._seen(node, text, stands, outcome, at)
            case s.Quantified():
                return self._quantified(node, text, stands, outcome, at)
            case s.Absent():
                found = self._evaluator.measures.found(node.reference, at).kept
                refuted = self._nearest.sought(node.reference, at, misses=False)
                return Part(text, stands, sought=(refuted,), lines=self._lines(found))
            case s.Together():
                return Part(text, stands, lines=self._lines(at.known.get(node.binding, [])))
            case s.Not() if not isinstance(node.item, s.Operation | s.Field | s.Call):
                inner = list(self.of_condition(node.item, at))
                lines = tuple(line for part in inner for line in part.lines)
                of_inner = tuple(one for part in inner for one in part.sought)
                members = "; ".join(part.members for part in inner if part.members)
                return Part(text, stands, members, sought=of_inner, lines=lines)
        worths = self._values.worths(node, at) or (self._values.worth(node, at),)
        # A number that is not as asked is known; what it was taken from is looked for where it is not.
        is_missing = stands is Standing.OPEN or not all(worth.values for worth in worths) or _counts(node)
        sought = self._asked_for(node, at) if is_missing and stands is not Standing.HOLDS else ()
        return Part(text, stands, worths=worths, sought=sought)

    def _seen(self, node: s.Seen, text: str, stands: Standing, outcome: Outcome, at: At) -> Part:
        firsts = self._evaluator.measures.found(node.pattern.reference, at).kept
        member = at.scope.member
        same = at.member is not None or (member is not None and member.kind is not MemberKind.HOST)
        followed = self._steps.steps(node.pattern, firsts, at, same)
        sought = self._of_pattern(node.pattern, stands, followed, at)
        return Part(text, stands, sought=sought, steps=followed.steps, lines=self._lines(outcome.deciding))

    def _quantified(self, node: s.Quantified, text: str, stands: Standing, outcome: Outcome, at: At) -> Part:
        firsts = self._evaluator.search.find(node.pattern.reference, at.scope, at.known).kept
        followed = self._steps.steps(node.pattern, firsts, at, same_member=True)
        sought = self._of_pattern(node.pattern, stands, followed, at)
        words = "; ".join(tally_in_words(tally) for tally in outcome.tallies)
        who = self._who(outcome.tallies[0], node, at) if outcome.tallies else ()
        return Part(text, stands, words, who, sought=sought, steps=followed.steps, lines=self._lines(outcome.deciding))

    def _of_pattern(self, pattern: s.Pattern, stands: Standing, followed: Followed, at: At) -> tuple[Sought, ...]:
        """What was looked for where a pattern does not hold: its event, or that of a step of which there is none."""
        if stands is Standing.HOLDS:
            return ()
        if not followed.steps:
            return (self._nearest.sought(pattern.reference, at),)
        if followed.missed is None:
            return ()
        return (self._nearest.sought(followed.missed, at._replace(known=followed.known)),)

    def _who(self, tally: Tally, node: s.Quantified, at: At) -> tuple[tuple[str, str], ...]:
        """Who has it, who has not, and of whom it is not known; only what the tally can be told by names."""
        group = at.scope.group
        if node.member == "host":
            everybody = [Member(MemberKind.HOST, (host,)) for host in self._roster.hosts]
        else:
            everybody = list(self._roster.everyone(at.scope.attempt) if group is None else group.members)
        left = [member for member in everybody if member not in tally.yes]
        silent = [m for m in left if node.member == "rank" and not self._roster.left_log(m)]
        if len(silent) != tally.unknown:
            return _named(tally.yes, (), ())
        return _named(tally.yes, [member for member in left if member not in silent], silent)

    def _asked_for(self, node: s.Node, at: At) -> tuple[Sought, ...]:
        """Of the events that an expression speaks of, those of which nothing that it asks for is there."""
        told: dict[str, Sought] = {}
        for inner in walk(node):
            if isinstance(inner, s.Field) and isinstance(let := at.scope.lets.get(inner.name), s.Let):
                told |= {one.asked: one for one in self._asked_for(let.value, at)}
            if isinstance(inner, s.Reference):
                sought = self._nearest.sought(inner, at)
                told[sought.asked] = sought
        return tuple(one for one in told.values() if not one.passing or one.misses)

    def _lines(self, sightings: list[Sighting]) -> tuple[Evidence, ...]:
        chosen = list({id(x): x for x in sightings}.values())[:_MOST_LINES]
        return tuple(self._citation.line(x) for x in chosen)


def _counts(node: s.Node) -> bool:
    """Whether a condition counts occurrences of an event."""
    calls = (inner for inner in walk(node) if isinstance(inner, s.Call) and inner.function == "count")
    return any(isinstance(call.arguments[0], s.Reference) for call in calls)


def _named(yes: Sequence[Member], no: Sequence[Member], unknown: Sequence[Member]) -> tuple[tuple[str, str], ...]:
    told = (("yes", yes), ("no", no), ("unknown", unknown))
    return tuple((word, members_in_words(members)) for word, members in told if members)
