"""What is a spike, a departure or a steady level in losses as training jobs print them?"""

import math
import random
from collections.abc import Callable, Sequence

import pytest

from logsleuth.engine.series import Series
from logsleuth.engine.series_functions import evaluate
from logsleuth.engine.series_of_members import SeriesView
from logsleuth.engine.series_samples import Argument
from logsleuth.engine.series_signature import Result
from logsleuth.model.series import Point
from tests.engine.series import view

Shape = Callable[[random.Random, int], list[float]]


def call(name: str, values: Sequence[float] | SeriesView, **arguments: float | Argument) -> Result:
    x = values if isinstance(values, SeriesView) else view(values)
    return evaluate(name, [x], {k: v if isinstance(v, Argument) else Argument(v) for k, v in arguments.items()})


def falling(chance: random.Random, count: int, noise: float = 0.03) -> list[float]:
    return [(2 + 8 * math.exp(-n / 30)) * math.exp(chance.gauss(0, noise)) for n in range(count)]


def of_a_fifth(chance: random.Random, count: int) -> list[float]:
    return [(1 + 3 * math.exp(-n / 40)) * (1 + 0.4 * (chance.random() - 0.5)) for n in range(count)]


def of_small_batches(chance: random.Random, count: int) -> list[float]:
    return [0.9 * math.exp(chance.gauss(0, 0.5)) for _ in range(count)]


def with_restarts(chance: random.Random, count: int) -> list[float]:
    bumps = (0.12 * math.exp(-(n % 50) / 5) if n >= 50 else 0.0 for n in range(count))
    return [(2 + 2 * math.exp(-n / 60)) * (1 + bump) * math.exp(chance.gauss(0, 0.03)) for n, bump in enumerate(bumps)]


def with_a_hump(chance: random.Random, count: int) -> list[float]:
    humps = (1 + 0.1 * math.exp(-(((n - 8) / 4) ** 2)) for n in range(count))
    return [
        10.8 * hump * (0.3 + 0.7 * math.exp(-n / 80)) * math.exp(chance.gauss(0, 0.01)) for n, hump in enumerate(humps)
    ]


def memorised(chance: random.Random, count: int) -> list[float]:
    return [max(1e-4, 2 * math.exp(-n / 20)) * math.exp(chance.gauss(0, 0.3)) for n in range(count)]


HEALTHY: list[Shape] = [falling, of_a_fifth, of_small_batches, with_restarts, with_a_hump, memorised]


@pytest.mark.parametrize("shape", HEALTHY)
@pytest.mark.parametrize("count", [10, 40, 300])
def test_healthy_losses_stay_on_their_level(shape: Shape, count: int) -> None:
    for seed in range(12):
        values = shape(random.Random(f"{count} {seed}"), count)
        assert call("departure", values) is None, seed
        assert call("spikes", values, gain=Argument(100, "percent"), noise=8) in (None, ()), seed


@pytest.mark.parametrize("seed", range(12))
def test_a_spike_comes_back_and_is_no_departure(seed: int) -> None:
    values = falling(random.Random(seed), 60)
    for place, factor in enumerate((2.6, 2.0, 1.5)):
        values[40 + place] *= factor
    assert call("spikes", view(values, every=10)) == (400,)
    assert call("departure", values) is None


@pytest.mark.parametrize("shape", [falling, of_a_fifth, of_small_batches])
def test_a_long_healthy_loss_whose_samples_hold_many_steps_has_no_spike(shape: Shape) -> None:
    for seed in range(3):
        assert call("spikes", shape(random.Random(seed), 30_000)) == ()


@pytest.mark.parametrize("seed", range(3))
def test_a_short_spike_in_a_long_loss_stands_out(seed: int) -> None:
    chance = random.Random(seed)
    values = falling(chance, 30_000)
    at = chance.randrange(2_000, 29_000)
    values[at : at + 3] = [2 * value for value in values[at : at + 3]]
    found = call("spikes", values)
    assert isinstance(found, tuple)
    assert [at <= step < at + 3 for step in found if isinstance(step, int | float)] == [True]


def test_single_values_are_told_from_wide_spikes() -> None:
    values = falling(random.Random(1), 80)
    for place in (30, 45, 60):
        values[place] *= 3.5
    for place in (70, 71, 72):
        values[place] *= 3.5
    both = call("spikes", values)
    assert isinstance(both, tuple)
    assert len(both) == 4
    assert call("spikes", values, longest=1) == (30, 45, 60)


def test_a_spike_at_the_end_takes_two_values() -> None:
    values = falling(random.Random(2), 40)
    assert call("spikes", [*values, 9.0]) == ()
    assert call("spikes", [*values, 9.0, 9.5]) == (41,)


@pytest.mark.parametrize("seed", range(12))
def test_a_loss_that_rises_and_stays_up_departs_where_it_began_to(seed: int) -> None:
    values = falling(random.Random(seed), 60)
    rising = [value * min(4.0, 1.2 ** max(0, n - 39)) for n, value in enumerate(values)]
    since = call("departure", view(rising, every=10))
    assert isinstance(since, int)
    assert 400 <= since <= 460


def test_of_few_values_each_has_to_be_above_the_one_before() -> None:
    assert call("departure", [6.3, 6.5, 7.2, 8.9, 10.1], at_least=5) == 1
    assert call("departure", [6.3, 6.5, 6.4, 8.9, 10.1], at_least=5) is None
    assert call("departure", [6.3, 6.5, 7.2, 8.9, 10.1]) is None
    assert call("departure", [6.3, 6.5, 7.2, 7.9, 8.1], at_least=5) is None


def test_a_loss_below_what_it_lost_before_is_no_departure() -> None:
    values = [*(5.0 - n * 0.2 for n in range(24)), *[0.2] * 10, *[0.5] * 12]
    assert call("departure", values) is None


def test_losses_that_are_zero_or_negative_have_no_scale() -> None:
    values = [0.01 * math.sin(n) for n in range(40)]
    assert call("spikes", [*values, 5.0, 0.0, 0.0]) is None
    assert call("departure", [*values, *[5.0] * 20]) is None


def test_steps_that_are_counted_anew_make_passes() -> None:
    """The third epoch is not complete, so means over all epochs would leap where it ends."""
    epochs = ([2.0] * 40, [0.3] * 40, [0.05] * 20)
    series = Series()
    written = [(step, value) for epoch in epochs for step, value in enumerate(epoch)]
    for line, (step, value) in enumerate(written):
        series.add(Point(step, value, 0, 100 * line, line + 1, None), "")
    epochs_view = SeriesView(series, True, lambda _: None)
    assert call("departure", epochs_view) is None
    assert call("spikes", epochs_view) == ()
    assert call("early", epochs_view) == 2.0
    assert call("late", epochs_view) == pytest.approx(0.05)


def test_a_level_is_steady_as_far_as_its_scatter_lets_one_tell() -> None:
    chance = random.Random(3)
    assert call("steady", [10.4 * math.exp(chance.gauss(0, 0.03)) for _ in range(40)]) is True
    assert call("steady", [10.4 - 0.1 * n for n in range(40)]) is False
    assert call("steady", [10.4] * 7) is None


def test_early_and_late_are_the_quarters_at_both_ends() -> None:
    values = [float(n) for n in range(16)]
    assert call("early", values) == 1.5
    assert call("late", values) == 13.5
    assert call("late", values[:7]) is None
    assert call("late", values[:4], at_least=4) == 3.0
