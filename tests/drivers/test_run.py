"""``logsleuth.drivers.run`` from outside: real commands, their bytes, signals and ends."""

import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from logsleuth.drivers.run import GRACE

ROOT = Path(__file__).parents[2]
RUNNER = Path(__file__).with_name("runner.py")
DEADLINE = 60
"""Seconds after which something hangs; all of it takes a fraction of a second."""


class Running:
    """The runner in a folder of its own, with a temporary folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temp = folder / "tmp"
        self.temp.mkdir()
        self._result = folder / "result.json"

    @contextmanager
    def start(self, *command: str, log_dir: str = "", **how: Any) -> Iterator[subprocess.Popen[bytes]]:
        """The runner, which must have come to its end by itself at the end of the block."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(self.temp), **how.pop("env", {})}
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        words = [sys.executable, str(RUNNER), str(self._result), log_dir, *command]
        with subprocess.Popen(words, env=environment, cwd=self.folder, **{**streams, **how}) as process:
            try:
                yield process
                process.wait(DEADLINE)
            finally:
                process.terminate()  # Reaches the command too.
                with suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                process.kill()

    def run(self, *command: str, **how: Any) -> tuple[bytes, bytes, int]:
        """stdout, stderr and exit status."""
        with self.start(*command, **how) as process:
            out, err = process.communicate(timeout=DEADLINE)
        return out, err, process.returncode

    def python(self, code: str, *arguments: str, **how: Any) -> tuple[bytes, bytes, int]:
        return self.run(sys.executable, "-c", code, *arguments, **how)

    @property
    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(self._result.read_text())
        return facts

    @property
    def copy(self) -> bytes:
        return Path(self.facts["copy"]).read_bytes()


@pytest.fixture
def running(tmp_path: Path) -> Running:
    return Running(tmp_path)


@pytest.fixture
def end_later() -> Iterator[Callable[[int], None]]:
    """Ends processes that outlive the command on purpose."""
    pids: list[int] = []
    yield pids.append
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def wait_for(path: Path) -> str:
    """What a file holds as soon as it holds anything."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if path.exists() and (text := path.read_text()):
            return text
        time.sleep(0.01)
    raise AssertionError(f"{path} stays empty")


def test_bytes_pass_untouched_to_the_stream_they_were_written_to(running: Running) -> None:
    code = """
import os
every = bytes(range(256))
os.write(1, every * 3 + b"\\r\\n\\r no newline at the end")
os.write(2, b"\\xff\\xfe\\x1b[31m" + every)
"""
    out, err, status = running.python(code)
    assert out == bytes(range(256)) * 3 + b"\r\n\r no newline at the end"
    assert err == b"\xff\xfe\x1b[31m" + bytes(range(256))
    assert status == 0
    assert sorted(running.copy) == sorted(out + err)


def test_output_comes_while_the_command_runs(running: Running) -> None:
    code = "import sys; print('first', flush=True); sys.stdin.read(1); print('second')"
    with running.start(sys.executable, "-c", code, stdin=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == b"first\n"
        process.stdin.write(b"x")
        process.stdin.close()
        assert process.stdout.read() == b"second\n"


def test_the_order_is_kept_where_both_streams_lead_to_the_same_place(running: Running) -> None:
    code = "import os\nfor i in range(2000): os.write(1 + i % 2, b'%d\\n' % i)"
    out, _, _ = running.python(code, stderr=subprocess.STDOUT)
    assert out == b"".join(b"%d\n" % i for i in range(2000))
    assert running.copy == out


def test_much_output_on_both_streams_at_once_does_not_block(running: Running) -> None:
    code = """
import os, threading
def say(where, what):
    with open(where, 'wb', 0) as stream:
        for _ in range(640): stream.write(what * 65536)
threads = [threading.Thread(target=say, args=(1, b'o')), threading.Thread(target=say, args=(2, b'e'))]
[t.start() for t in threads]; [t.join() for t in threads]
"""
    out, err, status = running.python(code)
    assert (status, len(out), len(err)) == (0, 640 * 65536, 640 * 65536)
    assert hashlib.sha256(out).digest() == hashlib.sha256(b"o" * len(out)).digest()
    assert set(err) == {ord("e")}
    assert len(running.copy) == len(out) + len(err)


@pytest.mark.parametrize("status", [0, 1, 3, 255])
def test_the_exit_status_is_passed_on(running: Running, status: int) -> None:
    _, _, passed = running.python(f"raise SystemExit({status})")
    assert passed == status
    assert running.facts["ended_badly"] is (status != 0)
    assert running.facts["signal"] is None


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_signal_that_ends_the_command_becomes_128_and_its_number(running: Running, number: signal.Signals) -> None:
    _, _, status = running.python(f"import os; os.kill(os.getpid(), {int(number)})")
    assert status == 128 + number
    assert running.facts["signal"] == number
    assert running.facts["ended_badly"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1])
def test_signals_reach_the_whole_process_group_once(running: Running, number: signal.Signals) -> None:
    code = f"""
import os, signal, time
got = []
signal.signal({int(number)}, lambda *_: got.append(1))
child = os.fork()
os.write(1, b'ready\\n')
while not got: time.sleep(0.01)
time.sleep(0.2)
if child: os.waitpid(child, 0)
os.write(1, b'%s %d\\n' % (b'parent' if child else b'child', sum(got)))
"""
    with running.start(sys.executable, "-c", code) as process:
        assert process.stdout
        assert [process.stdout.readline(), process.stdout.readline()] == [b"ready\n"] * 2
        process.send_signal(number)
        assert sorted(process.stdout.read().splitlines()) == [b"child 1", b"parent 1"]
    assert process.returncode == 0


def test_a_signal_that_is_ignored_is_ignored_by_the_command_until_it_handles_it(running: Running) -> None:
    code = """
import signal, sys, time
print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN, flush=True)
sys.stdin.readline()
got = []
signal.signal(signal.SIGHUP, lambda *_: got.append(1))
print('handled', flush=True)
while not got: time.sleep(0.01)
print('got it')
"""

    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with running.start(sys.executable, "-c", code, stdin=subprocess.PIPE, preexec_fn=ignore) as process:
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == b"True\n"
        process.send_signal(signal.SIGHUP)
        process.stdin.write(b"\n")
        process.stdin.close()
        assert process.stdout.readline() == b"handled\n"
        process.send_signal(signal.SIGHUP)
        assert process.stdout.read() == b"got it\n"


def test_a_command_that_does_not_exist(running: Running) -> None:
    assert running.run("torchrunn", "train.py") == (b"", b"", 127)
    assert running.facts["error"].startswith("torchrunn: command not found.")
    assert list(running.temp.iterdir()) == []


def test_a_file_that_cannot_be_executed(running: Running) -> None:
    script = running.folder / "train.sh"
    script.write_text("#!/bin/sh\n")
    assert running.run(str(script))[2] == 126
    assert "chmod +x" in running.facts["error"]
    script.chmod(0o755)
    script.write_text("#!/no/such/interpreter\n")
    assert running.run(str(script))[2] == 127
    assert "interpreter" in running.facts["error"]
    script.write_bytes(b"\0\0\0\0")
    assert running.run(str(script))[2] == 126


def test_a_process_that_is_left_behind_is_not_waited_for(running: Running, end_later: Callable[[int], None]) -> None:
    code = """
import subprocess, sys
print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).pid, flush=True)
sys.exit(4)
"""
    out, _, status = running.python(code)
    end_later(int(out))
    assert status == 4
    assert any("left" in trouble or "not waited for" in trouble for trouble in running.facts["troubles"])


def test_a_process_that_is_left_behind_and_never_stops_talking(
    running: Running, end_later: Callable[[int], None]
) -> None:
    code = """
import os, subprocess, sys
talk = 'import os\\nwhile True: os.write(1, b"x" * 4096)'
print(subprocess.Popen([sys.executable, '-c', talk], stdout=2).pid, flush=True)
sys.exit(4)
"""
    with running.start(sys.executable, "-c", code, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        end_later(int(process.stdout.readline()))
        assert process.wait(DEADLINE) == 4


def test_all_that_the_command_said_is_passed_on_even_to_a_slow_reader(running: Running) -> None:
    code = "import os; os.write(1, b'x' * 150_000 + b'the end'); open('ended', 'w').write('yes')"
    with running.start(sys.executable, "-c", code) as process:
        assert process.stdout
        wait_for(running.folder / "ended")
        time.sleep(GRACE + 0.5)  # A process that was left behind would not be listened to any more.
        assert process.stdout.read() == b"x" * 150_000 + b"the end"


def test_the_command_notices_when_the_reader_leaves(running: Running) -> None:
    code = "import os, signal; signal.signal(signal.SIGPIPE, signal.SIG_DFL)\nwhile True: os.write(1, b'y\\n')"
    with running.start(sys.executable, "-c", code) as process:
        assert process.stdout
        assert process.stdout.read(2) == b"y\n"
        process.stdout.close()
        assert process.wait(DEADLINE) == 128 + signal.SIGPIPE
    assert running.facts["ended_badly"] is False


def test_a_full_disk_behind_our_stdout_does_not_end_the_command(running: Running) -> None:
    with Path("/dev/full").open("wb") as full:
        _, err, status = running.python("import os; os.write(1, b'x' * 100); os.write(2, b'done')", stdout=full)
    assert (err, status) == (b"done", 0)
    assert running.facts["troubles"] == [
        "100 bytes of the command's output could not be passed on: No space left on device"
    ]
    assert b"x" * 100 in running.copy


def test_a_stdout_that_somebody_made_non_blocking(running: Running) -> None:
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    with running.start(sys.executable, "-c", "print('x' * 1_000_000)", stdout=write_end):
        os.close(write_end)
        with os.fdopen(read_end, "rb") as stream:
            assert len(stream.read()) == 1_000_001
    assert running.facts["troubles"] == []


def test_closed_standard_streams(running: Running) -> None:
    def close_all() -> None:
        os.closerange(0, 3)

    command = ["sh", "-c", "echo out; echo err >&2; exit 6"]
    with running.start(*command, stdout=None, stderr=None, preexec_fn=close_all) as process:
        assert process.wait(DEADLINE) == 6
    assert running.copy == b"out\nerr\n"


def test_the_copy_goes_where_it_is_wanted(running: Running) -> None:
    out, _, _ = running.run("echo", "kept", log_dir="deep/er")
    copy = Path(running.facts["copy"])
    assert (running.folder / copy).read_bytes() == out == b"kept\n"
    assert copy.parent == Path("deep/er")
    assert list(running.temp.iterdir()) == []


def test_a_folder_that_cannot_be_written_does_not_harm_the_command(running: Running) -> None:
    (running.folder / "file").write_text("")
    out, _, status = running.run("echo", "fine", log_dir="file/sub")
    assert (out, status) == (b"fine\n", 0)
    assert "file/sub cannot hold a copy" in running.facts["troubles"][0]
    assert running.copy == b"fine\n"


def test_a_copy_that_cannot_grow_does_not_harm_the_command(running: Running) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))

    out, _, status = running.python("print('x' * 100_000)", preexec_fn=small_files)
    assert (len(out), status) == (100_001, 0)
    assert running.facts["troubles"] == ["the copy of the output ends after 8,192 bytes: File too large"]
    assert running.copy == b"x" * 8192


def test_the_worker_logs_of_this_run_are_found(running: Running) -> None:
    for old in ("none_old1", "tensorboard"):
        (running.folder / "logs" / old).mkdir(parents=True)
    (running.folder / "logs/none_old1/attempt_0").mkdir()
    code = "import os; os.makedirs('logs/none_x1/attempt_0/0'); os.makedirs('logs/checkpoints/step_1')"
    running.python(code, "--log-dir", "logs")
    assert running.facts["run_folders"] == ["logs/none_x1"]
