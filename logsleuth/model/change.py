"""What has changed about the verdicts on a live job, from one judgement to the next."""

from enum import StrEnum
from typing import NamedTuple

from logsleuth.model.analysis import Verdict


class ChangeKind(StrEnum):
    APPEARED = "appeared"
    REVISED = "revised"
    """Something that a reader would act on is another: see ``logsleuth.diagnosis.ledger``."""
    WITHDRAWN = "withdrawn"
    """What came since contradicts it, or it is undecided again, and no other verdict tells of it."""
    TAKEN_OVER = "taken over"
    """Another verdict tells of it now: mostly it turned out to be an echo of that."""


class Change(NamedTuple):
    number: int
    """Counts all changes of one job's following from 1 on; goes on after a resume."""
    at: float
    """When it was found, in seconds since 1970."""
    kind: ChangeKind
    key: str
    """Names the verdict as long as the job is followed (``f1``); ``Verdict.id`` is its place in one ranking only."""
    verdict: Verdict
    """As it is now (of one that is undecided again, open); of one that is gone, as it was told last."""
    before: Verdict | None = None
    """As it was told last; None of one that appeared."""
    by: str | None = None
    """The key of the verdict that took it over."""


class Standing(NamedTuple):
    """A verdict that was told and still holds."""

    key: str
    """See ``Change.key``."""
    verdict: Verdict
    """As it was told last."""
    told_at: float
    """When it was told first, in seconds since 1970."""
