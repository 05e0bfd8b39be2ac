"""What counts as growth at an even pace, and what does not."""

import math
import random

import pytest

from logsleuth.engine.series_functions import evaluate
from logsleuth.engine.series_samples import Argument
from tests.engine.series import view


def climbing(values: list[float], gain: float = 5, at_least: float = 8) -> object:
    return evaluate("climbing", [view(values)], {"gain": Argument(gain, "percent"), "at_least": Argument(at_least)})


def noisy(seed: int, values: list[float], share: float) -> list[float]:
    chance = random.Random(seed)
    return [value * (1 + share * (2 * chance.random() - 1)) for value in values]


LEAK = [20.0 + 0.1 * n for n in range(200)]
SHAPES_THAT_ARE_NONE = {
    "flat": [20.0] * 100,
    "falling": LEAK[::-1],
    "a leap at the first evaluation": [20.0] * 40 + [28.0] * 60,
    "three stages": [20.0] * 40 + [24.0] * 40 + [28.0] * 40,
    "four stages": [20.0] * 30 + [23.0] * 30 + [26.0] * 30 + [29.0] * 30,
    "caches that warm up": [20.0 + 10 * (1 - math.exp(-n / 30)) for n in range(120)],
    "a logarithm": [20.0 + 4 * math.log1p(n) for n in range(120)],
    "a ramp that ends": [20.0 + 0.2 * min(n, 60) for n in range(120)],
    "saw teeth": [20.0 + n % 12 for n in range(120)],
    "two long saw teeth": [20.0 + 0.2 * (n % 60) for n in range(110)],
    "two levels": [20.0 + 8 * (n % 2) for n in range(100)],
}


@pytest.mark.parametrize("name", SHAPES_THAT_ARE_NONE)
@pytest.mark.parametrize("seed", range(5))
def test_other_growth_is_no_leak(name: str, seed: int) -> None:
    values = SHAPES_THAT_ARE_NONE[name]
    assert climbing(values) is False
    assert climbing(noisy(seed, values, 0.01)) is False


@pytest.mark.parametrize("seed", range(10))
def test_a_leak_is_found_under_noise_and_with_a_warm_up_before(seed: int) -> None:
    assert climbing(noisy(seed, LEAK, 0.01)) is True
    assert climbing([5.0, 18.0, *noisy(seed, LEAK, 0.01)]) is True


def test_a_leak_may_come_in_many_small_leaps_and_grow_faster() -> None:
    assert climbing([20.0 + 2 * (n // 20) for n in range(200)]) is True
    assert climbing([20.0 + 0.001 * n**1.4 for n in range(400)]) is True


def test_few_samples_or_little_gain_say_nothing() -> None:
    assert climbing([20.0 + n for n in range(7)]) is None
    assert climbing([20.0 + n for n in range(8)]) is True
    assert climbing([20.0 + n for n in range(5)], at_least=3) is None
    assert climbing(LEAK, gain=150) is False


@pytest.mark.parametrize("seed", range(40))
def test_noise_does_not_climb(seed: int) -> None:
    for count in (8, 14, 60, 300):
        assert climbing(noisy(seed, [20.0] * count, 0.3)) is False
