"""The analysis against simulated jobs of which the truth is known, and the simulator against itself."""

from functools import cache
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.program import Program
from tests.simulation.score import score
from tests.simulation.simulate import KINDS, Simulated, simulate

SEEDS = tuple(range(2 * len(KINDS)))
"""Two of every kind of trouble; ``python -m benchmarks.truth`` runs many more."""


@cache
def program() -> Program:
    return compile_texts(read_rules([shipped_rules()]))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_analysis_tells_the_truth(tmp_path: Path, seed: int) -> None:
    simulated = simulate(seed, tmp_path)
    found = score(simulated, analyze_with(program(), [str(tmp_path)]))
    assert found.outcome.is_good, f"{found.outcome}: {simulated.description}\nsaid: {found.said}"


def _texts(simulated: Simulated, folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in simulated.paths}


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_always_writes_the_same_bytes(tmp_path: Path, kind: str) -> None:
    first, second = simulate(5, tmp_path / "a", kind), simulate(5, tmp_path / "b", kind)
    assert _texts(first, tmp_path / "a") == _texts(second, tmp_path / "b")
    assert first.truth == second.truth
    assert first.description == second.description


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"healthy", "bootstrap"}))
def test_trouble_strikes(tmp_path: Path, kind: str) -> None:
    simulated = simulate(3, tmp_path, kind)
    facts = {fact.kind for pieces in simulated.kept.files.values() for piece in pieces for fact in piece.facts}
    assert facts & {"timeout", "exception", "exit", "failed", "lost", "stuck", "barrier", "fingerprint"}


@pytest.mark.parametrize("seed", range(6))
def test_a_healthy_job_writes_of_no_fault(tmp_path: Path, seed: int) -> None:
    simulated = simulate(seed, tmp_path, "healthy")
    text = b"".join(_texts(simulated, tmp_path).values())
    for word in (
        b"Traceback",
        b"Watchdog caught",
        b"SIGTERM",
        b"exitcode",
        b"Connection closed by peer",
        b"srun: error",
    ):
        assert word not in text
    assert simulated.truth.causes == ()


@pytest.mark.parametrize("seed", range(12))
def test_a_straggler_is_convicted_only_by_lines_that_are_there(tmp_path: Path, seed: int) -> None:
    simulated = simulate(seed, tmp_path, "straggler")
    (guilty,) = simulated.truth.culprit_ranks
    facts = [fact for pieces in simulated.kept.files.values() for piece in pieces for fact in piece.facts]
    waiting = {fact.rank for fact in facts if fact.kind == "timeout"}
    assert guilty not in waiting
    if simulated.truth.determined:
        behind = {fact.rank for fact in facts if fact.kind == "told"}
        assert len(waiting) == simulated.job.size - 1 or guilty in behind


@pytest.mark.parametrize("seed", range(12))
def test_an_exception_is_convicted_by_its_traceback(tmp_path: Path, seed: int) -> None:
    simulated = simulate(seed, tmp_path, "exception")
    text = b"".join(_texts(simulated, tmp_path).values()).decode()
    if simulated.truth.determined:
        assert "line 177, in main\n" in text
    else:
        nameless = [piece for pieces in simulated.kept.files.values() for piece in pieces if not piece.is_attributed]
        assert simulated.kept.lost or simulated.kept.cut or nameless


def test_nobody_is_guilty_of_a_fabric_that_hangs(tmp_path: Path) -> None:
    for seed in range(5):
        simulated = simulate(seed, tmp_path / str(seed), "fabric")
        assert not simulated.truth.determined
        assert simulated.truth.culprit_ranks == ()
        assert len(simulated.kept.lost) != 1
