"""An analysis that can hold next to no series says what one says that holds them all."""

from pathlib import Path

import pytest

from logsleuth.drivers import shared_reading
from logsleuth.drivers.batch import analyze_with
from logsleuth.engine import laid_by
from tests.drivers.jobs import NAMES, PROGRAM, job


@pytest.mark.parametrize("name", NAMES[:: max(len(NAMES) // 40, 1)])
def test_the_answer_is_the_same(simulated: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = job(name, simulated)
    monkeypatch.setattr(laid_by, "MOST", 2)
    monkeypatch.setattr(laid_by, "LITTLE", 0)
    monkeypatch.setattr(laid_by, "RECENT", 2)
    frugal = analyze_with(PROGRAM, [str(folder)])
    monkeypatch.undo()
    assert frugal == analyze_with(PROGRAM, [str(folder)])


def test_it_is_of_several_processes_too(simulated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = job("file-per-rank", simulated)
    monkeypatch.setattr(laid_by, "MOST", 2)
    monkeypatch.setattr(laid_by, "LITTLE", 0)
    monkeypatch.setattr(shared_reading, "ENOUGH_LOGS", 2)
    frugal = analyze_with(PROGRAM, [str(folder)], jobs=3)
    monkeypatch.undo()
    assert frugal == analyze_with(PROGRAM, [str(folder)])
