"""A synthetic corpus: the logs of 64 ranks, made of the shipped library's own samples and of believable noise."""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from logsleuth.language.syntax import Event

RANKS = 64
RANKS_PER_HOST = 8
FAILURES = 12
"""Events of which a job that fails writes lines, beside its progress."""
_POOL = 500
"""Lines of noise that are made for a rank; its log draws from them."""

_CLOCK = re.compile(r"\b\d\d:\d\d:\d\d\b")
_RANK = re.compile(r"(?<=\[rank)\d+(?=\])")
_LOCAL_RANK = re.compile(r"(?<=\[default)\d+(?=\])")

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
    "gpu-a{host:02d}:4011:4102 [{local}] NCCL INFO Trees [{p}] {rank}/-1/-1->{local}->-1 [1] -1/-1/-1->{p}->{rank}": 3,
    "": 2,
}
"""What a training job prints all day, and how often relative to each other."""


class Corpus(NamedTuple):
    folder: Path
    bytes: int
    lines: int
    wanted: int
    """Lines that were taken from samples."""


def usable_samples(events: Iterable[Event]) -> list[str]:
    """The samples of events, without those that begin an attempt: a job restarts at times, not every hundred lines."""
    return [sample.text.strip("\n") for event in events if not event.marks_attempt for sample in event.samples]


def samples_of_a_job(events: Iterable[Event], seed: int = 7) -> list[str]:
    """Samples as one job would write them: nine of ten are its progress, the others are of a dozen events.

    A job does not fail on every rank in every way that the library knows.
    """
    usable = [event for event in events if not event.marks_attempt]
    others = [event for event in usable if not event.frequent]
    failures = usable_samples(random.Random(seed).sample(others, min(FAILURES, len(others))))
    progress = usable_samples(event for event in usable if event.frequent)
    return [*failures, *(progress[n % len(progress)] for n in range(9 * len(failures)))]


def write_corpus(folder: Path, size: int, share: float, samples: Sequence[str], seed: int = 7) -> Corpus:
    """Writes ``rank_0.log`` to ``rank_63.log`` of together ``size`` bytes; ``share`` of their lines come from samples.

    Equal arguments give equal bytes. A file has one identity, and its time stamps never run backwards.
    """
    folder.mkdir(parents=True)
    total = lines = wanted = 0
    for rank in range(RANKS):
        chance = random.Random(seed * RANKS + rank)
        with (folder / f"rank_{rank}.log").open("wb") as out:
            written = 0
            for text, is_sample in _texts(rank, share, samples, chance):
                data = text.encode() + b"\n"
                out.write(data)
                written += len(data)
                count = data.count(b"\n")
                lines += count
                wanted += count if is_sample else 0
                if written >= size // RANKS:
                    break
        total += written
    return Corpus(folder, total, lines, wanted)


def _texts(rank: int, share: float, samples: Sequence[str], chance: random.Random) -> Iterator[tuple[str, bool]]:
    """Endless texts of one rank; a sample of several lines counts as so many lines of the share."""
    told = [_Stamped(_as_told_by(rank, sample)) for sample in samples]
    noise = [
        _Stamped(_filled(text, rank, chance)) for text in chance.choices(list(_NOISE), list(_NOISE.values()), k=_POOL)
    ]
    per_sample = sum(text.lines for text in told) / len(told)
    rate = share / (share + (1 - share) * per_sample)
    seconds = 0.0
    while True:
        seconds += chance.random() * 0.05
        is_sample = chance.random() < rate
        yield chance.choice(told if is_sample else noise).at(int(seconds)), is_sample


class _Stamped:
    """A text whose clock can be set."""

    def __init__(self, text: str) -> None:
        self._parts = _CLOCK.split(text)
        self.lines = text.count("\n") + 1

    def at(self, seconds: int) -> str:
        clock = f"{seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        return clock.join(self._parts)


def _as_told_by(rank: int, text: str) -> str:
    return _LOCAL_RANK.sub(str(rank % RANKS_PER_HOST), _RANK.sub(str(rank), text))


def _filled(text: str, rank: int, chance: random.Random) -> str:
    host, local = divmod(rank, RANKS_PER_HOST)
    n, m, p = chance.randrange(900_000), chance.randrange(10**9), chance.randrange(100)
    return text.format(rank=rank, host=host, local=local, n=n, m=m, p=p, x=chance.random() * 9, y=chance.random() * 900)
