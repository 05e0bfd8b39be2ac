"""What a believable job writes: a start, progress of one framework (torchtitan), noise, a good and a bad end."""

import random
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from benchmarks.identity import RANKS, RANKS_PER_HOST, Writer
from benchmarks.stamped import Stamped

_POOL = 500
"""Lines of noise that are made for a rank; its log draws from them."""
GUILTY = 17
"""The rank that runs out of memory where a job fails."""
_TIMEOUT = 600
"""Seconds for which the watchdogs of the others wait then."""
_CHANNELS = 16

_TITAN = "[rank{rank}]:[titan] 2026-03-05 00:00:00,125 - root - INFO - "
_PROGRESS = (
    _TITAN + "step: {step}  loss:  {loss:.5f}  grad_norm:  {norm:.4f}  memory: 70.01GiB(88.50%)  tps: {tps:,}"
    "  tflops: {tflops:.2f}  mfu: {mfu:.2f}%"
)
_CHECKPOINT = (
    _TITAN + "Saving the checkpoint (or staging if async is enabled).",
    _TITAN + "Finished saving the checkpoint in 3.11 seconds.",
)

_BAR = "\rTokenizing shards: {p:2d} of 99 |████████            | {n} docs [00:00:00, 5.21 docs/s]"
_NOISE = {
    _BAR * 4: 12,
    "[2026-03-05 00:00:00] throughput per GPU (TFLOP/s): {y:.1f} | tokens: {m:12d} | lr: 1.2E-05 | batch: {p}": 10,
    "2026-03-05 00:00:00,125 - INFO - trainer.dataloader - rank={rank} fetched batch {n} ({p} samples, {y:.2f} ms)": 10,
    "[rank{rank}]: activations offloaded: {x:.2f} GiB, pinned: {y:.2f} GiB, most pinned {y:.2f} GiB": 8,
    "/opt/venv/lib/python3.11/site-packages/torch/utils/checkpoint.py:{p}: UserWarning: the use_reentrant parameter"
    " should be passed explicitly. Its default will change": 5,
    "tensor([[{x:.4f}, {y:.4f}, {x:.4f}]], device='cuda:{local}', dtype=torch.bfloat16)": 5,
    'DEBUG:urllib3.connectionpool:https://store.example.org:443 "GET /bucket/shard-{n:06d}.tar HTTP/1.1" 200 {m}': 5,
    "INFO 03-05 00:00:00 engine.py:{p}] retry policy timeout=30s max_errors=5 backoff ok, no failure": 5,
    "    layer {p} attn.qkv weight norm {x:.5f} grad norm {y:.5f} update ratio 1.3e-04": 5,
    "time (ms) | forward-backward: {y:.2f} | optimizer: {x:.2f} | layernorm-grads-all-reduce: {x:.2f}": 3,
    "{host}:{pid}:{thread} [{local}] NCCL INFO Trees [{p}] {rank}/-1/-1->{local}->-1 [1] -1/-1/-1->{p}->{rank}": 3,
    "": 2,
}
"""What a training job prints all day, and how often relative to each other."""

_NCCL = "{host}:{pid}:{thread} [{local}] NCCL INFO "
_STARTS = (
    "[rank{rank}]:[titan] 2026-03-05 00:00:00,125 - root - INFO - Starting job: pre-training",
    "[rank{rank}]:[titan] 2026-03-05 00:00:00,125 - root - INFO - CUDA capacity: NVIDIA H100 80GB HBM3 with 79.18GiB"
    " memory",
    "[rank{rank}]:[titan] 2026-03-05 00:00:00,125 - root - INFO - Compiling each TransformerBlock with torch.compile",
    _NCCL + "NCCL version 2.24.3+cuda12.6",
    _NCCL + "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB ; OOB ib0:{address}<0>",
    _NCCL + "Using network IB",
    _NCCL + "ncclCommInitRank comm 0x5599aa00 rank {rank} nranks {ranks} cudaDev {local} nvmlDev {local} busId {bus}000"
    " commId 0x1f2e3d4c5b6a7988 - Init START",
    _NCCL + "comm 0x5599aa00 rank {rank} nRanks {ranks} nNodes {hosts} localRanks {locals} localRank {local} MNNVL 0",
)
_CHANNEL = _NCCL + "Channel {channel:02d}/0 : {rank}[{local}] -> {next}[{next_local}] via P2P/CUMEM"
_STARTED = (
    _NCCL + "Connected all rings",
    _NCCL + "ncclCommInitRank comm 0x5599aa00 rank {rank} nranks {ranks} cudaDev {local} nvmlDev {local} busId {bus}000"
    " commId 0x1f2e3d4c5b6a7988 - Init COMPLETE",
)
_WELL = (
    *_CHECKPOINT,
    "[rank{rank}]:[titan] 2026-03-05 00:00:00,125 - root - INFO - Training completed",
    "{host}:{pid}:{thread} [{local}] NCCL INFO comm 0x5599aa00 rank {rank} nranks {ranks} cudaDev {local} busId"
    " {bus}000 - Destroy COMPLETE",
)
_OUT_OF_MEMORY = (
    "[rank{rank}]: Traceback (most recent call last):",
    '[rank{rank}]:   File "/srv/job/train.py", line 412, in <module>',
    "[rank{rank}]:     trainer.train()",
    '[rank{rank}]:   File "/opt/venv/lib/python3.11/site-packages/torch/_tensor.py", line 581, in backward',
    "[rank{rank}]:     torch.autograd.backward(",
    "[rank{rank}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU {local} has a total"
    " capacity of 79.10 GiB of which 1.24 GiB is free. Including non-PyTorch memory, this process has 77.85 GiB memory"
    " in use. Of the allocated memory 70.01 GiB is allocated by PyTorch, with 4.00 GiB allocated in private pools"
    " (e.g., CUDA Graphs), and 5.17 GiB is reserved by PyTorch but unallocated.",
)
_WORK = (
    "WorkNCCL(SeqNum=412, OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=600000) ran for 600029"
    " milliseconds before timing out."
)
_C10D = "[rank{rank}]:[E305 00:00:00.123456789 ProcessGroupNCCL.cpp:"
_GIVES_UP = (
    _C10D + "632] [Rank {rank}] Watchdog caught collective operation timeout: " + _WORK,
    _C10D + "2150] [PG ID 0 PG GUID 0(default_pg) Rank {rank}]  failure detected by watchdog at work sequence id: 412"
    " PG status: last enqueued work: 413, last completed work: 411",
    _C10D + "681] [Rank {rank}] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA"
    " kernels, subsequent GPU operations might run on corrupted/incomplete data.",
    _C10D + "684] [Rank {rank}] To avoid data inconsistency, we are taking the entire process down.",
    _C10D + "1895] [PG ID 0 PG GUID 0(default_pg) Rank {rank}] Process group watchdog thread terminated with exception:"
    " [Rank {rank}] Watchdog caught collective operation timeout: " + _WORK,
    "terminate called after throwing an instance of 'c10::DistBackendError'",
    "  what():  [PG ID 0 PG GUID 0(default_pg) Rank {rank}] Process group watchdog thread terminated with exception:"
    " [Rank {rank}] Watchdog caught collective operation timeout: " + _WORK,
)


def starts(writer: Writer) -> Iterator[str]:
    """Lines of a job that begins: devices, versions, communicators."""
    for text in _STARTS:
        yield _filled(text, writer)
    following = Writer((writer.rank + 1) % RANKS)
    for channel in range(_CHANNELS):
        yield _filled(_CHANNEL, writer, channel=channel, next=following.rank, next_local=following.local)
    for text in _STARTED:
        yield _filled(text, writer)


class Step(NamedTuple):
    """The line of a step, whose time can be set as that of any other text."""

    text: Stamped
    numbers: dict[str, float]

    def at(self, seconds: float) -> str:
        return self.text.at(seconds).format_map(self.numbers)


def progress(writer: Writer, chance: random.Random) -> Iterator[Step]:
    """A line for each step, without an end: a loss that sinks and shakes as losses do."""
    text = Stamped(_PROGRESS.replace("{rank}", str(writer.rank)))
    for step in count(1):
        loss = 2 + 9 / (1 + step / 200) + chance.gauss(0, 0.02)
        speed = 1 + chance.gauss(0, 0.01)
        numbers = {
            "step": step,
            "loss": loss,
            "norm": 0.8 + 3 / (1 + step / 50) + chance.gauss(0, 0.05),
            "tps": int(5811 * speed),
            "tflops": 335.1 * speed,
            "mfu": 33.9 * speed,
        }
        yield Step(text, numbers)


def saves(writer: Writer) -> Iterator[str]:
    """Lines of a checkpoint."""
    for text in _CHECKPOINT:
        yield _filled(text, writer)


def noise(writer: Writer, chance: random.Random) -> list[str]:
    """Lines that say nothing which anybody looks for."""
    texts = chance.choices(list(_NOISE), list(_NOISE.values()), k=_POOL)
    return [_filled(text, writer, **_numbers(chance)) for text in texts]


def ends_well(writer: Writer) -> Iterator[tuple[float, str]]:
    """The last lines, each with the seconds after which it comes."""
    for after, text in enumerate(_WELL):
        yield float(after), _filled(text, writer)


def ends_badly(writer: Writer) -> Iterator[tuple[float, str]]:
    """One rank runs out of memory, the others wait for it until their watchdogs give up."""
    texts, after = (_OUT_OF_MEMORY, 0.0) if writer.rank == GUILTY else (_GIVES_UP, _TIMEOUT + writer.rank / 100)
    for text in texts:
        yield after, _filled(text, writer)


def _numbers(chance: random.Random) -> dict[str, float]:
    return {
        "n": chance.randrange(900_000),
        "m": chance.randrange(10**9),
        "p": chance.randrange(100),
        "x": chance.random() * 9,
        "y": chance.random() * 900,
    }


def _filled(text: str, writer: Writer, **numbers: float) -> str:
    return text.format(
        rank=writer.rank,
        local=writer.local,
        host=writer.host,
        address=writer.address,
        pid=writer.pid,
        thread=writer.thread,
        bus=f"{0x1B + writer.local * 0x10:x}",
        ranks=RANKS,
        hosts=RANKS // RANKS_PER_HOST,
        locals=RANKS_PER_HOST,
        **numbers,
    )
