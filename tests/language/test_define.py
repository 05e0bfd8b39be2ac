"""Expressions with a name and parameters."""

import re
from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.language.library import compile_texts
from logsleuth.language.program import Program
from logsleuth.language.syntax import Clause
from tests.small_jobs import EVENTS, errors_of, rule, write

STEPS = 'event t.step "A step." { line "step {n:int} loss {loss:float} in {took:ms} ms" series loss at n series took at n }\n'
HANGS = "[rank0]: gave up waiting after 900 ms\n[rank1]: gave up waiting after 5000 ms\n[rank1]: fell with code 7\n"


def texts(*given: str) -> dict[str, str]:
    return {"events.sleuth": EVENTS + STEPS, **{f"{n}.sleuth": text for n, text in enumerate(given)}}


def program(*given: str) -> Program:
    return compile_texts(texts(*given))


def found(*given: str) -> list[str]:
    """The errors, each with its place."""
    return [one.replace("`", "") for one in errors_of(texts(*given))]


def conditions(made: Program, name: str = "r.r") -> list[object]:
    """What the rule asks, without its texts."""
    return [item.condition for item in made.rules[name].when if isinstance(item, Clause)]


# What a definition is


@pytest.mark.parametrize(
    ("definition", "called", "written"),
    [
        ("define short(x) = last(x) < 5 min", "short(t.took)", "last(t.took) < 5 min"),
        ("define many(e, n) = count(e) >= n", "many(a.fall, 3)", "count(a.fall) >= 3"),
        ("define many(e, n) = count(e) >= n", "many(a.fall[code > 2], 1 + 2)", "count(a.fall[code > 2]) >= 1 + 2"),
        ("define bad(e) = seen e and not no e", "bad(a.fall)", "seen a.fall and not no a.fall"),
        ("define on_all(e) = every rank has e without a.exit", "on_all(a.slip[what == \"ice\"])", 'every rank has a.slip[what == "ice"] without a.exit'),
        ("define worst(e) = max(e.code) > 3", "worst(a.fall)", "max(a.fall.code) > 3"),
        ("define known_of(x) = x.code is known", "known_of(f)", "f.code is known"),
        ("define at_once(x) = x within 5 s of each other", "at_once(f)", "f within 5 s of each other"),
        ("define spread(x) = count(hosts of x) > 1", "spread(f)", "count(hosts of f) > 1"),
        ("define listed(x, l) = x in l", "listed(f.code, codes)", "f.code in codes"),
        ("define most_of(m) = count(m) > 50% of ranks", "most_of(seen ranks)", "count(seen ranks) > 50% of ranks"),
        ("define grows(s, by) = rising(s, gain = by)", "grows(t.loss, 3%)", "rising(t.loss, gain = 3%)"),
        ("define grows(s, by) = rising(s, gain = by)", "grows(t.loss, much)", "rising(t.loss, gain = much)"),
        ("define patience = 10 min", "last(t.took) > patience", "last(t.took) > 10 min"),
        ("define gone = no a.fall and no a.slip", "not gone", "not (no a.fall and no a.slip)"),
        ("define far(n) = ranks where last(a.fall.code) > n", "count(far(2)) > 1", "count(ranks where last(a.fall.code) > 2) > 1"),
        ("define far(n) = ranks where n > 3", "count(far(own)) > 1", "count(ranks where own > 3) > 1"),
        ("define big(x) = x > 3", "seen a.fall[big(code)]", "seen a.fall[code > 3]"),
        ("define tall(x) = x > 10 * baseline(x)", "seen t.loss[tall(value)]", "seen t.loss[value > 10 * baseline(value)]"),
        ("define big(x) = x > least define least = 3", "big(f.code)", "f.code > 3"),
        ("define two(x) = big(x) and big(x + 1) define big(y) = y > 3", "two(f.code)", "f.code > 3 and f.code + 1 > 3"),
        # What is called alike in different definitions, and by the caller, stays apart.
        ("define big(x) = more(3, x) define more(y, x) = x > y", "big(f.code)", "f.code > 3"),
        ("define swap(x, y) = less(y, x) define less(x, y) = x < y", "swap(f.code, own)", "own < f.code"),
    ],
)  # fmt: skip
def test_a_call_means_what_the_definition_says_of_its_arguments(definition: str, called: str, written: str) -> None:
    shared = "list codes = [1, 2]\n"
    clauses = "when seen a.fall as f let own = last(a.fall.code) let much = 3% when "
    called_one = program(shared + definition, rule("r.r", clauses + called))
    written_one = program(shared, rule("r.r", clauses + written))
    assert _placeless(conditions(called_one)) == _placeless(conditions(written_one))


def _placeless(node: object) -> str:
    """A tree without where it stands, and without the words of its clauses."""
    return re.sub(r"at=Place\([^)]*\)|text='[^']*'", "", repr(node))


@pytest.mark.parametrize(
    "clause",
    [
        "when far(f)",
        "let it = far(f) when it",
        "needs far(f)",
        "unless not far(f)",
        "confidence certain when far(f), else possible",
        "explains a.hang[far(f) and ms > 3 s] on any ranks",
    ],
)
def test_a_definition_serves_wherever_a_condition_does(clause: str) -> None:
    rules = [
        program("define far(x) = x.code > 3", rule("r.r", "when seen a.fall as f", text)).rules["r.r"]
        for text in (clause, clause.replace("far(f)", "f.code > 3"))
    ]
    called, written = ([rule.when, rule.needs, rule.unless, rule.confidence, rule.explains] for rule in rules)
    assert _placeless(called) == _placeless(written)


def test_an_adjustment_may_use_definitions(tmp_path: Path) -> None:
    write(tmp_path, {"job.log": "[rank1]: fell with code 7\n"})
    own = rule("r.r", "when seen a.fall as f")
    for limit, told in ((5, []), (9, ["r.r"])):
        made = program(own, f"define above(x, n) = x.code > n\nadjust r.r {{ unless above(f, {limit}) }}")
        assert [v.rule for v in analyze_with(made, [str(tmp_path)]).verdicts] == told


def test_definitions_are_known_in_all_files_in_any_order() -> None:
    texts = [rule("r.r", "when seen a.fall when big(1)"), "define big(x) = bigger(x, 3)", "define bigger(x, y) = x > y"]
    assert conditions(program(*texts)) == conditions(program(*texts[:1], *reversed(texts[1:])))


def test_a_rules_own_names_go_before_definitions_and_so_do_fields() -> None:
    made = program("define code = 99\ndefine own = 98", rule("r.r", "let own = 5 when seen a.fall[code > own]"))
    plain = program(rule("r.r", "let own = 5 when seen a.fall[code > own]"))
    assert _placeless(conditions(made)) == _placeless(conditions(plain))


def test_a_rule_is_judged_as_if_it_were_written_out(tmp_path: Path) -> None:
    write(tmp_path, {"job.log": HANGS})
    rules = "define slow(limit) = ranks where max(a.hang.ms) > limit\ndefine much = 1 s\n"
    rules += rule("r.r", "when seen a.hang as h let late = slow(much) when count(late) == 1 culprit late")
    (verdict,) = analyze_with(program(rules), [str(tmp_path)]).verdicts
    assert verdict.culprits.ranks == (1,)


def test_how_it_was_decided_is_told_in_the_words_of_the_rule_and_of_the_definition(tmp_path: Path) -> None:
    write(tmp_path, {"job.log": HANGS})
    rules = "define slow(x) = max(x) > much # a comment\ndefine much =\n  1 s\n"
    rules += rule("r.r", "when seen a.hang when slow(a.hang.ms)")
    (verdict,) = analyze_with(program(rules), [str(tmp_path)]).verdicts
    assert [reason.condition for reason in verdict.reasoning] == [
        "seen a.hang",
        "slow(a.hang.ms) (slow(x) = max(x) > much; much = 1 s)",
    ]


# What is wrong with it by itself


@pytest.mark.parametrize(
    ("definition", "error"),
    [
        ("define a(x) = seen a.fal and x", "0.sleuth:1:20 LS201 there is no event 'a.fal'. Did you mean a.fall"),
        ("define a(x) =\n  x > last(a.fall.cod)", "LS202 'a.fall' has no field 'cod'. Did you mean code?"),
        ("define a(x) = x in nothing", "0.sleuth:1:20 LS203 there is no list 'nothing'"),
        ("define a(x) = x > y", "0.sleuth:1:19 LS204 nothing is called 'y' in 'a'"),
        ("define a(x) = x > death.code", "0.sleuth:1:19 LS204 nothing is called 'death' in 'a'"),
        ("define a(x) = lst(x) > 1", "0.sleuth:1:15 LS215 there is no function 'lst'. Did you mean last?"),
        ("define a(x) = rising(x, gian = 3%)", "0.sleuth:1:15 LS216 'rising' has no option 'gian'. Did you mean gain?"),
        ("define a(x) = b(x, 1)\ndefine b(y) = y > 1", "0.sleuth:1:15 LS226 'b' takes 1 argument, not 2. It is defined at 0.sleuth:2: b(y) = y > 1."),
        ("define a(x) = a(x)", "0.sleuth:1:8 LS222 'a' is defined by itself: a -> a. "),
        ("define a(x) = 1 + b(x)\ndefine b(x) = c + x\ndefine c = d(2)\ndefine d(x) = x + c", "0.sleuth:3:8 LS222 'c' is defined by itself: c -> d -> c. "),
        ("define a(x) = some rank has a.fall as f and x", "0.sleuth:1:29 LS223 'a' binds a name, 'as f', that nobody could speak of"),
        ("define a(x) = seen a.fall then a.slip as s and x", "LS223 'a' binds a name, 'as s'"),
        ("define last(x) = x", "0.sleuth:1:8 LS224 'last' is a function of the language. Choose another name."),
        ("define ranks = 3", "0.sleuth:1:8 LS224 'ranks' is the members of the language"),
        ("define a(x, x) = x", "0.sleuth:1:13 LS224 the parameter 'x' stands here a second time"),
        ("define a(hosts) = count(hosts)", "0.sleuth:1:10 LS224 'hosts' is taken"),
        ("define a(code) = seen a.fall[code > 3]", "0.sleuth:1:30 LS224 the parameter 'code' hides the field 'code' of 'a.fall'. Call the parameter otherwise."),
        ("define a(x, y) = x > 3", "0.sleuth:1:13 LS225 'a' does not use its parameter 'y'"),
        ("define a(x) = x.code.more", "0.sleuth:1:15 LS227 only a field of the parameter 'x' can be asked for, without a filter"),
        ("define a = 1\n\ndefine a = 2", "0.sleuth:3:8 LS205 'a' is declared already, at 0.sleuth:1"),
        ("define a() = 1", "0.sleuth:1:10 LS101 "),
        ("define a.b(x) = x", "LS101 "),
        ("define a(x) = ", "0.sleuth:1:14 LS101 "),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_definition_is_told_at_it_once_however_often_it_is_used(
    definition: str, error: str
) -> None:
    used = rule("r.r", "when seen a.fall when a(1) when a(2)")
    for texts in ([definition], [definition, used]):
        (told,) = [one for one in found(*texts) if not one.startswith("1.sleuth")]
        assert error in told
        assert told.startswith("0.sleuth")


# What an argument makes wrong


@pytest.mark.parametrize(
    ("definition", "called", "error"),
    [
        ("define grows(s) = rising(s)", "grows(a.fall)", "1.sleuth:2:6 LS216 'rising' asks for a series, such as train.loss, in 'grows' (defined at 0.sleuth:1)"),
        ("define worst(e) = max(e.code) > 3", "worst(a.slip)", "LS202 'a.slip' has no field 'code'; 'worst', defined at 0.sleuth:1, asks for it"),
        ("define worst(e) = two(e)\ndefine two(e) = max(e.code) > 3", "worst(a.slip)", "LS202 'a.slip' has no field 'code'; 'worst', defined at 0.sleuth:1, asks for it"),
        ("define grows(s, by) = rising(s, gain = by)", "grows(t.loss, count(ranks))", "1.sleuth:2:6 LS216 'gain' of 'rising' asks for a constant, or a let that names one, in 'grows'"),
        ("define bad(e) = seen e", "bad(3)", "1.sleuth:2:6 LS227 'e' must be an event, with or without a filter. It says: bad(e) = seen e."),
        ("define bad(e) = seen e", "bad(a.fal)", "1.sleuth:2:10 LS201 there is no event 'a.fal'; 'bad', defined at 0.sleuth:1, asks for it. Did you mean a.fall"),
        ("define bad(e) = seen e", "bad(a.fall[cod > 1])", "1.sleuth:2:17 LS202 'a.fall' has no field 'cod'"),
        ("define at_once(x) = x within 5 s of each other", "at_once(3)", "LS227 'x' must be the name of a binding"),
        ("define worst(e) = max(e.code) > 3", "worst(3)", "LS227 'e' must be an event or a binding with a field 'code'"),
        ("define a(x) = seen a.fall[code > x]", "seen a.hang[a(ms)]", "1.sleuth:2:18 LS227 'ms' is a field of another event where 'a' asks for 'x'. It stands in a filter of 'a.fall' there"),
        ("define a(x) = seen a.slip[what == x]", "a(what)", "1.sleuth:2:6 LS227 'what' is a field of 'a.slip' in 'a', and a let of this rule. Call the let otherwise."),
        ("define a(x) = x > 3", "a(1, 2)", "1.sleuth:2:6 LS226 'a' takes 1 argument, not 2. It is defined at 0.sleuth:1: a(x) = x > 3."),
        ("define a(x) = x > 3", "a", "1.sleuth:2:6 LS226 'a' takes 1 argument, not 0"),
        ("define a = 3", "a(1) > 2", "1.sleuth:2:6 LS226 'a' takes no arguments, not 1"),
        ("define a(x) = x > 3", "a(1, over = 3)", "1.sleuth:2:6 LS226 'a' is a definition and takes nothing by name, such as over = ..."),
        ("define shorter(x) = x > 3", "shortr(1)", "1.sleuth:2:6 LS215 there is no function 'shortr'. Did you mean shorter"),
        ("define shorter = 3", "shortr > 3", "1.sleuth:2:6 LS204 nothing is called 'shortr' in 'r.r'. Did you mean shorter?"),
    ],
)  # fmt: skip
def test_what_an_argument_makes_wrong_is_told_at_the_call(definition: str, called: str, error: str) -> None:
    (told,) = found(definition, rule("r.r", 'when seen a.fall as f let what = "ice"', f"\nwhen {called}"))
    assert error in told
    assert told.startswith("1.sleuth:2:")


# Bounds


def test_what_grows_without_bound_is_told_at_once() -> None:
    doubling = [f"define d{n}(x) = d{n + 1}(x) + d{n + 1}(x)\n" for n in range(35)]
    (told,) = found("".join(doubling) + "define d35(x) = x", rule("r.r", "when seen a.fall when d0(2) > 1"))
    assert "written out this grows to more than 5,000 terms" in told


@pytest.mark.parametrize("body", ["not " * 50 + "{0}", "count(a.fall[code > " * 15 + "{0}" + "])" * 15, "1 + {0}"])
def test_definitions_within_one_another_have_a_bound(body: str) -> None:
    chain = "".join(f"define d{n} = {body.format(f'd{n + 1}')}\n" for n in range(60))
    told = found(chain + "define d60 = 1", rule("r.r", "when seen a.fall when d0 > 1"))
    assert all(" LS228 " in one for one in told)


def test_what_is_nested_as_deep_as_may_be_can_be_judged(tmp_path: Path) -> None:
    write(tmp_path, {"job.log": "[rank1]: fell with code 7\n"})
    rules = "define odd(x) = " + "not " * 25 + "x\n" + rule("r.r", "when seen a.fall as f when odd(odd(f.code > 3))")
    (verdict,) = analyze_with(program(rules), [str(tmp_path)]).verdicts
    assert verdict.rule == "r.r"
