"""What does a healthy run take: time, data, memory, GPU, and in which stages?"""

import math
import random
from typing import NamedTuple

from tests.simulation.training.run import Run


class Stages(NamedTuple):
    """Batch size and sequence length, point by point."""

    batch: list[int]
    length: list[int]


def stages(run: Run, chance: random.Random, *, ramps: bool, curriculum: bool, is_ragged: bool) -> Stages:
    """``ramps``: batches grow in steps; ``curriculum``: sequences do; ``is_ragged``: each batch has its own length."""
    batches, lengths = [], []
    spread = chance.uniform(0.1, 0.3)
    for index in range(run.points):
        part = index / run.points
        share = (1 + min(3, int(part * 6))) / 4 if ramps else 1.0
        batches.append(max(run.size, int(run.batch * share) // run.size * run.size))
        longest = run.sequence_length // (1 if not curriculum or part > 0.5 else 2 if part > 0.25 else 4)
        ragged = min(1.0, math.exp(chance.gauss(-2 * spread, spread))) if is_ragged else 1.0
        lengths.append(max(16, int(longest * ragged)))
    return Stages(batches, lengths)


class Times(NamedTuple):
    steps: list[float]
    data: list[float]


def times(run: Run, course: Stages, chance: random.Random, *, is_ragged: bool) -> Times:
    """Seconds of a step and of its wait for data. The first steps compile, allocate and fill the loader's queue."""
    jitter = chance.uniform(0.005, 0.05) / (math.sqrt(run.interval) if chance.random() < 0.5 else 1.0)
    first = chance.choice((1.2, 3.0, 12.0, 40.0))
    wait = chance.choice((0.003, 0.01, 0.03, 0.08))
    tail = chance.choice((0.0, 0.01, 0.03))
    steps, data = [], []
    for index in range(run.points):
        load = (0.3 + 0.7 * course.batch[index] / max(course.batch)) * (
            0.25 + 0.75 * course.length[index] / run.sequence_length if is_ragged else 1.0
        )
        load *= 0.35 + 0.65 * course.length[index] / run.sequence_length
        warm = 1 + (first - 1) * math.exp(-index * 2.5) / run.interval
        hiccup = chance.uniform(1.3, 2.5) if chance.random() < tail / run.interval else 1.0
        seconds = run.seconds * load * warm * hiccup * math.exp(chance.gauss(0, jitter))
        waited = seconds * wait * math.exp(chance.gauss(0, 0.3)) * (5 if index == 0 else 1)
        steps.append(seconds)
        data.append(min(waited, seconds * (0.25 if index == 0 else 0.15)))
    return Times(steps, data)


class Memory(NamedTuple):
    allocated: list[float]
    reserved: list[float]
    host_used: list[float]


def memory(run: Run, course: Stages, chance: random.Random) -> Memory:
    """Bytes. Optimizer state comes with the first steps; then it follows the length of sequences. Reserved memory fragments a
    little and saturates; the host's fills with what the file cache and the loaders hold, and saturates too."""
    fixed, share = run.capacity * chance.uniform(0.2, 0.4), chance.uniform(0.02, 0.3)
    wobble = chance.choice((0.0, 0.002, 0.01))
    host, cache = chance.uniform(60, 300) * 1e9, chance.uniform(0.0, 0.08)
    allocated, reserved, used, kept = [], [], [], 0.0
    for index in range(run.points):
        warm = 0.55 if index == 0 and run.interval == 1 and run.first == 0 else 1.0
        held = (
            fixed * warm * (1 + chance.gauss(0, wobble))
            + run.capacity * share * course.length[index] / run.sequence_length
        )
        allocated.append(held)
        kept = min(run.capacity * 0.94, max(kept, held * 1.22 * (1 + chance.uniform(0, 0.04))))
        reserved.append(kept)
        used.append(host * (1 + cache * (1 - math.exp(-index / 8)) + chance.gauss(0, 0.004)))
    return Memory(allocated, reserved, used)


def utilization(run: Run, chance: random.Random) -> list[float]:
    usual = chance.choice((92.0, 96.0, 99.0))
    return [min(100.0, max(85.0, chance.gauss(usual, 2.0))) for _ in range(run.points)]
