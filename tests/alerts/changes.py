"""Changes of verdicts made by hand, and how a test waits for what another process does."""

import asyncio
import os
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from logsleuth.model.analysis import Analysis, Culprits, Severity, Verdict
from logsleuth.model.change import Change, ChangeKind
from logsleuth.model.snapshot import Snapshot
from logsleuth.model.vitals import JobVitals, RankVitals, Vitals
from tests.report import analyses

AT = 1_780_000_000.0
HOSTILE = 'ran"k\\ \x1b[31m\n<!channel> @everyone [here](http://x) $(touch pwned) `id` \ud800 é'
"""What a log may say of itself."""


def verdict(
    severity: Severity = Severity.FATAL,
    status: str = "firm",
    summary: str = "Rank 2 was killed",
    job: str = "4711",
    ranks: tuple[int, ...] = (2,),
) -> Verdict:
    return replace(
        analyses.killed(),
        severity=severity,
        status=status,
        summary=summary,
        job=job,
        culprits=Culprits(ranks=ranks, hosts=("node-7",)),
    )


def change(
    number: int = 1,
    kind: ChangeKind = ChangeKind.APPEARED,
    of: Verdict | None = None,
    before: Verdict | None = None,
    key: str = "f1",
    by: str | None = None,
) -> Change:
    return Change(number, AT, kind, key, of or verdict(), before, by)


def changes(count: int, kind: ChangeKind = ChangeKind.APPEARED) -> list[Change]:
    return [change(number, kind) for number in range(1, count + 1)]


def rank(number: int, state: str = "running", quiet: float | None = 1.0) -> RankVitals:
    return RankVitals(f"rank {number}", number, "node-7", state, 40, quiet)


def job(name: str = "4711", ranks: tuple[RankVitals, ...] = (), loss: float | None = 2.5) -> JobVitals:
    return JobVitals(name, 0, "training", None, 40, 100, None, 0.5, loss, (), 3e9, "allocated", ranks)


def snapshot(*jobs: JobVitals) -> Snapshot:
    return Snapshot(AT, Analysis((), (), ()), Vitals(jobs, sources=3, bytes=1000, lines=20, events=5))


def document(of: Change, _: Snapshot) -> dict[str, object]:
    """Stands for what the report makes of a change."""
    return {"number": of.number, "kind": of.kind.value, "summary": of.verdict.summary}


async def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Waits for something that another process does; fails where it does not happen."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        await asyncio.sleep(0.005)


@contextmanager
def forked_child() -> Iterator[None]:
    """A child that holds a copy of every descriptor of ours for a while, as one does that judges."""
    with warnings.catch_warnings():
        # The threads of a test runner do not matter to a child that does nothing.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        signal.pause()
        os._exit(0)
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
