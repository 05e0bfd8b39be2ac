"""What the expressions of a rule are worth, in words: with units, and member by member where that matters."""

from collections.abc import Iterable, Sequence

from logsleuth.engine.expressions import Lookup, values
from logsleuth.engine.measures import Measures
from logsleuth.engine.reasons import members_in_words
from logsleuth.engine.roster import Roster
from logsleuth.engine.scope import At, MemberSet, ValueSet
from logsleuth.engine.shown import shown_value
from logsleuth.engine.subject import Member
from logsleuth.engine.truth import Between
from logsleuth.language import syntax as s
from logsleuth.language.check_condition import ConditionChecker, Names
from logsleuth.language.program import Program, series_of
from logsleuth.language.spelled import spelled
from logsleuth.language.walk import walk
from logsleuth.model.trace import Worth

UNKNOWN = "unknown"
_MOST_VALUES = 6
"""Values of one expression that are written out."""
_MOST_GROUPS = 12
"""Groups of members with equal values that are told apart."""


class Units:
    """The units of the expressions of one rule."""

    def __init__(self, program: Program, rule: s.Rule) -> None:
        fields = {name: program.fields(name) for name in program.events}
        self._checker = ConditionChecker(rule.name, Names(dict(fields), program.lists, series_of(program.events)))
        self.events: dict[str, str] = {}
        """The names that the rule binds, with their events."""
        for clause in (*rule.when, *rule.needs, *rule.unless):
            for node in walk(clause):
                if isinstance(node, s.Seen | s.Quantified):
                    self.events |= _bound(node.pattern)
        self._checker.bindings = self.events
        self._checker.lets = {clause.name: clause for clause in rule.when if isinstance(clause, s.Let)}

    def of(self, node: s.Node, event: str = "") -> str:
        """``bytes``, ``seconds``, ``time``, ``percent`` or nothing; ``event`` is that whose filter it stands in."""
        if event and isinstance(node, s.Field) and node.name not in self._checker.lets:
            return self._checker.unit(s.EventField(s.Reference(event, None, node.at), node.name))
        if event and isinstance(node, s.Operation) and node.right is not None:
            return self.of(node.left, event) or self.of(node.right, event)
        return self._checker.unit(node)


def _bound(pattern: s.Pattern) -> dict[str, str]:
    named = {pattern.binding: pattern.reference.event, **{step.binding: step.reference.event for step in pattern.steps}}
    return {name: event for name, event in named.items() if name}


class Values:
    """Writes down what expressions of one rule are worth on one roster."""

    def __init__(self, units: Units, measures: Measures, roster: Roster) -> None:
        self.units = units
        self._measures, self._roster = measures, roster

    def worth(self, node: s.Node, at: At, among: Sequence[Member] | None = None) -> Worth:
        """What an expression is worth over the scope, and to each member (of all, or ``among`` these) where it is
        another to each."""
        unit = self.units.of(node)
        whole = self._measures.values(node, at) or ()
        by_member: tuple[tuple[str, str], ...] = ()
        is_of_members = self._measures.memory.depends_on_member(node, at.scope.lets)
        if at.member is None and at.scope.member is None and is_of_members:
            by_member = self._by_member(node, unit, at, self._everybody(at) if among is None else among)
        if whole and all(told == UNKNOWN for _, told in by_member):
            by_member = ()  # A number of the job, which is nobody's own.
        return Worth(spelled(node), self.words(whole, unit), by_member)

    def worths(self, condition: s.Node, at: At, among: Sequence[Member] | None = None) -> tuple[Worth, ...]:
        """Both sides of every comparison in a condition, but for constants."""
        # Filters are asked of each occurrence, and have no worth of their own.
        inner = {id(n) for ref in walk(condition) if isinstance(ref, s.Reference) for n in walk(ref.filter)}
        asked = (n for n in walk(condition) if isinstance(n, s.Operation) and id(n) not in inner)
        sides = [side for node in asked for side in self._sides(node)]
        told = {spelled(side): side for side in sides}
        return tuple(self.worth(side, at, among) for side in told.values())

    @staticmethod
    def _sides(node: s.Operation) -> Iterable[s.Node]:
        if node.operator in ("+", "-", "*", "/", "of"):
            return ()
        sides = (node.left, node.right) if node.right is not None else (node.left,)
        return [side for side in sides if not isinstance(side, s.Value | s.Values | s.Members | s.Reference)]

    def _everybody(self, at: At) -> Sequence[Member]:
        group = at.scope.group
        return self._roster.everyone(at.scope.attempt) if group is None else group.members

    def _by_member(self, node: s.Node, unit: str, at: At, everybody: Sequence[Member]) -> tuple[tuple[str, str], ...]:
        groups: dict[tuple[str, ...], list[Member]] = {}
        for member in everybody:
            told = self._measures.values(node, at._replace(member=member)) or ()
            groups.setdefault(self.words(told, unit), []).append(member)
        shown = [(members_in_words(of), ", ".join(words) or UNKNOWN) for words, of in groups.items()]
        rest = shown[_MOST_GROUPS:]
        return (*shown[:_MOST_GROUPS], *((((f"{len(rest)} more"), "other values"),) if rest else ()))

    def words(self, worth: Sequence[object], unit: str) -> tuple[str, ...]:
        """Values as people read them, each once."""
        told = tuple(dict.fromkeys(word for value in worth for word in self._told(value, unit)))
        more = len(told) - _MOST_VALUES
        return told if more <= 1 else (*told[:_MOST_VALUES], f"{more} more")

    def _told(self, value: object, unit: str) -> Sequence[str]:
        if isinstance(value, MemberSet):
            return [members_in_words(value.members)]
        if isinstance(value, ValueSet):
            return [word for one in value.values for word in self._told(one, unit)] or ["none"]
        if isinstance(value, Between):
            low, high = self._one(value.low, unit), self._one(value.high, unit)
            return [f"at least {low}" if value.high == float("inf") else low if low == high else f"{low} to {high}"]
        return [self._one(value, unit)]

    def _one(self, value: object, unit: str) -> str:
        if unit == "time" and isinstance(value, int | float):
            return self._roster.calendar.text(value) or "an unknown time"
        if isinstance(value, bool):
            return "true" if value else "false"
        return f'"{value}"' if isinstance(value, str) else shown_value(value, unit)

    def of_filter(self, node: s.Node, lookup: Lookup, event: str) -> str:
        """What an expression in a filter of an event is worth on one occurrence; empty where that is unknown."""
        return ", ".join(self.words(values(node, lookup), self.units.of(node, event)))
