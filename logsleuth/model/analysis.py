"""The result of an analysis: what reports render and what the public API returns.

Plain records on purpose: the pydantic models that state the published JSON schema live in ``logsleuth.report.schema``
and are imported only where they are needed.
"""

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from logsleuth.model.dataclass import dataclass

if TYPE_CHECKING:
    from logsleuth.model.trace import WhyNot


class Severity(StrEnum):
    """How bad it is. ``fatal``: the job ended by it; ``error``: something failed; the rest does not fail a run."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    FATAL = "fatal"

    @property
    def fails(self) -> bool:
        """Whether it fails a run."""
        return self in (Severity.ERROR, Severity.FATAL)


class Confidence(StrEnum):
    POSSIBLE = "possible"
    LIKELY = "likely"
    CERTAIN = "certain"


SEVERITY_ORDER = {level: place for place, level in enumerate(Severity)}
CONFIDENCE_ORDER = {level: place for place, level in enumerate(Confidence)}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One place in one log that a verdict rests on."""

    source: str
    line: int
    """1-based number of the physical line."""
    offset: int
    """Bytes from the start of the (decompressed) source to the start of the line."""
    rank: int | None
    host: str | None
    time: str | None
    """ISO 8601, or without a year or date where the log does not tell them (``--11-30T00:17:10.164``)."""
    text: str
    """The line as it stands, colours and control characters removed, cut at 2,000 characters."""


@dataclass(frozen=True, slots=True)
class Culprits:
    """Who is to blame, as far as the logs prove it; all empty where they do not."""

    ranks: tuple[int, ...] = ()
    local_ranks: tuple[int, ...] = ()
    """Only where no global rank can be known."""
    hosts: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ranks or self.local_ranks or self.hosts)


@dataclass(frozen=True, slots=True)
class Since:
    """When the trouble began: somewhere between two instants (ISO 8601, see ``Evidence.time``); None where unknown."""

    earliest: str | None
    latest: str | None
    basis: str
    """In words: ``stamp of the line``, ``stamps around the line``, ``no clock in these logs``."""


@dataclass(frozen=True, slots=True)
class Echo:
    """Another finding that a verdict explains away."""

    rule: str
    title: str
    occurrences: int
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """One condition of a rule, and what the logs say of it."""

    condition: str
    """As it stands in the rule."""
    holds: str
    """``yes``, or ``open`` where these logs do not decide it."""
    members: str
    """Over whom it was decided (``3 of 4 ranks, 1 without a log``); empty where it asks for nobody in particular."""
    closes: str = ""
    """What would decide it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    id: str
    """Stable for equal content: ``v1`` is the first of the ranking."""
    job: str
    attempt: int
    rule: str
    cause: str
    title: str
    severity: Severity
    role: str
    """``root`` or ``symptom``."""
    status: str
    """``firm``, or ``open`` where the logs end before the question is decided."""
    confidence: Confidence
    since: Since
    culprits: Culprits
    summary: str
    chain: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    occurrences: int = 0
    explains: tuple[Echo, ...] = ()
    alternatives: tuple[str, ...] = ()
    """Other causes that the same logs allow, most likely first."""
    remedies: tuple[str, ...] = ()
    """In the order in which to try them."""
    next_steps: tuple[str, ...] = ()
    """What to look at or collect next."""
    see: tuple[str, ...] = ()
    unknowns: tuple[str, ...] = ()
    """What these logs could not tell about this verdict."""
    reasoning: tuple[Reason, ...] = ()
    """The rule's conditions one by one."""
    adjusted: bool = False
    """Whether a site has adjusted the rule."""

    @property
    def is_note(self) -> bool:
        """Whether it is only worth knowing: nothing to look into, and never the answer."""
        return self.severity is Severity.INFO


@dataclass(frozen=True, slots=True)
class Span:
    """The first and the last time that the logs tell (see ``Evidence.time``)."""

    started: str | None
    ended: str | None


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock that wrote stamps, against the median of those that can be compared with it."""

    host: str | None
    source: str | None
    """The log whose stamps are meant, where no host is known or logs of one host show different times."""
    offset: float
    """Seconds by which it is ahead; 0 where nothing tells."""
    uncertainty: float | None
    """Seconds by which the offset may be wrong; None where nothing tells the offset."""
    anchors: int
    """Moments that it shares with others and that tell the offset."""


@dataclass(frozen=True, slots=True)
class Job:
    id: str
    size: int
    """Ranks that the job has, or at least has."""
    size_is_stated: bool
    seen_ranks: tuple[int, ...]
    silent_ranks: tuple[int, ...]
    """Ranks below ``size`` of which no line is known to be theirs; empty where the logs name no ranks at all."""
    hosts: tuple[str, ...]
    attempts: int
    span: Span
    clocks: tuple[Clock, ...] = ()
    """In the order of hosts and logs."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about an input that the reader should know; never the reason to stop."""

    text: str
    """What happened and what was done about it, in a sentence."""
    fatal: bool = False
    """True where nothing of the source could be read."""


@dataclass(slots=True)
class Input:
    source: str
    format: str
    bytes: int = 0
    lines: int = 0
    events: int = 0
    problems: list[Problem] = field(default_factory=list)
    layout: str = "lines"
    """How records lie in its text: ``lines``, or a name of ``logsleuth.layouts``."""


@dataclass(frozen=True, slots=True)
class Absorbed:
    """A finding that is no verdict of its own, because another one tells of it."""

    rule: str
    attempt: int
    ranks: tuple[int, ...]
    """Whom it would blame."""
    by: str
    """``id`` of the verdict."""


@dataclass(frozen=True, slots=True)
class Analysis:
    verdicts: tuple[Verdict, ...]
    jobs: tuple[Job, ...]
    inputs: tuple[Input, ...]
    notes: tuple[str, ...] = ()
    """What the reader should know about the analysis itself (rules that were skipped, limits that were reached)."""
    why_not: "tuple[WhyNot, ...]" = ()
    """Of causes that the reader asked for: why they are not the answer."""
    absorbed: tuple[Absorbed, ...] = ()
    """Reports do not tell them; while a job is followed, a verdict may become one of them."""

    @property
    def failed(self) -> bool:
        """True where a firm verdict says error or fatal: exit status 1."""
        return any(v.status == "firm" and v.severity.fails for v in self.verdicts)
