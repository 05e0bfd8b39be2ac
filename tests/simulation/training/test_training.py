"""The analysis against simulated training logs of which the truth is known, and the simulator against itself."""

import re
import tempfile
from functools import cache
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.program import Program
from tests.simulation.training.frameworks.choice import FRAMEWORKS
from tests.simulation.training.score import Outcome, Score, score
from tests.simulation.training.simulate import KINDS, Simulated, kind_of, simulate

LINES = 900
"""Of a run; ``python -m benchmarks.training`` has far longer ones, and many more."""
HEALTHY = tuple(range(0, 2 * len(FRAMEWORKS), 2))
"""A healthy run of every framework."""
TROUBLED = tuple(range(1, 2 * len(KINDS) - 2, 2))
"""Every kind of trouble, and of what only looks like it."""
FLOOR = 17
"""Of the troubled seeds that need a verdict, how many have to get an exact one."""


@cache
def program() -> Program:
    return compile_texts(read_rules([shipped_rules()]))


@cache
def judged(seed: int) -> tuple[Simulated, Score]:
    with tempfile.TemporaryDirectory(prefix="logsleuth-training-") as folder:
        simulated = simulate(seed, Path(folder), most_lines=LINES)
        return simulated, score(simulated.truth, analyze_with(program(), [folder]))


@pytest.mark.parametrize("seed", [seed for seed in HEALTHY + TROUBLED if not KINDS[kind_of(seed)].causes])
def test_nothing_is_said_of_a_run_that_is_well(seed: int) -> None:
    simulated, found = judged(seed)
    assert found.outcome is Outcome.QUIET, f"{found.outcome}: {simulated.description}\nsaid: {found.said}"


@pytest.mark.parametrize("seed", [seed for seed in TROUBLED if KINDS[kind_of(seed)].causes])
def test_nobody_is_accused_falsely(seed: int) -> None:
    simulated, found = judged(seed)
    bad = (Outcome.FALSELY_ACCUSED, Outcome.WRONG_CAUSE, Outcome.FALSE_ALARM)
    assert found.outcome not in bad, f"{found.outcome}: {simulated.description}\nsaid: {found.said}"
    assert not found.beside, f"{simulated.description}\nunfair: {found.beside}"


def test_trouble_is_found() -> None:
    exact = [seed for seed in TROUBLED if judged(seed)[1].outcome is Outcome.EXACT]
    assert len(exact) >= FLOOR


def _texts(simulated: Simulated, folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in simulated.paths}


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_seed_always_writes_the_same_bytes(tmp_path: Path, framework: str) -> None:
    first = simulate(3, tmp_path / "a", "healthy", framework, 200)
    second = simulate(3, tmp_path / "b", "healthy", framework, 200)
    assert _texts(first, tmp_path / "a") == _texts(second, tmp_path / "b")
    assert first[2:] == second[2:]


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_healthy_run_writes_of_no_fault(tmp_path: Path, framework: str) -> None:
    simulated = simulate(11, tmp_path, "healthy", framework, 300)
    text = b"".join(_texts(simulated, tmp_path).values()).decode().lower()
    assert not re.search(r"traceback|error:|[:=] ?'?-?(nan|inf)\b|out of memory", text)
    assert simulated.truth.is_healthy


@pytest.mark.parametrize("kind", [kind for kind, fault in KINDS.items() if fault.causes])
def test_trouble_changes_what_is_written(tmp_path: Path, kind: str) -> None:
    """The same seed without it writes other numbers, and the truth tells what a verdict may be."""
    simulated = simulate(8, tmp_path / "a", kind, most_lines=2000)
    healthy = simulate(8, tmp_path / "b", "healthy", simulated.framework, most_lines=2000)
    assert _texts(simulated, tmp_path / "a") != _texts(healthy, tmp_path / "b")
    assert simulated.truth.causes
    assert healthy.truth.is_healthy


@pytest.mark.parametrize("seed", range(8))
def test_a_loss_that_is_no_number_never_comes_back(tmp_path: Path, seed: int) -> None:
    simulated = simulate(seed, tmp_path, "nan-later", "plain", 500)
    losses = re.findall(r"[Ll]oss[ :=]+([\d.]+|nan)\b", _whole(simulated))
    first = losses.index("nan")
    assert first > 0
    assert set(losses[first:]) == {"nan"}


@pytest.mark.parametrize("seed", range(8))
def test_the_rank_that_is_to_blame_is_the_odd_one(tmp_path: Path, seed: int) -> None:
    simulated = simulate(seed, tmp_path, "losses-differ", most_lines=600)
    (culprit,) = simulated.truth.culprits
    last: dict[int, str] = {}
    for path in simulated.paths:
        named = re.search(r"rank_(\d+)", path.name)
        for label, loss in re.findall(
            r"(?m)^(?:\[default| *)(\d*)\]?:? ?\[titan\].* - (?:\x1b\[31m)?step: .*  loss: +([\d.]+)", path.read_text()
        ):
            last[int(named[1] if named else label)] = loss
    assert {rank for rank, loss in last.items() if list(last.values()).count(loss) == 1} == {culprit}


def _whole(simulated: Simulated) -> str:
    return "\n".join(path.read_text() for path in simulated.paths if path.suffix != ".csv")


def test_a_framework_refuses_what_it_cannot_show(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="timm does not show norms-differ"):
        simulate(1, tmp_path, "norms-differ", "timm")
