"""A live job as its judgements come, made by hand."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from logsleuth.model.analysis import Analysis, Confidence, Culprits, Evidence, Since, Verdict
from logsleuth.model.change import Change, ChangeKind
from logsleuth.model.snapshot import Snapshot
from logsleuth.model.vitals import JobVitals, RankVitals, Vitals
from tests.report.analyses import data_loading_slow, job, killed, log, timeout_symptom

START = 1_764_461_267.0
"""2025-11-30 00:07:47 UTC."""


TIMED_OUT = (
    "[rank0]:[E1130 00:17:46.100 ProcessGroupNCCL.cpp:629] [Rank 0] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=412, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600029 milliseconds"
)


class Listener(Protocol):
    def heard(self, snapshot: Snapshot, changes: Sequence[Change]) -> None: ...
    def trouble(self, text: str) -> None: ...
    def ended(self, snapshot: Snapshot, changes: Sequence[Change]) -> None: ...


def vitals(
    state: str = "training", step: int | None = 120, odd: str = "running", loss: float = 2.1, ranks: int = 8
) -> Vitals:
    """Of a job in which rank 2 is in a state of its own."""
    members = (RankVitals(f"rank {rank}", rank, "node-7", "running", step, 0.5) for rank in range(ranks))
    told = tuple(one._replace(state=odd) if one.rank == 2 else one for one in members)
    return Vitals(
        (JobVitals("default", 0, state, None, step, 1000, None, 1.5, loss, (loss,), 8e9, "allocated", told),),
        9,
        12_345,
        400,
        31,
    )


def snapshot(
    seconds: float, *verdicts: Verdict, analysis: Analysis | None = None, shows: Vitals | None = None
) -> Snapshot:
    """What is judged so many seconds after the start."""
    judged = analysis or Analysis(verdicts, (job(8),), (log(),))
    return Snapshot(START + seconds, judged, vitals() if shows is None else shows)


TIMEOUT = replace(
    timeout_symptom(),
    since=Since("--11-30T00:07:46.100", "--11-30T00:07:46.100", "stamp of the line, less its own count"),
    evidence=(Evidence("logs/rank0.log", 417, 31_433, 0, "node-7", "--11-30T00:17:46.100", TIMED_OUT),),
)
SLOW = data_loading_slow()
KILLED = killed()
MORE = replace(
    KILLED,
    summary="ranks 2, 3 were killed by SIGKILL",
    culprits=Culprits((2, 3), (), ("node-7",)),
    confidence=Confidence.CERTAIN,
)


def course() -> Iterator[tuple[Snapshot, list[Change]]]:
    """Ranks wait and time out, then the log of the one that was killed is read; a warning comes and goes."""

    def change(
        number: int,
        seconds: float,
        kind: ChangeKind,
        key: str,
        verdict: Verdict,
        before: Verdict | None = None,
        by: str | None = None,
    ) -> Change:
        return Change(number, START + seconds, kind, key, verdict, before, by)

    kind = ChangeKind
    yield snapshot(0, shows=vitals("starting", None)), []
    yield snapshot(30, SLOW), [change(1, 30, kind.APPEARED, "f1", SLOW)]
    yield (
        snapshot(600, TIMEOUT, SLOW, shows=vitals("silent", 150, "silent")),
        [change(2, 600, kind.APPEARED, "f2", TIMEOUT)],
    )
    yield (
        snapshot(601, KILLED, SLOW, shows=vitals("failing", 150, "blamed")),
        [
            change(3, 601, kind.APPEARED, "f3", KILLED),
            change(4, 601, kind.TAKEN_OVER, "f2", TIMEOUT, before=TIMEOUT, by="f3"),
        ],
    )
    yield (
        snapshot(620, MORE, shows=vitals("failing", 150, "blamed")),
        [
            change(5, 620, kind.REVISED, "f3", MORE, before=KILLED),
            change(6, 620, kind.WITHDRAWN, "f1", SLOW, before=SLOW),
        ],
    )


def follow(listener: Listener) -> None:
    """Tells a listener all of it."""
    last = snapshot(0)
    listener.trouble("The log logs/rank3.log cannot be read any more: permission denied.")
    for last, changes in course():
        listener.heard(last, changes)
    listener.ended(last, [])
