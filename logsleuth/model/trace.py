"""What became of a rule, clause by clause: what a trace tells.

Plain records, all of whose values are words or places in logs, so that whoever shows them works nothing out.
"""

from enum import StrEnum

from logsleuth.model.analysis import Evidence
from logsleuth.model.dataclass import dataclass


class Standing(StrEnum):
    """How a condition stands."""

    HOLDS = "yes"
    FAILS = "no"
    OPEN = "open"
    """These logs do not decide it."""
    NAMES = "names"
    """A ``let``: it asks for nothing."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What an expression is worth."""

    text: str
    """As it stands in the rule."""
    values: tuple[str, ...]
    """With their units; empty where it is unknown."""
    by_member: tuple[tuple[str, str], ...] = ()
    """(member, value), where it is another for each."""


@dataclass(frozen=True, slots=True)
class Miss:
    """An occurrence that a filter does not let pass."""

    line: Evidence
    failing: tuple[str, ...]
    """The parts of the filter that do not hold, each with the value: ``free = 3 GiB, asked: < 1 GiB``."""


@dataclass(frozen=True, slots=True)
class NearLine:
    """A line that holds text of a wording and does not match it."""

    line: Evidence
    wording: str
    fits: str
    """The part of the wording that the line follows; empty where the line does not even begin like it."""
    asked: str
    """How the wording goes on there; empty where that cannot be told."""
    found: str
    """How the line goes on there."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What was looked for, and what there is of it."""

    event: str
    asked: str
    """The event with its filter."""
    seen: int
    """Occurrences of the event in this scope, whatever the filter says."""
    passing: int
    """Those that the filter lets pass."""
    elsewhere: int = 0
    """Occurrences in other scopes of the job, where there is none in this one."""
    misses: tuple[Miss, ...] = ()
    """Those that come nearest to passing; where there are none in this scope, some from elsewhere."""
    meaning: str = ""
    """What the event means, in a sentence."""
    witness: str = ""
    """Who would write such a line: ``kernel``, ``process``, ..."""
    near: tuple[NearLine, ...] = ()
    """Lines that nearly are the event, where there is none at all."""


@dataclass(frozen=True, slots=True)
class TracedStep:
    """A step of a sequence."""

    text: str
    holds: Standing
    words: str
    """What came, and how far from the step before."""
    line: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A condition that is not made of others."""

    text: str
    holds: Standing
    members: str = ""
    """Over whom it was decided: ``3 of 4 ranks, 1 without a log``."""
    who: tuple[tuple[str, str], ...] = ()
    """(``yes``, ``no`` or ``unknown``, the members of whom that is so)."""
    worths: tuple[Worth, ...] = ()
    sought: tuple[Sought, ...] = ()
    steps: tuple[TracedStep, ...] = ()
    lines: tuple[Evidence, ...] = ()
    """Those that decided it."""


@dataclass(frozen=True, slots=True)
class TracedClause:
    kind: str
    """``when``, ``let``, ``needs``, ``unless`` or ``confidence``."""
    text: str
    holds: Standing
    asked: bool
    """False where an earlier clause had decided; it is worked out all the same."""
    parts: tuple[Part, ...] = ()
    closes: str = ""
    """What would decide it, where it is open."""
    unbound: tuple[str, ...] = ()
    """Names that it speaks of and that nothing was bound to."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a case."""

    what: str
    """``root``, ``echo``, ``symptom``, ``merged`` or ``open``."""
    who: str
    """The culprits; empty where none is named."""
    words: str
    by: str = ""
    """The rule of the verdict that tells of it in its stead; empty where it is told itself."""
    verdict: str = ""
    """``id`` of the verdict that tells of it."""
    lines: tuple[Evidence, ...] = ()
    """Those by which the other rule is decided."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A rule in one scope, or in several in which it stands alike."""

    job: str
    attempt: int
    scope: str
    """``rank 3``, ``process group 0``; empty where the rule is judged once for an attempt."""
    alike: tuple[str, ...]
    """Further scopes of the attempt in which every clause stands as in this one."""
    outcome: str
    """``fired``, ``open`` or ``no``."""
    because: str
    """Why it did not fire, in a sentence."""
    clauses: tuple[TracedClause, ...]
    fates: tuple[Fate, ...] = ()
    was_judged: bool = True
    """False where there was nothing to judge it in; then it tells how the rule stands over the whole job."""

    @property
    def holding(self) -> int:
        """How many conditions hold."""
        return sum(c.kind in ("when", "needs") and c.holds is Standing.HOLDS for c in self.clauses)


_OUTCOMES = ("fired", "open", "no")


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a rule fired, or did not."""

    rule: str
    title: str
    cause: str
    place: str
    """``file:line``."""
    judged: tuple[Judged, ...]
    """Of each job; the nearest to firing first. Where there was nothing to judge it in, how it stands over the job."""

    @property
    def outcome(self) -> str:
        """``fired`` where it did in some scope, else ``open`` where it may have, else ``no``."""
        return self.nearest.outcome

    @property
    def nearest(self) -> Judged:
        """Where it fired, or came nearest to it, whatever the job."""
        return min(
            self.judged, key=lambda one: (_OUTCOMES.index(one.outcome), -one.holding if one.outcome == "no" else 0)
        )


@dataclass(frozen=True, slots=True)
class Mention:
    """A verdict in which a cause stands."""

    relation: str
    """``answer``, ``told`` (not as the first) or ``alternative`` (the verdict names it as another cause)."""
    verdict: str
    """Its ``id``."""
    rule: str


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Why a cause is not the answer, or that it is."""

    cause: str
    told: tuple["Mention", ...]
    """Verdicts in which it stands already."""
    traces: tuple[Trace, ...]
    """Of the rules that give the cause and of which something was seen, the nearest to firing first."""
    unheard: tuple[Trace, ...]
    """Of those of which no line speaks."""
