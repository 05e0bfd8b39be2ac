"""What a job of many ranks needs of memory: peaks of reading and of judging, by ranks and by bytes.

Run from a checkout: ``python -m benchmarks.memory``. Every rank writes lines of progress, with a clock and half a dozen
numbers, into a pipe of its own, so that no disk has to hold them. ``--ranks 1024 --gb 20`` is the job that must stay
under 500 MB; by default a smaller one is read with a quarter of the ranks, half of them and all, each of which writes
as much as a rank of the large job would, and what 1,024 ranks would need follows from the last two.
"""

import argparse
import gc
import multiprocessing
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

from logsleuth.cli.main import RARELY
from logsleuth.drivers.batch import concluded
from logsleuth.drivers.hints import NO_HINTS, found
from logsleuth.drivers.reading import read
from logsleuth.engine.plan import plan
from logsleuth.language.library import load

RANKS = 1024
GB = 20.0
_START = 1_772_600_000
_LINES = 512
"""That are written at once."""
_WRITERS = 4
"""Ranks that write at the same time: one is read, the others wait."""


class Cost(NamedTuple):
    """Of one job."""

    ranks: int
    before: float
    """MB that the process holds with the library and nothing read."""
    read: float
    """MB at the most until all was read."""
    judged: float
    """MB at the most until the end."""
    reading: float
    """CPU seconds."""
    judging: float
    verdicts: str


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("--ranks", type=int, default=64, help="of the job (default: %(default)s)")
    parser.add_argument("--gb", type=float, help=f"of all logs together (default: as many a rank as {GB:g} of {RANKS})")
    args = parser.parse_args()
    size = int((GB / RANKS if args.gb is None else args.gb / args.ranks) * 1e9)
    parts = (1,) if args.ranks >= RANKS else (4, 2, 1)
    costs = [_cost(ranks, size) for ranks in sorted({max(args.ranks // part, 1) for part in parts})]
    for cost in costs:
        print(_told(cost, size))
    if len(costs) > 1 and costs[-1].ranks < RANKS:
        print(_extrapolated(costs[-2], costs[-1]))


def _told(cost: Cost, size: int) -> str:
    per_rank = (cost.judged - cost.before) / cost.ranks
    return (
        f"{cost.ranks:,} ranks, {cost.ranks * size / 1e9:.2f} GB: {cost.before:.0f} MB before, {cost.read:.0f} MB "
        f"while reading ({cost.reading:.1f} s), {cost.judged:.0f} MB with judging ({cost.judging:.1f} s), "
        f"{per_rank:.2f} MB a rank; {cost.verdicts}"
    )


def _extrapolated(half: Cost, whole: Cost) -> str:
    growth = (RANKS - whole.ranks) / (whole.ranks - half.ranks)
    read = whole.read + growth * max(whole.read - half.read, 0)
    judged = whole.judged + growth * max(whole.judged - half.judged, 0)
    return f"{RANKS:,} ranks would need {read:.0f} MB while reading, {judged:.0f} MB with judging"


def _cost(ranks: int, size: int) -> Cost:
    """What a job costs a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        pipes = [str(Path(folder, f"rank_{rank}.log")) for rank in range(ranks)]
        for pipe in pipes:
            os.mkfifo(pipe)
        context = multiprocessing.get_context("spawn")
        writer = context.Process(target=_write, args=(pipes, size))
        writer.start()
        try:
            with context.Pool(1) as pool:
                return pool.apply(_analysed, (pipes,))
        finally:
            writer.terminate()
            writer.join()


def _analysed(pipes: list[str]) -> Cost:
    gc.set_threshold(*RARELY)
    program = load(local=False).program
    chosen = plan(program)
    before, began = _peak(), time.process_time()
    reading = read(found(pipes, NO_HINTS).sources, program, chosen)
    was_read, ended = _peak(), time.process_time()
    verdicts = concluded(program, chosen, reading).verdicts
    told = ", ".join(verdict.rule for verdict in verdicts) or "nothing wrong"
    return Cost(len(pipes), before, was_read, _peak(), ended - began, time.process_time() - ended, told)


def _peak() -> float:
    """MB that the process held at the most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def _write(pipes: list[str], size: int) -> None:
    with ThreadPoolExecutor(_WRITERS) as pool:
        for _ in pool.map(partial(_write_rank, size=size), range(len(pipes)), pipes):
            pass


def _write_rank(rank: int, pipe: str, size: int) -> None:
    with Path(pipe).open("w", encoding="ascii") as stream:
        for text in _texts(rank):
            stream.write(text)
            size -= len(text)
            if size <= 0:
                return


def _texts(rank: int) -> Iterator[str]:
    """The log of a rank without end: a loss that falls, and numbers that scatter."""
    chance = random.Random(rank)
    for first in count(1, _LINES):
        lines = []
        for step in range(first, first + _LINES):
            clock = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(_START + step))
            noise = chance.random()
            lines.append(
                f"[{clock}] [rank{rank}] step {step}/200000 loss {2 + 8 / (1 + step / 500) + 0.1 * noise:.4f} "
                f"lr 1.0e-04 grad_norm {0.7 + 0.2 * noise:.3f} tokens/s {11000 + 200 * noise:.0f} "
                f"step_time {1 + 0.02 * noise:.3f}s mem {61 + noise:.1f}GiB\n"
            )
        yield "".join(lines)


if __name__ == "__main__":
    main()
