"""How long it has been quiet, and at what pace it went before."""

from pathlib import Path

import pytest

from logsleuth.engine.series_functions import evaluate
from tests.engine.series import view
from tests.small_jobs import rule, verdicts

STEP = 'event b.step "A step." { line "at step {n:int}" }\n'
LIMIT = 'event b.limit "The scheduler ended it." { line "ended at {when:moment}" about job }\n'
QUIET = STEP + rule("r.quiet", "when seen b.step when quiet(b.step) > 20m")
UNTIL = STEP + LIMIT + rule("r.quiet", "when seen b.step when quiet(b.step, last(b.limit.when)) > 20m")
STEPS = "2024-05-01 10:00:00 at step 1\n2024-05-01 10:01:07 at step 2\n"


def is_quiet(folder: Path, rules: str, logs: str | dict[str, str]) -> bool:
    return any(v.rule == "r.quiet" and v.status == "firm" for v in verdicts(folder, rules, logs))


@pytest.mark.parametrize(
    ("others", "answer"),
    [
        ("2024-05-01 10:01:30 watching\n", False),
        ("2024-05-01 10:20:30 watching\n", False),
        ("2024-05-01 10:01:30 watching\n2024-05-01 10:30:30 watching\n", True),
    ],
)
def test_other_logs_tell_how_long(tmp_path: Path, others: str, answer: bool) -> None:
    assert is_quiet(tmp_path, QUIET, {"train.log": STEPS, "watch.log": others}) is answer


def test_a_writer_that_goes_on_is_not_quiet(tmp_path: Path) -> None:
    few = "2024-05-01 10:50:00 evaluating\n"
    many = "".join(f"2024-05-01 10:{n:02d}:00 {'evaluating a batch ' * 6}\n" for n in range(2, 59))
    assert is_quiet(tmp_path, QUIET, STEPS + few)
    assert not is_quiet(tmp_path, QUIET, STEPS + many)


def test_a_log_that_ends_is_not_quiet(tmp_path: Path) -> None:
    assert not is_quiet(tmp_path, QUIET, STEPS)
    assert not is_quiet(tmp_path, QUIET, "at step 1\nat step 2\n")


def test_steps_without_a_stamp_came_before_the_first_one_behind_them(tmp_path: Path) -> None:
    behind = "2024-05-01 10:30:00 watching\n2024-05-01 10:59:00 watching\n"
    assert is_quiet(tmp_path, QUIET, "at step 1\nat step 2\n" + behind)
    assert not is_quiet(tmp_path, QUIET, behind + "at step 1\nat step 2\n")


@pytest.mark.parametrize(
    ("when", "answer"),
    [
        ("2024-05-01T10:05:00", False),
        ("2024-05-01T10:45:00", True),
        ("2024-05-01T12:02:00", False),  # two time zones away, and a minute
        ("2024-05-01T12:14:00", True),
        ("2025-05-01T12:14:00", False),
    ],
)
def test_a_moment_that_is_told(tmp_path: Path, when: str, answer: bool) -> None:
    assert is_quiet(tmp_path, UNTIL, STEPS + f"ended at {when}\n") is answer


def test_the_rhythm_is_that_of_most_lines() -> None:
    assert evaluate("rhythm", [view([1.0] * 20, seconds=30)], {}) == 30
    assert evaluate("rhythm", [view([1.0] * 4, seconds=30)], {}) is None
    assert evaluate("rhythm", [view([1.0] * 20)], {}) is None
