"""Which attempt of the job a line belongs to."""

from pathlib import Path

import pytest

from tests.small_jobs import analysed, names, only, rule, verdicts

FALLS = "".join(rule(f"r.c{n}", f"when seen a.fall[code == {n}] as x", verdict="{x.attempt}") for n in range(4))
"""One rule for each code, which tells the attempt in which it holds."""
NTH = 'event a.nth "An attempt." { witness launcher line "this is attempt {n:int}" about job states attempt = {n} }\n'


def attempts(folder: Path, logs: dict[str, str] | str, rules: str = FALLS) -> dict[str, int]:
    """The attempt of each code."""
    return {v.rule.removeprefix("r.c"): v.attempt for v in verdicts(folder, rules, logs)}


def test_a_job_that_tells_nothing_has_one_attempt(tmp_path: Path) -> None:
    found = analysed(tmp_path, FALLS, "fell with code 1\n")
    assert [v.attempt for v in found.verdicts] == [0]
    assert found.jobs[0].attempts == 1


def test_what_follows_a_new_beginning_belongs_to_the_next_attempt(tmp_path: Path) -> None:
    text = "fell with code 0\nstarting over\nfell with code 1\nstarting over\nfell with code 2\n"
    assert attempts(tmp_path, text) == {"0": 0, "1": 1, "2": 2}
    assert analysed(tmp_path, FALLS, text).jobs[0].attempts == 3


def test_the_line_that_ends_an_attempt_belongs_to_it(tmp_path: Path) -> None:
    again = rule("r.again", "when seen job.again", severity="info") + rule(
        "r.both", "when seen job.again", "when seen a.fall"
    )
    assert [(v.rule, v.attempt) for v in verdicts(tmp_path / "a", again, "starting over\n")] == [("r.again", 0)]
    assert "r.both" in names(verdicts(tmp_path / "b", again, "fell with code 1\nstarting over\n"))
    assert "r.both" not in names(verdicts(tmp_path / "c", again, "starting over\nfell with code 1\n"))


def test_attempts_may_be_numbered(tmp_path: Path) -> None:
    text = "this is attempt 0\nfell with code 0\nthis is attempt 2\nfell with code 2\nthis is attempt 1\nfell with code 1\n"
    assert attempts(tmp_path, text, NTH + FALLS) == {"0": 0, "1": 1, "2": 2}


def test_a_number_sets_the_count(tmp_path: Path) -> None:
    text = "this is attempt 4\nfell with code 0\nstarting over\nfell with code 1\n"
    assert attempts(tmp_path, text, NTH + FALLS) == {"0": 4, "1": 5}


def test_a_folder_names_the_attempt_of_its_logs(tmp_path: Path) -> None:
    logs = {
        "attempt_0/0/stderr.log": "fell with code 0\n",
        "attempt_1/0/stderr.log": "fell with code 1\nstarting over\nfell with code 2\n",
    }
    assert attempts(tmp_path, logs) == {"0": 0, "1": 1, "2": 1}


def test_a_source_that_tells_nothing_is_placed_by_the_clock(tmp_path: Path) -> None:
    agent = "2024-05-01 10:00:00 hello\n2024-05-01 11:00:00 starting over\n2024-05-01 12:00:00 starting over\n"
    ranks = "".join(f"2024-05-01 {hour:02d}:30:00 fell with code {n}\n" for n, hour in enumerate((9, 10, 11, 12)))
    assert attempts(tmp_path, {"a.log": agent, "b.log": ranks}) == {"0": 0, "1": 0, "2": 1, "3": 2}


def test_a_line_without_a_stamp_goes_with_the_one_before(tmp_path: Path) -> None:
    agent = "2024-05-01 11:00:00 starting over\n"
    ranks = "2024-05-01 10:30:00 fell with code 0\nfell with code 1\n2024-05-01 11:30:00 fell with code 2\nfell with code 3\n"
    assert attempts(tmp_path, {"a.log": agent, "b.log": ranks}) == {"0": 0, "1": 0, "2": 1, "3": 1}


def test_without_a_clock_a_source_belongs_to_the_last_attempt(tmp_path: Path) -> None:
    assert attempts(tmp_path, {"a.log": "fell with code 0\nstarting over\n", "b.log": "fell with code 1\n"}) == {
        "0": 0,
        "1": 1,
    }


def test_rules_are_judged_in_each_attempt_by_itself(tmp_path: Path) -> None:
    both = rule("r.both", "when seen a.fall", "when seen a.slip")
    fall, slip, again = "fell with code 1\n", "slipped on ice\n", "starting over\n"
    assert verdicts(tmp_path, both, fall + again + slip) == []
    assert [v.attempt for v in verdicts(tmp_path, both, again + fall + slip)] == [1]
    absent = rule("r.absent", "when seen a.fall", "when no a.slip")
    assert [v.attempt for v in verdicts(tmp_path, absent, slip + again + fall)] == [1]


def test_what_was_evicted_in_one_attempt_leaves_nothing_open_in_another(tmp_path: Path) -> None:
    absent = rule("r.absent", "when seen a.slip", "when no a.fall")
    text = "fell with code 1\n" * 100 + "starting over\nslipped on ice\n"
    assert names(verdicts(tmp_path, absent, text)) == ["r.absent"]


def test_a_field_may_ask_for_the_attempt(tmp_path: Path) -> None:
    later = rule("r.later", "when seen a.fall[attempt >= 1] as x", verdict="{x.code}")
    assert only(tmp_path, later, "fell with code 0\nstarting over\nfell with code 1\n").summary == "1"


@pytest.mark.parametrize("number", ["999999", "99999999999999999999", "-3"])
def test_an_absurd_number_of_attempts_costs_nothing(tmp_path: Path, number: str) -> None:
    found = attempts(tmp_path, f"this is attempt {number}\nfell with code 1\n", NTH + FALLS)
    assert list(found) == ["1"]


def test_one_rule_in_many_attempts_is_told_once(tmp_path: Path) -> None:
    text = "fell with code 1\n" + "starting over\nfell with code 1\n" * 3
    (verdict,) = verdicts(tmp_path, FALLS, text)
    assert (verdict.attempt, verdict.occurrences) == (3, 4)
