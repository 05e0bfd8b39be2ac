"""What a wide job costs that failed: CPU seconds of reading and of judging, apart, the most memory, and how long the
command takes.

Run from a checkout: ``python -m benchmarks.wide``. Every rank writes a hundred lines that all are events of the
library: its communicator, its steps, a few warnings. Then one runs out of GPU memory, all others wait for it in vain
until their watchdogs end them, and the launcher tells who failed. Logs lie there as torchrun writes them, one for each
rank beneath a folder for each agent; with ``--by-node`` as consoles are kept, one for each node with labelled lines.
All figures should grow as the ranks do: the job is read and judged with a quarter of them, with half, and with all.
"""

import argparse
import gc
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import measure
from logsleuth.cli.main import RARELY
from logsleuth.drivers.batch import concluded
from logsleuth.drivers.hints import NO_HINTS, found
from logsleuth.drivers.reading import read
from logsleuth.engine.plan import plan
from logsleuth.language.library import load

_START = 1_772_600_000
_OF_NODE = 8
"""Ranks on one node."""
_LIMIT = 600
"""Seconds after which a watchdog gives up."""
_END = _START + 60 + 200 + _LIMIT
"""When watchdogs gave up."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wide", description=__doc__)
    parser.add_argument("--ranks", type=int, default=10_000, help="of the job (default: %(default)s)")
    parser.add_argument("--lines", type=int, default=100, help="that each of them prints (default: %(default)s)")
    parser.add_argument("--by-node", action="store_true", help="one log for each node instead of each rank")
    parser.add_argument("--only", action="store_true", help="not with a quarter and half of the ranks first")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the logs to DIR and leave them there, unread")
    args = parser.parse_args()
    if args.keep is not None:
        _write(args.keep, args.ranks, args.lines, args.by_node)
        return
    gc.set_threshold(*RARELY)
    program = load(local=False).program
    chosen = plan(program)
    for ranks in sorted({max(args.ranks // part, _OF_NODE) for part in ((1,) if args.only else (4, 2, 1))}):
        with tempfile.TemporaryDirectory() as folder:
            _write(Path(folder), ranks, args.lines, args.by_node)
            start = time.process_time()
            reading = read(found([folder], NO_HINTS).sources, program, chosen)
            was_read = time.process_time()
            verdicts = concluded(program, chosen, reading).verdicts
            ended = time.process_time()
            whole = measure([sys.executable, "-m", "logsleuth", "analyze", "--format", "json", folder]).wall
        told = ", ".join(verdict.rule for verdict in verdicts) or "nothing wrong"
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        print(
            f"{ranks:,} ranks: read in {was_read - start:.2f} s, judged in {ended - was_read:.2f} s, "
            f"at most {peak:,} MiB; {told}; the command took {whole:.1f} s with the processes that it begins by itself",
            flush=True,
        )


def _write(folder: Path, ranks: int, lines: int, by_node: bool) -> None:
    guilty = ranks * 3 // 7
    for node in range((ranks + _OF_NODE - 1) // _OF_NODE):
        members = range(node * _OF_NODE, min((node + 1) * _OF_NODE, ranks))
        texts = {rank: list(_lines(rank, ranks, lines, guilty)) for rank in members}
        agent = _agent(node, members, guilty)
        if by_node:
            folder.mkdir(exist_ok=True)
            rows = sorted((at, f"[default{rank % _OF_NODE}]:{text}") for rank in members for at, text in texts[rank])
            (folder / f"gpu-{node:04}.log").write_text("\n".join([*(text for _, text in rows), *agent, ""]))
            continue
        run = folder / f"gpu-{node:04}" / f"none_{random.Random(node).randbytes(4).hex()}" / "attempt_0"
        for rank in members:
            own = run / str(rank % _OF_NODE)
            own.mkdir(parents=True)
            (own / "stderr.log").write_text("\n".join([*(text for _, text in texts[rank]), ""]))
        (folder / f"gpu-{node:04}" / "torchrun.log").write_text("\n".join([*agent, ""]))


def _lines(rank: int, ranks: int, lines: int, guilty: int) -> Iterator[tuple[float, str]]:
    """What one rank prints, each line with its moment."""
    chance = random.Random(rank)
    begins = _begins(rank, ranks)
    ends = _failure(rank) if rank == guilty else _timeout(rank, ranks, guilty, chance)
    steps = lines - len(begins) - len(ends)
    for number, text in enumerate(begins):
        yield _START + number / 10, text
    for step in range(steps):
        at = _START + 60 + 2 * step + chance.random() / 100
        if step % 25 == 24:
            yield at, _warning(at, rank)
        else:
            yield at, _step(at, rank, step)
    begin = _START + 60 + 2 * steps
    for number, text in enumerate(ends):
        yield begin + (0 if rank == guilty else _LIMIT) + number / 10, text


def _begins(rank: int, ranks: int) -> list[str]:
    node, device = divmod(rank, _OF_NODE)
    pid = 4000 + device
    head = f"gpu-{node:04}:{pid}:{pid + 88} [{device}] NCCL INFO "
    address = f"10.{20 + node // 250}.{node % 250}.11"
    comm = (
        f"ncclCommInitRankConfig comm 0x{0x5599AA00 + rank * 64:x} rank {rank} nranks {ranks} cudaDev {device} "
        f"nvmlDev {device} busId {(device + 1) * 0x1B000:x} commId 0x1f2e3d4c5b6a7988 - Init "
    )
    texts = [
        f"Bootstrap: Using bond0:{address}<0>",
        f"NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB bond0:{address}<0>",
        "Using network IB",
        f"{comm}START",
        *(f"Channel {c:02}/0 : {rank}[{device}] -> {(rank + 1) % ranks}[{device}] via P2P/IPC" for c in range(4)),
        "Connected all rings, use ring PXN 0 GDR 1",
        "Connected all trees",
        f"{comm}COMPLETE",
    ]
    return [head + text for text in texts]


def _step(at: float, rank: int, step: int) -> str:
    loss = (step * 7 + rank) % 10_000
    return (
        f"[{_clock(at, '%Y-%m-%d %H:%M:%S')}] [rank{rank}] step {step + 1}/100000 loss 2.{loss:04d} lr 1.0e-04 "
        "grad_norm 0.81 tokens/s 11023 mem 61.2GiB"
    )


def _warning(at: float, rank: int) -> str:
    words = "Warning: expandable_segments not supported on this platform (function operator())"
    return _header(at, rank, "W", "CUDAAllocatorConfig.h:28") + words


def _failure(rank: int) -> list[str]:
    return [
        f"[rank{rank}]: Traceback (most recent call last):",
        f'[rank{rank}]:   File "/job/train.py", line 311, in <module>',
        f"[rank{rank}]:     main()",
        f'[rank{rank}]:   File "/job/train.py", line 208, in main',
        f"[rank{rank}]:     loss.backward()",
        f"[rank{rank}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. "
        f"GPU {rank % _OF_NODE} has a total capacity of 79.10 GiB of which 1.00 GiB is free. Including non-PyTorch "
        "memory, this process has 78.01 GiB memory in use.",
    ]


def _timeout(rank: int, ranks: int, guilty: int, chance: random.Random) -> list[str]:
    at = _END + chance.random()
    group = f"[PG ID 0 PG GUID 0(default_pg) Rank {rank}] "
    work = (
        f"[Rank {rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=412, OpType=ALLREDUCE, "
        f"NumelIn=4096, NumelOut=4096, Timeout(ms)={_LIMIT}000) ran for {_LIMIT}{chance.randrange(10, 90):03} "
        "milliseconds before timing out."
    )
    source = (guilty + 1) % ranks
    texts = [
        ("ProcessGroupNCCL.cpp:632", work),
        (
            "ProcessGroupNCCL.cpp:2268",
            f"{group} failure detected by watchdog at work sequence id: 412 PG status: last enqueued work: 413, "
            "last completed work: 411",
        ),
        (
            "ProcessGroupNCCL.cpp:1746",
            f"{group}Received a dump signal due to a collective timeout from  rank {source} and we will try our best "
            "to dump the debug info. Last enqueued NCCL work: 413, last completed NCCL work: 411.",
        ),
        ("ProcessGroupNCCL.cpp:1806", f"{group}ProcessGroupNCCL preparing to dump debug info. Include stack trace: 1"),
        (
            "ProcessGroupNCCL.cpp:681",
            f"[Rank {rank}] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA "
            "kernels, subsequent GPU operations might run on corrupted/incomplete data.",
        ),
        (
            "ProcessGroupNCCL.cpp:695",
            f"[Rank {rank}] To avoid data inconsistency, we are taking the entire process down.",
        ),
        ("ProcessGroupNCCL.cpp:1895", f"{group}Process group watchdog thread terminated with exception: {work}"),
    ]
    return [_header(at + number / 10, rank, "E", file) + text for number, (file, text) in enumerate(texts)]


def _header(at: float, rank: int, level: str, file: str) -> str:
    """What torch writes in front of a line of its C++ code."""
    return f"[rank{rank}]:[{level}{_clock(at, '%m%d %H:%M:%S')}.{int(at % 1 * 1e6):06}000 {file}] "


def _agent(node: int, members: range, guilty: int) -> list[str]:
    """What the launcher of a node tells in the end."""
    at = _END + 20
    head = f"{_clock(at, '%m%d %H:%M:%S')}.000000 {3900 + node} torch/distributed/elastic/multiprocessing/api.py:869] "
    first = guilty if guilty in members else members[0]
    code = 1 if first == guilty else -6
    others = [rank for rank in members if rank != first]
    return [
        *(f"W{head}Sending process {4000 + rank % _OF_NODE} closing signal SIGTERM" for rank in others[:3]),
        f"E{head}failed (exitcode: {code}) local_rank: {first % _OF_NODE} (pid: {4000 + first % _OF_NODE}) "
        "of binary: /usr/bin/python3",
    ]


def _clock(at: float, form: str) -> str:
    return time.strftime(form, time.gmtime(at))


if __name__ == "__main__":
    main()
