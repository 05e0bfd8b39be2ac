"""Clocks without a day, kernels that count from their start, clocks that say no zone or are set back, in small jobs."""

from pathlib import Path

import pytest

from logsleuth.engine.clock import Clock, Moment, certainly_after, seems_after
from logsleuth.model.analysis import Analysis
from logsleuth.model.origin import BARE, Tag
from tests.small_jobs import analysed, rule

FALL = rule("r.fall", "when some rank has a.fall as x", "culprit x", "explains a.slip on other ranks")
SLIP = rule("r.slip", "when some rank has a.slip as x", "culprit x", "explains a.fall on other ranks", cause="aborted")
SOON = rule("r.soon", "when seen a.fall then a.slip within 60 s", cause="hang")
RULES = FALL + SLIP
BOTH = ["r.fall", "r.slip"]
"""What is told where nothing says which of the two came first: each may be the other's cause."""


def rules_of(found: Analysis) -> list[str]:
    return [v.rule for v in found.verdicts]


def times(found: Analysis) -> list[str | None]:
    return [e.time for v in found.verdicts for e in v.evidence]


def test_a_clock_without_a_day_is_compared_with_those_that_have_one(tmp_path: Path) -> None:
    logs = {
        "rank_0.log": "[23:50:00] alive\n[00:20:00] fell with code 1\n",
        "rank_1.log": "2026-03-14 23:50:01 alive\n2026-03-15 00:10:00 slipped on ice\n",
    }
    found = analysed(tmp_path, RULES, logs)
    assert rules_of(found) == ["r.slip"]
    assert found.jobs[0].span.ended == "2026-03-15T00:20:00.000"


def test_a_clock_of_an_unknown_day_is_no_time(tmp_path: Path) -> None:
    logs = {
        "rank_0.log": "[04:00:00] alive\n[05:00:00] fell with code 1\n",
        "rank_1.log": "2026-03-14 16:50:01 alive\n2026-03-14 17:10:00 slipped on ice\n",
    }
    found = analysed(tmp_path, RULES, logs)
    assert rules_of(found) == BOTH
    assert times(found) == [None, "2026-03-14T17:10:00.000"]


def test_where_no_log_tells_a_day_clocks_are_still_compared(tmp_path: Path) -> None:
    logs = {
        "rank_0.log": "[23:50:00] alive\n[00:20:00] fell with code 1\n",
        "rank_1.log": "23:50:01.250 alive\n00:10:00.500 slipped on ice\n",
    }
    found = analysed(tmp_path, RULES, logs)
    assert rules_of(found) == ["r.slip"]
    assert (found.jobs[0].span.started, found.jobs[0].span.ended) == ("T23:50:00.000", "T00:20:00.000")


@pytest.mark.parametrize(("last", "fires"), [("00:00:20", True), ("00:02:20", False)])
def test_time_between_lines_is_known_over_midnight(last: str, fires: bool, tmp_path: Path) -> None:
    log = f"[23:59:50] fell with code 1\n[{last}] slipped on ice\n"
    assert (rules_of(analysed(tmp_path, SOON, {"rank_0.log": log})) == ["r.soon"]) is fires


def test_durations_that_look_like_clocks_change_nothing(tmp_path: Path) -> None:
    log = "2026-03-14 10:00:00 alive\n00:12:34 fell with code 1\n2026-03-14 10:00:10 slipped on ice\n"
    found = analysed(tmp_path, FALL, {"rank_0.log": log})
    (verdict,) = found.verdicts
    assert (verdict.since.earliest, verdict.since.latest) == (None, "2026-03-14T10:00:10.000")


# Kernels


def kernel(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


JOURNAL = "Sat 2026-03-14 10:00:00 UTC node-7 kernel: "


@pytest.mark.parametrize(
    ("other", "time"),
    [
        # The same line with a stamp, by whatever program it was shown.
        (f"{JOURNAL}fell with code 1", "2026-03-14T10:00:00.000"),
        ("Mar 14 10:00:00 node-7 kernel: [81000.000000] fell with code 1", "--03-14T10:00:00.000"),
        # Another line that shows both.
        ("2026-03-14T09:59:50+00:00 node-7 kernel: [80990.000000] slipped on ice", "2026-03-14T10:00:00.000"),
        # Nothing that both have, or another host.
        (f"{JOURNAL}fell with code 2", None),
        ("Sat 2026-03-14 10:00:00 UTC node-8 kernel: fell with code 1", None),
    ],
)
def test_another_log_tells_when_a_host_was_started(other: str, time: str | None, tmp_path: Path) -> None:
    logs = {"node-7/dmesg.txt": kernel("[81000.000000] fell with code 1"), "other.log": f"{other}\n"}
    found = analysed(tmp_path, FALL + rule("r.note", "when count(a.slip) > 9"), logs)
    evidence = [e for v in found.verdicts for e in v.evidence if e.source.endswith("dmesg.txt")]
    assert [e.time for e in evidence] == [time]


def test_what_a_kernel_says_again_and_again_tells_no_start(tmp_path: Path) -> None:
    dmesg = kernel("[81000.000000] fell with code 1", "[82000.000000] fell with code 1")
    logs = {"node-7/dmesg.txt": dmesg, "journal.log": f"{JOURNAL}fell with code 1\n"}
    found = analysed(tmp_path, FALL, logs)
    assert {e.time for v in found.verdicts for e in v.evidence if e.source.endswith("dmesg.txt")} == {None}


def test_a_host_that_was_started_twice_has_no_one_start(tmp_path: Path) -> None:
    dmesg = kernel("[81000.000000] fell with code 1", "[12.000000] slipped on ice")
    logs = {"node-7/dmesg.txt": dmesg, "journal.log": f"{JOURNAL}fell with code 1\n"}
    assert None in times(analysed(tmp_path, FALL, logs))


# Zones


@pytest.mark.parametrize(
    ("start", "first", "told"),
    [
        # In UTC too, for all that is known: then the slip came first, or the fall did.
        (10, "slip", ["r.slip"]), (10, "fall", ["r.fall"]),
        # Hours later than all that says a zone: what came first is open.
        (18, "slip", BOTH), (18, "fall", BOTH), (15, "fall", BOTH),
    ],
)  # fmt: skip
def test_clocks_that_say_no_zone_are_believed_where_they_agree(
    start: int, first: str, told: list[str], tmp_path: Path
) -> None:
    slipped, fell = (20, 40) if first == "slip" else (40, 20)
    logs = {
        "rank_0.log": f"2026-03-14 {start}:00:00 alive\n2026-03-14 {start}:{fell}:00 fell with code 1\n",
        "rank_1.log": f"2026-03-14T10:00:00Z alive\n2026-03-14T10:{slipped}:00Z slipped on ice\n"
        "2026-03-14T10:41:00Z alive\n",
    }
    found = analysed(tmp_path, RULES, logs)
    assert rules_of(found) == told
    assert any("says no zone" in text for text in found.verdicts[0].unknowns) is (start != 10)


# Order that is disturbed


def test_a_clock_that_is_set_back_by_an_hour_is_as_uncertain(tmp_path: Path) -> None:
    """The end of summer time in a log that says no zone: half past two comes twice."""
    before = {"rank_1.log": "2026-10-25 02:40:00 alive\n2026-10-25 02:50:00 slipped on ice\n"}
    steady = "2026-10-25 02:40:00 notice: a\n2026-10-25 02:55:00 fell with code 1\n2026-10-25 02:58:00 notice: b\n"
    back = steady + "2026-10-25 01:58:00 notice: c\n2026-10-25 02:10:00 notice: d\n"
    note = rule("r.note", "when count(a.notice) > 9")
    assert rules_of(analysed(tmp_path / "steady", RULES + note, {**before, "rank_0.log": steady})) == ["r.slip"]
    assert rules_of(analysed(tmp_path / "back", RULES + note, {**before, "rank_0.log": back})) == BOTH


def moment(offset: int, seconds: float, writer: Tag = BARE, source: int = 0) -> Moment:
    clock = Clock(0, 0.0, 0.0)
    return Moment(seconds, seconds, source, offset, offset, writer, True, clock, clock)


def test_lines_that_name_no_writer_and_come_late_have_no_certain_order() -> None:
    early, late = moment(0, 100.0), moment(50, 95.0)
    assert not certainly_after(late, early)
    assert not certainly_after(early, late)
    assert seems_after(late, early)


def test_lines_of_one_rank_stand_in_their_order_whatever_its_clock_does() -> None:
    rank = Tag(rank=3)
    assert certainly_after(moment(50, 95.0, rank), moment(0, 100.0, rank))
    assert certainly_after(moment(50, 99.0), moment(0, 100.0))
