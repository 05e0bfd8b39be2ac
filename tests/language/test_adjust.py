"""What a site makes of rules that are not its own."""

from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.language.library import compile_texts
from logsleuth.language.messages import RulesError
from logsleuth.language.program import Program
from logsleuth.language.shape import shape
from logsleuth.language.syntax import Call, Clause, Let, Value
from logsleuth.model.analysis import Verdict
from tests.small_jobs import EVENTS, errors_of, rule, write

SHIPPED = EVENTS + rule(
    "r.one",
    'let floor = 2 let name = "ice" let often = 50% let gone = ranks where count(a.slip) >= 1',
    "when some rank has a.fall[code > floor] as x",
    "confidence certain when x.code > 5, likely when x.code > 3, else possible",
    'remedy "- Look." next "- Ask."',
)
SHIPPED += rule("r.two", "when seen a.fall as y", "culprit y", cause="terminated")


def texts(*site: str) -> dict[str, str]:
    """The shipped rules and files of a site."""
    return {"shipped.sleuth": SHIPPED, **{f"site{n}.sleuth": text for n, text in enumerate(site)}}


def program(*site: str) -> Program:
    return compile_texts(texts(*site))


def found(*site: str) -> list[str]:
    return errors_of(texts(*site))


@pytest.mark.parametrize(
    "asked",
    [
        "when seen a.fall as x then no a.slip within grace",
        "when seen a.fall as x then a.slip as y within grace",
        "when seen a.fall as x when x within grace of each other",
        "when seen a.fall as x when count(a.fall) >= 1 within grace",
    ],
)
def test_a_time_behind_within_may_be_a_let_that_a_site_sets(asked: str) -> None:
    written = rule("r.within", "let grace = 5 min", asked)
    made = program(written, "adjust r.within { let grace = 30 s }").rules["r.within"]
    plain = program(rule("r.within", "let grace = 30 s", asked.replace("grace", "30 s"))).rules["r.within"]
    *_, clause = made.when
    *_, other = plain.when
    assert isinstance(clause, Clause)
    assert isinstance(other, Clause)
    assert shape(clause) == shape(other)
    assert clause.text.endswith("(grace = 30 s)")


def told(folder: Path, site: str, log: str = "[rank1]: fell with code 2\n") -> list[Verdict]:
    write(folder, {"job.log": log})
    return list(analyze_with(program(site), [str(folder)]).verdicts)


def constants(rule_name: str, made: Program) -> dict[str, object]:
    """What the constants of a rule are worth."""
    lets = (item for item in made.rules[rule_name].when if isinstance(item, Let))
    return {let.name: let.value.value for let in lets if isinstance(let.value, Value)}


# What an adjustment does


def test_a_constant_is_replaced_wherever_its_name_stands(tmp_path: Path) -> None:
    assert [v.rule for v in told(tmp_path, "")] == ["r.two"]
    (verdict,) = told(tmp_path, "adjust r.one { let floor = 1 } disable r.two")
    assert (verdict.rule, verdict.adjusted) == ("r.one", True)
    assert verdict.reasoning[-1].condition == "some rank has a.fall[code > floor] as x (floor = 1)"


@pytest.mark.parametrize(
    "clause", ["unless seen a.fall", "needs seen a.slip", "unless x.code == 7", "needs count(gone) >= 1"]
)
def test_what_is_added_can_keep_the_rule_quiet(tmp_path: Path, clause: str) -> None:
    log = "the job has 1 ranks\n[rank0]: fell with code 7\n"
    assert "r.one" in [v.rule for v in told(tmp_path, "disable r.two", log)]
    assert told(tmp_path, f"disable r.two adjust r.one {{ {clause} }}", log) == []


def test_what_is_added_stands_beside_what_the_rule_says_and_lets_it_hold(tmp_path: Path) -> None:
    log = "[rank1]: fell with code 7\n[rank2]: here\n"
    site = "disable r.two adjust r.one { unless x.code == 8 needs x.code == 7 needs seen a.fall }"
    assert [v.rule for v in told(tmp_path, site, log)] == ["r.one"]


def test_words_and_texts_are_replaced(tmp_path: Path) -> None:
    site = 'adjust r.one { severity info remedy "- Call {x}." next "- The {name} of {x.code}." } disable r.two'
    (verdict,) = told(tmp_path, site, "[rank1]: fell with code 7\n[rank0]: here\n")
    assert (verdict.severity, verdict.remedies, verdict.next_steps) == ("info", ("Call rank 1.",), ("The ice of 7.",))


@pytest.mark.parametrize(("most", "levels"), [("certain", "certain likely possible"), ("likely", "likely likely possible"), ("possible", "possible possible possible")])  # fmt: skip
def test_a_confidence_is_the_most_that_the_rule_may_give(most: str, levels: str) -> None:
    adjusted = program(f"adjust r.one {{ confidence {most} }}").rules["r.one"]
    assert [level.confidence for level in adjusted.confidence] == levels.split()


def test_a_rule_without_a_confidence_is_likely_and_can_be_lowered(tmp_path: Path) -> None:
    (verdict,) = told(tmp_path, "adjust r.two { confidence possible }")
    assert verdict.confidence == "possible"


def test_a_rule_that_is_adjusted_is_no_more_specific(tmp_path: Path) -> None:
    """Of two that rest on the same line the one with more conditions is told: the rule's own conditions."""
    rules = rule("r.fine", "when seen a.fall as x when x.code > 1", cause="hang") + rule(
        "r.plain", "when seen a.fall as x"
    )
    site = "adjust r.plain { needs seen a.fall needs x.code > 0 needs x.code > 1 }"
    write(tmp_path, {"job.log": "[rank1]: fell with code 2\n"})
    adjusted = compile_texts({"shipped.sleuth": EVENTS + rules, "site.sleuth": site})
    assert [v.rule for v in analyze_with(adjusted, [str(tmp_path)]).verdicts] == ["r.fine"]


def test_several_files_may_adjust_different_things_of_one_rule_in_any_order() -> None:
    site = ["adjust r.one { let floor = 7 unless seen a.slip }", "adjust r.one { severity info unless seen a.hang }"]
    made = [program(*site), program(*reversed(site))]
    assert [constants("r.one", one)["floor"] for one in made] == [7, 7]
    assert [one.rules["r.one"].severity for one in made] == ["info", "info"]
    assert [sorted(c.text for c in one.rules["r.one"].unless) for one in made] == [["seen a.hang", "seen a.slip"]] * 2


def test_a_rule_that_is_disabled_is_gone_but_may_be_spoken_of() -> None:
    tuned = program('disable r.one  # it means nothing here\ntest "t" { log """x""" expect no r.one }')
    assert sorted(tuned.rules) == ["r.two"]
    assert {name: (at.file, at.line) for name, at in tuned.disabled.items()} == {"r.one": ("site0.sleuth", 1)}


def test_a_site_may_adjust_a_rule_of_its_own() -> None:
    own = rule("own.rule", "let least = 2 when count(a.slip) >= least when seen a.slip")
    assert constants("own.rule", program(own, "adjust own.rule { let least = 9 }")) == {"least": 9}


# What is wrong with it


@pytest.mark.parametrize(
    ("site", "error"),
    [
        ("adjust r.onne { let floor = 1 }", "site0.sleuth:1:8 LS217 there is no rule 'r.onne'. Did you mean `r.one`?"),
        ("disable r.tow", "site0.sleuth:1:9 LS217 there is no rule 'r.tow'. Did you mean `r.two`"),
        ("disable x.y", "LS217 there is no rule 'x.y'. `logsleuth rules list` prints all rules."),
        ("adjust a.fall { severity info }", "LS217 there is no rule 'a.fall'"),
        ("adjust r.one { let flor = 1 }", "site0.sleuth:1:20 LS219 the let 'flor' of 'r.one' is not there. Did you mean `floor`? It has floor, name, often."),
        ("adjust r.two { let floor = 1 }", "LS219 the let 'floor' of 'r.two' is not there. It has none that can be set."),
        ("adjust r.one { let gone = 1 }", "LS219 the let 'gone' of 'r.one' is worked out, so it cannot be set. It has floor, name, often."),
        ("adjust r.one {\n  let often = 10m\n}", "site0.sleuth:2:7 LS220 'often' of 'r.one' is a percentage, not a time. It is set at shipped.sleuth:"),
        ("adjust r.one { let floor = 1GiB }", "LS220 'floor' of 'r.one' is a number, not an amount of memory"),
        ("adjust r.one { let floor = 20 steps }", "LS220 'floor' of 'r.one' is a number, not a number of steps"),
        ("adjust r.one { let floor = true }", "LS220 'floor' of 'r.one' is a number, not true or false"),
        ('adjust r.one { let floor = "1" }', "LS220 'floor' of 'r.one' is a number, not a text"),
        ("adjust r.one { let name = 1 }", "LS220 'name' of 'r.one' is a text, not a number"),
        ("adjust r.one { severity loud }", "site0.sleuth:1:25 LS208 'loud' after 'severity'. Known are info, warning, error, fatal."),
        ("adjust r.one { confidence sure }", "LS208 'sure' after 'confidence'"),
        ("adjust r.two { confidence certain }", "site0.sleuth:1:27 LS221 'r.two' is likely at best, and what is adjusted does not make it certain. Leave it, or write one below likely."),
        ('adjust r.one {\n remedy "Call {z}." }', "site0.sleuth:2:15 LS204 nothing is called 'z' in 'r.one'"),
        ('adjust r.one { next "{x.what}" }', "site0.sleuth:1:22 LS202 'a.fall' has no field 'what'"),
        ("adjust r.one { unless seen a.fal }", "site0.sleuth:1:28 LS201 there is no event 'a.fal'"),
        ("adjust r.one { unless z.code == 1 }", "site0.sleuth:1:23 LS204 nothing is called 'z' in 'r.one'"),
        ("adjust r.one { let floor = 1 + 1 }", "site0.sleuth:1:30 LS101 '+' was not expected here"),
        ("adjust r.one { when seen a.fall }", "site0.sleuth:1:16 LS101 'when' starts no clause of an adjustment. `when` is a clause of a rule."),
        ("adjust r.one", "site0.sleuth:1:1 LS102 this declaration has no body"),
        ("disable one", "site0.sleuth:1:9 LS101 'one' was not expected here; expected a dotted name (area.name)"),
        ("disable", "LS102 this declaration has no body"),
    ],
)  # fmt: skip
def test_each_error(site: str, error: str) -> None:
    assert any(error in one for one in found(site)), found(site)


@pytest.mark.parametrize(
    ("site", "error"),
    [
        (["adjust r.one { let floor = 1 }", "\nadjust r.one { let floor = 1 }"], "site1.sleuth:2:20 LS218 let floor of 'r.one' is set already, at site0.sleuth:1. Keep one of the two."),
        (["adjust r.one { severity info severity warning }"], "site0.sleuth:1:39 LS218 severity of 'r.one' is set already, at site0.sleuth:1"),
        (["adjust r.one { remedy \"a\" }\nadjust r.one { remedy \"a\" }"], "site0.sleuth:2:23 LS218 remedy of 'r.one' is set already, at site0.sleuth:1"),
        (["disable r.one", "adjust r.one { let floor = 1 }"], "site1.sleuth:1:8 LS218 'r.one' is disabled, at site0.sleuth:1, so there is nothing to adjust"),
        (["disable r.one\n\ndisable r.one"], "site0.sleuth:3:9 LS218 'r.one' is disabled already, at site0.sleuth:1"),
    ],
)  # fmt: skip
def test_contradictions_are_told_with_both_places(site: list[str], error: str) -> None:
    (one,) = found(*site)
    assert one.startswith(error)


def test_errors_of_the_rule_itself_are_told_once() -> None:
    with pytest.raises(RulesError) as caught:
        compile_texts({"a.sleuth": EVENTS + rule("r.bad", "when seen a.fal"), "b.sleuth": "adjust r.bad { let x = 1 }"})
    assert [m.code for m in caught.value.messages] == ["LS201"]


def test_what_is_set_alike_for_different_rules_is_no_contradiction() -> None:
    tuned = program("adjust r.one { severity info }\nadjust r.two { severity info }")
    assert {one.severity for one in tuned.rules.values()} == {"info"}


# Constants by name


def test_an_option_takes_the_name_of_a_constant() -> None:
    events = EVENTS + 'event t.step { line "step {n:int} loss {loss:float}" series loss at n }\n'
    clauses = "let much = 7 when seen t.loss as x when spike(t.loss, factor = much)"
    made = [
        compile_texts({"a": events + rule("r.r", text)}).rules["r.r"].when[-1]
        for text in (clauses, clauses.replace("= much", "= 7"))
    ]
    calls = [one.condition for one in made if isinstance(one, Clause)]
    assert [call.options for call in calls if isinstance(call, Call)] == [(("factor", Value(7)),)] * 2
    with pytest.raises(RulesError, match="LS216: 'factor' of 'spike' asks for a constant, or a let that names one"):
        compile_texts({"a": events + rule("r.r", clauses.replace("let much = 7", "let much = count(ranks)"))})
