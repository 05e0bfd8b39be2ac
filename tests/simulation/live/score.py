"""What is said of a simulated job over its life, and how that compares with the truth."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from logsleuth.model.analysis import Verdict
from tests.simulation.live.job import Job
from tests.simulation.live.watch import Watcher

_PAUSES = 10
"""Of a job the longest silences that are looked at, right before each ends."""
_LATER = (301.0, 7200.0)
"""Seconds behind the end of a job."""


class Outcome(StrEnum):
    QUIET = "quiet"
    FALSE_ALARM = "false alarm"
    NAMED = "named"
    NOBODY = "job alarm"
    """It was told that the job hangs, and nobody was named."""
    WRONG = "wrong rank"
    MISSED = "missed"


class Score(NamedTuple):
    outcome: Outcome
    delay: float
    """Seconds from the stall to the verdict."""
    said: str


def healthy(job: Job, watcher: Watcher) -> Score:
    """Whether anything is said of a job that is well, at the worst moments and behind its end."""
    for moment in sorted({*_worst(job), *(job.over + later for later in _LATER)}):
        verdicts = watcher.says(job, moment)
        if verdicts:
            return Score(Outcome.FALSE_ALARM, 0.0, f"{moment - job.over:.1f} s after its end: {_told(verdicts)}")
    return Score(Outcome.QUIET, 0.0, "")


def stalled(job: Job, watcher: Watcher) -> Score:
    """What is said of a job with a stall: before it nothing may be."""
    assert job.stall
    for moment in _worst(job):
        verdicts = watcher.says(job, moment)
        if verdicts:
            return Score(Outcome.FALSE_ALARM, 0.0, f"{job.stall.moment - moment:.1f} s early: {_told(verdicts)}")
    best: Score | None = None
    for delay in _delays(job):
        verdicts = watcher.says(job, job.stall.moment + delay)
        named = [rank for verdict in verdicts for rank in verdict.culprits.ranks]
        if named:
            outcome = Outcome.NAMED if named == [job.stall.rank] and job.can_be_named else Outcome.WRONG
            return Score(outcome, delay, _told(verdicts))
        if verdicts and best is None:
            best = Score(Outcome.NOBODY, delay, _told(verdicts))
            if not job.can_be_named:
                break
    return best or Score(Outcome.MISSED, 0.0, "nothing")


def _worst(job: Job) -> list[float]:
    end = job.stall.moment if job.stall else job.over
    pauses = [pause for pause in job.pauses if pause[1] <= end]
    early = sorted(pauses, key=lambda one: one[1])[: _PAUSES // 2]
    longest = sorted(pauses, reverse=True)[: _PAUSES // 2]
    return sorted({moment for _, moment in (*early, *longest)})


def _delays(job: Job) -> Iterator[float]:
    beat, delay = job.line_beat, 0.5
    while delay < 4 * 3600:
        yield delay
        delay += max(0.2 * beat, 0.5) if delay < 4 * beat else delay * 0.15


def _told(verdicts: list[Verdict]) -> str:
    return "; ".join(f"{verdict.rule}: {verdict.title}" for verdict in verdicts)
