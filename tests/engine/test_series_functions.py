"""What functions say of series as training jobs print them."""

import math
import random
from collections.abc import Sequence

import pytest

from logsleuth.engine.series_functions import FUNCTIONS, evaluate, is_not_finite
from logsleuth.engine.series_of_members import SeriesView
from logsleuth.engine.series_samples import Argument
from logsleuth.engine.series_signature import Result
from logsleuth.language import functions
from tests.engine.series import view


def noise(seed: int, count: int, share: float) -> list[float]:
    """Factors around one."""
    chance = random.Random(seed)
    return [1 + share * (2 * chance.random() - 1) for _ in range(count)]


FALLING_LOSS = [(2 + 8 * math.exp(-n / 60)) * factor for n, factor in enumerate(noise(1, 300, 0.1))]
STEADY = [0.5 * factor for factor in noise(2, 200, 0.05)]
WITH_CHECKPOINTS = [30.0 if n % 50 == 49 else value for n, value in enumerate(STEADY)]
WITH_EVALUATION = [*STEADY[:100], *(5 * value for value in STEADY[100:108]), *STEADY[108:]]
WARM_UP = [*(20.0, 6.0, 2.0, 1.0), *STEADY]
MEMORY_WARM_UP = [*(10.0 + 10 * n for n in range(6)), *[70.0] * 60]
LEAK = [20.0 + 0.1 * n * factor for n, factor in enumerate(noise(3, 120, 0.05))]
SLOWER = [*STEADY[:120], *(2 * value for value in STEADY[120:])]


def call(name: str, values: Sequence[float] | SeriesView, **arguments: float | Argument) -> Result:
    x = values if isinstance(values, SeriesView) else view(values)
    return evaluate(name, [x], {k: v if isinstance(v, Argument) else Argument(v) for k, v in arguments.items()})


@pytest.mark.parametrize(
    ("values", "rises"),
    [
        (FALLING_LOSS, False),
        (STEADY, False),
        (WITH_CHECKPOINTS, False),
        (WARM_UP, False),
        (MEMORY_WARM_UP, False),
        (SLOWER, False),
        (LEAK, True),
        ([10.0 + n for n in range(8)], True),
        ([10.0 + n for n in range(7)], None),
        ([100.0 + 0.1 * n for n in range(40)], False),
        ([10.0] * 40, False),
        ([], None),
    ],
)
def test_rising_is_what_only_ever_grows(values: list[float], rises: bool | None) -> None:
    assert call("rising", values) is rises


@pytest.mark.parametrize("seed", range(40))
def test_noise_does_not_rise_or_fall(seed: int) -> None:
    for count in (8, 12, 40):
        assert call("rising", noise(seed, count, 0.3)) is False
        assert call("falling", noise(seed, count, 0.3)) is False


def test_rising_asks_for_its_gain_and_its_samples() -> None:
    values = [100.0 + n / 2 for n in range(20)]
    assert call("rising", values, gain=Argument(5, "percent")) is True
    assert call("rising", values, gain=Argument(12, "percent")) is False
    assert call("rising", values, at_least=30) is None


def test_falling_is_rising_downwards() -> None:
    assert call("falling", [100.0 - n for n in range(30)]) is True
    assert call("falling", LEAK) is False


def test_over_looks_at_the_last_steps_only() -> None:
    values = [*[50.0] * 100, *(50.0 + n for n in range(20))]
    assert call("rising", values, over=20) is True
    assert call("rising", values, over=Argument(20, "steps")) is True
    assert call("mean", view(values, every=10), over=50) == pytest.approx(50 + 17)


def test_over_a_time_needs_a_clock() -> None:
    values = [float(n) for n in range(100)]
    assert call("mean", view(values, seconds=2.0), over=Argument(20, "seconds")) == 94.0
    assert call("mean", view(values), over=Argument(20, "seconds")) is None


@pytest.mark.parametrize(
    ("values", "factor", "jumps"),
    [
        (SLOWER, 1.5, True),
        (SLOWER, 2.5, False),
        (WITH_CHECKPOINTS, 1.5, False),
        (WITH_EVALUATION, 1.5, False),
        (WARM_UP, 1.5, False),
        (STEADY, 1.5, False),
        ([1.0] * 5 + [2.0] * 5, 1.5, True),
        ([1.0] * 5 + [2.0] * 4, 1.5, None),
        ([2.0] * 20 + [1.0] * 20, 0.6, True),
        ([2.0] * 20 + [1.0] * 20, 1.5, False),
    ],
)
def test_a_jump_is_a_lasting_change_of_level(values: list[float], factor: float, jumps: bool | None) -> None:
    assert call("jump", values, factor=factor) is jumps


@pytest.mark.parametrize(
    ("values", "spikes"),
    [
        (STEADY, False),
        (WARM_UP, False),
        (WITH_CHECKPOINTS, True),
        ([1.0] * 5 + [11.0], True),
        ([1.0] * 4 + [11.0], None),
        ([1.0] * 5 + [9.0], False),
        ([0.0] * 20 + [1.0], False),
    ],
)
def test_a_spike_stands_above_what_was_before_it(values: list[float], spikes: bool | None) -> None:
    assert call("spike", values, factor=10) is spikes


def test_a_baseline_forgets_what_was_long_before() -> None:
    values = [*[100.0] * 150, *[1.0] * 150, 50.0]
    assert call("spike", values, factor=10) is True
    assert call("baseline", values, last=100) == 1.0


def test_a_baseline_is_of_what_came_before() -> None:
    x = view([1.0] * 20 + [80.0] * 10)
    assert evaluate("baseline", [x], {"last": Argument(10, "steps")}, at=20) == 1.0
    assert evaluate("baseline", [x], {"last": Argument(10, "steps")}, at=29) == 80.0
    assert evaluate("baseline", [x], {}, at=4) is None


def test_a_baseline_of_few_steps_takes_the_last_samples() -> None:
    assert evaluate("baseline", [view([1.0, 2.0, 3.0, 4.0, 5.0, 90.0], every=1000)], {"last": Argument(100)}) == 3.0


def test_a_slope_is_a_gain_per_step_whatever_stands_out() -> None:
    values = [2.0 * n for n in range(50)]
    values[10] = values[30] = 10_000.0
    assert call("slope", view(values, every=5)) == pytest.approx(0.4)
    assert call("slope", [1.0, 2.0, 3.0]) is None


def test_flat_is_what_prints_alike() -> None:
    assert call("flat", [10.37] * 8) is True
    assert call("flat", [10.37] * 7) is None
    assert call("flat", [10.37] * 30 + [10.36]) is False


def test_a_share_is_of_the_steps_that_both_have() -> None:
    data, steps = view([0.3] * 10), view([1.0] * 6)
    over = {"over": Argument(100)}
    assert evaluate("share", [data, steps], over) == pytest.approx(30.0)
    assert evaluate("share", [view([0.3] * 10, every=2), view([1.0] * 10)], over) == pytest.approx(30.0)
    assert evaluate("share", [view([0.3] * 2), steps], over) is None
    assert evaluate("share", [data, view([0.0] * 9)], over) is None


def test_plain_numbers() -> None:
    values = [4.0, math.nan, 1.0, 9.0, 2.0]
    found = {name: call(name, values) for name in ("first", "last", "min", "max", "mean", "median", "count", "isnan")}
    assert found == {
        "first": 4.0, "last": 2.0, "min": 1.0, "max": 9.0, "mean": 4.0, "median": 3.0, "count": 4, "isnan": True,
    }  # fmt: skip
    assert call("isnan", STEADY) is False


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"share", "count", "outvoted", "parted"}))
def test_nothing_is_said_of_an_empty_series(name: str) -> None:
    arguments = {"factor": 2.0} if name in ("jump", "spike") else {}
    assert call(name, [], **arguments) is None
    assert call(name, [math.nan] * 30, **arguments) in (None, True)


def test_nan_and_infinite_values_are_not_finite() -> None:
    assert [is_not_finite(value) for value in (math.nan, -math.inf, 1e300)] == [True, True, False]


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_the_checker_knows_every_function_and_what_it_takes(name: str) -> None:
    first, *others = FUNCTIONS[name].parameters
    assert first.kind == "series"
    assert {parameter.name for parameter in others} <= set(functions.FUNCTIONS[name].options)
    needed = {p.name for p in others if p.default is None and not p.is_optional}
    assert needed == set(functions.FUNCTIONS[name].required)


IDLE_AROUND = [*[0.0] * 50, 0.05, *[0.9] * 20, *[0.0] * 5, *[0.8] * 20, *[0.01] * 60]


def test_what_lies_around_the_work_is_left_out_and_pauses_are_not() -> None:
    work = view(IDLE_AROUND)
    busy = {"busy": Argument(30, "percent")}
    assert evaluate("median", [work], {}) == 0.01
    assert evaluate("median", [work], busy) == pytest.approx(0.8)
    assert evaluate("mean", [work], busy) == pytest.approx((20 * 0.9 + 20 * 0.8) / 45)
    assert evaluate("mean", [view([0.0] * 30)], busy) is None


def test_memory_that_grows_until_the_process_ends_is_rising() -> None:
    memory = view([*[0.1] * 40, *(30.0 + n for n in range(60)), *[0.1] * 40])
    assert evaluate("rising", [memory], {}) is False
    assert evaluate("rising", [memory], {"busy": Argument(10, "percent")}) is True


def test_a_long_time_between_two_runs_is_no_work() -> None:
    twice = view([*[0.9] * 20, *[0.0] * 17, *[0.9] * 20, *[0.0] * 15, *[0.9] * 20])
    assert evaluate("mean", [twice], {"busy": Argument(5, "percent")}) == pytest.approx(0.9 * 60 / 75)


def test_the_level_of_work_is_not_bent_by_pauses_but_by_what_each_step_waits() -> None:
    pauses = view([*[0.95] * 10, *[0.05] * 14] * 4)
    waits = view([0.95, 0.05, 0.0, 0.1] * 24)
    assert evaluate("level", [pauses], {}) == pytest.approx(0.95)
    assert evaluate("level", [waits], {}) == pytest.approx(0.275)
    assert evaluate("level", [view([0.9] * 15)], {}) is None
