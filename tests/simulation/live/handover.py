"""What a job that stalls writes when its watchdogs end it: the timeouts of those that waited, and what they counted."""

import random
from datetime import UTC, datetime
from typing import NamedTuple

from tests.simulation.live.job import Job, Write, draw

TIMEOUT = 600.0
"""Seconds."""
_SEQ = 412


class Ended(NamedTuple):
    job: Job
    due: float
    """When the line of the rank that stalled was due."""
    over: float
    """When the last line was written."""


def ended_by_watchdogs(seed: int, *, has_counters: bool) -> Ended:
    """A job of four ranks of which logs tell who stalled, with what is written ten minutes later."""
    job = next(job for n in range(seed, seed + 2000, 2) if _is_plain(job := draw(n, has_stall=True)))
    assert job.stall
    rng = random.Random(seed)
    due = job.due
    moment = due + TIMEOUT
    for rank in range(job.manner.ranks):
        at = moment + rng.uniform(0, 0.5)
        if rank != job.stall.rank:
            job.writes.append(_write(at, rank, _timeout(rank)))
        if has_counters:
            job.writes.append(_write(at + 0.6, rank, _counters(rank, rank == job.stall.rank)))
    job.writes.sort()
    return Ended(job, due, job.writes[-1].moment)


def _is_plain(job: Job) -> bool:
    return job.manner.ranks == 4 and bool(job.stall and job.stall.rank) and job.manner.is_stamped


def _timeout(rank: int) -> str:
    return (
        f"ProcessGroupNCCL.cpp:632] [Rank {rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum={_SEQ}, "
        "OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=600000) ran for 600029 milliseconds before timing out."
    )


def _counters(rank: int, is_stalled: bool) -> str:
    where = f"[PG ID 0 PG GUID 0(default_pg) Rank {rank}]"
    if is_stalled:
        return (
            f"ProcessGroupNCCL.cpp:1746] {where} Received a dump signal due to a collective timeout from  rank 0 and we will "
            "try our best to dump the debug info. "
            f"Last enqueued NCCL work: {_SEQ - 1}, last completed NCCL work: {_SEQ - 1}."
        )
    return (
        f"ProcessGroupNCCL.cpp:2150] {where}  failure detected by watchdog at work sequence id: {_SEQ} PG status: "
        f"last enqueued work: {_SEQ}, last completed work: {_SEQ - 1}"
    )


def _write(moment: float, rank: int, text: str) -> Write:
    stamp = datetime.fromtimestamp(moment, UTC)
    return Write(moment, rank, f"[rank{rank}]:[E{stamp:%m%d %H:%M:%S.%f}000 {text}\n".encode())
