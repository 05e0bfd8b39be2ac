"""Logs that the workers of a real cluster read: processes on this machine, which give what reading here gives."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import dask
import distributed
import pytest
from distributed import Client, LocalCluster

from logsleuth.drivers import cluster, shares
from logsleuth.drivers.batch import analyze_with
from logsleuth.drivers.cluster import read_on_cluster
from logsleuth.drivers.hints import Hints
from logsleuth.drivers.tracing import ask_why_not
from logsleuth.ingest.rank_from import compiled
from logsleuth.model.analysis import Analysis, Problem
from logsleuth.model.cluster import ClusterError
from tests.drivers import trouble
from tests.drivers.jobs import FIXTURES, NAMES, PROGRAM, job

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="workers are killed as Windows has no way to"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
WORKERS = 3
JOB = FIXTURES / "process/killed/one_of_four"


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a scheduler whose workers have trouble with some logs, and may die twice over one of them."""
    settings = {"distributed.scheduler.allowed-failures": 1, "distributed.deploy.lost-worker-timeout": "1 day"}
    with (
        dask.config.set(settings),
        LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, dashboard_address="127.0.0.1:0", preload=[trouble.__name__]
        ) as workers,
    ):
        yield workers.scheduler_address


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every log is read by itself, so that those of a small job go to all workers."""
    monkeypatch.setattr(shares, "MOST_LOGS", 1)


def on_cluster(scheduler: str | None, *paths: Path | str, **others: Any) -> Analysis:
    reads = partial(read_on_cluster, scheduler=scheduler)
    return analyze_with(PROGRAM, [str(path) for path in paths], reads=reads, **others)


def here(*paths: Path | str, **others: Any) -> Analysis:
    return analyze_with(PROGRAM, [str(path) for path in paths], **others)


def copied(folder: Path, **more: str) -> Path:
    """The logs of a job whose rank 2 was killed, with copies of one of them under other names."""
    shutil.copytree(JOB, folder / "job")
    (one,) = (folder / "job").glob("*")
    text = one.read_text()
    for name in more.values():
        (folder / "job" / name).write_text(text.splitlines(keepends=True)[0] + f"said in {name} alone\n")
    return folder / "job"


@pytest.mark.usefixtures("one_by_one")
@pytest.mark.parametrize("name", NAMES[:: max(len(NAMES) // 24, 1)])
def test_a_cluster_gives_the_answer_of_one_process(scheduler: str, simulated: Path, name: str) -> None:
    folder = job(name, simulated)
    assert on_cluster(scheduler, folder) == here(folder)


@pytest.mark.usefixtures("one_by_one")
def test_workers_that_are_started_here_give_it_too() -> None:
    assert on_cluster(None, JOB) == here(JOB)


def test_several_logs_are_read_at_a_time(scheduler: str, simulated: Path) -> None:
    folder = job("file-per-rank", simulated)
    assert on_cluster(scheduler, folder) == here(folder)


@pytest.mark.usefixtures("one_by_one")
def test_what_a_dead_worker_was_reading_is_read_by_another(scheduler: str, tmp_path: Path) -> None:
    folder = copied(tmp_path, slow="slow.log")
    killed = threading.Thread(target=_kill_reader, args=(folder / trouble.MARK,))
    killed.start()
    analysis = on_cluster(scheduler, folder / "slow.log", *sorted(folder.glob("*")))
    killed.join()
    (folder / trouble.MARK).unlink()
    assert analysis == here(folder)
    assert analysis.verdicts


@pytest.mark.usefixtures("one_by_one")
def test_what_a_worker_read_and_did_not_send_before_it_died_is_read_by_another(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(tmp_path)
    monkeypatch.setattr(distributed, "as_completed", Lost)
    monkeypatch.setattr(Lost, "is_due", True)
    analysis = on_cluster(scheduler, folder)
    assert not Lost.is_due, "nobody was killed"
    assert analysis == here(folder)


class Lost(distributed.as_completed):  # type: ignore[misc]  # distributed has no types
    """Kills the worker that has the first result, before anybody can ask for it."""

    is_due = False

    def __next__(self) -> distributed.Future:
        future: distributed.Future = super().__next__()
        if Lost.is_due:
            Lost.is_due = False
            ((holder,),) = future.client.who_has([future]).values()
            (pid,) = future.client.run(os.getpid, workers=[holder]).values()
            os.kill(pid, signal.SIGKILL)
            until = time.monotonic() + 60
            while future.status == "finished" and time.monotonic() < until:
                time.sleep(0.001)
        return future


def _kill_reader(mark: Path) -> None:
    os.kill(int(_when_there(mark)), signal.SIGKILL)


def _when_there(mark: Path) -> str:
    """What a file holds once it holds a line."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if mark.exists() and (text := mark.read_text()).endswith("\n"):
            return text
        time.sleep(0.01)
    raise TimeoutError(mark)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "deadly.log",
            "Nothing could be read: all workers that read it died, one after the other, perhaps for want of memory; "
            "their logs tell more.",
        ),
        (
            "failing.log",
            "Nothing could be read: workers failed at it (RuntimeError: the worker has a defect); please report it.",
        ),
    ],
)
def test_a_log_that_ends_its_workers_is_lost_alone(scheduler: str, tmp_path: Path, name: str, why: str) -> None:
    folder = copied(tmp_path, of_trouble=name)
    analysis = on_cluster(scheduler, folder)
    (lost,) = (one for one in analysis.inputs if one.problems)
    assert (lost.source, lost.problems) == (str(folder / name), [Problem(why, fatal=True)])
    (folder / name).unlink()
    alone = here(folder)
    assert analysis.verdicts == alone.verdicts
    assert [one for one in analysis.inputs if one is not lost] == list(alone.inputs)


def test_a_log_that_workers_do_not_see_is_told_as_a_mistake(scheduler: str, tmp_path: Path) -> None:
    folder = copied(tmp_path, unseen="unseen.log")
    with pytest.raises(ClusterError, match=r"does not see .*/unseen\.log, which is there on this machine\. Workers"):
        on_cluster(scheduler, folder)


def test_a_log_that_is_gone_by_then_is_told_as_ever(scheduler: str, tmp_path: Path) -> None:
    folder = copied(tmp_path, gone="unseen.log")

    def reads(*asked: Any) -> Any:
        (folder / "unseen.log").unlink()
        return read_on_cluster(*asked, scheduler=scheduler)

    analysis = analyze_with(PROGRAM, [str(folder)], reads=reads)
    (lost,) = (one for one in analysis.inputs if one.problems)
    assert lost.problems == [Problem("Nothing could be read: No such file or directory.", fatal=True)]
    assert analysis.verdicts == here(folder).verdicts


def test_workers_of_another_version_are_told_as_a_mistake(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "__version__", "99.0")
    with pytest.raises(ClusterError, match=r"^The scheduler has logsleuth \S+\. Install logsleuth 99\.0, as it"):
        on_cluster(scheduler, JOB)


def test_paths_are_those_of_this_process(scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(JOB, tmp_path / "job")
    monkeypatch.chdir(tmp_path)
    analysis = on_cluster(scheduler, "job")
    assert analysis == here("job")
    assert analysis.verdicts[0].evidence[0].source.startswith("job/")


def test_what_only_this_process_can_open_is_read_here_and_told(scheduler: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    packed = Path(shutil.make_archive(str(tmp_path / "job"), "gztar", folder))
    (folder / "more.log").write_text("rank 3 has more to say\n")
    expected = here(packed, folder / "more.log")
    (member,) = (one.source for one in expected.inputs if "!" in one.source)
    note = (
        "Not read by workers but here, because only this process can open it (standard input, pipes, members of "
        f"archives): {member}."
    )
    analysis = on_cluster(scheduler, packed, folder / "more.log")
    assert analysis == replace(expected, notes=(*expected.notes, note))


def test_a_log_in_pieces_and_parts_of_a_file_are_read_elsewhere(scheduler: str, tmp_path: Path) -> None:
    lines = next(JOB.glob("*")).read_text().splitlines(keepends=True)
    (tmp_path / "all.log.1").write_text("".join(lines[:50]))
    (tmp_path / "all.log").write_text("".join(lines[50:]))
    (tmp_path / "two").write_text("==> rank_0.log <==\nfirst\n\n==> rank_1.log <==\nsecond\n")
    analysis = on_cluster(scheduler, tmp_path)
    assert analysis == here(tmp_path)
    assert not analysis.notes


def test_hints_hold_and_reasons_are_told(scheduler: str, tmp_path: Path) -> None:
    for rank in range(2):
        (tmp_path / f"w{rank}.log").write_text(f"hello from {rank}\n")
    hints = Hints(compiled(r"w(?P<rank>\d)"))
    assert on_cluster(scheduler, tmp_path, hints=hints) == here(tmp_path, hints=hints)
    reads = partial(read_on_cluster, scheduler=scheduler)
    asked = ask_why_not(PROGRAM, [str(JOB)], ["host-oom"], reads=reads)
    assert asked == ask_why_not(PROGRAM, [str(JOB)], ["host-oom"])
    assert asked.why_not


def test_nothing_to_read_is_nothing_to_wait_for(scheduler: str, tmp_path: Path) -> None:
    assert on_cluster(scheduler, tmp_path) == here(tmp_path)


def test_the_file_of_a_scheduler_names_it(scheduler: str, tmp_path: Path) -> None:
    (tmp_path / "scheduler.json").write_text(f'{{"address": "{scheduler}"}}')
    assert on_cluster(str(tmp_path / "scheduler.json"), JOB) == here(JOB)


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:9", "pigeon://127.0.0.1:8786", "head", "tcp://head:port", "missing.json"]
)
def test_a_scheduler_that_is_not_there_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with pytest.raises(ClusterError, match=rf"^The scheduler at {address} cannot be reached: .+\. Check the address"):
        on_cluster(address, JOB)


def test_a_file_that_no_scheduler_wrote_is_told(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(ClusterError, match="it is no file that a scheduler wrote"):
        on_cluster(str(tmp_path / "other.json"), JOB)


def test_a_missing_package_is_told_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    with pytest.raises(ClusterError, match=r"pip install 'logsleuth\[dask\]'"):
        on_cluster(None, JOB)


def test_a_cluster_without_workers_is_waited_for() -> None:
    told: list[str] = []
    with LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address="127.0.0.1:0") as later:

        def say(text: str) -> None:
            told.append(text)
            later.scale(1)

        reads = partial(read_on_cluster, scheduler=later.scheduler_address, say=say)
        assert analyze_with(PROGRAM, [str(JOB)], reads=reads) == here(JOB)
    assert told == ["the scheduler has no worker yet; waiting for one. Ctrl-C ends that."]


@pytest.mark.parametrize("is_own", [False, True], ids=["their workers", "our workers"])
def test_an_interrupt_ends_it(scheduler: str, tmp_path: Path, is_own: bool) -> None:
    folder = copied(tmp_path, slow="slow.log")
    whose = ["--engine", "dask"] if is_own else ["--scheduler", scheduler]
    words = [sys.executable, "-m", "logsleuth", "analyze", "--no-local-rules", *whose, str(folder)]
    environment = {**os.environ, "DASK_DISTRIBUTED__WORKER__PRELOAD": trouble.__name__}
    running = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, env=environment
    )
    try:
        reader = int(_when_there(folder / trouble.MARK))
        os.killpg(running.pid, signal.SIGINT)  # As a terminal does: the workers that it started are told, too.
        out, error = running.communicate(timeout=60)
    finally:
        running.kill()
    assert (running.returncode, out, error) == (130, "", "\n")
    if not is_own:
        with Client(scheduler, set_as_default=False) as client:
            _until(lambda: not _busy(client))
        os.kill(reader, signal.SIGKILL)  # Nobody else can end what sleeps.


def _busy(client: Client) -> bool:
    return any(client.processing().values())


def _until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)
