"""Logs of jobs that are well, full of noise: nothing is to be said of them."""

import pytest

from tests.healthy.alarms import alarms
from tests.healthy.families import FAMILIES
from tests.healthy.log import written


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", FAMILIES)
def test_a_healthy_log_raises_no_alarm(name: str, seed: int) -> None:
    assert not alarms(name, seed, 400)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_seed_always_writes_the_same(name: str) -> None:
    assert written(FAMILIES[name], 3, 150) == written(FAMILIES[name], 3, 150)
    assert written(FAMILIES[name], 3, 150) != written(FAMILIES[name], 4, 150)
