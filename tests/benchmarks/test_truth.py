"""The benchmark of truth counts by kind of trouble and lists what failed."""

from pathlib import Path

import pytest

from benchmarks.truth import Result, report, run
from tests.simulation.score import Outcome


def test_the_report_counts_determined_cases_and_accusations(capsys: pytest.CaptureFixture[str]) -> None:
    report(
        [
            Result(0, "killed", True, Outcome.EXACT, "", ""),
            Result(1, "killed", True, Outcome.WRONG_CULPRIT, "", ""),
            Result(2, "fabric", False, Outcome.FALSE_ACCUSATION, "", ""),
            Result(3, "healthy", False, Outcome.FALSE_ALARM, "", ""),
        ]
    )
    *_, last = capsys.readouterr().out.splitlines()
    assert last == (
        "culprits exact and cause fair in 1 of 2 determined cases (50.0%), 1 false accusations, 1 false alarms"
    )


def test_logs_of_a_seed_are_kept_where_they_are_wanted(tmp_path: Path) -> None:
    result = run(3, "healthy", tmp_path)
    assert result.kind == "healthy"
    assert any(path.is_file() for path in (tmp_path / "3").rglob("*"))


def test_logs_of_a_seed_are_not_left_behind_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    run(3, "healthy", None)
    assert not list(tmp_path.iterdir())
