"""In which files do lines end up, and what stands before them there?"""

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.simulation.clock import Clock
from tests.simulation.job import Job
from tests.simulation.written import Fact, Line


class Placed(NamedTuple):
    """A piece of a file."""

    at: float
    order: int
    path: str
    text: str
    facts: tuple[Fact, ...]
    rank: int
    """Of the worker that wrote it; -1 for others."""
    is_attributed: bool
    """The file or the labels tell which worker wrote it, at least its host and local rank."""


class Desk(NamedTuple):
    """What layouts need to know."""

    job: Job
    clocks: tuple[Clock, ...]
    chance: random.Random
    lines: tuple[Line, ...]


Layout = Callable[[Desk], Iterator[Placed]]


def _put(line: Line, path: str, text: str, *, known: bool, delay: float = 0.0) -> Placed:
    rank = line.where if line.writer == "rank" else -1
    return Placed(line.at + delay, line.order, path, text, line.facts, rank, known or rank < 0)


def _labelled(label: str, text: str) -> str:
    return "\n".join(label + line for line in text.split("\n"))


def _others(desk: Desk, line: Line) -> Placed:
    """Lines that no worker wrote: consoles of launchers, logs of kernels."""
    if line.writer == "srun":
        return _put(line, f"slurm-{desk.job.number}.out", line.text, known=True)
    host = desk.job.hosts[line.where].name
    name = f"{host}/dmesg.log" if line.writer == "kernel" else f"{host}.log"
    return _put(line, name, line.text, known=True)


def file_per_rank(desk: Desk) -> Iterator[Placed]:
    """``rank_3.log`` for every worker."""
    name = desk.chance.choice(("rank_{}.log", "logs/rank{}.log", "train_rank_{}.out", "rank_{}.txt"))
    for line in desk.lines:
        yield (
            _put(line, name.format(line.where), line.text, known=True) if line.writer == "rank" else _others(desk, line)
        )


def file_per_host(desk: Desk) -> Iterator[Placed]:
    """``node-7.log``: an agent and its workers, teed with their local ranks or raw."""
    is_teed = desk.job.launcher == "torchrun" and desk.chance.random() < 0.6
    for line in desk.lines:
        if line.writer != "rank":
            yield _others(desk, line)
            continue
        path = f"{desk.job.host_of(line.where).name}.log"
        text = _labelled(f"[default{desk.job.local(line.where)}]:", line.text) if is_teed else line.text
        yield _put(line, path, text, known=is_teed)


def merged(desk: Desk) -> Iterator[Placed]:
    """One file in the order in which a collector received the lines: ``srun --label``, or kubectl's prefixes."""
    job, width = desk.job, len(str(desk.job.size - 1))
    is_teed = desk.chance.random() < 0.5
    received: dict[tuple[str, int], float] = {}
    for line in desk.lines:
        # What one writer has written stays in order.
        before = received.get((line.writer, line.where), 0.0)
        delay = max(before, line.at + desk.chance.uniform(0, 0.05)) - line.at
        received[line.writer, line.where] = line.at + delay
        if line.writer in ("kernel", "srun"):
            yield _others(desk, line)
        elif job.launcher == "srun":
            yield _put(line, "job.log", _labelled(f"{line.where:{width}d}: ", line.text), known=True, delay=delay)
        else:
            host = line.where if line.writer == "agent" else line.where // job.per_host
            text = line.text
            if line.writer == "rank" and is_teed:
                text = _labelled(f"[default{job.local(line.where)}]:", text)
            yield _put(
                line, "job.log", _labelled(f"[pod/trainer-worker-{host}/pytorch] ", text), known=is_teed, delay=delay
            )


def tree(desk: Desk) -> Iterator[Placed]:
    """The folder of ``torchrun --log-dir`` on every host, beside the console, on which workers may show up again."""
    job = desk.job
    is_teed = desk.chance.random() < 0.4
    letters = "abcdefghijklmnopqrstuvwxyz0123456789_"
    runs = {host.node: f"job{job.number}_" + "".join(desk.chance.choices(letters, k=8)) for host in job.hosts}
    for line in desk.lines:
        if line.writer != "rank":
            yield _others(desk, line)
            continue
        host, local = job.host_of(line.where), job.local(line.where)
        stream = "stderr" if line.is_error else "stdout"
        path = f"{host.name}/{runs[host.node]}/attempt_{line.attempt}/{local}/{stream}.log"
        yield _put(line, path, line.text, known=True)
        if is_teed:
            yield _put(line, f"{host.name}.log", _labelled(f"[default{local}]:", line.text), known=True)


def pods(desk: Desk) -> Iterator[Placed]:
    """A file for every pod, each line with the time of the container runtime."""
    job = desk.job
    is_teed = job.launcher == "torchrun" and desk.chance.random() < 0.6
    for line in desk.lines:
        if line.writer in ("kernel", "srun"):
            yield _others(desk, line)
            continue
        host = line.where if line.writer == "agent" else line.where // job.per_host
        text = line.text
        if line.writer == "rank" and is_teed:
            text = _labelled(f"[default{job.local(line.where)}]:", text)
        stream = "stderr" if line.is_error else "stdout"
        label = f"{desk.clocks[host].iso(line.at)} {stream} F "
        yield _put(line, f"trainer-worker-{host}.log", _labelled(label, text), known=is_teed)


LAYOUTS: dict[str, Layout] = {
    "file-per-rank": file_per_rank,
    "file-per-host": file_per_host,
    "merged": merged,
    "tree": tree,
    "pods": pods,
}


def draw_layout(chance: random.Random, job: Job) -> str:
    if job.launcher == "srun":
        return chance.choice(("file-per-rank", "file-per-rank", "merged", "file-per-host"))
    return chance.choice(("file-per-rank", "file-per-host", "file-per-host", "merged", "tree", "tree", "pods"))
