"""Logs that several processes read give the answer that one gives, and a process that dies costs its log alone."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from logsleuth.drivers import cores, shared_reading
from logsleuth.drivers.batch import analyze_with
from logsleuth.drivers.reading import Read, read_source
from logsleuth.report.document import to_document
from tests.drivers.jobs import NAMES, PROGRAM, job, whole_answer

MAIN = os.getpid()


@pytest.fixture(autouse=True)
def always_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little there is to read."""
    monkeypatch.setattr(shared_reading, "ENOUGH_BYTES", 0)
    monkeypatch.setattr(shared_reading, "may_fork", lambda: True)


def answer(folder: Path, jobs: int) -> dict[str, Any]:
    return to_document(analyze_with(PROGRAM, [str(folder)], jobs=jobs))


def logs(folder: Path, ranks: int) -> Path:
    for rank in range(ranks):
        step = "".join(f"[rank{rank}]: step {at} loss: {rank + at}.5\n" for at in range(9))
        (folder / f"rank_{rank}.log").write_text(f"{step}[rank{rank}]: torch.OutOfMemoryError: CUDA out of memory.\n")
    return folder


def on_reading(monkeypatch: pytest.MonkeyPatch, path: str, happens: Callable[[], None]) -> list[str]:
    """Lets something happen whenever another process reads the log; gives what this process reads."""
    read_here: list[str] = []

    def reads(number: int, source: Any, *arguments: Any, **options: Any) -> Read:
        if os.getpid() == MAIN:
            read_here.append(source.path)
        elif source.path.endswith(path):
            happens()
        return read_source(number, source, *arguments, **options)

    monkeypatch.setattr(shared_reading, "read_source", reads)
    return read_here


def counting_forks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that are begun from now on."""
    begun: list[int] = []
    fork = os.fork

    def forking() -> int:
        pid = fork()
        if pid:
            begun.append(pid)
        return pid

    monkeypatch.setattr(os, "fork", forking)
    return begun


def all_have_ended(begun: list[int]) -> bool:
    """Whether there were any, and nobody has to wait for one of them any more."""
    for pid in begun:
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
    return len(begun) > 1


@pytest.mark.parametrize("name", NAMES)
def test_however_many_read_the_answer_is_the_same(simulated: Path, name: str) -> None:
    folder = job(name, simulated)
    assert answer(folder, 2) == whole_answer(folder)
    assert answer(folder, 3) == whole_answer(folder)


def test_logs_are_read_by_other_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_here = on_reading(monkeypatch, "", lambda: None)
    whole = answer(logs(tmp_path, 5), 2)
    assert read_here == []
    assert whole == answer(tmp_path, 1)
    assert len(read_here) == 5


def test_few_small_logs_are_read_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    read_here = on_reading(monkeypatch, "", lambda: None)
    answer(logs(tmp_path, 5), 2)
    assert len(read_here) == 5


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def without_memory() -> None:
    raise MemoryError


@pytest.mark.parametrize(("happens", "how"), [(killed, "was ended by SIGKILL"), (without_memory, "ran out of memory")])
def test_a_log_on_which_every_process_dies_is_told_and_all_others_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, happens: Callable[[], None], how: str
) -> None:
    on_reading(monkeypatch, "rank_3.log", happens)
    analysis = analyze_with(PROGRAM, [str(logs(tmp_path, 9))], jobs=2)
    (lost,) = [one for one in analysis.inputs if one.problems]
    assert lost.source.endswith("rank_3.log")
    assert lost.problems[0].fatal
    assert how in lost.problems[0].text
    assert [one.lines for one in analysis.inputs if one is not lost] == [10] * 8
    assert (0, 1, 2, 4, 5, 6, 7, 8) in [verdict.culprits.ranks for verdict in analysis.verdicts]


def test_a_log_on_which_a_process_dies_once_is_read_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs(tmp_path, 9)
    whole = answer(tmp_path, 1)
    marker = tmp_path.parent / f"{tmp_path.name}.died"

    def once() -> None:
        if not marker.exists():
            marker.touch()
            killed()

    on_reading(monkeypatch, "rank_3.log", once)
    assert answer(tmp_path, 2) == whole
    assert marker.exists()


def test_a_defect_shows_as_if_one_process_had_read_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reads(number: int, *arguments: Any, **options: Any) -> Read:
        if number == 3:
            raise ZeroDivisionError
        return read_source(number, *arguments, **options)

    monkeypatch.setattr(shared_reading, "read_source", reads)
    begun = counting_forks(monkeypatch)
    with pytest.raises(ZeroDivisionError):
        answer(logs(tmp_path, 9), 2)
    assert all_have_ended(begun)


def test_where_no_process_can_be_begun_this_one_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise BlockingIOError

    whole = answer(logs(tmp_path, 5), 1)
    monkeypatch.setattr(os, "fork", fork)
    assert answer(tmp_path, 2) == whole


def test_ctrl_c_ends_all_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        os.kill(MAIN, signal.SIGINT)
        signal.pause()

    on_reading(monkeypatch, "rank_3.log", interrupted)
    begun = counting_forks(monkeypatch)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            answer(logs(tmp_path, 9), 2)
    finally:
        signal.signal(signal.SIGINT, before)
    assert all_have_ended(begun)


def test_progress_is_told_of_every_log(tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    logs(tmp_path, 5)
    analyze_with(PROGRAM, [str(tmp_path)], jobs=2, follow=lambda _: lambda source, done: told.append((source, done)))
    assert sorted(source for source, done in told if done is None) == list(range(5))


def test_archives_are_read_beside_them(tmp_path: Path) -> None:
    import tarfile

    folder = logs(tmp_path, 6)
    with tarfile.open(folder / "more.tar.gz", "w:gz") as archive:
        for rank in (1, 2):
            archive.add(folder / f"rank_{rank}.log", f"rank_{rank + 5}.log")
    assert answer(folder, 3) == answer(folder, 1)


@pytest.mark.parametrize(
    ("limits", "granted"),
    [
        ({"cpu.max": "max 100000"}, None),
        ({"cpu.max": "150000 100000"}, 2),
        ({"job/step/cpu.max": "max 100000", "job/cpu.max": "100000 100000"}, 1),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, None),
        ({"cpu/cpu.cfs_quota_us": "100000", "cpu/cpu.cfs_period_us": "100000"}, 1),
    ],
)
def test_a_container_may_grant_fewer_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: dict[str, str], granted: int | None
) -> None:
    for path, text in limits.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"{text}\n")
    (tmp_path / "own").write_text("0::/job/step\n")
    monkeypatch.setattr(cores, "_GROUPS", tmp_path)
    monkeypatch.setattr(cores, "_OWN_GROUP", tmp_path / "own")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert cores.usable_cores() == (granted or 8)
