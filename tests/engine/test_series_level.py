"""Changes of level that stay, and what is none."""

import random

import pytest

from logsleuth.engine.series_functions import evaluate
from tests.engine.series import view


def shift(values: list[float]) -> object:
    return evaluate("shift", [view(values)], {})


def noisy(seed: int, values: list[float], share: float = 0.05) -> list[float]:
    chance = random.Random(seed)
    return [value * (1 + share * (2 * chance.random() - 1)) for value in values]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("factor", [0.5, 1.4, 3.0])
def test_a_change_that_stays_is_told_as_its_factor(seed: int, factor: float) -> None:
    values = noisy(seed, [0.5] * 60 + [0.5 * factor] * 40)
    with_checkpoints = [10.0 if n % 25 == 7 else value for n, value in enumerate(values)]
    assert shift(values) == pytest.approx(factor, rel=0.05)
    assert shift(with_checkpoints) == pytest.approx(factor, rel=0.05)
    assert shift([9.0, 4.0, *values]) == pytest.approx(factor, rel=0.05)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    "values",
    [
        [0.5] * 80,
        [0.5] * 30 + [1.5] * 20 + [0.5] * 30,
        [9.0, 6.0, 3.0] + [0.5] * 60,
        [0.5] * 77 + [9.0] * 3,
        [2.0 if n % 6 == 5 else 0.5 for n in range(80)],
        [0.5] * 70 + [1.5] * 20 + [0.5] * 10,
    ],
)
def test_what_comes_back_or_is_single_is_no_change(seed: int, values: list[float]) -> None:
    assert shift(noisy(seed, values)) == 1.0


@pytest.mark.parametrize("seed", range(40))
def test_wide_noise_is_no_change(seed: int) -> None:
    chance = random.Random(seed)
    values = [chance.lognormvariate(0.0, 0.4) for _ in range(20 + 4 * seed)]
    assert shift(values) == 1.0


def test_few_samples_say_nothing() -> None:
    assert shift([0.5] * 7 + [1.5] * 8) is None
    assert shift([0.5] * 8 + [1.5] * 8) == 3.0
