"""What judging a rule gives: cases."""

from dataclasses import dataclass, field

from logsleuth.engine.roster import Sighting
from logsleuth.engine.subject import Member
from logsleuth.language.syntax import Rule
from logsleuth.model.analysis import Confidence

Bindings = dict[str, list[Sighting]]


@dataclass(slots=True, eq=False)
class Case:
    """A rule that holds (or may yet hold) in one attempt, for one culprit where the rule names culprits."""

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

    @property
    def members(self) -> set[Member]:
        """All members that the deciding occurrences concern."""
        return {member for sighting in self.deciding for member in sighting.subject.members}
