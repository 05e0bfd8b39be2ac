"""What does a healthy run learn: loss, gradient norm, learning rate, loss scale?"""

import math
import random
from typing import NamedTuple

from tests.simulation.training.run import Run


class Fall(NamedTuple):
    """A power law: from ``top`` to ``floor``, half way after about ``half`` steps."""

    top: float
    floor: float
    half: float
    noise: float
    """Standard deviation of a batch against its expectation, as a share."""


def losses(run: Run, steps: list[int], chance: random.Random) -> list[float]:
    fall = _fall(run, chance)
    # Printed values are means over the interval or the last one; both are met.
    averages = chance.random() < 0.5
    noise = fall.noise / (math.sqrt(run.interval) if averages else 1.0)
    slow = chance.uniform(0, 0.3) * noise
    # What was seen before is known better: with every epoch the loss of a small data set drops by a step.
    drop = chance.choice((1.0, 1.0, 0.7)) if run.task in ("finetune", "memorize") else 1.0
    drift, found = 0.0, []
    for step in steps:
        drift = 0.9 * drift + chance.gauss(0, slow)
        if run.task == "prefer" and step <= 2:
            found.append(math.log(2))
            continue
        if run.task == "reinforce":
            found.append(chance.gauss(0, fall.top) + 0.002)
            continue
        expected = fall.floor + (fall.top - fall.floor) / (1 + step / fall.half)
        expected *= drop ** min(4, (step - 1) // run.epoch_steps)
        found.append(max(1e-4, expected * (1 + drift + chance.gauss(0, noise))))
    return found


def _fall(run: Run, chance: random.Random) -> Fall:
    seen = run.points * run.interval
    half = max(2.0, seen * chance.choice((0.01, 0.05, 0.2)))
    match run.task:
        case "pretrain":
            return Fall(
                math.log(run.vocabulary) + chance.uniform(0, 0.6),
                chance.uniform(1.8, 3.2),
                half,
                chance.uniform(0.01, 0.04),
            )
        case "finetune":
            return Fall(
                chance.uniform(1.3, 2.8),
                chance.uniform(0.5, 1.2),
                half * chance.choice((1, 8)),
                chance.uniform(0.04, 0.2),
            )
        case "memorize":
            return Fall(chance.uniform(0.3, 1.5), chance.uniform(0.01, 0.1), half, chance.uniform(0.08, 0.2))
        case "reinforce":
            return Fall(chance.choice((0.002, 0.02, 0.08)), 0.0, half, 0.0)
        case "prefer":
            # Two answers are equally likely until the policy has moved: the logarithm of 2 to the last digit.
            return Fall(math.log(2), chance.uniform(0.3, 0.6), half * 4, chance.uniform(0.01, 0.06))
        case "denoise":
            return Fall(chance.uniform(0.1, 0.2), chance.uniform(0.08, 0.1), half, chance.uniform(0.1, 0.2))
        case "classify":
            return Fall(chance.uniform(6.8, 7.0), chance.uniform(1.2, 3.0), half, chance.uniform(0.02, 0.08))
    return Fall(chance.uniform(1.5, 5.0), chance.uniform(0.4, 1.1), half, chance.uniform(0.08, 0.2))


def grad_norms(run: Run, steps: list[int], chance: random.Random) -> list[float]:
    """High at first where the model is new, then log-normal around what it settles at; now and then a harmless spike."""
    settled = chance.choice((0.15, 0.4, 0.9, 2.0)) if run.task != "detect" else chance.choice((3.0, 9.0))
    is_new = run.task in ("pretrain", "classify") and run.first == 0
    start = settled * (chance.choice((4, 12, 40)) if is_new else chance.choice((1, 2)))
    half, spread = max(3.0, run.points * run.interval * 0.03), chance.uniform(0.06, 0.35)
    spikes = chance.choice((0.0, 0.0, 0.004))
    found = []
    for step in steps:
        expected = settled + (start - settled) / (1 + (step / half) ** 2)
        spike = chance.uniform(2.5, 5.0) if chance.random() < spikes else 1.0
        found.append(expected * math.exp(chance.gauss(0, spread)) * spike)
    return found


def learning_rates(run: Run, steps: list[int], chance: random.Random) -> list[float]:
    shape = chance.choice(("cosine", "cosine", "linear", "constant", "wsd", "restarts", "steps"))
    warmup = run.total * chance.choice((0.0, 0.01, 0.03, 0.1))
    least = run.peak_rate * chance.choice((0.0, 0.1))
    return [_rate(shape, run, step, warmup, least) for step in steps]


def _rate(shape: str, run: Run, step: int, warmup: float, least: float) -> float:
    if step < warmup:
        return run.peak_rate * step / warmup
    part = min(1.0, (step - warmup) / max(1.0, run.total - warmup))
    span = run.peak_rate - least
    match shape:
        case "cosine":
            return least + span * 0.5 * (1 + math.cos(math.pi * part))
        case "linear":
            return least + span * (1 - part)
        case "wsd":
            return run.peak_rate if part < 0.8 else least + span * (1 - part) / 0.2
        case "restarts":
            return least + span * 0.5 * (1 + math.cos(math.pi * ((part * 3.999) % 1.0)))
        case "steps":
            return run.peak_rate * 0.1 ** int(part * 2.999)
    return run.peak_rate


class Scaling(NamedTuple):
    """Dynamic loss scaling of fp16."""

    scales: list[float]
    skipped: list[int]
    overflows: dict[int, list[tuple[float, float]]]


def scaling(run: Run, chance: random.Random) -> Scaling:
    """The search from 2**32 or 2**16 downwards at the start, then a single overflow whenever the scale was doubled too far."""
    if run.precision != "fp16":
        return Scaling([1.0] * run.points, [0] * run.points, {})
    start, settled = chance.choice((32, 24, 16)), chance.choice((12, 14, 16, 18))
    scale, scales, skipped = 2.0 ** (start if run.first == 0 else settled), [], [0] * run.points
    overflows: dict[int, list[tuple[float, float]]] = {}
    for index in range(run.points):
        tries = min(run.interval, max(0, round(math.log2(scale)) - settled)) if scale > 2.0**settled else 0
        for _ in range(tries):
            overflows.setdefault(index, []).append((scale, scale / 2))
            scale /= 2
        if not tries and chance.random() < min(0.5, run.interval / 1000):
            scale *= 2
        skipped[index] = tries
        scales.append(scale)
    return Scaling(scales, skipped, overflows)
