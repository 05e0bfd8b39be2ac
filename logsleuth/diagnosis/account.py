"""What judgements said of one verdict, one after another, and what was told of it."""

from dataclasses import dataclass

from logsleuth.diagnosis.claim import Claim, claim_of, same
from logsleuth.diagnosis.marks import Marks
from logsleuth.model.analysis import Verdict

PATIENCE = 2.0
"""So many times the settling time, something may change from judgement to judgement before it is told as it is."""
LONGEST = 3600.0
"""Seconds between two tellings of one verdict, at the most that flapping makes of them."""


@dataclass(slots=True, eq=False)
class Account:
    """One verdict over judgements."""

    marks: Marks
    """As it was seen last."""
    said: Claim | None
    """What judgements have said since ``since``; None: nothing, it is not there."""
    since: float
    seen: float
    """Since when it is there, or was when it was last."""
    unlike: float | None
    """Since when they say something else than was told; None where they do not."""
    number: int = 0
    """That its key is made of; 0 until it is told for the first time."""
    told: Verdict | None = None
    """As it was told last; None where it was not, or where it was told to be gone."""
    tellings: int = 0
    told_at: float = 0.0
    """When it was told last."""
    told_first: float = 0.0
    """When it was told first since it was not there."""

    @property
    def key(self) -> str:
        """Names it for those who are told."""
        return f"f{self.number}"

    @property
    def is_worth_keeping(self) -> bool:
        """Whether anything is to be remembered of it."""
        return self.number > 0 or self.said is not None

    @property
    def is_gone(self) -> bool:
        """Whether it was told once, was told to be gone, and did not come back."""
        return self.told is None and self.said is None

    def judged(self, verdict: Verdict | None, at: float) -> None:
        """Takes what a judgement says."""
        said = None if verdict is None else claim_of(verdict)
        if said is not None and self.said is None:
            self.seen = at
        if same(said, None if self.told is None else claim_of(self.told)):
            self.said, self.since, self.unlike = said, at, None
            return
        if self.unlike is None or (said is None) != (self.said is None):
            self.since = self.unlike = at
        elif not same(said, self.said):
            self.since = at
        else:
            return  # What was said first stays the measure, lest a claim move on unnoticed.
        self.said = said

    def due(self, settle: float) -> float | None:
        """From when on what is said now may be told; None where it was."""
        if self.unlike is None:
            return None
        steady = min(self.since + settle, self.unlike + PATIENCE * settle)
        return max(steady, self.told_at + self._distance(settle)) if self.tellings else steady

    def tell(self, verdict: Verdict | None, at: float) -> None:
        """Notes that it was told as it is."""
        if self.told is None:
            self.told_first = at
        self.told, self.unlike = verdict, None
        self.tellings += 1
        self.told_at = at

    def set_back(self, seconds: float) -> None:
        """Moves all moments, because the clock was."""
        self.since -= seconds
        self.seen -= seconds
        self.told_at -= seconds
        self.told_first -= seconds
        self.unlike = None if self.unlike is None else self.unlike - seconds

    def _distance(self, settle: float) -> float:
        """Seconds between the last telling and the next, at least: twice as many after each but the first."""
        return min(settle * 2.0 ** min(self.tellings - 1, 64), max(LONGEST, settle))
