"""Logs of a run that failed and of one behind it that trains: the failure is no failure of the job any more."""

import tempfile
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.model.analysis import Severity
from tests.healthy.alarms import program

FAILURES = {
    "gpu memory": "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 79.11 GiB of which 1.00 GiB is free.",
    "exception": 'Traceback (most recent call last):\n  File "train.py", line 3, in main\n    x = table[1]\nKeyError: 1',
    "illegal access": "RuntimeError: CUDA error: an illegal memory access was encountered",
    "segmentation fault": "run.sh: line 12: 41231 Segmentation fault      (core dumped) python train.py",
    "segmentation fault, bare": "Segmentation fault (core dumped)",
    "killed": "run.sh: line 12: 41231 Killed                  python train.py",
    "time limit": "slurmstepd: error: *** JOB 8812 ON gpu-a12 CANCELLED AT 2025-03-04T03:12:55 DUE TO TIME LIMIT ***",
    "scancel": "slurmstepd: error: *** JOB 8812 ON gpu-a12 CANCELLED AT 2025-03-04T03:12:55 ***",
    "host memory": "slurmstepd: error: Detected 1 oom_kill event in StepId=8812.0. Some of the step tasks have been OOM Killed.",
    "interrupt": 'Traceback (most recent call last):\n  File "train.py", line 3, in main\n    step()\nKeyboardInterrupt',
    "task": "srun: error: gpu-a12: task 3: Exited with exit code 1",
}


def _steps(first: int, behind: int) -> str:
    clock = (f"2025-03-04 10:{step // 60:02}:{step % 60:02},000" for step in range(first, behind))
    return "".join(f"{at} INFO step {step} loss {9 / (step + 3) + 1:.4f}\n" for step, at in enumerate(clock, first))


def _worst(text: str) -> set[Severity]:
    with tempfile.TemporaryDirectory(prefix="logsleuth-recovered-") as folder:
        (Path(folder) / "train.log").write_text(text)
        found = analyze_with(program(), [folder])
    return {verdict.severity for verdict in found.verdicts if verdict.status == "firm"}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_launched_again(failure: str) -> None:
    text = _steps(1, 40) + f"{failure}\n+ srun python train.py\n" + _steps(30, 200)
    assert not _worst(text) & {Severity.ERROR, Severity.FATAL}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_it_came_to_its_end_all_the_same(failure: str) -> None:
    text = _steps(1, 40) + f"{failure}\n" + _steps(30, 200) + "Training completed\n"
    assert not _worst(text) & {Severity.ERROR, Severity.FATAL}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_the_same_failure_at_the_end_is_one(failure: str) -> None:
    assert _worst(_steps(1, 40) + f"{failure}\n") & {Severity.ERROR, Severity.FATAL}
