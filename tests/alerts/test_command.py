"""Commands that read, fail, hang, print, and start others."""

import asyncio
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from logsleuth.alerts.command import MOST_OUTPUT, Command
from logsleuth.alerts.courier import Tally
from logsleuth.model.change import Change
from tests.alerts.changes import HOSTILE, change, changes, document, forked_child, snapshot, until, verdict


class _Run:
    """What came of a command after so many changes."""

    def __init__(self, text: str, *told_of: Change, limit: float = 60.0, patience: float = 30.0, grace: float = 1.0):
        self.troubles: list[str] = []
        self.said: list[str] = []
        self._text, self._changes, self._limit, self._patience, self._grace = text, told_of, limit, patience, grace
        self.tally = asyncio.run(self._run())

    async def _run(self) -> Tally:
        command = Command(
            self._text, document, self.troubles.append, self.said.append, limit=self._limit, grace=self._grace
        )
        before = time.monotonic()
        command.heard(snapshot(), self._changes)
        assert time.monotonic() - before < 5
        await command.close(self._patience)
        return command.tally


def test_a_command_gets_the_change_by_input_and_environment(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    run = _Run(f'cat >> {seen}; echo "$LOGSLEUTH_CHANGE $LOGSLEUTH_KEY $LOGSLEUTH_JOB"', *changes(3))
    documents = [json.loads(line) for line in seen.read_text().splitlines()]
    assert [one["number"] for one in documents] == [1, 2, 3]
    assert documents[0]["text"].startswith("FATAL: Rank 2 was killed")
    assert run.said == ["appeared f1 4711"] * 3
    assert run.troubles == []
    assert run.tally == Tally(3, 0, 0, 0)


def test_a_log_cannot_make_the_shell_do_anything(tmp_path: Path) -> None:
    run = _Run(f'cd {tmp_path}; echo "$LOGSLEUTH_SUMMARY"; cat', change(of=verdict(summary=HOSTILE)))
    assert list(tmp_path.iterdir()) == []
    assert "$(touch pwned)" in run.said[0]
    assert all(line.isprintable() for line in run.said)
    assert json.loads(run.said[1])["summary"] == HOSTILE


def test_a_command_that_does_not_read_does_no_harm() -> None:
    run = _Run("true", *[change(number, of=verdict(summary="x" * 1_000_000)) for number in (1, 2)])
    assert run.tally == Tally(2, 0, 0, 0)
    assert run.troubles == []


def test_each_kind_of_failure_is_told_once_with_the_last_words() -> None:
    run = _Run('echo "no route: $LOGSLEUTH_NUMBER" >&2; exit $((4 + (LOGSLEUTH_NUMBER == 3)))', *changes(4))
    assert run.troubles == [
        "--on-verdict: the command ended with exit status 4 (no route: 1) for change 1; it is run again for the next one",
        "--on-verdict: the command ended with exit status 5 (no route: 3) for change 3; it is run again for the next one",
        "--on-verdict: of 4 changes 4 failed",
    ]


def test_a_command_that_is_not_there_is_told_of() -> None:
    run = _Run("nothing-of-this-name", change())
    assert "ended with exit status 127 (" in run.troubles[0]
    assert "nothing-of-this-name" in run.troubles[0]


def test_a_command_that_a_signal_ends_is_told_of() -> None:
    assert "was ended by signal 9" in _Run("kill -KILL $$", change()).troubles[0]


def test_a_command_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    # Neither the shell nor its child minds a SIGTERM.
    run = _Run(
        f"trap '' TERM; sleep 1000 & echo $! $$ > {pids}; while :; do sleep 1000; done", change(), limit=0.5, grace=0.1
    )
    assert "took longer than 0.5 s and was ended" in run.troubles[0]
    for pid in pids.read_text().split():
        assert _goes(int(pid))


def test_a_hanging_command_holds_up_neither_hearing_nor_the_end(tmp_path: Path) -> None:
    pids = tmp_path / "pids"

    async def run() -> None:
        troubles: list[str] = []
        command = Command(f"echo $$ > {pids}; exec sleep 1000", document, troubles.append, print)
        command.heard(snapshot(), [change(1)])
        await until(lambda: pids.exists() and pids.read_text().endswith("\n"))
        command.heard(snapshot(), [change(2)])
        await command.close(0.01)
        assert troubles == ["--on-verdict: of 2 changes 2 not delivered in time"]

    asyncio.run(run())
    assert _goes(int(pids.read_text()))


def test_output_is_passed_on_as_lines_and_bounded() -> None:
    run = _Run("yes 0123456789abcde | head -c 3000000; printf end", change())
    assert run.tally == Tally(1, 0, 0, 0)
    *lines, rest = run.said
    assert set(lines) == {"0123456789abcde"}
    assert len(lines) == MOST_OUTPUT // 16
    assert rest == f"({3_000_003 - MOST_OUTPUT:,} more bytes are not shown)"


def test_a_line_without_an_end_and_colours_are_passed_on_as_text() -> None:
    assert _Run(r"printf 'one\n\033[31mtwo'; printf '\377' >&2", change()).said == ["one", " [31mtwo\ufffd"]


def test_what_a_command_leaves_behind_is_not_waited_for(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    run = _Run(f"sleep 1000 & echo $! > {pids}; echo said", change(), limit=1000)
    left = int(pids.read_text())
    assert not _is_gone(left)
    os.kill(left, signal.SIGKILL)
    assert run.said == ["said"]
    assert run.tally == Tally(1, 0, 0, 0)


def test_a_command_has_a_session_of_its_own_and_not_our_input() -> None:
    program = "import os, stat; print(os.getsid(0), stat.S_ISREG(os.fstat(0).st_mode))"
    run = _Run(f"{sys.executable} -c {shlex.quote(program)}", change())
    session, is_file = run.said[0].split()
    assert int(session) != os.getsid(0)
    assert is_file == "True"


def test_without_anybody_else_output_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    async def run() -> None:
        command = Command("echo hello", document, print)
        command.heard(snapshot(), [change()])
        await command.close(30)

    asyncio.run(run())
    assert capsys.readouterr() == ("", "hello\n")


def test_a_child_that_was_forked_meanwhile_does_not_keep_the_input_open(tmp_path: Path) -> None:
    """As judging does: whoever holds a copy of our descriptors must not make ``cat`` wait."""
    pids = tmp_path / "pids"

    async def run() -> None:
        command = Command(
            f"echo $$ > {pids}; until [ -e {tmp_path}/forked ]; do sleep 0.01; done; cat", document, print
        )
        command.heard(snapshot(), [change()])
        await until(lambda: pids.exists() and pids.read_text().endswith("\n"))
        with forked_child():
            (tmp_path / "forked").touch()
            await command.close(30)
        assert command.tally == Tally(1, 0, 0, 0)

    asyncio.run(run())


def _is_gone(pid: int) -> bool:
    """Whether no process has the number, but for one that has ended and waits to be collected."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return not state.strip() or state.strip().startswith("Z")


def _goes(pid: int) -> bool:
    """Whether the process is gone, or goes within a while: a signal takes its time."""
    deadline = time.monotonic() + 30
    while not _is_gone(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
