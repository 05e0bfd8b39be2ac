"""``analyze --follow`` and what is around it: alerts, metrics, the state file, limits of the system, and kill -9."""

import contextlib
import json
import os
import random
import resource
import signal
import socket
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.alerts.receiver import Receiver, says
from tests.cli.follower import (
    PATIENCE,
    Follower,
    Line,
    analysed,
    append,
    children,
    ended,
    following,
    job,
    labelled,
    raised,
    steps,
)

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="--follow needs a POSIX system")


def test_a_command_a_webhook_that_is_down_at_first_and_metrics(tmp_path: Path) -> None:
    logs, told = tmp_path / "logs", tmp_path / "told"
    job(logs)
    append(logs / "rank_2.log", raised(2))
    receiver = Receiver(says(503), says(200))
    port = _free_port()
    with (
        receiver.serving(),
        following(
            logs, "--on-verdict", f"cat >>{told}; exit 3", "--webhook", receiver.url + "/hidden", "--metrics", port
        ) as it,
    ):
        it.until_told("appeared")
        it.until(lambda it: len(it.of_type("trouble")) == 2)
        _until(lambda: len(receiver.requests) == 2)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as page:
            metrics = page.read().decode()
        assert it.stop() == 1
    assert 'logsleuth_verdicts{severity="fatal"} 1' in metrics
    assert json.loads(told.read_text())["change"] == "appeared"
    assert len({request.body for request in receiver.requests}) == 1
    assert json.loads(receiver.requests[-1].body)["verdict"]["culprits"]["ranks"] == [2]
    troubles = " ".join(line["text"] for line in it.of_type("trouble"))
    assert "exit status 3" in troubles
    assert "503" in troubles
    assert "hidden" not in troubles
    assert not it.errors


def test_a_judgement_that_is_killed_is_made_again(tmp_path: Path) -> None:
    job(tmp_path)
    with following(tmp_path) as it:
        it.until_read(120)
        append(tmp_path / "rank_2.log", raised(2))
        _until(lambda: _killed(it))
        it.until(lambda it: it.of_type("trouble"))
        it.until_told("appeared")
        assert it.stop() == 1
    assert "SIGKILL" in it.of_type("trouble")[0]["text"]


def test_more_logs_than_files_may_be_open(tmp_path: Path) -> None:
    for rank in range(200):
        append(tmp_path / f"rank_{rank}.log", steps(rank, 3))

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    with following(tmp_path, preexec_fn=few) as it:
        it.until_read(600)
        append(tmp_path / "rank_150.log", raised(150))
        it.until_told("appeared")
        assert it.stop() == 1
    assert it.analysis == analysed(tmp_path)
    assert not it.of_type("trouble", "input")


def test_a_state_file_that_cannot_be_written_ends_nothing(tmp_path: Path) -> None:
    logs = job(tmp_path / "logs")

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

    with following(logs, "--state", tmp_path / "state", preexec_fn=small) as it:
        append(logs / "rank_2.log", raised(2))
        it.until_told("appeared")
        it.until(lambda it: it.of_type("trouble"))
        assert it.stop() == 1
    assert "File too large" in it.of_type("trouble")[0]["text"]


def test_two_with_one_state_file(tmp_path: Path) -> None:
    logs, state = job(tmp_path / "logs"), tmp_path / "state"
    with following(logs, "--state", state) as it:
        it.until(lambda it: it.lines)
        other = ended("--follow", logs, "--state", state)
        assert it.stop() == 0
    assert (other.returncode, other.stdout) == (2, "")
    assert f"Another logsleuth follows with the state file {state}" in other.stderr


@pytest.mark.parametrize("seed", [1])
def test_killed_at_any_moment_nothing_is_lost_and_little_is_told_twice(seed: int, tmp_path: Path) -> None:
    """Jobs fail one after another, and old files go when their failures were told. Only between telling and writing it
    down, which is a moment, a kill may make something be told again."""
    chance, logs, state = random.Random(seed), tmp_path / "logs", tmp_path / "state"
    told = _Told()
    jobs = 5
    for number in range(jobs):
        with following(logs, "--state", state) as it:
            told.is_gone_on_with(it)
            folder = logs / f"slurm-{4710 + number}"
            _fail(folder, number, chance)
            if chance.random() < 0.6:
                it.until(partial(_has_appeared, f"fault {number}"))
                if chance.random() < 0.5:
                    (folder / "rank_1.log.1").unlink(missing_ok=True)
            else:
                time.sleep(chance.random())  # It may be killed anywhere.
            it.process.kill()
            it.status()
        told.take(it)
    before = set(told.appeared)
    with following(logs, "--state", state) as it:
        told.is_gone_on_with(it)
        it.until(lambda it: len(before.union(_appeared(it))) == jobs)
        assert it.stop() == 1
    told.take(it)
    assert sorted(set(told.appeared)) == [f"fault {number}" for number in range(jobs)]
    assert {fault for fault in told.appeared if told.appeared.count(fault) > 1} <= told.not_written
    assert sorted(_fault(one) for one in it.analysis["verdicts"]) == sorted(set(told.appeared))


class _Told:
    """What was told by followers that were killed one after another."""

    def __init__(self) -> None:
        self.appeared: list[str] = []
        self.not_written: set[str] = set()
        """What was told when its follower was killed before it could write it down."""
        self._held: dict[str, str] = {}
        self._last: set[str] = set()
        """Keys of what was told at last, at one moment."""

    def take(self, it: Follower) -> None:
        changes = it.changes("appeared")
        self.appeared += _appeared(it)
        self._held |= {line["key"]: _fault(line["verdict"]) for line in changes}
        self._last = {line["key"] for line in changes if line["at"] == changes[-1]["at"]}

    def is_gone_on_with(self, it: Follower) -> None:
        """The next one knows all that was told, but for what was told in the moment before the kill."""
        it.until(lambda it: it.lines)
        said = {one["key"]: _fault(one["verdict"]) for one in it.lines[0]["standing"]}
        assert said.items() <= self._held.items()
        missing = self._held.keys() - said.keys()
        assert missing <= self._last
        self.not_written.update(self._held.pop(key) for key in missing)
        assert it.lines[0]["resumed"] or not said


def _fail(folder: Path, number: int, chance: random.Random) -> None:
    """A job of two ranks that fails; its log may be rotated in the midst of that."""
    for rank in range(2):
        append(folder / f"rank_{rank}.log", labelled(rank, steps(rank, 20)))
    log, text = folder / "rank_1.log", raised(1, message=f"fault {number}")
    append(log, text)
    if chance.random() < 0.7:
        log.rename(folder / "rank_1.log.1")
        append(log, "bye\n")


def _has_appeared(fault: str, it: Follower) -> bool:
    return fault in _appeared(it)


def _appeared(it: Follower) -> list[str]:
    return [_fault(line["verdict"]) for line in it.changes("appeared")]


def _fault(verdict: Line) -> str:
    return str(verdict["summary"]).rpartition(": ")[2]


def _killed(it: Follower) -> bool:
    """Kills what judges, where it does."""
    found = children(it.process.pid)
    for child in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    return bool(found)


def _until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.002)


def _free_port() -> str:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])
