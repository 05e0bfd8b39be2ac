"""What is said of a simulated job over its life, and how that compares with the truth."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from logsleuth.diagnosis.ledger import SETTLE
from logsleuth.drivers.live import LEAST, LONGER
from logsleuth.model.analysis import Verdict
from tests.simulation.live.job import Job
from tests.simulation.live.watch import Watcher

_PAUSES, _PAUSES_BEFORE = 10, 4
"""Of a job the silences that are looked at, right before each ends: the first and the longest, and half as many lags of a
rank, each longer than all before it; of a job that stalls fewer."""
_HORIZON = 4 * 3600.0
"""Seconds behind a stall for which somebody waits for a verdict."""
_COARSE = 0.5
"""By so much of its length a silence grows until it is looked at whether anything is said of it; what is said first is
then looked for as closely as a following does."""
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
    """Seconds from the moment at which the line was due that did not come to when the verdict is told, as it has
    settled."""
    said: str


def healthy(job: Job, watcher: Watcher) -> Score:
    """Whether anything is said of a job that is well, at the worst moments and behind its end."""
    for moment in sorted({*_worst(job, _PAUSES), *(job.over + later for later in _LATER)}):
        if verdicts := _told_at(job, watcher, moment):
            return Score(Outcome.FALSE_ALARM, 0.0, f"{moment - job.over:.1f} s after its end: {_told(verdicts)}")
    return Score(Outcome.QUIET, 0.0, "")


def stalled(job: Job, watcher: Watcher) -> Score:
    """What is said of a job with a stall: before it nothing may be."""
    assert job.stall
    for moment in _worst(job, _PAUSES_BEFORE):
        if verdicts := _told_at(job, watcher, moment):
            return Score(Outcome.FALSE_ALARM, 0.0, f"{job.stall.moment - moment:.1f} s early: {_told(verdicts)}")
    best: Score | None = None
    due, before = job.due, 0.0
    for delay in _delays(LEAST, _HORIZON, _COARSE):
        verdicts = watcher.says(job, due + delay)
        if verdicts and (best is None or _named(verdicts)):
            found = _first(job, watcher, due, before, delay)
            if found.outcome in (Outcome.NAMED, Outcome.WRONG):
                return found
            best = best or (found if found.outcome is Outcome.NOBODY else None)
            if best and not job.can_be_named:
                break
        before = delay
    return best or Score(Outcome.MISSED, 0.0, "nothing")


def _first(job: Job, watcher: Watcher, due: float, low: float, high: float) -> Score:
    """What is told first within so many seconds behind the time when a line was due, as soon as it has settled."""
    assert job.stall
    for delay in (*_delays(low + max(LEAST, LONGER * low), high, LONGER), high):
        if watcher.says(job, due + delay) and (verdicts := watcher.says(job, due + delay + SETTLE)):
            break
    else:
        return Score(Outcome.MISSED, 0.0, "nothing")
    outcome = Outcome.NOBODY
    if named := _named(verdicts):
        outcome = Outcome.NAMED if named == [job.stall.rank] and job.can_be_named else Outcome.WRONG
    return Score(outcome, delay + SETTLE, _told(verdicts))


def _named(verdicts: list[Verdict]) -> list[int]:
    return [rank for verdict in verdicts for rank in verdict.culprits.ranks]


def _worst(job: Job, most: int) -> list[float]:
    end = job.stall.moment if job.stall else job.over
    pauses = [pause for pause in job.pauses if pause[1] <= end]
    early = sorted(pauses, key=lambda one: one[1])[: most // 2]
    longest = sorted(pauses, reverse=True)[: most // 2]
    records, worst = list[tuple[float, float]](), 0.0
    for late, moment in job.lags:
        if late > worst and moment <= end:
            worst = late
            records.append((late, moment))
    return sorted({moment for _, moment in (*early, *longest, *records[-most // 2 :])})


def _told_at(job: Job, watcher: Watcher, moment: float) -> list[Verdict]:
    """What is told by a moment: what was judged already a settling time before."""
    verdicts = watcher.says(job, moment)
    return verdicts if verdicts and watcher.says(job, moment - SETTLE) else []


def _delays(start: float, end: float, longer: float) -> Iterator[float]:
    """When somebody who follows judges again while nothing comes, in seconds of silence: when it has grown by so much of
    its length, and not at once (``drivers/live``)."""
    while start < end:
        yield start
        start += max(LEAST, longer * start)


def _told(verdicts: list[Verdict]) -> str:
    return "; ".join(f"{verdict.rule}: {verdict.title}" for verdict in verdicts)
