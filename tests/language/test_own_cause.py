"""Causes and series that a site adds to those that are shipped."""

import json
from pathlib import Path

import jsonschema
import pytest

from logsleuth.drivers.batch import analyze, analyze_with
from logsleuth.language.library import compile_texts, findings, load
from logsleuth.language.messages import WARNING
from logsleuth.language.program import Program
from logsleuth.model.analysis import Verdict
from logsleuth.model.cause import Kind
from logsleuth.report.document import to_document
from logsleuth.testing.runner import run_test, run_tests
from tests.small_jobs import EVENTS, errors_of, rule, write

HUNG = 'cause mount-hung of storage """A mount does not answer."""\n'


def texts(*given: str) -> dict[str, str]:
    return {"events.sleuth": EVENTS, **{f"{n}.sleuth": text for n, text in enumerate(given)}}


def program(*given: str) -> Program:
    return compile_texts(texts(*given))


def found(*given: str) -> list[str]:
    """The errors, each with its place."""
    return [one.replace("`", "") for one in errors_of(texts(*given))]


def told(folder: Path, *texts: str) -> list[Verdict]:
    write(folder, {"job.log": "[rank1]: fell with code 7\n[rank1]: slipped on ice\n"})
    return list(analyze_with(program(*texts), [str(folder)]).verdicts)


# What an own cause is good for


def test_rules_give_it_and_name_it_among_the_alternatives(tmp_path: Path) -> None:
    (verdict,) = told(
        tmp_path, HUNG, rule("r.r", "when seen a.fall", "alternatives mount-hung, killed", cause="mount-hung")
    )
    assert (verdict.cause, verdict.alternatives) == ("mount-hung", ("mount-hung", "killed"))


def test_tests_expect_it() -> None:
    test = 'test "t" { log rank 0 """fell with code 7""" expect cause mount-hung }'
    made = program(HUNG, rule("r.r", "when seen a.fall", cause="mount-hung"), test)
    assert not run_test(made.tests[0], made).failure
    other = program(HUNG, rule("r.r", "when seen a.fall", "alternatives mount-hung"), test)
    assert "r.r (cause killed) came first" in run_test(other.tests[0], other).failure


def test_an_adjustment_gives_it_to_a_shipped_rule(tmp_path: Path) -> None:
    (verdict,) = told(tmp_path, HUNG, rule("r.r", "when seen a.fall"), "adjust r.r { cause mount-hung }")
    assert (verdict.cause, verdict.adjusted) == ("mount-hung", True)


@pytest.mark.parametrize(("kind", "first"), [("hardware", "r.z"), ("speed", "r.a")])
def test_its_kind_decides_between_roots_as_that_of_any_cause(tmp_path: Path, kind: str, first: str) -> None:
    """A shipped cause of a kind in between stands against it."""
    rules = rule("r.a", "when seen a.slip", cause="gpu-oom") + rule("r.z", "when seen a.fall", cause="own-cause")
    write(tmp_path, {"job.log": "[rank1]: fell with code 7\n", "other.log": "[rank2]: slipped on ice\n"})
    made = program(f'cause own-cause of {kind} "It is ours."', rules)
    assert analyze_with(made, [str(tmp_path)]).verdicts[0].rule == first


@pytest.mark.parametrize("kind", [kind.value for kind in Kind])
def test_every_kind_can_be_given(kind: str) -> None:
    made = program(f'cause own-cause of {kind} "It is ours."', rule("r.r", "when seen a.fall", cause="own-cause"))
    assert made.rules["r.r"].kind == kind


def test_documents_with_it_keep_to_the_published_schema(tmp_path: Path) -> None:
    schema = json.loads((Path(__file__).parents[2] / "docs" / "schema.json").read_text(encoding="utf-8"))
    write(tmp_path, {"job.log": "[rank1]: fell with code 7\n"})
    made = program(HUNG, rule("r.r", "when seen a.fall", cause="mount-hung"))
    document = json.loads(json.dumps(to_document(analyze_with(made, [str(tmp_path / "job.log")]))))
    jsonschema.validate(document, schema)
    assert document["verdicts"][0]["cause"] == "mount-hung"


def test_it_is_kept_with_the_compiled_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGSLEUTH_CACHE_DIR", str(tmp_path / "cache"))
    own = EVENTS + HUNG + rule("r.r", "when seen a.fall", cause="mount-hung")
    write(tmp_path, {"site.sleuth": own.replace(" a.", " own.").replace(" job.", " own.")})
    first, second = (load([str(tmp_path / "site.sleuth")], local=False).program for _ in range(2))
    assert first.causes["mount-hung"].doc == "A mount does not answer."
    assert second.causes == first.causes
    assert second.rules["r.r"].kind == "storage"


# What is wrong with one


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('cause gpu-oom of gpu-memory "It is ours."', "0.sleuth:1:7 LS205 the cause 'gpu-oom' is of the vocabulary already. Choose another name, or give the one that is there."),
        (HUNG + HUNG + rule("r.r", "when seen a.fall", cause="mount-hung"), "0.sleuth:2:7 LS205 the cause 'mount-hung' is declared already, at 0.sleuth:1"),
        ('cause own-cause of storge "It is ours."' + rule("r.r", "when seen a.fall", cause="own-cause"), "0.sleuth:1:7 LS208 'storge' is no kind of causes. Did you mean storage?"),
        ('cause own-cause of storage ""' + rule("r.r", "when seen a.fall", cause="own-cause"), "0.sleuth:1:7 LS209 'own-cause' does not say what it means"),
        (HUNG + rule("r.r", "when seen a.fall", "alternatives mount-hung", cause="mount-hng"), "LS207 there is no cause 'mount-hng'. Did you mean mount-hung?"),
        (rule("r.r", "when seen a.fall", cause="our-very-own"), "LS207 there is no cause 'our-very-own'. docs/causes.md lists the vocabulary; one of your own is declared with cause our-very-own of KIND \"...\"."),
        (rule("r.r", "when seen a.fall") + "adjust r.r { cause kiled }", "LS207 there is no cause 'kiled'. Did you mean killed?"),
        ('test "t" { log """x""" expect cause kiled }', "LS207 there is no cause 'kiled'. Did you mean killed?"),
        ("cause own-cause of storage", "0.sleuth:1:27 LS101 "),
        ("cause own-cause", "LS101 "),
        ('cause Own of storage "x"', "0.sleuth:1:7 LS101 "),
    ],
)  # fmt: skip
def test_each_error(text: str, error: str) -> None:
    (one,) = found(text)
    assert error in one


def test_a_cause_that_no_rule_gives_yet_is_a_warning_and_the_rules_run(tmp_path: Path) -> None:
    site = HUNG + rule("r.r", "when seen a.fall")
    (one,) = (message for message in findings({"0.sleuth": EVENTS + site}) if "mount-hung" in message.text)
    assert (one.code, one.level) == ("LS229", WARNING)
    assert [v.cause for v in told(tmp_path, site)] == ["killed"]


def test_the_cause_of_a_rule_that_starts_a_line_declares_none(tmp_path: Path) -> None:
    text = 'rule r.r "A rule." {\nseverity error\ncause killed\nverdict "x"\nwhen seen a.fall\n}\n'
    assert [v.cause for v in told(tmp_path, text)] == ["killed"]


# A site's own series, and its own words for shipped ones

SITE = """
event site.smi "A GPU told its clock." {
  line "gpu clock {clock:int} MHz, waited {waited:ms} ms, at step {step:int}"
  series clock at step
  series waited at step
  sample "gpu clock 1980 MHz, waited 12 ms, at step 3" gives clock = 1980, waited = 0.012, step = 3
}
wordings of train.step {
  line "[it {step:int}] go:"
    also "L={loss:float}"
  sample "[it 120] go: L=2.51" gives step = 120, loss = 2.51
}
rule site.throttled "The clock of a GPU fell, and waiting grew." {
  severity warning
  cause    slow-rank
  let      low = ranks where last(site.clock) < 1000 and last(site.waited) > 1 s
  when     count(low) >= 1
  when     seen site.smi as told
  culprit  low
  let      lost = max(site.waited)
  verdict  "{low} waits up to {lost}"
}
rule site.level "The loss stays where it was." {
  severity info  cause gradients-not-updating
  when seen train.step as step  when flat(train.loss, at_least = 8)
  verdict "the loss does not move"
}
test "one clock falls" {
  log rank 0 \"\"\"
gpu clock 1980 MHz, waited 12 ms, at step 1
gpu clock 1980 MHz, waited 12 ms, at step 2\"\"\"
  log rank 1 \"\"\"
gpu clock 1980 MHz, waited 12 ms, at step 1
gpu clock 600 MHz, waited 4000 ms, at step 2\"\"\"
  expect site.throttled culprit rank 1
}
test "no clock falls" {
  log rank 0 \"\"\"
gpu clock 600 MHz, waited 12 ms, at step 1
gpu clock 1980 MHz, waited 4000 ms, at step 2\"\"\"
  expect no site.throttled
}
test "a loss in words of our own" {
  log rank 0 \"\"\"LOSSES\"\"\"
  expect site.level
}
"""


def test_own_series_and_own_words_for_shipped_ones_serve_a_users_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOGSLEUTH_CACHE_DIR", str(tmp_path / "cache"))
    losses = "\n".join(f"[it {step}] go: L=2.51" for step in range(1, 30))
    write(tmp_path, {"site.sleuth": SITE.replace("LOSSES", losses)})
    report = run_tests(["site.sleuth"])
    assert not report.failures, report.text()
    assert [result.name for result in report.results if "sample" not in result.name] == [
        "one clock falls",
        "no clock falls",
        "a loss in words of our own",
    ]
    slow, well = "gpu clock 600 MHz, waited 4000 ms, at step 2\n", "gpu clock 1980 MHz, waited 12 ms, at step 2\n"
    write(tmp_path, {"job.log": f"[rank0]: {well}[rank1]: {slow}[rank2]: {well}"})
    (verdict,) = analyze(["job.log"], rules=["site.sleuth"], local_rules=False).verdicts
    assert verdict.summary == "Rank 1 waits up to 4 s"
