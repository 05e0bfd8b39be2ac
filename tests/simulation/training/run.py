"""What is trained, on what, and how much of it lies in the logs?"""

import random
from datetime import datetime, timedelta
from typing import NamedTuple

TASKS = ("pretrain", "finetune", "memorize", "reinforce", "prefer", "denoise", "classify", "detect")


class Run(NamedTuple):
    task: str
    """One of ``TASKS``; it decides what the loss looks like."""
    precision: str
    hosts: tuple[str, ...]
    per_host: int
    start: datetime
    first: int
    """The step after which the logs begin; not 0 where an earlier run is resumed."""
    interval: int
    """Steps between two that are printed."""
    points: int
    """Steps that are printed."""
    total: int
    """Steps that the run is to take."""
    epoch_steps: int
    batch: int
    """Samples of a step, all ranks together, once it is at its largest."""
    sequence_length: int
    vocabulary: int
    peak_rate: float
    """The highest learning rate."""
    seconds: float
    """A usual step takes."""
    capacity: float
    """Bytes of a GPU."""
    number: int
    """Of the job."""

    @property
    def size(self) -> int:
        return len(self.hosts) * self.per_host

    def at(self, seconds: float) -> datetime:
        return self.start + timedelta(seconds=seconds)


class Bounds(NamedTuple):
    """Within which a run is drawn."""

    tasks: tuple[str, ...]
    least_points: int = 12
    most_points: int = 20_000
    least_ranks: int = 1
    most_ranks: int = 16
    intervals: tuple[int, ...] = (1, 1, 5, 10, 10, 50, 100)
    is_fresh: bool | None = None
    """Whether the logs hold the first step; None: either."""


_HOSTS = ("node-{n}", "gpu-a{n:02d}", "cn{n:04d}", "dgx-{n:02d}", "trainer-{n}", "gpu-c{n}.cluster.local")
_SIZES = ((1, 1), (1, 2), (1, 4), (1, 8), (2, 4), (2, 8), (4, 4))
_LENGTHS = (((12, 60), 25), ((60, 400), 50), ((400, 1500), 20), ((1500, 20_000), 5))
_RATES = {
    "pretrain": (6e-5, 1.5e-4, 3e-4, 6e-4),
    "finetune": (1e-5, 2e-5, 5e-5, 2e-4),
    "memorize": (2e-5, 1e-4, 2e-4),
    "reinforce": (1e-6, 5e-7, 5e-6),
    "prefer": (5e-7, 5e-6),
    "denoise": (1e-5, 1e-4),
    "classify": (0.1, 0.4, 1e-3, 5e-4),
    "detect": (0.02, 0.01, 1e-4),
}


def draw_run(chance: random.Random, bounds: Bounds) -> Run:
    task = chance.choice(bounds.tasks)
    sizes = [size for size in _SIZES if bounds.least_ranks <= size[0] * size[1] <= bounds.most_ranks]
    nodes, per_host = chance.choice(sizes)
    name, number = chance.choice(_HOSTS), chance.choice((0, 1, 3, 11))
    low, high = chance.choices([length for length, _ in _LENGTHS], [weight for _, weight in _LENGTHS])[0]
    points = min(max(chance.randrange(low, high), bounds.least_points), bounds.most_points)
    interval = chance.choice(bounds.intervals)
    is_fresh = chance.random() < 0.75 if bounds.is_fresh is None else bounds.is_fresh
    first = 0 if is_fresh else interval * chance.randrange(20, 4000)
    seen = first + points * interval
    total = int(seen * chance.uniform(1.05, 30))
    return Run(
        task=task,
        precision=chance.choice(("bf16", "bf16", "bf16", "fp16", "fp32")),
        hosts=tuple(name.format(n=number + node) for node in range(nodes)),
        per_host=per_host,
        start=datetime(2024, 1, 1) + timedelta(seconds=chance.randrange(2 * 365 * 86_400)),
        first=first,
        interval=interval,
        points=points,
        total=total,
        epoch_steps=max(interval, int(total / chance.choice((1, 1, 2, 3, 12)))),
        batch=nodes * per_host * chance.choice((1, 4, 8, 32)),
        sequence_length=chance.choice((512, 1024, 2048, 4096, 8192)),
        vocabulary=chance.choice((32_000, 50_257, 128_256)),
        peak_rate=chance.choice(_RATES[task]),
        seconds=chance.choice((0.12, 0.4, 0.9, 2.5, 8.0, 21.0)) * chance.uniform(0.8, 1.25),
        capacity=chance.choice((24, 40, 80, 80, 141)) * 2.0**30,
        number=chance.randrange(10_000, 9_000_000),
    )
