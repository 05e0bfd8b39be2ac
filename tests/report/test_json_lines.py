"""What happens to a live job, as lines of JSON, and their published schema."""

import json
import math
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import TypeAdapter

from logsleuth import __version__
from logsleuth.model.analysis import Analysis, Problem
from logsleuth.model.change import Change, ChangeKind
from logsleuth.model.snapshot import Snapshot
from logsleuth.model.vitals import RankVitals, Vitals
from logsleuth.report import live_schema
from logsleuth.report.document import to_document
from logsleuth.report.json_lines import JsonLines
from tests.report.analyses import CASES, killed, log
from tests.report.live_job import KILLED, MORE, SLOW, START, follow, snapshot, vitals

PUBLISHED = Path(__file__).parents[2] / "docs" / "live.schema.json"
Json = dict[str, Any]


class Heard:
    """Lines that were written, as what they say."""

    def __init__(self) -> None:
        self.stream = StringIO()
        self.lines = JsonLines(self.stream, lambda analysis: int(analysis.failed), clock=lambda: START)

    def said(self, *types: str) -> list[Json]:
        """What was written of some types, or all."""
        documents = [json.loads(line) for line in self.stream.getvalue().splitlines()]
        return [one for one in documents if not types or one["type"] in types]


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(PUBLISHED.read_text(encoding="utf-8")))


def test_all_lines_keep_the_published_schema(heard: Heard, validator: jsonschema.Draft202012Validator) -> None:
    heard.lines.begin(["logs/", "-"], [("f1", killed())], is_resumed=True)
    heard.lines.heard(snapshot(0, analysis=CASES["unreadable_inputs"]()), [])
    heard.lines.heard(snapshot(1, analysis=CASES["unreadable_inputs"]()), [])
    follow(heard.lines)
    said = heard.said()
    assert {one["type"] for one in said} == {"started", "verdict", "state", "input", "trouble", "ended"}
    for one in said:
        validator.validate(one)
        TypeAdapter[object](live_schema.AnyLine).validate_python(one)


@pytest.mark.parametrize("case", CASES)
def test_so_does_every_analysis(case: str, validator: jsonschema.Draft202012Validator) -> None:
    heard = Heard()
    analysis = CASES[case]()
    changes = [Change(1, START, ChangeKind.APPEARED, "f1", verdict) for verdict in analysis.verdicts]
    heard.lines.ended(snapshot(0, analysis=analysis), changes)
    for one in heard.said():
        validator.validate(one)
    assert heard.said("ended")[0]["analysis"] == to_document(analysis)
    assert heard.stream.getvalue().isascii()


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"format": 1, "type": "trouble", "at": "2026-03-04T11:50:00Z"},
        {"format": 2, "type": "trouble", "at": "2026-03-04T11:50:00Z", "text": ""},
        {"format": 1, "type": "troubles", "at": "2026-03-04T11:50:00Z", "text": ""},
        {"format": 1, "type": "trouble", "at": "2026-03-04T11:50:00Z", "text": "", "more": 1},
    ],
)
def test_other_lines_do_not_keep_it(wrong: Json, validator: jsonschema.Draft202012Validator) -> None:
    assert not validator.is_valid(wrong)


def test_the_published_schema_is_not_stale(tmp_path: Path) -> None:
    fresh = tmp_path / "schema.json"
    subprocess.run([sys.executable, "-m", "logsleuth.report.live_schema", str(fresh)], check=True)
    again = "write it anew: python -m logsleuth.report.live_schema docs/live.schema.json"
    assert PUBLISHED.read_text(encoding="utf-8") == fresh.read_text(encoding="utf-8"), again


def test_what_the_first_and_the_last_line_say(heard: Heard) -> None:
    heard.lines.begin(["logs/"], [("f7", SLOW)], is_resumed=True)
    follow(heard.lines)
    first, *_, last = heard.said()
    assert (first["type"], first["version"], first["paths"], first["resumed"]) == (
        "started",
        __version__,
        ["logs/"],
        True,
    )
    assert [(one["key"], one["verdict"]["rule"]) for one in first["standing"]] == [("f7", "data.loading_slow")]
    assert (last["type"], last["exit_status"], last["analysis"]["schema"]) == ("ended", 1, "logsleuth/1")


def test_what_is_said_of_changes(heard: Heard) -> None:
    follow(heard.lines)
    said = heard.said("verdict")
    assert [(one["number"], one["change"], one["key"], one["by"]) for one in said] == [
        (1, "appeared", "f1", None),
        (2, "appeared", "f2", None),
        (3, "appeared", "f3", None),
        (4, "taken over", "f2", "f3"),
        (5, "revised", "f3", None),
        (6, "withdrawn", "f1", None),
    ]
    assert said[0]["at"] == "2025-11-30T00:08:17.000Z"
    assert [one["before"] for one in said if one["change"] != "revised"] == [None] * 5


def test_a_revised_verdict_says_what_was_otherwise_and_no_more(heard: Heard) -> None:
    heard.lines.heard(snapshot(0), [Change(1, START, ChangeKind.REVISED, "f1", MORE, KILLED)])
    (said,) = heard.said("verdict")
    assert said["before"] == {
        "confidence": "likely",
        "culprits": {"ranks": [2], "local_ranks": [], "hosts": ["node-7"]},
        "summary": "rank 2 was killed by SIGKILL",
    }
    assert said["verdict"]["culprits"]["ranks"] == [2, 3]


# States


def test_a_state_is_told_when_it_is_another_and_not_too_often(heard: Heard) -> None:
    for seconds, step in ((0, 1), (1, 1), (5, 2), (9.9, 3), (10, 4), (30, 4), (31, 5)):
        heard.lines.heard(snapshot(seconds, shows=vitals(step=step)), [])
    assert [one["step"] for one in heard.said("state")] == [1, 4, 5]


def test_the_last_state_is_told_in_any_case(heard: Heard) -> None:
    heard.lines.heard(snapshot(0), [])
    heard.lines.ended(snapshot(1, shows=vitals("ended")), [])
    assert [one["state"] for one in heard.said("state")] == ["training", "ended"]


def test_a_clock_that_was_set_back_silences_no_states(heard: Heard) -> None:
    heard.lines.heard(snapshot(7200), [])
    heard.lines.heard(snapshot(0, shows=vitals(step=121)), [])
    assert [one["step"] for one in heard.said("state")] == [120, 121]


def test_members_are_told_by_their_states(heard: Heard) -> None:
    shown = vitals(odd="silent", ranks=4)
    job = shown.jobs[0]
    nameless = RankVitals("process 7 on node-9", None, "node-9", "running", None, None)
    heard.lines.heard(snapshot(0, shows=shown._replace(jobs=(job._replace(ranks=(*job.ranks, nameless)),))), [])
    assert heard.said("state")[0]["members"] == [
        {"state": "running", "ranks": [0, 1, 3], "others": ["process 7 on node-9"]},
        {"state": "silent", "ranks": [2], "others": []},
    ]


@pytest.mark.parametrize("loss", [math.nan, math.inf, -math.inf])
def test_a_loss_that_is_no_number_is_null(heard: Heard, loss: float) -> None:
    heard.lines.heard(snapshot(0, shows=vitals(loss=loss)), [])
    assert heard.said("state")[0]["loss"] is None


def test_no_job_has_no_state(heard: Heard) -> None:
    heard.lines.heard(snapshot(0, shows=Vitals()), [])
    assert heard.said() == []


# Inputs


def with_problems(seconds: float, *texts: str) -> Snapshot:
    inputs = (replace(log("a.log"), problems=[Problem(text) for text in texts]),)
    return snapshot(seconds, analysis=Analysis((), (), inputs), shows=Vitals())


def test_a_problem_is_told_once_when_two_judgements_found_it(heard: Heard) -> None:
    heard.lines.heard(with_problems(0, "2 lines were cut"), [])
    assert heard.said() == []
    for seconds, text in ((1, "3 lines were cut"), (2, "1,004 lines were cut"), (3, ""), (4, "2,000 lines were cut")):
        heard.lines.heard(with_problems(seconds, *filter(None, [text])), [])
    assert [(one["source"], one["problem"]) for one in heard.said()] == [
        ("a.log", {"text": "3 lines were cut", "fatal": False})
    ]


def test_one_that_was_there_only_while_a_line_was_written_is_not_told(heard: Heard) -> None:
    heard.lines.heard(with_problems(0, "the file ends early"), [])
    heard.lines.heard(with_problems(1), [])
    heard.lines.heard(with_problems(2, "the file ends early"), [])
    assert heard.said() == []


def test_in_the_end_all_are_told(heard: Heard) -> None:
    heard.lines.ended(with_problems(0, "permission denied"), [])
    assert [one["type"] for one in heard.said()] == ["input", "ended"]
