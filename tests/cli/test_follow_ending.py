"""How ``analyze --follow`` ends: signals, statuses, streams that take nothing, and options that cannot be meant."""

import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.follower import PATIENCE, PROGRAM, ROOT, analysed, append, ended, following, job, raised

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="--follow needs a POSIX system")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_the_report_from_the_first_line_on(number: int, tmp_path: Path) -> None:
    job(tmp_path)
    with following(tmp_path, output="terminal") as it:
        it.until(lambda it: it.others)
        assert it.stop(number) == 0
    assert "Nothing wrong" in "".join(it.others)
    assert not it.errors


def test_a_second_ctrl_c_waits_for_nothing(tmp_path: Path) -> None:
    job(tmp_path)
    append(tmp_path / "rank_2.log", raised(2))
    with following(tmp_path, "--on-verdict", "sleep 600") as it:
        it.until_told("appeared")
        it.process.send_signal(signal.SIGINT)
        it.until(lambda it: it.of_type("ended"))
        assert it.stop() == 130


def test_exit_on_ends_it_with_one_document(tmp_path: Path) -> None:
    job(tmp_path)
    append(tmp_path / "rank_2.log", raised(2))
    done = ended("--follow", "--exit-on", "fatal", "--format", "json", tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stdout) == analysed(tmp_path)
    assert "FATAL [f1] Rank 2 raised TypeError" in done.stderr


def test_whoever_reads_leaves(tmp_path: Path) -> None:
    """``| head -1``: it ends by itself when it has something to say that nobody takes."""
    job(tmp_path)
    append(tmp_path / "rank_2.log", raised(2))
    command = [*PROGRAM, "--follow", "--format", "jsonl", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(PATIENCE) == 141
        assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    job(tmp_path)
    append(tmp_path / "rank_2.log", raised(2))
    for output in ("jsonl", "terminal"):
        with Path("/dev/full").open("wb") as full:
            command = [*PROGRAM, "--follow", "--exit-on", "fatal", "--format", output, str(tmp_path)]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=ROOT, timeout=PATIENCE, check=False)
        assert done.returncode == 2
        assert b"could" in done.stderr
        assert b"No space left on device" in done.stderr


def test_now_leaves_out_what_was_there(tmp_path: Path) -> None:
    job(tmp_path)
    append(tmp_path / "rank_2.log", raised(2))
    with following(tmp_path, "--since", "now") as it:
        it.until(lambda it: it.of_type("state"))
        append(tmp_path / "rank_1.log", raised(1))
        told = it.until_told("appeared")
        assert it.stop() == 1
    assert told["verdict"]["culprits"]["ranks"] == [1]
    (evidence,) = told["verdict"]["evidence"]
    assert evidence["line"] == 36
    assert [one["culprits"]["ranks"] for one in it.analysis["verdicts"]] == [[1]]


def test_ten_minutes_ago(tmp_path: Path) -> None:
    now = time.time()

    def stamped(ago: float, text: str) -> str:
        stamp = time.strftime("%Y-%m-%d %H:%M:%S,000", time.gmtime(now - ago))
        return "".join(f"{stamp} {line}\n" for line in text.splitlines())

    log = tmp_path / "rank_1.log"
    append(log, stamped(7200, raised(1, message="long ago")) + stamped(300, raised(1, message="just now")))
    with following(tmp_path, "--since", "10m") as it:
        assert "just now" in it.until_told("appeared")["verdict"]["summary"]
        it.stop()
    assert not any("long ago" in line["verdict"]["summary"] for line in it.changes())


@pytest.mark.parametrize(
    "arguments",
    [
        ["--since", "now"],
        ["--state", "x.state"],
        ["--webhook", "http://127.0.0.1:9/"],
        ["--exit-on", "fatal"],
        ["--follow", "--since", "yesterday"],
        ["--follow", "--webhook", "ftp://host/x"],
        ["--follow", "--metrics", "99999"],
        ["--follow", "--state", "rank_0.log"],
        ["--follow", "--state", "nowhere/x.state"],
        ["--follow", "--state", "."],
    ],
    ids=" ".join,
)
def test_what_cannot_be_meant_is_said_in_a_sentence(arguments: list[str], tmp_path: Path) -> None:
    job(tmp_path, [0])
    arguments = [str(tmp_path / one) if one in ("rank_0.log", "nowhere/x.state", ".") else one for one in arguments]
    before = (tmp_path / "rank_0.log").read_bytes()
    done = ended(*arguments, tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    (sentence,) = [line for line in done.stderr.splitlines() if line.startswith(("Error: ", "logsleuth: "))]
    assert any(str(one).lstrip("-") in sentence for one in arguments)
    assert (tmp_path / "rank_0.log").read_bytes() == before
    assert os.listdir(tmp_path) == ["rank_0.log"]  # noqa: PTH208


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = ended("--follow", "--metrics", port, tmp_path)
    assert done.returncode == 2
    assert f"127.0.0.1:{port}: Address already in use" in done.stderr
