"""What happens to a live job, in plain lines."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from logsleuth.model.change import Change, ChangeKind
from logsleuth.report.changes import change_lines
from logsleuth.report.plain_lines import PlainLines
from tests.report.analyses import CASES, restarted, two_jobs
from tests.report.live_job import KILLED, MORE, SLOW, START, follow, snapshot, vitals
from tests.report.paper import Paper

PAGE = Path(__file__).parents[2] / "docs" / "live.md"


def plain() -> tuple[PlainLines, StringIO]:
    stream = StringIO()
    return PlainLines(stream, clock=lambda: START), stream


def told(change: Change) -> list[str]:
    return list(change_lines(change, CASES["root"]()))


def test_the_page_shows_what_a_reader_sees() -> None:
    lines, stream = plain()
    lines.begin(["logs/"])
    follow(lines)
    assert f"```text\n{stream.getvalue()}```\n" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ChangeKind)
def test_the_first_line_says_which_verdict_and_what_became_of_it(kind: ChangeKind) -> None:
    by = "f9" if kind is ChangeKind.TAKEN_OVER else None
    first = told(Change(1, START, kind, "f3", MORE, KILLED, by))[0]
    assert first.startswith("2025-11-30T00:07:47Z ")
    assert "[f3]" in first
    assert MORE.summary in first
    assert ("[f9]" in first) == (by is not None)


def test_a_failure_is_told_with_lines_and_what_to_do() -> None:
    lines = told(Change(1, START, ChangeKind.APPEARED, "f3", KILLED))
    assert [word in "\n".join(lines) for word in ("rank 2 on node-7", "process.killed", "likely")] == [True] * 3
    assert sum(line.lstrip().startswith("logs/agent.log:48: E1130") for line in lines) == 1
    assert sum(line.lstrip().startswith("to do: ") for line in lines) == 1


def test_a_warning_is_told_in_short() -> None:
    assert not any("stdout.log" in line for line in told(Change(1, START, ChangeKind.APPEARED, "f1", SLOW)))


def test_where_there_is_no_remedy_the_next_step_is_told() -> None:
    change = Change(1, START, ChangeKind.APPEARED, "f3", replace(KILLED, remedies=()))
    assert told(change)[-1].strip() == f"to do: {KILLED.next_steps[0]}"
    assert not any("to do" in line for line in told(change._replace(verdict=replace(restarted(), remedies=()))))


def test_a_revision_says_what_was_otherwise() -> None:
    assert told(Change(1, START, ChangeKind.REVISED, "f3", MORE, KILLED))[-1].strip() == (
        "before: rank 2 on node-7; likely; rank 2 was killed by SIGKILL"
    )
    reworded = replace(KILLED, summary="rank 2 was stopped")
    assert told(Change(1, START, ChangeKind.REVISED, "f3", reworded, KILLED))[-1].strip() == (
        f"before: {KILLED.summary}"
    )


def test_a_withdrawal_says_why() -> None:
    lines = told(Change(1, START, ChangeKind.WITHDRAWN, "f3", KILLED, KILLED))
    again = told(Change(1, START, ChangeKind.WITHDRAWN, "f3", replace(KILLED, status="open"), KILLED))
    assert [lines[-1].strip(), again[-1].strip()] == ["what came since speaks against it", "it is undecided again"]


def test_job_and_attempt_are_told_where_there_are_several() -> None:
    analysis = two_jobs()
    lines = list(change_lines(Change(1, START, ChangeKind.APPEARED, "f1", analysis.verdicts[0]), analysis))
    assert lines[1].endswith("; job 4711; attempt 1")


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_hostile_text_stays_on_its_line_and_harms_no_terminal(encoding: str) -> None:
    analysis = CASES["hostile"]()
    paper = Paper(encoding)
    lines = PlainLines(paper, clock=lambda: START)
    lines.begin(["\x1b[31m"], [("f0", analysis.verdicts[0])])
    lines.trouble("\x1b[31m")
    changes = [
        Change(1, START, kind, "f1", analysis.verdicts[0], analysis.verdicts[1], None)
        for kind in ChangeKind
        for _ in range(2)
    ]
    lines.heard(snapshot(0, analysis=analysis), changes)
    paper.seek(0)
    rows = paper.read().removesuffix("\n").split("\n")
    assert all(row.isprintable() for row in rows)
    assert all(row.startswith(("2025-11-30T", "    ")) for row in rows)


def test_a_state_is_told_where_it_becomes_another() -> None:
    lines, stream = plain()
    states = (
        (0, vitals(step=1)),
        (60, vitals(step=2)),
        (120, vitals("silent", 2, "silent")),
        (125, vitals(step=3)),
        (131, vitals(step=4)),
    )
    for seconds, shown in states:
        lines.heard(snapshot(seconds, shows=shown), [])
    assert stream.getvalue().splitlines() == [
        "2025-11-30T00:07:47Z job default: training, step 1 of 1,000",
        "2025-11-30T00:09:47Z job default: silent, step 2 of 1,000; rank 2 silent",
        "2025-11-30T00:09:58Z job default: training, step 4 of 1,000",
    ]


def test_what_was_told_before_a_restart_is_said_to_stand() -> None:
    lines, stream = plain()
    lines.begin(["logs/", "more/"], [("f3", KILLED)], is_resumed=True)
    assert stream.getvalue().splitlines() == [
        "2025-11-30T00:07:47Z going on with logs/ and more/",
        f"2025-11-30T00:07:47Z FATAL [f3] told before, and stands: {KILLED.summary}",
    ]
