"""Jobs on which promises are tested: fixtures, real runs, and simulated jobs of several kinds, layouts and launchers."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from logsleuth.drivers.batch import analyze_with
from logsleuth.language.library import load
from logsleuth.report.document import to_document
from tests.simulation.simulate import simulate

FIXTURES = Path(__file__).parents[2] / "fixtures" / "logs"
PROGRAM = load(local=False).program

_REAL = sorted(path for path in (FIXTURES / "real").glob("*") if path.is_dir())
"""Runs of torchrun (torch 2.13, gloo, two or four ranks on CPUs) whose faults were made on purpose. Only the logs were
kept; the names of hosts and folders in them are invented, nothing else was changed."""
_OTHERS = sorted(path for path in FIXTURES.glob("*/*/*") if path.is_dir() and path.parts[-3] != "real")
_SEEDS = {
    "merged": 1,
    "pods": 2,
    "file-per-rank": 3,
    "tree": 7,
    "clocks-apart": 17,
    "file-per-host": 18,
    "sizes-differ": 36,
}
"""Of simulated jobs, by what is special about them."""
NAMES = ["/".join(path.relative_to(FIXTURES).parts) for path in (*_REAL, *_OTHERS)] + sorted(_SEEDS)


def job(name: str, folder: Path) -> Path:
    """The folder with the logs of a job; those of a simulated one are written beneath ``folder`` if they are not yet."""
    if name not in _SEEDS:
        return FIXTURES / name
    place = folder / name
    if not place.exists():
        simulate(_SEEDS[name], place)
    return place


def files(of: Path) -> list[str]:
    """The logs in a folder."""
    return [str(path) for path in sorted(of.rglob("*")) if path.is_file()]


def answer(paths: Sequence[str], engine: str | None = None, chunk_size: int | None = None) -> dict[str, Any]:
    """All that an analysis says, as the document that programs read."""
    return to_document(analyze_with(PROGRAM, list(paths), engine=engine, chunk_size=chunk_size))


@cache
def whole_answer(of: Path) -> dict[str, Any]:
    """What is said of a folder as it lies there."""
    return answer([str(of)])
