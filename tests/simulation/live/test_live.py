"""Simulated jobs that are watched: healthy ones make no alarm, and stalls are told. ``python -m benchmarks.stalls``
runs more of them."""

from itertools import count

import pytest

from benchmarks.stalls import watcher
from tests.simulation.live.job import Job, draw
from tests.simulation.live.score import Outcome, healthy, stalled

HEALTHY = range(5000, 5004)
STALLED = range(6000, 6006)


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


def test_in_a_steady_job_the_rank_is_named_within_seconds() -> None:
    drawn = (draw(seed, has_stall=True) for seed in count(0, 2))
    job = next(job for job in drawn if _is_steady(job))
    found = stalled(job, watcher(all_rules=False))
    assert found.outcome is Outcome.NAMED
    assert found.delay < 9.0, found.said


def _is_steady(job: Job) -> bool:
    """Whether its ranks take less than a second, none ever has a bad moment, and one other than 0 stops late."""
    assert job.stall
    is_quick = job.manner.iteration < 1.0 and job.manner.hiccups == 0 and not job.manner.restarts_at
    return is_quick and job.stall.rank > 0 and job.stall.step > 300 and job.manner.ranks <= 4


def test_a_seed_draws_one_job() -> None:
    assert draw(3, has_stall=True) == draw(3, has_stall=True)
    assert draw(3, has_stall=True) != draw(4, has_stall=True)
