"""How far is an analysis of a training run from the truth?"""

from enum import StrEnum
from typing import NamedTuple

from logsleuth.model.analysis import SEVERITY_ORDER, Analysis, Severity, Verdict
from tests.simulation.training.truth import Truth


class Outcome(StrEnum):
    EXACT = "exact"
    """The first verdict has a fair cause and names whom the logs convict."""
    QUIET = "quiet"
    """Nothing needed to be said, and nothing was, or only what is fair."""
    MISSED = "missed"
    WRONG_CAUSE = "wrong cause"
    UNNAMED = "unnamed"
    """A fair cause, but not everybody whom the logs convict."""
    FALSELY_ACCUSED = "falsely accused"
    FALSE_ALARM = "false alarm"
    """A verdict of error or fatal where that is too much."""
    FALSE_WARNING = "false warning"
    FALSE_INFO = "false info"

    @property
    def is_good(self) -> bool:
        return self in (Outcome.EXACT, Outcome.QUIET)


class Score(NamedTuple):
    outcome: Outcome
    said: str
    """What the analysis answered, for people."""
    beside: str
    """Unfair verdicts that stand beside a good one; empty: none."""


_TOO_MUCH = {
    Severity.FATAL: Outcome.FALSE_ALARM,
    Severity.ERROR: Outcome.FALSE_ALARM,
    Severity.WARNING: Outcome.FALSE_WARNING,
    Severity.INFO: Outcome.FALSE_INFO,
}


def score(truth: Truth, analysis: Analysis) -> Score:
    firm = [verdict for verdict in analysis.verdicts if verdict.status == "firm" and verdict.role == "root"]
    said = "; ".join(told(verdict) for verdict in firm) or "nothing"
    unfair = [verdict for verdict in firm if not _is_fair(verdict, truth)]
    worst = max((verdict.severity for verdict in unfair), key=lambda one: SEVERITY_ORDER[one], default=None)
    if truth.is_healthy:
        return Score(Outcome.QUIET if worst is None else _TOO_MUCH[worst], said, "")
    if not firm:
        return Score(Outcome.QUIET if truth.least is None else Outcome.MISSED, said, "")
    first = firm[0]
    beside = "; ".join(told(verdict) for verdict in unfair if verdict is not first)
    if _accuses_falsely(first, truth):
        return Score(Outcome.FALSELY_ACCUSED, said, beside)
    if first.cause not in truth.causes:
        return Score(Outcome.WRONG_CAUSE, said, beside)
    if SEVERITY_ORDER[first.severity] > SEVERITY_ORDER[truth.most]:
        return Score(Outcome.FALSE_ALARM, said, beside)
    if truth.least is None:
        return Score(Outcome.QUIET, said, beside)
    if SEVERITY_ORDER[first.severity] < SEVERITY_ORDER[truth.least]:
        return Score(Outcome.MISSED, said, beside)
    names_all = not truth.culprits or _accused(first) == set(truth.culprits)
    return Score(Outcome.EXACT if names_all else Outcome.UNNAMED, said, beside)


def told(verdict: Verdict) -> str:
    return f"{verdict.severity} {verdict.rule} ({verdict.cause}) ranks {sorted(_accused(verdict))}"


def _accused(verdict: Verdict) -> set[int]:
    """On a single host a local rank is the rank."""
    return {*verdict.culprits.ranks, *verdict.culprits.local_ranks}


def _is_fair(verdict: Verdict, truth: Truth) -> bool:
    is_mild = SEVERITY_ORDER[verdict.severity] <= SEVERITY_ORDER[truth.most]
    return verdict.cause in truth.causes and is_mild and not _accuses_falsely(verdict, truth)


def _accuses_falsely(verdict: Verdict, truth: Truth) -> bool:
    accused = _accused(verdict)
    if verdict.culprits.hosts and not truth.culprits and not truth.shared:
        return True
    return bool(accused - set(truth.culprits)) and accused != set(truth.shared)
