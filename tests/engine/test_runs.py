"""Several runs in one log, seen from outside: which attempt a failure is told in, and how loudly."""

from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from tests.healthy.alarms import program

BANNER = "W1130 00:17:10.164000 {pid} torch/distributed/run.py:793] Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded, please further tune the variable for optimal performance in your application as needed. \n"
STEPS = "".join(f"[rank{rank}]: step {step} | loss 0.{step}\n" for step in range(3, 9) for rank in (0, 1))
FAILURE = """[rank1]: Traceback (most recent call last):
[rank1]:   File "/srv/job/train.py", line 38, in main
[rank1]:     labels = table[key]
[rank1]: KeyError: 'validation'
E1130 00:18:02.164000 {pid} torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: 1) local_rank: 1 (pid: 921) of binary: /usr/bin/python3
"""
COMPLETE = """I1130 00:35:45.489000 {pid} torch/distributed/elastic/agent/server/api.py:553] [default] Rendezvous complete for workers. Result:
I1130 00:35:45.489000 {pid} torch/distributed/elastic/agent/server/api.py:553]   restart_count=0
I1130 00:35:45.489000 {pid} torch/distributed/elastic/agent/server/api.py:553]   group_rank=0
I1130 00:35:45.489000 {pid} torch/distributed/elastic/agent/server/api.py:553]   group_world_size=1
I1130 00:35:45.489000 {pid} torch/distributed/elastic/agent/server/api.py:553]   global_ranks=[0, 1]
I1130 00:35:45.489000 {pid} torch/distributed/elastic/agent/server/api.py:553]   global_world_sizes=[2, 2]
"""


def _run(pid: int, *parts: str) -> str:
    return "".join(part.replace("{pid}", str(pid)) for part in parts)


def _told(tmp_path: Path, text: str) -> list[tuple[int, str, str]]:
    (tmp_path / "train.log").write_text(text)
    found = analyze_with(program(), [str(tmp_path)])
    return [(one.attempt, str(one.severity), one.cause) for one in found.verdicts if one.status == "firm"]


@pytest.mark.parametrize("meeting", ["", COMPLETE])
def test_a_failure_before_a_run_that_goes_on_is_a_warning(tmp_path: Path, meeting: str) -> None:
    """Also where the agent of the second run counts its own attempts from 0."""
    text = _run(14934, BANNER, meeting, STEPS, FAILURE) + _run(24934, BANNER, meeting, STEPS)
    assert _told(tmp_path, text) == [(0, "warning", "uncaught-exception")]


def test_of_two_runs_that_fail_alike_the_last_is_told(tmp_path: Path) -> None:
    text = _run(14934, BANNER, STEPS, FAILURE) + _run(24934, BANNER, STEPS, FAILURE)
    assert _told(tmp_path, text) == [(1, "fatal", "uncaught-exception")]


def test_a_second_banner_without_an_end_before_it_begins_nothing(tmp_path: Path) -> None:
    text = _run(14934, BANNER) + _run(14999, BANNER, STEPS, FAILURE)
    assert _told(tmp_path, text) == [(0, "fatal", "uncaught-exception")]


def test_a_late_agent_without_a_step_begins_no_run(tmp_path: Path) -> None:
    text = _run(14934, BANNER, FAILURE) + _run(14999, BANNER)
    assert _told(tmp_path, text) == [(0, "fatal", "uncaught-exception")]


def test_three_runs_are_three_attempts(tmp_path: Path) -> None:
    text = "".join(_run(pid, BANNER, STEPS, FAILURE) for pid in (14934, 24934)) + _run(34934, BANNER, STEPS)
    assert _told(tmp_path, text) == [(1, "warning", "uncaught-exception")]


def test_a_banner_behind_steps_begins_a_run_whatever_ended_the_one_before(tmp_path: Path) -> None:
    lost = "[rank1]: RuntimeError: CUDA error: an illegal memory access was encountered\n"
    text = _run(14934, BANNER, STEPS, lost) + _run(24934, BANNER, STEPS)
    assert _told(tmp_path, text) == [(0, "warning", "illegal-memory-access")]


def test_steps_that_a_process_wrote_late_begin_no_run(tmp_path: Path) -> None:
    """Standard output comes when the process ends, behind the traceback."""
    text = _run(14934, BANNER, FAILURE, STEPS)
    assert [severity for _, severity, _ in _told(tmp_path, text)] == ["fatal"]
