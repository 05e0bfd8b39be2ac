"""``analyze --follow`` as a process: what is told while logs are written, and what in the end."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.follower import analysed, append, following, job, labelled, lost_peer, raised, steps

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


def test_a_symptom_gives_way_to_the_root_that_comes_later(tmp_path: Path) -> None:
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
    assert it.standing == {"process.uncaught_exception"}


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


def test_where_nothing_ever_came_there_is_no_answer(tmp_path: Path) -> None:
    with following(tmp_path / "never.log") as it:
        it.until(lambda it: it.lines)
        assert it.stop() == 2
    assert it.lines[-1]["exit_status"] == 2


def test_a_rotated_log_is_one_log(tmp_path: Path) -> None:
    renamed, copied = tmp_path / "rank_2.log", tmp_path / "rank_1.log"
    job(tmp_path)
    with following(tmp_path) as it:
        it.until_read(120)
        renamed.rename(tmp_path / "rank_2.log.1")
        text = raised(2)
        append(renamed, text[:200])
        append(copied, steps(1, 30, 30))
        shutil.copy2(copied, tmp_path / "rank_1.log.1")
        os.truncate(copied, 0)
        append(copied, steps(1, 5, 60))
        append(renamed, text[200:])
        it.until_told("appeared")
        assert it.stop() == 1
    assert it.analysis == analysed(tmp_path)


def test_what_is_lost_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    job(tmp_path)
    cut, gone, folder = (tmp_path / f"rank_{rank}.log" for rank in (0, 1, 3))
    with following(tmp_path) as it:
        it.until_read(120)
        os.truncate(cut, 0)
        append(cut, steps(0, 3, 30))
        gone.unlink()
        folder.unlink()
        folder.mkdir()
        problems = ("truncated", "deleted", "become a folder")
        it.until(lambda it: all(any(one in text for text in it.problems) for one in problems))
        append(gone, raised(1))
        told = it.until_told("appeared")
        assert it.stop() == 1
    assert told["verdict"]["culprits"]["ranks"] == [1]
    assert it.of_type("trouble") == []


def test_a_tree_that_is_deleted_and_made_anew(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    job(logs / "node")
    with following(logs) as it:
        it.until_read(120)
        shutil.rmtree(logs)
        job(logs / "node")
        append(logs / "node" / "rank_2.log", raised(2))
        it.until_told("appeared")
        assert it.stop() == 1
    assert [one["culprits"]["ranks"] for one in it.analysis["verdicts"]] == [[2]]


def test_standard_input_that_ends(tmp_path: Path) -> None:
    with following("-", stdin=subprocess.PIPE) as it:
        assert it.process.stdin is not None
        it.process.stdin.write("".join(labelled(rank, steps(rank)) for rank in range(4)).encode())
        it.process.stdin.write(raised(2).encode())
        it.process.stdin.flush()
        assert it.until_told("appeared")["verdict"]["culprits"]["ranks"] == [2]
        it.process.stdin.close()
        assert it.status() == 1
    assert it.analysis["verdicts"][0]["culprits"]["ranks"] == [2]


def test_a_pipe_that_has_a_name(tmp_path: Path) -> None:
    pipe = tmp_path / "all.log"
    os.mkfifo(pipe)
    with following(pipe) as it:
        it.until(lambda it: it.lines)
        with pipe.open("wb", buffering=0) as writer:
            writer.write(labelled(0, steps(0)).encode())
            it.until_read(30)
        assert it.status() == 0


def test_escapes_in_a_log_do_not_reach_the_terminal(tmp_path: Path) -> None:
    job(tmp_path)
    append(tmp_path / "rank_2.log", raised(2, message="\x1b]0;gone\x07\x1b[2J\x9b31m\u202e here \x00\r it is"))
    with following(tmp_path, output="terminal") as it:
        it.until(lambda it: any("FATAL" in line for line in it.others))
        assert it.stop() == 1
    assert {sign for sign in "".join(it.others) if not sign.isprintable()} == {"\n"}


def test_bytes_that_are_no_text_and_utf_16(tmp_path: Path) -> None:
    job(tmp_path, [0, 1])
    wide = (labelled(2, steps(2)) + raised(2)).encode("utf-16")
    (tmp_path / "rank_2.log").write_bytes(wide[:101])
    with following(tmp_path) as it:
        it.until_read(60)
        with (tmp_path / "rank_1.log").open("r+b") as hole:
            hole.seek(1_000_000)
            hole.write(b"\n" + steps(1, 1, 30).encode())
        append(tmp_path / "rank_2.log", wide[101:700])
        append(tmp_path / "rank_2.log", wide[700:])
        it.until_told("appeared")
        assert it.stop() == 1
    assert it.analysis == analysed(tmp_path)
