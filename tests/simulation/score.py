"""How far is an analysis from the truth?"""

from enum import StrEnum
from typing import NamedTuple

from logsleuth.model.analysis import Analysis, Verdict
from tests.simulation.simulate import Simulated


class Outcome(StrEnum):
    EXACT = "exact"
    """The culprits are determined and named, with a fair cause."""
    SILENT = "silent"
    """They are not determined, and nobody or only true culprits were named, with a fair cause; or nothing is wrong."""
    WRONG_CULPRIT = "wrong culprit"
    """Determined, but others were named, not all, or nobody."""
    FALSE_ACCUSATION = "false accusation"
    """Somebody was named who is not guilty, and the logs convict nobody."""
    WRONG_CAUSE = "wrong cause"
    FALSE_ALARM = "false alarm"
    """A verdict of error or fatal where nothing is wrong."""
    MISSED = "missed"
    """No verdict of error or fatal where something is wrong."""

    @property
    def is_good(self) -> bool:
        return self in (Outcome.EXACT, Outcome.SILENT)


class Score(NamedTuple):
    outcome: Outcome
    said: str
    """What the analysis answered, for people."""


def answer(analysis: Analysis) -> Verdict | None:
    """The first firm root of severity error or fatal."""
    roots = (v for v in analysis.verdicts if v.role == "root" and v.status == "firm" and v.severity.fails)
    return next(roots, None)


def score(simulated: Simulated, analysis: Analysis) -> Score:
    verdict, truth = answer(analysis), simulated.truth
    if verdict is None:
        return Score(Outcome.MISSED if truth.causes and truth.shows else Outcome.SILENT, "nothing")
    named = verdict.culprits
    said = f"{verdict.rule} ({verdict.cause}) ranks {list(named.ranks)} local {list(named.local_ranks)} hosts {list(named.hosts)}"
    if not truth.causes:
        return Score(Outcome.FALSE_ALARM, said)
    fits = _names(simulated, verdict)
    if truth.determined and fits != "all":
        return Score(Outcome.WRONG_CULPRIT, said)
    if fits == "others":
        return Score(Outcome.FALSE_ACCUSATION, said)
    if verdict.cause not in truth.causes:
        return Score(Outcome.WRONG_CAUSE, said)
    return Score(Outcome.EXACT if truth.determined else Outcome.SILENT, said)


def _names(simulated: Simulated, verdict: Verdict) -> str:
    """Whether a verdict names ``all`` culprits, ``some`` of them or ``none``, or ``others``."""
    job, truth, named = simulated.job, simulated.truth, verdict.culprits
    guilty, hosts = set(truth.culprit_ranks), {host.split(".")[0] for host in truth.culprit_hosts}
    pods = {f"trainer-worker-{job.host_of(rank).node}" for rank in guilty}
    # Who cannot reach a host knows no more of it than its address.
    known = pods | {host.address for host in job.hosts if host.name.split(".")[0] in hosts}
    if set(named.ranks) - guilty or {host for host in named.hosts if host.split(".")[0] not in hosts} - known:
        return "others"
    locals_of_guilty = {job.local(rank) for rank in guilty}
    if set(named.local_ranks) - locals_of_guilty:
        return "others"
    # Where a rank is not known it is told by its local rank and its host.
    others = guilty - set(named.ranks)
    is_told = set(named.local_ranks) >= {job.local(rank) for rank in others} and (len(job.hosts) == 1 or named.hosts)
    if guilty and (not others or is_told):
        return "all"
    return "some" if named.ranks or named.local_ranks or named.hosts else "none"
