"""Simulated jobs that are watched: healthy ones make no alarm, and stalls are told. ``python -m benchmarks.stalls``
runs more of them."""

import pytest

from benchmarks.stalls import watcher
from tests.simulation.live.job import draw, steady
from tests.simulation.live.score import Outcome, healthy, stalled

HEALTHY = range(5000, 5003)
STALLED = range(6000, 6004)


@pytest.mark.parametrize("seed", HEALTHY)
def test_a_healthy_job_makes_no_alarm(seed: int) -> None:
    found = healthy(draw(seed, has_stall=False), watcher(all_rules=False))
    assert found.outcome is Outcome.QUIET, found.said


@pytest.mark.parametrize("seed", STALLED)
def test_nobody_is_blamed_for_the_stall_of_another(seed: int) -> None:
    job = draw(seed, has_stall=True)
    found = stalled(job, watcher(all_rules=False))
    assert found.outcome in (Outcome.NAMED, Outcome.NOBODY, Outcome.MISSED), found.said
    if found.outcome is Outcome.NAMED:
        assert job.can_be_named


@pytest.mark.parametrize("seed", range(3))
def test_in_a_steady_job_the_rank_is_named_within_seconds(seed: int) -> None:
    job = steady(seed)
    found = stalled(job, watcher(all_rules=False))
    assert found.outcome is Outcome.NAMED, found.said
    assert found.delay < 11.0


def test_a_seed_draws_one_job() -> None:
    assert draw(3, has_stall=True) == draw(3, has_stall=True)
    assert draw(3, has_stall=True) != draw(4, has_stall=True)
