"""Which findings an analysis says are told within a verdict, and what a ledger makes of it."""

from pathlib import Path

from logsleuth.diagnosis.ledger import Ledger
from logsleuth.model.analysis import Absorbed
from tests.small_jobs import ECHO, FALL, LOGS, analysed, names, rule


def test_an_echo_is_told_within_what_explains_it(tmp_path: Path) -> None:
    found = analysed(tmp_path, FALL + ECHO, LOGS)
    assert names(list(found.verdicts)) == ["r.fall"]
    assert found.absorbed == (Absorbed("r.echo", 0, (1,), "v1"),)


def test_what_is_told_itself_is_not(tmp_path: Path) -> None:
    assert analysed(tmp_path, FALL + ECHO, {"rank_1.log": LOGS["rank_1.log"]}).absorbed == ()


def test_of_two_rules_on_the_same_lines_one_is_told_within_the_other(tmp_path: Path) -> None:
    rules = FALL + rule("r.same", "when seen a.fall", cause="aborted")
    found = analysed(tmp_path, rules, LOGS)
    told, within = {one.rule for one in found.verdicts}, {one.rule for one in found.absorbed}
    assert (len(told), told | within) == (1, {"r.fall", "r.same"})


def test_what_happened_in_two_attempts_is_told_once(tmp_path: Path) -> None:
    found = analysed(tmp_path, FALL, "[rank0]: fell with code 1\nstarting over\n[rank0]: fell with code 1\n")
    assert names(list(found.verdicts)) == ["r.fall"]
    assert {(one.rule, one.by) for one in found.absorbed} == {("r.fall", "v1")}


def test_a_rule_of_effects_is_told_within_the_answer_whether_it_explains_it_or_not(tmp_path: Path) -> None:
    rules = rule("r.fall", "when seen a.fall as x", "culprit x") + rule("r.hang", "role symptom", "when seen a.hang")
    logs = {"rank_0.log": "fell with code 1\n", "rank_1.log": "gave up waiting after 5 ms\n"}
    found = analysed(tmp_path, rules, logs)
    assert names(list(found.verdicts)) == ["r.fall"]
    assert [(one.rule, one.by) for one in found.absorbed] == [("r.hang", "v1")]


def test_a_cause_whose_log_comes_later_takes_its_echo_over(tmp_path: Path) -> None:
    ledger = Ledger(settle=1.0)
    early = analysed(tmp_path, FALL + ECHO, {"rank_1.log": LOGS["rank_1.log"]})
    late = analysed(tmp_path, FALL + ECHO, LOGS)
    told = [
        (change.kind.value, change.key, change.by, change.verdict.rule)
        for at, found in ((0, early), (1, early), (2, late), (3, late))
        for change in ledger.update(found, at)
    ]
    assert told == [
        ("appeared", "f1", None, "r.echo"),
        ("appeared", "f2", None, "r.fall"),
        ("taken over", "f1", "f2", "r.echo"),
    ]
