"""``analyze --follow`` as a process: what is told while logs are written, and what in the end."""

import shutil
import signal
from pathlib import Path

import pytest

from tests.cli.follower import analysed, append, following, job, lost_peer, raised, steps

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="--follow needs a POSIX system")


def test_a_failure_is_told_while_the_log_still_grows(tmp_path: Path) -> None:
    job(tmp_path)
    with following(tmp_path) as it:
        it.until_read(120)
        assert not it.changes()
        append(tmp_path / "rank_2.log", raised(2))
        told = it.until_told("appeared")
        assert told["verdict"]["culprits"]["ranks"] == [2]
        append(tmp_path / "rank_0.log", steps(0, 5, 30))
        assert it.stop() == 1
    assert len(it.changes("appeared")) == 1
    assert it.analysis == analysed(tmp_path)
    assert not it.errors


def test_a_symptom_is_taken_over_by_the_root_that_comes_later(tmp_path: Path) -> None:
    job(tmp_path)
    for rank in (0, 1, 3):
        append(tmp_path / f"rank_{rank}.log", lost_peer(rank))
    with following(tmp_path) as it:
        symptom = it.until_told("appeared")
        append(tmp_path / "rank_2.log", raised(2))
        it.until(lambda it: any(line["verdict"]["culprits"]["ranks"] == [2] for line in it.changes()))
        assert it.stop(signal.SIGTERM) == 1
    assert symptom["verdict"]["rule"] != "process.uncaught_exception"
    roots = [one for one in it.analysis["verdicts"] if one["role"] == "root"]
    assert [one["rule"] for one in roots] == ["process.uncaught_exception"]
    assert it.analysis == analysed(tmp_path)


def test_new_files_and_folders_join_and_what_does_not_exist_is_waited_for(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    with following(logs, tmp_path / "*.out") as it:
        it.until(lambda it: it.lines)
        job(logs / "attempt_0", [0, 1])
        it.until_read(60)
        job(logs, [2])
        append(tmp_path / "slurm.out", raised(2))
        told = it.until_told("appeared")
        assert it.stop() == 1
    assert told["verdict"]["culprits"]["ranks"] == [2]
    assert it.analysis == analysed(logs, tmp_path / "slurm.out")


def test_a_rotated_log_is_one_log(tmp_path: Path) -> None:
    log = tmp_path / "rank_2.log"
    job(tmp_path)
    with following(tmp_path) as it:
        it.until_read(120)
        log.rename(tmp_path / "rank_2.log.1")
        text = raised(2)
        append(log, text[:200])
        copied = tmp_path / "rank_1.log"
        append(copied, steps(1, 30, 30))
        it.until_read(150)
        shutil.copy(copied, tmp_path / "rank_1.log.1")
        with copied.open("r+b") as cut:
            cut.truncate(0)
        append(copied, steps(1, 5, 60))
        append(log, text[200:])
        it.until_told("appeared")
        it.stop()
    assert it.analysis == analysed(tmp_path)


def test_what_is_lost_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    job(tmp_path)
    cut, gone, folder = (tmp_path / f"rank_{rank}.log" for rank in (0, 1, 3))
    with following(tmp_path) as it:
        it.until_read(120)
        with cut.open("r+b") as file:
            file.truncate(0)
        append(cut, steps(0, 3, 30))
        gone.unlink()
        folder.unlink()
        folder.mkdir()
        problems = ("truncated", "deleted", "folder")
        it.until(
            lambda it: all(any(word in line["problem"]["text"] for line in it.of_type("input")) for word in problems)
        )
        append(gone, raised(1))
        told = it.until_told("appeared")
        assert it.stop() == 1
    assert told["verdict"]["culprits"]["ranks"] == [1]
