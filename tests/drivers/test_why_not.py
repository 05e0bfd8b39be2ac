"""Why a cause is not the answer: which of its rules came near, and where it is told."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from logsleuth.drivers.tracing import ask_why_not
from logsleuth.model.analysis import Analysis
from logsleuth.model.trace import WhyNot
from tests.small_jobs import ECHO, EVENTS, FALL, LOGS, program, rule, write


def asked(folder: Path, rules: str, logs: Mapping[str, str] | str, cause: str) -> tuple[WhyNot, Analysis]:
    write(folder, {"job.log": logs} if isinstance(logs, str) else logs)
    analysis = ask_why_not(program(EVENTS, rules), [str(folder)], [cause])
    (told,) = analysis.why_not
    return told, analysis


def test_rules_that_came_near_are_told_the_nearest_first_and_the_others_together(tmp_path: Path) -> None:
    rules = (
        rule("r.far", "when seen a.echo", cause="hang")
        + rule("r.half", "when seen a.fall", "when seen a.slip", "when seen a.hang", cause="hang")
        + rule("r.more", "when seen a.fall", "when seen a.fall", "when seen a.hang", cause="hang")
        + rule("r.other", "when seen a.fall", severity="warning")
    )
    told, _ = asked(tmp_path, rules, "fell with code 1\n", "hang")
    assert [one.rule for one in told.traces] == ["r.more", "r.half"]
    assert [one.rule for one in told.unheard] == ["r.far"]
    assert told.told == ()


@pytest.mark.parametrize(
    ("cause", "relation"), [("killed", "answer"), ("terminated", "told"), ("hang", "alternative"), ("peer-exited", "")]
)
def test_a_cause_that_is_told_says_where(tmp_path: Path, cause: str, relation: str) -> None:
    rules = (
        FALL.replace("severity", "alternatives hang severity")
        + ECHO
        + rule("r.slip", "when seen a.slip", cause="terminated", severity="warning")
    )
    told, analysis = asked(tmp_path, rules, {**LOGS, "rank_2.log": "slipped on ice\n"}, cause)
    assert [mention.relation for mention in told.told] == ([relation] if relation else [])
    assert {mention.verdict for mention in told.told} <= {verdict.id for verdict in analysis.verdicts}
    if not relation:
        assert [one.judged[0].fates[0].what for one in told.traces] == ["echo"]
