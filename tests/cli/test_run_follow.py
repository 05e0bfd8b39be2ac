"""``logsleuth run --follow`` from outside: a real command, and the real process that follows it."""

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

ROOT = Path(__file__).parents[2]
DEADLINE = 120
"""Seconds after which something hangs; all of it takes a few."""
OOM = (
    "[rank{0}]: Traceback (most recent call last):\n"
    '[rank{0}]:   File "/app/train.py", line 10, in <module>\n'
    "[rank{0}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 2 has a total capacity of "
    "79.15 GiB of which 1.10 GiB is free.\n"
)
WAIT = "\nimport os, time\nwhile not os.path.exists('go'): time.sleep(0.01)\n"
FAILS = f"import sys; sys.stderr.write({OOM.format(2)!r}); sys.stderr.flush(){WAIT}"
"""Fails as rank 2, and runs on until a file ``go`` is there."""

Captured = pytest.CaptureFixture[str]


class Run:
    """``logsleuth run --follow`` in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "tmp").mkdir()

    @contextmanager
    def start(self, *words: str, **how: Any) -> Iterator[subprocess.Popen[bytes]]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(self.folder / "tmp")}
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [sys.executable, "-m", "logsleuth", "run", "--follow", *words]
        with subprocess.Popen(command, env=environment, cwd=self.folder, **{**streams, **how}) as process:
            try:
                yield process
            finally:
                self.go()
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(10)
                process.kill()

    def go(self) -> None:
        """Lets the command end."""
        (self.folder / "go").touch()

    def follower(self) -> int:
        """The process that follows, as ``--on-verdict`` noted it."""
        return int(until(lambda: (self.folder / "follower").exists() and (self.folder / "follower").read_text()))


NOTE_FOLLOWER = ["--on-verdict", "echo $PPID > noted && mv noted follower"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def until(there: Callable[[], Any]) -> Any:
    """What it gives, as soon as that is something."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if found := there():
            return found
        time.sleep(0.02)
    raise AssertionError("it does not come")


def told(process: subprocess.Popen[bytes], what: str) -> str:
    """The lines on stderr up to the one that holds this."""
    assert process.stderr
    lines = []
    for line in process.stderr:
        lines.append(line.decode())
        if what in lines[-1]:
            return "".join(lines)
    raise AssertionError(f"{what} is not told:\n{''.join(lines)}")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def python(code: str, *arguments: str) -> list[str]:
    return ["--", sys.executable, "-c", code, *arguments]


def test_a_verdict_is_told_while_the_command_runs(run: Run) -> None:
    code = f"import os; os.write(1, b'step 1\\r\\n\\xff no newline')\n{FAILS}\nraise SystemExit(5)"
    with run.start(*python(code)) as process:
        first = told(process, " FATAL [f1] ")
        assert "rank 2" in first.lower()
        assert process.poll() is None
        run.go()
        out, err = process.communicate(timeout=DEADLINE)
    assert out == b"step 1\r\n\xff no newline"
    assert process.returncode == 5
    assert b"logsleuth: the command ended with exit status 5; reading what it said\n" in err


def test_bytes_pass_untouched_and_a_good_end_is_silent(run: Run) -> None:
    every = bytes(range(256)) * 3
    with run.start(*python(f"import os; os.write(1, {every!r})")) as process:
        out, err = process.communicate(timeout=DEADLINE)
    assert (out, process.returncode) == (every, 0)
    assert all(b" following " in line or b" job " in line for line in err.splitlines())
    assert list((run.folder / "tmp").glob("logsleuth-*")) == []


def test_ctrl_c_is_the_commands_and_what_it_says_then_is_judged(run: Run) -> None:
    code = f"""
import signal, sys, time
def interrupted(*_):
    sys.stderr.write({OOM.format(1)!r})
    sys.exit(3)
signal.signal(signal.SIGINT, interrupted)
print("ready", flush=True)
while True: time.sleep(1)
"""
    with run.start(*python(code)) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 3
    assert b"Z FATAL [f1] " in err
    assert b'File "/app/train.py"' in err
    assert b"KeyboardInterrupt" not in err


def test_a_follower_that_is_killed_harms_nothing(run: Run) -> None:
    with run.start(*NOTE_FOLLOWER, *python(f"{FAILS}print('done'); raise SystemExit(4)")) as process:
        os.kill(run.follower(), signal.SIGKILL)
        told(process, "was ended by signal 9; the command goes on")
        run.go()
        out, err = process.communicate(timeout=DEADLINE)
    assert (out, process.returncode) == (b"done\n", 4)
    assert b"FATAL: " in err


def test_a_follower_that_cannot_start_harms_nothing(run: Run) -> None:
    taken = "import socket, sys; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); print(s.getsockname()[1])"
    with subprocess.Popen(
        [sys.executable, "-c", f"{taken}; sys.stdout.flush(); sys.stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout
        port = holder.stdout.readline().decode().strip()
        with run.start("--metrics", port, *python(f"{WAIT}print('done')")) as process:
            told(process, "ended with exit status 2; the command goes on")
            run.go()
            out, _ = process.communicate(timeout=DEADLINE)
        holder.communicate()
    assert (out, process.returncode) == (b"done\n", 0)


def test_the_follower_ends_when_we_are_killed(run: Run) -> None:
    with run.start(*NOTE_FOLLOWER, *python(FAILS), stderr=subprocess.DEVNULL) as process:
        follower = run.follower()
        process.kill()
        until(lambda: not is_alive(follower))


def test_exit_on_stops_the_command(run: Run) -> None:
    with run.start("--exit-on", "error", "--metrics-file", "job.prom", *python(FAILS)) as process:
        _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 128 + signal.SIGTERM
    assert b"logsleuth: the command is stopped, as --exit-on says" in err
    assert b"logsleuth: the command was ended by SIGTERM, behind the verdict that is told above" in err
    assert err.count(b"\nFATAL: ") == 1
    assert 'logsleuth_verdicts{severity="fatal"} 1' in (run.folder / "job.prom").read_text()


def test_exit_on_leaves_a_command_alone_that_is_not_so_bad(run: Run) -> None:
    with run.start("--exit-on", "fatal", *python(f"print('step 1', flush=True){WAIT}raise SystemExit(6)")) as process:
        told(process, " following ")
        run.go()
        _, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 6
    assert b"is stopped" not in err


def test_only_worker_logs_of_this_run_are_followed(run: Run) -> None:
    old = run.folder / "logs/none_old/attempt_0/0"
    old.mkdir(parents=True)
    (old / "stderr.log").write_text(OOM.format(1))
    code = f"""
import os
os.makedirs("logs/none_new/attempt_0/3")
with open("logs/none_new/attempt_0/3/stderr.log", "w") as log: log.write({OOM.format(3)!r})
os.makedirs("logs/events/run_1")
with open("logs/events/run_1/stderr.log", "w") as log: log.write({OOM.format(5)!r})
{WAIT}"""
    with run.start(*python(code, "--log-dir", "logs")) as process:
        first = told(process, "logs/none_new/attempt_0/3/stderr.log:")
        run.go()
        _, err = process.communicate(timeout=DEADLINE)
    told_of = first + err.decode()
    assert "rank 3" in told_of.lower()
    assert "none_old" not in told_of
    assert "run_1" not in told_of
    assert "[f2]" not in told_of


def test_a_copy_that_does_not_grow_is_not_followed(run: Run) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))

    with run.start(*python(f"print('x' * 100_000, flush=True){WAIT}"), preexec_fn=small_files) as process:
        told(process, "nobody follows the command from here on: the copy of its output does not grow any more")
        run.go()
        out, _ = process.communicate(timeout=DEADLINE)
    assert (len(out), process.returncode) == (100_001, 0)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--exit-on", "fatal"], "--exit-on goes with --follow"),
        (["--follow", "--metrics", "nowhere"], "--metrics"),
        (["--follow", "--webhook", "ftp://x"], "--webhook"),
    ],
)
def test_mistakes_are_told_before_the_command_starts(
    logsleuth: Callable[..., int], capfd: Captured, tmp_path: Path, words: list[str], why: str
) -> None:
    assert logsleuth("run", *words, "--", "touch", str(tmp_path / "started")) == 2
    assert why in capfd.readouterr().err
    assert not (tmp_path / "started").exists()
