"""What following costs: many lines a second over many files, and a thousand files in which nothing happens.

Run from a checkout: ``python -m benchmarks.live``. A process of its own writes; ``logsleuth analyze --follow`` is
another, whose CPU time and memory are those that the system counts for it and for the judgements that it forks. Now and
then one rank writes why it fails: its lag is the time from there to the line that tells of it, less the second for
which a verdict has to settle.
"""

import argparse
import json
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from queue import Empty, Queue
from statistics import median
from threading import Thread
from typing import Any

from logsleuth.diagnosis.ledger import SETTLE

STEP = (
    "[2026-03-04 {clock}] [rank{rank}] step {step}/100000 loss 2.{loss:04d} lr 1.0e-04 grad_norm 0.81 "
    "tokens/s 11023 mem 61.2GiB"
)
_OUT_OF_MEMORY = (
    "[rank{rank}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU {gpu} has a total "
    "capacity of 79.10 GiB of which 1.00 GiB is free. Process {pid} has 78.01 GiB memory in use."
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("--files", type=int, default=256, help="that are written to (default: %(default)s)")
    parser.add_argument("--rate", type=int, default=10_000, help="lines a second, all together (default: %(default)s)")
    parser.add_argument("--seconds", type=int, default=60, help="of each part (default: %(default)s)")
    parser.add_argument("--quiet", type=int, default=1_000, help="files that nobody writes to (default: %(default)s)")
    parser.add_argument("--failures", type=int, default=5, help="ranks that fail meanwhile (default: %(default)s)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _under_pressure(Path(folder, "busy"), args.files, args.rate, args.seconds, args.failures)
        _in_quiet(Path(folder, "quiet"), args.quiet, args.seconds)


def _under_pressure(folder: Path, files: int, rate: int, seconds: int, failures: int) -> None:
    folder.mkdir()
    told: multiprocessing.Queue[tuple[int, float]] = multiprocessing.Queue()
    writer = multiprocessing.Process(target=_write, args=(folder, files, rate, seconds, failures, told))
    with _followed(folder) as follower:
        writer.start()
        writer.join()
        time.sleep(3 * SETTLE)
        lags: list[float | None] = []
        heard = follower.lines()
        while not told.empty():
            rank, at = told.get()
            first = min((when for when, line in heard if _blames(line, rank)), default=None)
            lags.append(None if first is None else first - at - SETTLE)
        follower.end()
    known = sorted(lag for lag in lags if lag is not None)
    print(f"{rate:,} lines/s over {files:,} files for {seconds} s: {follower.usage(seconds)}")
    if known:
        print(f"  lag of {len(known)} of {len(lags)} verdicts: median {median(known):.2f} s, most {known[-1]:.2f} s")
    else:
        print(f"  none of {len(lags)} failures was told")


def _in_quiet(folder: Path, files: int, seconds: int) -> None:
    folder.mkdir()
    for rank in range(files):
        (folder / f"rank_{rank}.log").write_text(_step(rank, 1) + "\n")
    with _followed(folder) as follower:
        time.sleep(10)
        used = [follower.cpu()]
        for _ in range(2):
            time.sleep(seconds)
            used.append(follower.cpu())
        follower.end()
    first, then = (100 * (after - before) / seconds for before, after in pairwise(used))
    print(f"{files:,} quiet files: {first:.2f}% of a core for {seconds} s, then {then:.2f}% for {seconds} s")


def _write(
    folder: Path, files: int, rate: int, seconds: int, failures: int, told: "multiprocessing.Queue[tuple[int, float]]"
) -> None:
    logs = [(folder / f"rank_{rank}.log").open("a", buffering=1 << 16) for rank in range(files)]
    began, step, written = time.time(), 0, 0
    failed: set[int] = set()
    failing = [(began + seconds * (place + 1) / (failures + 1), place * 7 % files) for place in range(failures)]
    while time.time() < began + seconds:
        step += 1
        for rank, log in enumerate(logs):
            if rank in failed:
                continue
            log.write(_step(rank, step) + "\n")
            log.flush()
            written += 1
            if failing and time.time() >= failing[0][0] and failing[0][1] == rank:
                log.write(_OUT_OF_MEMORY.format(rank=rank, gpu=rank % 8, pid=4000 + rank) + "\n")
                log.flush()
                told.put((rank, time.time()))
                failing.pop(0)
                failed.add(rank)
            ahead = began + written / rate - time.time()
            if ahead > 0.01:
                time.sleep(ahead)


def _step(rank: int, step: int) -> str:
    clock = time.strftime("%H:%M:%S")
    return STEP.format(clock=clock, rank=rank, step=step, loss=(step * 7 + rank) % 10_000)


def _blames(line: dict[str, Any], rank: int) -> bool:
    return line.get("type") == "verdict" and rank in line["verdict"]["culprits"]["ranks"]


class _Follower:
    """``logsleuth analyze --follow``, and what it says."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "logsleuth", "analyze", "--follow", "--format", "jsonl", str(folder)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self._heard: Queue[tuple[float, str]] = Queue()
        Thread(target=self._listen, daemon=True).start()
        self._usage: resource.struct_rusage | None = None

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._heard.put((time.time(), line))

    def lines(self) -> list[tuple[float, dict[str, Any]]]:
        """What it has said so far, and when."""
        found: list[tuple[float, dict[str, Any]]] = []
        while True:
            try:
                at, line = self._heard.get_nowait()
            except Empty:
                return found
            found.append((at, json.loads(line)))

    def cpu(self) -> float:
        """Seconds that it and its judgements have used; Linux only."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        _, _, self._usage = os.wait4(self._process.pid, 0)

    def kill(self) -> None:
        """Ends it where that was not done."""
        if self._usage is None:
            self._process.kill()
            self._process.wait()

    def usage(self, seconds: int) -> str:
        assert self._usage
        cpu = self._usage.ru_utime + self._usage.ru_stime
        return f"{cpu / seconds:.2f} of a core, at most {self._usage.ru_maxrss / 1024:,.0f} MiB"


@contextmanager
def _followed(folder: Path) -> Iterator[_Follower]:
    follower = _Follower(folder)
    time.sleep(2)
    try:
        yield follower
    finally:
        follower.kill()


if __name__ == "__main__":
    main()
