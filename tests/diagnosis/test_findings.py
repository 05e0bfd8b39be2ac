"""From cases to what is told: severities, attempts, symptoms that stand in, causes that share an occurrence."""

from pathlib import Path

import pytest

from logsleuth.model.analysis import Verdict
from tests.small_jobs import analysed, names, only, rule, verdicts

FALL, ECHO, HANG = (
    "[rank1]: fell with code 1\n",
    "[rank2]: lost sight of 1\n",
    "[rank0]: gave up waiting after 100 ms\n",
)
AGAIN = "starting over\n"


def loudness(found: list[Verdict]) -> dict[str, str]:
    return {v.rule: v.severity.value for v in found}


# Cases that are told together


def test_culprits_of_one_rule_that_nothing_explains_are_told_together(tmp_path: Path) -> None:
    falls = rule("r.fall", "when seen a.fall as x", "culprit x", verdict="{x}: {x.code}")
    verdict = only(tmp_path, falls, "[rank3]: fell with code 4\n" + FALL)
    assert (verdict.culprits.ranks, verdict.summary, verdict.occurrences) == ((1, 3), "Ranks 1, 3: 4, 1", 2)


def test_a_culprit_that_another_rule_explains_is_not_told_with_the_rest(tmp_path: Path) -> None:
    rules = rule("r.fall", "when seen a.fall as x", "culprit x", verdict="{x}") + rule(
        "r.slip", "when seen a.slip as x", "culprit x", "explains a.fall on same ranks"
    )
    found = verdicts(tmp_path, rules, FALL + "[rank3]: slipped on ice\n[rank3]: fell with code 4\n")
    assert {v.rule: v.culprits.ranks for v in found} == {"r.slip": (3,), "r.fall": (1,)}
    assert next(v for v in found if v.rule == "r.fall").summary == "Rank 1"


def test_the_least_sure_of_several_decides(tmp_path: Path) -> None:
    falls = rule(
        "r.fall",
        "for each rank",
        "when seen a.fall as x",
        "culprit x",
        "confidence certain when seen a.slip, else possible",
    )
    text = FALL + "[rank2]: fell with code 1\n[rank2]: slipped on ice\n"
    assert only(tmp_path, falls, text).confidence == "possible"


# Roots on the same occurrence


SHARED = rule("r.any", "when seen a.fall", cause="terminated") + rule(
    "r.finer", "when seen a.fall", "when seen a.slip", "alternatives segfault", cause="killed"
)


def test_of_two_roots_on_one_occurrence_the_one_with_more_conditions_is_told(tmp_path: Path) -> None:
    verdict = only(tmp_path, SHARED, FALL + "slipped on ice\n")
    assert (verdict.rule, verdict.alternatives) == ("r.finer", ("segfault", "terminated"))


def test_needs_and_unless_are_conditions_too(tmp_path: Path) -> None:
    rules = rule("r.a", "when seen a.fall", cause="terminated") + rule(
        "r.b", "when seen a.fall", "needs seen a.fall", "unless seen a.slip"
    )
    assert only(tmp_path, rules, FALL).rule == "r.b"


def test_of_equals_the_surer_one_is_told(tmp_path: Path) -> None:
    rules = rule("r.a", "when seen a.fall", "confidence likely") + rule(
        "r.b", "when seen a.fall", "confidence certain", cause="terminated"
    )
    verdict = only(tmp_path, rules, FALL)
    assert (verdict.rule, verdict.alternatives) == ("r.b", ("killed",))


def test_a_cause_is_no_alternative_to_itself(tmp_path: Path) -> None:
    rules = rule("r.a", "when seen a.fall") + rule("r.b", "when seen a.fall")
    assert only(tmp_path, rules, FALL).alternatives == ()


def test_roots_on_different_occurrences_are_told_both(tmp_path: Path) -> None:
    rules = rule("r.a", "when seen a.fall[code == 1]") + rule("r.b", "when seen a.fall[code == 2]")
    assert sorted(names(verdicts(tmp_path, rules, FALL + "[rank2]: fell with code 2\n"))) == ["r.a", "r.b"]


# Severity


def test_a_root_is_as_bad_as_what_follows_from_it(tmp_path: Path) -> None:
    rules = rule("r.fall", "when seen a.fall", "explains a.echo on any ranks", severity="warning")
    loud = rules + rule("s.echo", "when seen a.echo", severity="fatal")
    assert loudness(verdicts(tmp_path, loud, FALL + ECHO)) == {"r.fall": "fatal"}
    assert loudness(
        verdicts(tmp_path / "b", rules + rule("s.echo", "when seen a.echo", severity="info"), FALL + ECHO)
    ) == {"r.fall": "warning"}


# Symptoms that stand in for their cause


SYMPTOMS = (
    rule("s.hang", "role symptom", "when seen a.hang as x", "explains a.echo on any ranks", "alternatives hang", cause="collective-timeout")
    + rule("s.echo", "role symptom", "when seen a.echo as x", cause="peer-exited")
)  # fmt: skip


def test_the_best_symptom_is_told_where_no_root_is(tmp_path: Path) -> None:
    verdict = only(tmp_path, SYMPTOMS, HANG + ECHO)
    assert (verdict.rule, verdict.cause, verdict.role) == ("s.hang", "collective-timeout", "root")
    assert verdict.alternatives == ("hang", "peer-exited")


def test_a_symptom_that_no_other_explains_comes_before_a_better_witness(tmp_path: Path) -> None:
    """What a peer saw ranks before a timeout, but here the timeout explains it."""
    assert only(tmp_path, SYMPTOMS, HANG + ECHO).rule == "s.hang"
    unexplained = SYMPTOMS.replace("explains a.echo on any ranks", "")
    assert only(tmp_path / "b", unexplained, HANG + ECHO).rule == "s.echo"


def test_a_symptom_is_not_told_beside_a_root(tmp_path: Path) -> None:
    assert names(verdicts(tmp_path, SYMPTOMS + rule("r.fall", "when seen a.fall"), HANG + FALL)) == ["r.fall"]


def test_a_root_that_is_no_failure_does_not_keep_a_symptom_from_being_told(tmp_path: Path) -> None:
    noted = SYMPTOMS + rule("r.fall", "when seen a.fall", severity="warning")
    assert names(verdicts(tmp_path, noted, HANG + FALL)) == ["s.hang", "r.fall"]
    quiet = SYMPTOMS.replace("severity error", "severity warning")
    assert verdicts(tmp_path / "b", quiet, HANG) == []


def test_a_symptom_that_a_quiet_root_explains_is_that_roots(tmp_path: Path) -> None:
    noted = SYMPTOMS + rule("r.fall", "when seen a.fall", "explains a.hang on any ranks", severity="warning")
    assert loudness(verdicts(tmp_path, noted, HANG + FALL)) == {"r.fall": "error"}


# Attempts


FALLS = rule("r.fall", "when seen a.fall as x", "culprit x", verdict="{x}")


@pytest.mark.parametrize(
    ("text", "severity", "failed"),
    [
        (FALL, "error", True), (FALL + AGAIN, "warning", False), (FALL + AGAIN + "[rank0]: hello\n", "warning", False), (AGAIN + FALL, "error", True),
        (FALL + AGAIN + FALL, "error", True), (AGAIN + FALL + AGAIN, "warning", False),
    ],
)  # fmt: skip
def test_a_failure_that_a_later_attempt_recovered_from_is_a_warning(
    tmp_path: Path, text: str, severity: str, failed: bool
) -> None:
    found = analysed(tmp_path, FALLS, text)
    assert [v.severity for v in found.verdicts] == [severity]
    assert found.failed is failed


def test_a_failure_is_not_recovered_from_where_a_later_attempt_only_shows_symptoms(tmp_path: Path) -> None:
    assert loudness(verdicts(tmp_path, FALLS + SYMPTOMS, FALL + AGAIN + HANG))["r.fall"] == "error"


def test_one_failure_in_several_attempts_is_told_once_in_the_last(tmp_path: Path) -> None:
    told = FALLS.replace("{x}", "{x} {x.code} {y.what}").replace(
        "when seen a.fall as x", "when seen a.fall as x and (seen a.slip as y or seen a.echo)"
    )
    text = FALL + "[rank1]: slipped on ice\n" + AGAIN + "[rank1]: fell with code 2\n[rank1]: lost sight of 2\n"
    verdict = only(tmp_path, told, text)
    assert (verdict.attempt, verdict.culprits.ranks, verdict.occurrences) == (1, (1,), 4)
    assert verdict.summary == "Rank 1 2, 1 ice"


def test_what_only_the_last_attempt_knows_is_told_as_well(tmp_path: Path) -> None:
    told = FALLS.replace("{x}", "{y.what}").replace(
        "when seen a.fall as x", "when seen a.fall as x and (seen a.slip as y or seen a.echo)"
    )
    text = FALL + "[rank1]: lost sight of 2\n" + AGAIN + FALL + "[rank1]: slipped on ice\n"
    assert only(tmp_path, told, text).summary == "ice"


# Open cases


@pytest.mark.parametrize(("severity", "order"), [("warning", ["r.fall", "r.open?"]), ("info", ["r.open?", "r.fall"])])
def test_open_cases_come_behind_all_but_notes_and_do_not_fail_the_job(
    tmp_path: Path, severity: str, order: list[str]
) -> None:
    rules = rule("r.open", "when seen a.slip", "when some rank has a.hang", severity="fatal") + rule(
        "r.fall", "when seen a.fall", severity=severity
    )
    found = analysed(tmp_path, rules, "the job has 4 ranks\n[rank0]: slipped on ice\n" + FALL)
    assert names(list(found.verdicts)) == order
    assert not found.failed


@pytest.mark.parametrize(("louder", "quieter"), [("error", "warning"), ("error", "info"), ("warning", "info")])
def test_what_says_more_of_an_occurrence_does_not_silence_what_is_worse(
    tmp_path: Path, louder: str, quieter: str
) -> None:
    rules = rule("r.plain", "when seen a.fall", severity=louder)
    rules += rule("r.fine", "when seen a.fall", "when count(a.fall) >= 1", severity=quieter, cause="hang")
    found = only(tmp_path, rules, FALL)
    assert (found.rule, found.severity) == ("r.plain", louder)
    # A warning is another explanation, a note is none.
    assert found.alternatives == (("hang",) if quieter == "warning" else ())
