"""What is told of a change, and that no log can make it do anything."""

import json
import subprocess

import pytest

from logsleuth.alerts.alert import LONGEST_LINE, LONGEST_VALUE, alert_of, is_worth_telling, line
from logsleuth.model.analysis import Severity
from logsleuth.model.change import ChangeKind
from tests.alerts.changes import HOSTILE, change, document, snapshot, verdict


@pytest.mark.parametrize(
    ("severity", "status", "told"),
    [
        (Severity.FATAL, "firm", True),
        (Severity.ERROR, "firm", True),
        (Severity.WARNING, "firm", True),
        (Severity.INFO, "firm", False),
        (Severity.FATAL, "open", False),
    ],
)
def test_firm_verdicts_that_warn_or_fail_are_told(severity: Severity, status: str, told: bool) -> None:
    assert is_worth_telling(change(of=verdict(severity, status))) is told


def test_what_was_told_is_told_when_it_becomes_less() -> None:
    for less in (verdict(Severity.INFO), verdict(status="open")):
        assert is_worth_telling(change(kind=ChangeKind.REVISED, of=less, before=verdict()))


def test_the_line_says_what_became_of_what() -> None:
    assert line(change()) == "FATAL: Rank 2 was killed (process.killed, rank 2 on node-7, job 4711, f1)"
    assert line(change(kind=ChangeKind.REVISED)).startswith("FATAL, revised: Rank 2 was killed (")
    assert line(change(kind=ChangeKind.WITHDRAWN)).startswith("WITHDRAWN: Rank 2 was killed (")
    assert line(change(kind=ChangeKind.TAKEN_OVER, by="f9")).startswith("EXPLAINED by f9: Rank 2 was killed (")
    assert line(change(of=verdict(status="open"))).startswith("UNDECIDED: ")


def test_the_line_calls_nobody_and_links_nowhere() -> None:
    told = line(change(of=verdict(summary=HOSTILE, job=HOSTILE)))
    assert told.isprintable()
    assert not set("<>@[]`") & set(told)
    assert "everyone" in told


def test_long_texts_are_cut_and_the_rule_stays() -> None:
    told = line(change(of=verdict(summary="x" * 10_000, job="4711")))
    assert len(told) <= LONGEST_LINE
    assert told.endswith("... (process.killed, rank 2 on node-7, job 4711, f1)")
    assert len(line(change(of=verdict(summary="x" * 10_000, job="y" * 10_000)))) <= LONGEST_LINE


def test_the_document_is_the_reports_with_the_line() -> None:
    of = change(7, of=verdict(summary=HOSTILE))
    alert = alert_of(of, snapshot(), document)
    assert alert.body.endswith(b"\n")
    assert alert.body.isascii()
    assert alert.body.count(b"\n") == 1
    assert json.loads(alert.body) == {"text": line(of), **document(of, snapshot())}


def test_the_document_has_no_key_that_a_chat_takes_for_its_own() -> None:
    alert = alert_of(change(), snapshot(), lambda *_: {"type": "verdict", "text": "other", "key": "f1"})
    assert json.loads(alert.body) == {"text": line(change()), "key": "f1"}


def test_variables_can_be_given_to_any_command() -> None:
    of = change(3, of=verdict(summary=HOSTILE + "\x00", ranks=tuple(range(0, 60_000, 2))), by="f2")
    variables = alert_of(of, snapshot(), document).variables
    assert variables["LOGSLEUTH_CHANGE"] == "appeared"
    assert variables["LOGSLEUTH_NUMBER"] == "3"
    assert variables["LOGSLEUTH_SEVERITY"] == "fatal"
    assert variables["LOGSLEUTH_RULE"] == "process.killed"
    assert variables["LOGSLEUTH_CAUSE"] == "killed"
    assert variables["LOGSLEUTH_JOB"] == "4711"
    assert variables["LOGSLEUTH_BY"] == "f2"
    assert all(len(value) <= LONGEST_VALUE and value.isprintable() for value in variables.values())
    said = subprocess.run(
        ["/bin/sh", "-c", 'printf %s "$LOGSLEUTH_SUMMARY"'], env=variables, capture_output=True, check=True
    )
    assert said.stdout.decode() == variables["LOGSLEUTH_SUMMARY"]
