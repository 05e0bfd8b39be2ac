"""The real program that follows logs, from outside: its lines as they come, and how it ends."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "logsleuth", "analyze"]
PATIENCE = 90.0
"""Seconds for which anything is waited for; far more than it takes."""

Line = dict[str, Any]


class Follower:
    """A process that follows, and the lines that it has written so far."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.lines: list[Line] = []
        """Those that are JSON, as documents."""
        self.others: list[str] = []
        self.errors = ""
        self._news = threading.Condition()
        self._is_over = False
        self._readers = [threading.Thread(target=self._take_lines), threading.Thread(target=self._take_errors)]
        for reader in self._readers:
            reader.start()

    def _take_lines(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._news:
                try:
                    self.lines.append(json.loads(line))
                except ValueError:
                    self.others.append(line.decode())
                self._news.notify_all()
        with self._news:
            self._is_over = True
            self._news.notify_all()

    def _take_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors = self.process.stderr.read().decode()

    def until(self, holds: Callable[["Follower"], object]) -> None:
        """Waits until something holds of the lines that have come."""
        until = time.monotonic() + PATIENCE
        with self._news:
            while not holds(self):
                left = until - time.monotonic()
                assert left > 0, f"waited in vain; it said {self.lines}"
                assert not self._is_over, f"it has ended; it said {self.lines} {self.others}"
                self._news.wait(left)

    def until_told(self, change: str, **of: object) -> Line:
        """Waits until a verdict has changed so (``appeared``); gives the line. ``of`` are keys of the verdict."""
        self.until(lambda it: it.changes(change, **of))
        return self.changes(change, **of)[0]

    def until_read(self, number: int) -> None:
        """Waits until it was told that so many lines were read."""
        self.until(lambda it: any(line["read"]["lines"] >= number for line in it.of_type("state")))

    def of_type(self, *kinds: str) -> list[Line]:
        return [line for line in self.lines if line["type"] in kinds]

    def changes(self, change: str | None = None, **of: object) -> list[Line]:
        return [
            line
            for line in self.of_type("verdict")
            if change in (None, line["change"]) and of.items() <= line["verdict"].items()
        ]

    @property
    def problems(self) -> list[str]:
        """What was told of inputs."""
        return [line["problem"]["text"] for line in self.of_type("input")]

    @property
    def standing(self) -> set[str]:
        """The rules of the verdicts that were told and still hold, as whoever reads the lines knows them."""
        held: dict[str, str] = {}
        for line in self.changes():
            if line["change"] in ("appeared", "revised"):
                held[line["key"]] = line["verdict"]["rule"]
            else:
                del held[line["key"]]
        return set(held.values())

    @property
    def analysis(self) -> Line:
        """What the last line says."""
        assert self.lines[-1]["type"] == "ended", self.lines[-1]
        analysis: Line = self.lines[-1]["analysis"]
        return analysis

    def stop(self, number: int = signal.SIGINT) -> int:
        """Sends a signal, and gives the exit status."""
        self.process.send_signal(number)
        return self.status()

    def status(self) -> int:
        """The exit status, when it has ended by itself."""
        status = self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        return status


@contextmanager
def following(*arguments: str | Path, output: str = "jsonl", **options: Any) -> Iterator[Follower]:
    """Starts it; what is still there in the end is killed. ``options`` are those of ``Popen``."""
    command = [*PROGRAM, "--follow", "--format", output, *(str(one) for one in arguments)]
    options = {"stdout": subprocess.PIPE, "stdin": subprocess.DEVNULL, **options}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, cwd=ROOT, **options)
    follower = Follower(process)
    try:
        yield follower
    finally:
        process.kill()
        follower.status()
        for stream in (process.stdout, process.stderr, process.stdin):
            if stream is not None:
                stream.close()


def analysed(*paths: Path | str) -> Line:
    """What is said of logs that are read at once."""
    command = [*PROGRAM, "--format", "json", *(str(path) for path in paths)]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=PATIENCE, check=False)
    document: Line = json.loads(done.stdout)
    return document


def ended(*arguments: str | Path, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Runs it to its own end."""
    command = [*PROGRAM, *(str(one) for one in arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE, check=False, **options)


def children(of: int) -> list[int]:
    """The processes that a process has started, by what the kernel says."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        if parent == of:
            found.append(int(status.parent.name))
    return found


def append(path: Path, text: str | bytes) -> None:
    """Writes on, as a job does: at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab", buffering=0) as log:
        log.write(text.encode() if isinstance(text, str) else text)


def steps(rank: int, count: int = 30, first: int = 0) -> str:
    """What a rank writes that trains."""
    return "".join(f"step {step} | loss {3 - step / 9000:.4f} | rank {rank}\n" for step in range(first, first + count))


def labelled(rank: int, text: str) -> str:
    return "".join(f"[rank{rank}]: {line}\n" for line in text.splitlines())


def raised(rank: int, kind: str = "TypeError", message: str = "'NoneType' object is not callable") -> str:
    """What a rank writes that is ended by an exception."""
    return labelled(
        rank,
        "Traceback (most recent call last):\n"
        '  File "/srv/job/train.py", line 91, in <module>\n    main()\n'
        '  File "/srv/job/train.py", line 70, in main\n    batch = tokenizer(text)\n'
        f"{kind}: {message}\n",
    )


def lost_peer(rank: int) -> str:
    """What a rank writes whose peer is gone."""
    return labelled(
        rank,
        "Traceback (most recent call last):\n"
        '  File "/srv/job/train.py", line 91, in <module>\n    main()\n'
        "torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:77, remote"
        " process exited or there was a network error, NCCL version 2.25.1\nncclRemoteError: A call failed possibly due to"
        " a network error or a remote process exiting prematurely.\nLast error:\nsocketProgress: Connection closed by"
        " remote peer node-2<41234>\n",
    )


def job(folder: Path, ranks: Sequence[int] = range(4)) -> Path:
    """A job that trains: a log per rank."""
    for rank in ranks:
        append(folder / f"rank_{rank}.log", steps(rank))
    return folder
