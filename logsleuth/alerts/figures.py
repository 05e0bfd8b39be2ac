"""Which numbers of a live job are worth watching, and under which names?"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from logsleuth.alerts.courier import Tally
from logsleuth.alerts.exposition import Family, counted
from logsleuth.model.analysis import SEVERITY_ORDER, Severity, Verdict
from logsleuth.model.change import ChangeKind
from logsleuth.model.ranks import format_ranks
from logsleuth.model.snapshot import Snapshot
from logsleuth.model.vitals import JobVitals, Vitals

MOST_VERDICTS = 64
"""Verdicts that have a series of their own: the gravest, and of those the first."""
MOST_JOBS = 16
"""Jobs that have series; of more, the first."""
MOST_RANKS = 64
"""Members up to which each has series of its own; of a larger job only their number by state is told."""

JOB_STATES = ("starting", "training", "silent", "failing", "ended")
RANK_STATES = ("running", "silent", "blamed", "ended", "unseen")


class Figures(NamedTuple):
    """What is known of a live job at the moment of a scrape."""

    version: str
    started: float
    """Seconds since 1970."""
    snapshot: Snapshot | None
    """The last one; None before the first judgement."""
    judgements: int
    standing: Mapping[str, Verdict]
    """The verdicts that were told and still stand, by key."""
    changes: Mapping[ChangeKind, int]
    troubles: int
    lag: float | None = None
    """Seconds between a line's coming and its being read, of late; None where nobody measures it."""
    judging: float | None = None
    """Seconds that the last judgement took."""
    alerts: Mapping[str, Tally] = {}
    """By way (``command``, ``webhook``)."""


def families(figures: Figures) -> Iterator[Family]:
    """All numbers, in an order that does not change."""
    yield from _about_us(figures)
    yield from _about_verdicts(figures.standing, figures.changes)
    if figures.snapshot is not None:
        yield from _about_reading(figures.snapshot.vitals)
        yield from _about_jobs(figures.snapshot.vitals.jobs[:MOST_JOBS], figures.snapshot.at)


def _about_us(figures: Figures) -> Iterator[Family]:
    last = figures.snapshot.at if figures.snapshot is not None else None
    yield _gauge("build_info", "The version of logsleuth that follows.").add(1, version=figures.version)
    yield _gauge("start_time_seconds", "When the following began, in seconds since 1970.").add(figures.started)
    yield _counter("judgements_total", "How often the verdicts were worked out.").add(figures.judgements)
    yield _gauge("last_judgement_timestamp_seconds", "When that was last done, in seconds since 1970.").add(last)
    yield _gauge("judgement_duration_seconds", "How long the last judgement took.").add(figures.judging)
    yield _gauge("read_lag_seconds", "How far reading is behind writing.").add(figures.lag)
    yield _counter("troubles_total", "Troubles with sources or alerts that were told.").add(figures.troubles)
    alerts = _counter("alerts_total", "Changes that an alert was to tell, by what became of them.")
    waiting = _gauge("alerts_waiting", "Changes that an alert has yet to tell.")
    for way, tally in figures.alerts.items():
        counted(
            alerts,
            "outcome",
            {"delivered": tally.delivered, "failed": tally.failed, "dropped": tally.dropped},
            way=way,
        )
        waiting.add(tally.waiting, way=way)
    yield alerts
    yield waiting


def _about_verdicts(standing: Mapping[str, Verdict], changes: Mapping[ChangeKind, int]) -> Iterator[Family]:
    firm = Counter(verdict.severity for verdict in standing.values() if verdict.status == "firm")
    by_severity = {severity.value: firm[severity] for severity in Severity}
    yield counted(_gauge("verdicts", "Firm verdicts that stand, by severity."), "severity", by_severity)
    info = _gauge("verdict_info", "A verdict that stands; always 1.")
    gravest = sorted(standing.items(), key=lambda one: -SEVERITY_ORDER[one[1].severity])
    for key, verdict in gravest[:MOST_VERDICTS]:
        info.add(
            1,
            key=key,
            job=verdict.job,
            attempt=verdict.attempt,
            rule=verdict.rule,
            cause=verdict.cause,
            severity=verdict.severity.value,
            status=verdict.status,
            confidence=verdict.confidence.value,
            role=verdict.role,
            ranks=format_ranks(verdict.culprits.ranks),
            hosts=", ".join(verdict.culprits.hosts),
        )
    yield info
    by_kind = {kind.value: changes.get(kind, 0) for kind in ChangeKind}
    yield counted(_counter("changes_total", "Changes of verdicts that were told."), "kind", by_kind)


def _about_reading(vitals: Vitals) -> Iterator[Family]:
    yield _gauge("sources", "Sources that were read.").add(vitals.sources)
    yield _counter("read_bytes_total", "Bytes of sources that were read.").add(vitals.bytes)
    yield _counter("read_lines_total", "Lines that were read.").add(vitals.lines)
    yield _counter("events_total", "Occurrences of events that rules speak of.").add(vitals.events)


def _about_jobs(jobs: Iterable[JobVitals], at: float) -> Iterator[Family]:
    state = _gauge("job_state", "1 for the state that a job is in, 0 for the others.")
    attempt = _gauge("job_attempt", "The attempt that runs, counted from 0.")
    step = _gauge("job_step", "The step that a job has reached.")
    planned = _gauge("job_planned_steps", "The steps that a job is to make.")
    speed = _gauge("job_steps_per_second", "Steps a second, of late.")
    loss = _gauge("job_loss", "The last loss that was written.")
    memory = _gauge("job_memory_bytes", "Memory of the member that uses most.")
    ranks = _gauge("job_ranks", "Members of a job by their state.")
    newest = _gauge("job_last_sign_timestamp_seconds", "The last sign of life of any member, in seconds since 1970.")
    oldest = _gauge(
        "job_quietest_sign_timestamp_seconds",
        "The last sign of life of the member that is quiet for longest and has not ended, in seconds since 1970.",
    )
    rank_step = _gauge("rank_step", f"The step of a member, in jobs of up to {MOST_RANKS}.")
    rank_sign = _gauge(
        "rank_last_sign_timestamp_seconds",
        f"The last sign of life of a member, in seconds since 1970, in jobs of up to {MOST_RANKS}.",
    )
    for job in jobs:
        name = job.job
        counted(state, "state", {one: one == job.state for one in JOB_STATES}, job=name)
        attempt.add(job.attempt, job=name)
        step.add(job.step, job=name)
        planned.add(job.total, job=name)
        speed.add(job.speed, job=name)
        loss.add(job.loss, job=name)
        memory.add(job.memory, job=name)
        states = Counter(rank.state for rank in job.ranks)
        counted(ranks, "state", {one: states[one] for one in RANK_STATES}, job=name)
        quiet = [rank.quiet for rank in job.ranks if rank.quiet is not None]
        newest.add(at - min(quiet) if quiet else None, job=name)
        working = [rank.quiet for rank in job.ranks if rank.quiet is not None and rank.state != "ended"]
        oldest.add(at - max(working) if working else None, job=name)
        for rank in job.ranks if len(job.ranks) <= MOST_RANKS else ():
            rank_step.add(rank.step, job=name, member=rank.name, host=rank.host or "")
            sign = at - rank.quiet if rank.quiet is not None else None
            rank_sign.add(sign, job=name, member=rank.name, host=rank.host or "")
    yield from (state, attempt, step, planned, speed, loss, memory, ranks, newest, oldest, rank_step, rank_sign)


def _gauge(name: str, about: str) -> Family:
    return Family(f"logsleuth_{name}", "gauge", about)


def _counter(name: str, about: str) -> Family:
    return Family(f"logsleuth_{name}", "counter", about)
