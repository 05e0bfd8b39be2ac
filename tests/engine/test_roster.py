"""When things began, and what the job as a whole shows."""

from pathlib import Path

import pytest

from logsleuth.model.analysis import Since
from tests.small_jobs import analysed, only, rule, verdicts

FALL = rule("r.one", "when seen a.fall")
BEGAN = """
event b.lasted "Something that took long." { line "it took {t:duration} to fail" began said - t }
event b.end "The end of a rank, told later." { witness launcher line "rank {r:int} is dead" about rank {r} began after last line of about }
"""
LASTED, END = rule("r.one", "when seen b.lasted"), rule("r.one", "when seen b.end")
STAMP, BEFORE, LIFE, NONE = (
    "stamp of the line", "last stamp before the line",
    "between the last sign of life and the report of the end", "no clock in these logs; only the order of lines",
)  # fmt: skip


def at(clock: str) -> str:
    return f"2024-05-01T{clock}"


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("2024-05-01 10:00:00,250 ERROR fell with code 1\n", Since(at("10:00:00.250"), at("10:00:00.250"), STAMP)),
        ("2024-05-01 10:00:00 slipped on ice\nfell with code 1\n", Since(at("10:00:00.000"), None, BEFORE)),
        ("2024-05-01 10:00:00 slipped on ice\n2024-05-01 10:00:09 hello\nfell with code 1\n", Since(at("10:00:00.000"), None, BEFORE)),
        ("fell with code 1\n", Since(None, None, NONE)),
        ("E0501 10:00:00.000000 9 x.py:1] fell with code 1\n", Since("--05-01T10:00:00.000", "--05-01T10:00:00.000", STAMP)),
    ],
)  # fmt: skip
def test_since_when(tmp_path: Path, text: str, since: Since) -> None:
    slips = rule("r.slip", "when seen a.slip", severity="info")
    (verdict,) = (v for v in verdicts(tmp_path, FALL + slips, text) if v.rule == "r.one")
    assert verdict.since == since


def test_a_clock_elsewhere_is_none_beside_the_line(tmp_path: Path) -> None:
    logs = {"a.log": "2024-05-01 10:00:00 hello\n", "b.log": "fell with code 1\n"}
    since = only(tmp_path, FALL, logs).since
    assert since == Since(None, None, "no clock beside the lines that decide it; only the order of lines")


def test_a_year_is_taken_from_stamps_that_have_one(tmp_path: Path) -> None:
    logs = {"a.log": "E0501 10:00:00.000000 9 x.py:1] fell with code 1\n", "b.log": "2024-05-01 10:00:07 hello\n"}
    assert only(tmp_path, FALL, logs).since.latest == at("10:00:00.000")


def test_what_lasted_began_before_it_was_told(tmp_path: Path) -> None:
    verdict = only(tmp_path, BEGAN + LASTED, "2024-05-01 10:10:00 it took 0:10:00 to fail\n")
    assert (verdict.since.earliest, verdict.since.latest) == (at("10:00:00.000"), at("10:00:00.000"))
    assert verdict.evidence[0].time == at("10:10:00.000")


def test_what_has_no_duration_began_when_it_was_told(tmp_path: Path) -> None:
    events = "event b.lasted { regex `it took (?P<t>\\S*) to fail` with t:duration began said - t }\n"
    verdict = only(tmp_path, events + LASTED, "2024-05-01 10:10:00 it took ages to fail\n")
    assert verdict.since.latest == at("10:10:00.000")


def test_what_lasted_may_have_begun_before_any_earlier_line(tmp_path: Path) -> None:
    rules = (
        BEGAN + rule("r.one", "when seen b.lasted", "explains a.slip on any ranks") + rule("r.slip", "when seen a.slip")
    )
    text = "slipped on ice\nit took 0:10:00 to fail\n"
    assert only(tmp_path / "a", rules, text).rule == "r.one"
    at_once = rules.replace("began said - t", "")
    assert [v.rule for v in verdicts(tmp_path / "b", at_once, text)] == ["r.slip", "r.one"]


@pytest.mark.parametrize("lasted", ["9999999999999999999s", "9" * 400 + "s", "0:00:00"])
def test_absurd_durations_are_no_error(tmp_path: Path, lasted: str) -> None:
    only(tmp_path, BEGAN + LASTED, f"2024-05-01 10:10:00 it took {lasted} to fail\n")
    only(tmp_path / "b", BEGAN + LASTED, f"it took {lasted} to fail\n")


def test_an_end_lies_between_the_last_sign_of_life_and_the_report(tmp_path: Path) -> None:
    logs = {
        "rank_3.log": "2024-05-01 10:00:00 hello\n2024-05-01 10:05:00 hello\n", "rank_4.log": "2024-05-01 10:08:00 hello\n",
        "agent.log": "2024-05-01 10:10:00 rank 3 is dead\n",
    }  # fmt: skip
    assert only(tmp_path, BEGAN + END, logs).since == Since(at("10:05:00.000"), at("10:10:00.000"), LIFE)


def test_an_end_without_any_sign_of_life_lies_before_the_report(tmp_path: Path) -> None:
    assert only(tmp_path, BEGAN + END, "2024-05-01 10:10:00 rank 3 is dead\n").since == Since(
        None, at("10:10:00.000"), LIFE
    )


def test_signs_of_life_after_the_report_are_those_of_another_attempt(tmp_path: Path) -> None:
    logs = {"rank_3.log": "2024-05-01 10:50:00 hello\n", "agent.log": "2024-05-01 10:10:00 rank 3 is dead\n"}
    assert only(tmp_path, BEGAN + END, logs).since == Since(None, at("10:10:00.000"), LIFE)


def test_an_end_that_is_told_late_comes_before_what_others_saw_of_it(tmp_path: Path) -> None:
    """The agent reports the end after the peers have noticed: by its last sign of life it may still be the cause."""
    rules = (
        BEGAN + rule("r.one", "when seen b.end", "explains a.echo on any ranks") + rule("r.echo", "when seen a.echo")
    )
    logs = {
        "rank_3.log": "2024-05-01 10:00:00 hello\n", "rank_4.log": "2024-05-01 10:01:00 lost sight of 3\n",
        "agent.log": "2024-05-01 10:10:00 rank 3 is dead\n",
    }  # fmt: skip
    assert only(tmp_path, rules, logs).rule == "r.one"
    said = rules.replace("began after last line of about", "")
    assert [v.rule for v in verdicts(tmp_path, said, logs)] == ["r.echo", "r.one"]


def test_the_job_lasted_from_its_first_to_its_last_stamp(tmp_path: Path) -> None:
    logs = {
        "a.log": "2024-05-01 10:00:00 hello\n" + "hello\n" * 100, "b.log": "I0501 11:00:00.000000 9 x.py:1] hello\nhello\n",
    }  # fmt: skip
    (job,) = analysed(tmp_path, FALL, logs).jobs
    assert (job.span.started, job.span.ended) == (at("10:00:00.000"), at("11:00:00.000"))


def test_hosts_are_those_that_anything_names(tmp_path: Path) -> None:
    logs = {"node-1/rank_0.log": "hello\n", "x.log": "node-2:4711:4720 [0] NCCL INFO hello\n"}
    assert analysed(tmp_path, FALL, logs).jobs[0].hosts == ("node-1", "node-2")


def test_nothing_at_all(tmp_path: Path) -> None:
    found = analysed(tmp_path, FALL, "")
    assert found.verdicts == ()
    (job,) = found.jobs
    assert (job.size, job.seen_ranks, job.silent_ranks, job.hosts, job.attempts, job.span.started) == (
        0,
        (),
        (),
        (),
        1,
        None,
    )


def test_stamps_around_a_line_without_one_bound_it(tmp_path: Path) -> None:
    slips = rule("r.slip", "when seen a.slip", severity="info")
    text = "2024-05-01 10:00:00 slipped on ice\nfell with code 1\n2024-05-01 10:00:09 slipped on oil\n"
    (verdict,) = (v for v in verdicts(tmp_path, FALL + slips, text) if v.rule == "r.one")
    assert verdict.since == Since(at("10:00:00.000"), at("10:00:09.000"), "stamps around the line")


def test_a_stamp_of_another_writer_is_no_upper_bound(tmp_path: Path) -> None:
    slips = rule("r.slip", "when seen a.slip", severity="info")
    text = "2024-05-01 10:00:00 slipped on ice\nfell with code 1\n[rank3]: 2024-05-01 10:00:09 slipped on oil\n"
    (verdict,) = (v for v in verdicts(tmp_path, FALL + slips, text) if v.rule == "r.one")
    assert verdict.since == Since(at("10:00:00.000"), None, BEFORE)


STEP = 'event t.step "A step." { line "step {step:int} took" frequent }\n'
FALL_OR_SLIP = (
    STEP + rule("r.steps", "when count(t.step) > 9000")
    + rule("r.fall", "when seen a.fall", "explains a.slip on any ranks") + rule("r.slip", "when seen a.slip")
)  # fmt: skip


def steps(first: int, last: int) -> str:
    return "".join(f"step {n} took\n" for n in range(first, last))


@pytest.mark.parametrize(("slipped", "expected"), [(10, ["r.slip", "r.fall"]), (39, ["r.fall"])])
def test_without_a_clock_training_steps_tell_what_came_first(tmp_path: Path, slipped: int, expected: list[str]) -> None:
    """A slip well before the fall is none of its echoes; one at about the same step may be."""
    logs = {
        "rank_3.log": steps(0, 40) + "fell with code 1\n",
        "rank_5.log": steps(0, slipped) + "slipped on ice\n" + steps(slipped, 40),
    }
    assert [v.rule for v in verdicts(tmp_path, FALL_OR_SLIP, logs)] == expected


def test_steps_that_start_over_order_nothing(tmp_path: Path) -> None:
    logs = {
        "rank_3.log": steps(0, 15) + "fell with code 1\n",
        "rank_5.log": steps(0, 5) + "slipped on ice\n" + steps(5, 15) + steps(0, 15),
    }
    assert [v.rule for v in verdicts(tmp_path, FALL_OR_SLIP, logs)] == ["r.fall"]


def test_ranks_are_seen_if_they_left_a_line(tmp_path: Path) -> None:
    logs = {"a.log": "the job has 6 ranks\nsaw rank 4 end\n", "rank_0.log": "hello\n", "b.log": "[rank2]: hello\n"}
    (job,) = analysed(tmp_path, rule("r.one", "when seen a.exit"), logs).jobs
    assert (job.size, job.size_is_stated, job.seen_ranks, job.silent_ranks) == (6, True, (0, 2), (1, 3, 4, 5))


@pytest.mark.parametrize(
    ("text", "size", "stated"),
    [("[rank2]: hello\n", 3, False), ("saw rank 7 end\n", 8, False), ("the job has 16 ranks\n", 16, True), ("the job has 4 ranks\nsaw rank 7 end\n", 8, True),
     ("hello\n", 0, False), ("the job has 0 ranks\n", 0, False), ("the job has 99999999999 ranks\n", 0, False)],
)  # fmt: skip
def test_the_size_of_the_job(tmp_path: Path, text: str, size: int, stated: bool) -> None:
    (job,) = analysed(tmp_path, rule("r.one", "when seen a.exit"), text).jobs
    assert (job.size, job.size_is_stated) == (size, stated)
