"""What follows a command beside it, and stops it where that is wanted."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from logsleuth.drivers import beside as module
from logsleuth.drivers.beside import Beside
from logsleuth.drivers.output_copy import OutputCopy

DEADLINE = 120
FAILURE = b"[rank1]: Traceback (most recent call last):\n[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[OutputCopy]:
    copy = OutputCopy(tmp_path / "copy")
    yield copy
    copy.close()


@pytest.fixture
def deaf() -> Iterator[subprocess.Popen[bytes]]:
    """A command that does not hear SIGTERM."""
    code = "import signal, time; signal.signal(15, signal.SIG_IGN); print('ready', flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, process_group=0) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        yield process
        process.kill()


def test_a_command_that_does_not_end_is_killed(
    copy: OutputCopy, deaf: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STOPPING", 0.5)
    told: list[str] = []
    copy.write(FAILURE)
    beside = Beside(["--exit-on=error", "--no-local-rules"], told.append)
    beside.start(copy, [], [])
    end = time.monotonic() + DEADLINE
    while deaf.poll() is None and time.monotonic() < end:
        left = beside.look(deaf.pid)
        assert left is None or 0 < left <= 0.5
        with suppress(subprocess.TimeoutExpired):
            deaf.wait(0.05)
    beside.end()
    assert deaf.poll() == -signal.SIGKILL
    assert beside.has_stopped
    assert len(told) == 1
    assert "--exit-on" in told[0]


def test_without_a_copy_nobody_follows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    told: list[str] = []
    beside = Beside([], told.append)
    beside.start(OutputCopy(), [], [])
    assert beside.look(0) is None
    beside.end()
    assert told == ["there is no copy of the output, so nobody follows the command"]


def test_a_process_that_cannot_be_started_is_told(copy: OutputCopy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    told: list[str] = []
    beside = Beside([], told.append)
    beside.start(copy, [], [])
    assert beside.look(0) is None
    beside.end()
    assert told == ["nobody follows the command, for no process could be started: No such file or directory"]


def test_who_does_not_end_is_ended(copy: OutputCopy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.1)
    monkeypatch.setattr(module, "_program", lambda: [sys.executable, "-c", "import time; time.sleep(600)"])
    told: list[str] = []
    beside = Beside([], told.append)
    beside.start(copy, [], [])
    beside.end()
    assert told == ["whoever followed did not come to an end in 0.1 s, and was ended; alerts may be lost"]
