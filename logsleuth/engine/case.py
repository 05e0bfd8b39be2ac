"""What judging a rule gives: cases."""

from dataclasses import dataclass, field

from logsleuth.engine.roster import Sighting
from logsleuth.engine.scope import Bindings, MemberSet, Scope
from logsleuth.engine.subject import Member
from logsleuth.language.syntax import Rule
from logsleuth.model.analysis import Confidence, Reason

__all__ = ("Bindings", "Case", "Told")


@dataclass(slots=True)
class Told:
    """What a ``let`` came to in a case, for its texts."""

    unit: str
    members: MemberSet | None = None
    values: tuple[object, ...] = ()
    by_member: dict[Member, object] = field(default_factory=dict)
    """Of a per-member ``let``: its value for the members of the sets that the rule has named."""

    def merged(self, other: "Told") -> "Told":
        """What two cases of one rule came to."""
        members = self.members
        if members is not None and other.members is not None:
            both = dict.fromkeys((*members.members, *other.members.members))
            members = MemberSet(tuple(both), members.maybe, {**members.support, **other.members.support}, members.of)
        values = tuple(dict.fromkeys((*self.values, *other.values)))
        return Told(self.unit, members, values, {**self.by_member, **other.by_member})


@dataclass(slots=True, eq=False)
class Case:
    """A rule that holds (or may yet hold) in one scope, for one culprit where the rule names culprits."""

    rule: Rule
    attempt: int
    is_open: bool
    """True where the logs end before the question is decided."""
    confidence: Confidence
    bindings: Bindings
    deciding: list[Sighting]
    """The occurrences that the rule's ``when`` matched, for this culprit only where there is one."""
    culprit: Member | None
    culprit_is_host: bool = False
    doubts: list[str] = field(default_factory=list)
    """What lowered the confidence, in words."""
    lets: dict[str, Told] = field(default_factory=dict)
    support: list[Sighting] = field(default_factory=list)
    """Occurrences that values were taken from; cited, but they decide nothing."""
    reasons: tuple[Reason, ...] = ()
    culprit_is_from_set: bool = False
    """True where a set names the culprit, who need not be among those that the deciding occurrences concern."""
    scope: Scope | None = None
    """Where the rule was judged."""

    @property
    def members(self) -> set[Member]:
        """Whom the case is about: the culprit that a set names, else those whom the deciding occurrences concern."""
        if self.culprit_is_from_set and self.culprit is not None:
            return {self.culprit}
        if self.culprit is None:
            return {member for sighting in self.deciding for member in sighting.subject.members}
        # An occurrence that concerns many is told of each culprit alone.
        named = {sighting.subject.members[0] for sighting in self.deciding if len(sighting.subject.members) == 1}
        return named | {self.culprit}
