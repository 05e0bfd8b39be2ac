"""``logsleuth.drivers.run`` at a terminal: what the command sees, the keyboard, Ctrl-C and Ctrl-Z."""

import os
import pty
import select
import signal
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUNNER = Path(__file__).with_name("runner.py")
DEADLINE = 60
"""Seconds after which something hangs."""


class Session:
    """The runner as the leader of a session with a terminal of its own, at which a test sits."""

    def __init__(self, folder: Path, code: str, *, redirect: str = "", follow: bool = False) -> None:
        (folder / "command.py").write_text(code)
        words = [sys.executable, str(RUNNER), "result.json", "", sys.executable, "-u", "command.py"]
        line = " ".join(f"'{word}'" for word in words)
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:  # pragma: no cover
            os.chdir(folder)
            os.environ.update(PYTHONPATH=str(ROOT), TMPDIR=str(folder), **({"FOLLOW": "1"} if follow else {}))
            termios.tcsetwinsize(0, (33, 111))
            os.execv("/bin/sh", ["sh", "-c", f"exec {line} {redirect}"])
        self.said = b""
        self._status: int | None = None

    def hear(self, what: bytes) -> None:
        """Waits until this was said."""
        end = time.monotonic() + DEADLINE
        while what not in self.said:
            assert time.monotonic() < end, f"no {what!r} in {self.said!r}"
            if select.select([self._terminal], [], [], 0.1)[0]:
                try:
                    self.said += os.read(self._terminal, 4096)
                except OSError:  # The session is over.
                    assert what in self.said, self.said

    def type(self, keys: bytes) -> None:
        os.write(self._terminal, keys)

    def resize(self, rows: int, columns: int) -> None:
        termios.tcsetwinsize(self._terminal, (rows, columns))

    def wait_stopped(self) -> None:
        _, state = os.waitpid(self.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(state)

    def go_on(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def end(self) -> int:
        """The exit status."""
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self._terminal)
        return self._status

    def close(self) -> None:
        if self._status is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGCONT)
                os.kill(self.pid, signal.SIGHUP)
                os.kill(self.pid, signal.SIGKILL)
            self.end()


@pytest.fixture
def sessions() -> Iterator[list[Session]]:
    opened: list[Session] = []
    yield opened
    for session in opened:
        session.close()


def test_the_command_sees_the_terminal(tmp_path: Path, sessions: list[Session]) -> None:
    code = """
import os, sys
print(os.isatty(0), os.isatty(1), os.isatty(2), os.get_terminal_size(1), os.get_terminal_size(2))
sys.stdin.readline()
print('step 1\\r', end=''); print('step 2')
while os.get_terminal_size(1) != (90, 40): print('drawn again')
print(os.get_terminal_size(1))
sys.exit(5)
"""
    session = Session(tmp_path, code)
    sessions.append(session)
    size = b"os.terminal_size(columns=111, lines=33)"
    session.hear(b"True True True " + size + b" " + size)
    session.resize(40, 90)
    session.type(b"\n")
    session.hear(b"step 1\rstep 2\r\n")
    session.hear(b"os.terminal_size(columns=90, lines=40)")
    assert session.end() == 5
    (copy,) = tmp_path.glob("logsleuth-*/output.log")
    assert b"step 1\rstep 2\n" in copy.read_bytes()


def test_a_stream_that_is_redirected_is_no_terminal(tmp_path: Path, sessions: list[Session]) -> None:
    session = Session(
        tmp_path, "import os, sys\nprint(os.isatty(1)); print(os.isatty(2), file=sys.stderr)", redirect="2>errors"
    )
    sessions.append(session)
    session.hear(b"True\r\n")
    session.end()
    assert (tmp_path / "errors").read_bytes() == b"False\n"


COUNT_INTERRUPTS = """
import signal, sys, time
got = []
signal.signal(signal.SIGINT, lambda *_: got.append(1))
print('ready')
while not got: time.sleep(0.01)
time.sleep(0.2)
print('interrupts:', len(got))
"""


@pytest.mark.parametrize("redirect", ["", "| (trap '' INT; cat)", "</dev/null"])
def test_ctrl_c_reaches_the_command_once(tmp_path: Path, sessions: list[Session], redirect: str) -> None:
    session = Session(tmp_path, COUNT_INTERRUPTS, redirect=redirect)
    sessions.append(session)
    session.hear(b"ready")
    session.type(b"\x03")
    session.hear(b"interrupts: 1")
    session.end()


@pytest.mark.parametrize("redirect", ["", "| cat"])
def test_the_command_can_read_the_keyboard(tmp_path: Path, sessions: list[Session], redirect: str) -> None:
    session = Session(tmp_path, "import sys\nprint('name?')\nprint('hello', sys.stdin.readline())", redirect=redirect)
    sessions.append(session)
    session.hear(b"name?")
    session.type(b"rank\n")
    session.hear(b"hello rank")
    session.end()


def test_ctrl_z_stops_both_and_both_go_on(tmp_path: Path, sessions: list[Session]) -> None:
    code = "import sys\nprint('ready')\nprint('went on with', sys.stdin.readline())"
    session = Session(tmp_path, code)
    sessions.append(session)
    session.hear(b"ready")
    session.type(b"\x1a")
    session.wait_stopped()
    session.go_on()
    session.type(b"it\n")
    session.hear(b"went on with it")
    assert session.end() == 0


def test_ctrl_z_ends_the_following(tmp_path: Path, sessions: list[Session]) -> None:
    code = "import sys\nprint('ready')\nprint('went on with', sys.stdin.readline())"
    session = Session(tmp_path, code, follow=True)
    sessions.append(session)
    session.hear(b" following ")
    session.type(b"\x1a")
    session.hear(b"nobody follows the command from here on: it is stopped for a while")
    session.wait_stopped()
    session.go_on()
    session.type(b"it\n")
    session.hear(b"went on with it")
    assert session.end() == 0


def test_ctrl_c_at_a_command_that_is_followed(tmp_path: Path, sessions: list[Session]) -> None:
    session = Session(tmp_path, "import time\nprint('ready')\ntime.sleep(600)", follow=True)
    sessions.append(session)
    session.hear(b" following ")
    session.hear(b"ready")
    session.type(b"\x03")
    assert session.end() == 128 + signal.SIGINT
    assert b"may be lost" not in session.said
