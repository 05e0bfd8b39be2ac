"""Real jobs: four processes on this machine, started by torchrun over gloo, one of which fails.

Each fault is seen in the three layouts in which torchrun can leave its logs. What is asserted is what a person would
want to hear: which rank, and a cause that the logs allow.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.pages import README, ROOT, Block

pytestmark = pytest.mark.e2e

TRAIN = Path(__file__).with_name("train.py")
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--local-addr", "127.0.0.1"]
WORLD_SIZE = 4
DEADLINE = 120
"""Seconds after which a job or an analysis is ended; a run takes about ten."""


@dataclass(frozen=True)
class Fault:
    name: str
    """What ``train.py --fault`` calls it."""
    rank: int
    causes: frozenset[str]
    """The fair answers."""


FAULTS = [
    Fault("kill", 2, frozenset({"killed", "host-oom"})),
    Fault("raise", 1, frozenset({"uncaught-exception", "data-error"})),
    Fault("leave", 3, frozenset({"peer-exited", "rank-never-entered-collective", "uneven-data"})),
]
LAYOUTS = {
    "one_stream": [],
    "log_dir": ["--log-dir", "logs", "--redirects", "3"],
    "tee": ["--log-dir", "logs", "--tee", "3"],
}


def torchrun(*arguments: str) -> list[str]:
    """The command of a job; ``arguments`` come before the script."""
    return [*TORCHRUN, "--nproc-per-node", str(WORLD_SIZE), *arguments, str(TRAIN)]


def environment() -> dict[str, str]:
    return {**os.environ, "GLOO_SOCKET_IFNAME": "lo"}


def run_job(folder: Path, layout: str, *arguments: str) -> int:
    """Runs a job in ``folder``, its console in ``console.log``; gives torchrun's exit status."""
    folder.mkdir()
    with (folder / "console.log").open("wb") as console:
        job = subprocess.run(
            [*torchrun(*LAYOUTS[layout]), *arguments],
            cwd=folder,
            env=environment(),
            stdout=console,
            stderr=subprocess.STDOUT,
            timeout=DEADLINE,
            check=False,
        )
    return job.returncode


def analyze(folder: Path) -> tuple[int, dict[str, Any]]:
    """What ``logsleuth analyze`` says about a folder: its exit status and its JSON."""
    answer = subprocess.run(
        [sys.executable, "-m", "logsleuth", "analyze", folder.name, "--format", "json"],
        cwd=folder.parent,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert answer.stderr == ""
    return answer.returncode, json.loads(answer.stdout)


def shown(folder: Path) -> Iterator[str]:
    """The logs of a job, for the message of an assertion that fails."""
    for path in sorted(folder.rglob("*.log")):
        yield f"---- {path.relative_to(folder)}\n{path.read_text(errors='replace')}"


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_guilty_rank_is_named(tmp_path: Path, fault: Fault, layout: str) -> None:
    folder = tmp_path / "job"
    assert run_job(folder, layout, "--fault", fault.name, "--rank", str(fault.rank)) == 1
    status, answer = analyze(folder)
    first = answer["verdicts"][0]
    told = f"{json.dumps(first, indent=1)}\n{''.join(shown(folder))}"
    assert first["culprits"]["ranks"] == [fault.rank], told
    assert first["cause"] in fault.causes, told
    assert (first["role"], first["status"], first["severity"]) == ("root", "firm", "fatal"), told
    assert status == 1
    for evidence in first["evidence"]:
        lines = (tmp_path / evidence["source"]).read_text().split("\n")
        assert lines[evidence["line"] - 1].strip() == evidence["text"].strip()


def test_a_job_that_succeeds_raises_no_alarm(tmp_path: Path) -> None:
    folder = tmp_path / "job"
    assert run_job(folder, "tee") == 0
    status, answer = analyze(folder)
    assert answer["verdicts"] == [], "".join(shown(folder))
    assert status == 0


@pytest.mark.parametrize("command", [block for block in README.blocks if "e2e" in block.words], ids=["run", "follow"])
def test_run_passes_a_job_through_and_explains_its_end(tmp_path: Path, command: Block) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command.text],
        cwd=ROOT,
        env={**environment(), "TMPDIR": str(tmp_path), "PATH": path},
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == command.status
    assert "[rank0]: step 2 | loss" in done.stdout
    assert "Root Cause (first observed failure)" in done.stderr
    told = [line for line in done.stderr.splitlines() if line.startswith("FATAL:")]
    assert len(told) == 1
    assert "rank 2" in told[0]
