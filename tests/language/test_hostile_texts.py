"""Rule files are hostile text: whatever stands in them, there are declarations or messages, and never a traceback."""

import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from logsleuth.engine.plan import plan
from logsleuth.language.check import check
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.messages import Message, RulesError, render
from logsleuth.language.parse import grammar, parse
from logsleuth.language.program import Program
from logsleuth.testing.runner import run_test

SHIPPED = sorted(read_rules([shipped_rules()]).values(), key=len)[:80]
"""The short ones, which are mutated."""
WORDS = sorted(
    {str(terminal.pattern.value) for terminal in grammar().terminals if terminal.pattern.type == "str"}
    | {"a.b", "x", "a-cause", "3", "9" * 30, "1e400", "30m", "5%", '"text {x}"', '"""long"""', "`(?P<x>a+)`", "rank", "other", "#", "\n", "\0", "é", "\ud800", "{", "}"}
)  # fmt: skip
OPENINGS = [
    "event a.b {",
    "rule a.b {",
    "list a = [",
    'test "t" {',
    "wordings of a.b {",
    "adjust a.b {",
    "disable a.b",
    "",
]


def messages_of(text: str) -> list[Message]:
    """What is wrong with a text. Every message has a place inside it, and can be rendered."""
    parsed = parse("x.sleuth", text)
    checked = check(parsed.declarations)
    errors = [*parsed.errors, *checked.errors]
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    for error in errors:
        assert error.place.file == "x.sleuth"
        assert 1 <= error.place.line <= len(lines), error
        assert 1 <= error.place.column <= len(lines[error.place.line - 1]) + 1, error
        assert error.place.width >= 1
        assert re.fullmatch(r"LS\d{3}", error.code)
        assert render(error, {"x.sleuth": text}).startswith(f"x.sleuth:{error.place.line}:")
    assert parsed.declarations or errors or not text.strip() or not _is_more_than_comments(text)
    return errors


def _is_more_than_comments(text: str) -> bool:
    return any(
        line.strip("\ufeff \t\r\f\v") and not line.lstrip("\ufeff \t\r\f\v").startswith("#")
        for line in text.split("\n")
    )


def run_what_passes(text: str) -> None:
    """What has no error can be planned, and judged on a small log."""
    try:
        program: Program = compile_texts({"x.sleuth": text})
    except RulesError:
        return
    plan(program)
    log = 'test "t" { log rank 0 """2025-03-04 10:00:00 fell with code 9 text x a""" log rank 1 """step 3 loss 1.5""" expect nothing }'
    judged = compile_texts({"x.sleuth": text, "y.sleuth": log})
    run_test(judged.tests[-1], judged)


texts = st.text(alphabet=st.characters(codec=None), max_size=60)
spliced = st.builds(
    lambda opening, words, end: f"{opening} {' '.join(words)}{end}",
    st.sampled_from(OPENINGS), st.lists(st.sampled_from(WORDS), max_size=12), st.sampled_from([" }", "", " ]", "\r\n}"]),
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(SHIPPED))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        until = min(len(text), at + draw(st.integers(0, 12)))
        text = text[:at] + draw(st.sampled_from(WORDS) | st.text(max_size=3)) + text[until:]
    return text


slow = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@slow
@given(texts)
@example("\ufeffrule a.b {\r\n  severty\r\n}\r\n")
@example("\0")
@example('rule a.b "\ud800" { severity fatal }')
@example("event a.b { regex `\ud800` }")
@example('event a.b { line "\ud800\ud800\ud800\ud800" sample "\ud800\ud800\ud800\ud800" }')
@example("rule a.b { when seen a.c[x matches `\ud800`] }")
@example("list a = [" + "9" * 400 + "]")
@example("list a = [1e999]")
@example("event a.b { block within 1e400 lines { } }")
@example("event a.b { block within " + "9" * 5000 + " lines { } }")
@example("event a.b { line " + '"' + "{" * 5000 + '" }')
@example("event a.b { regex `" + "(" * 5000 + "` }")
@example("event a.b { regex `" + "(" * 2000 + ")" * 2000 + "` }")
@example("event a.b { regex `" + "(?:" * 90 + "abcd" + ")*" * 90 + "` }")
@example("event a.b { regex `abcd(a{1,1000}){1,1000}{1,1000}` }")
@example("event a.b { regex `abcd" + "a{999999999}" + "` }")
@example("rule a.b { when seen a.c[x matches `" + "(a|" * 300 + "b" + ")" * 300 + "`] }")
@example("rule " + "a." * 5000 + "b { }")
@example("rule a.b { when " + "(" * 3000 + "x" + ")" * 3000 + " }")
@example("rule a.b { let x = ranks where " + "count(ranks where " * 300 + "x" + ")" * 300 + " }")
@example("x" * 200_000)
@example('rule a.b { verdict "' + "{x}" * 5_000 + '" }')
@example("# " + "é" * 100_000 + "\nrule")
@example("\x0brule a.b { }")
@example("rule a.b { }\r\rrule a.b { }")
@example("rule a.b {\u2028 severty \u2028 }")
def test_no_text_crashes_parser_or_checker(text: str) -> None:
    messages_of(text)


@slow
@given(spliced)
def test_no_row_of_words_crashes_parser_or_checker(text: str) -> None:
    messages_of(text)
    run_what_passes(text)


@slow
@given(mutated())
def test_no_mutation_of_a_shipped_rule_crashes_parser_or_checker(text: str) -> None:
    messages_of(text)


EVENTS = 'event a.b { line "fell with code {x:int}" } event a.c { line "step {x:int} loss {y:float}" series y at x }\n'
_atoms = st.sampled_from(
    ["x", "first.x", "first", "a.b", "a.b.x", "a.y", "3", "5%", "2m", '"text"', "ranks", "seen ranks", "true", "a.c.y", "rank", "job.a.b", "time", "text"]
)  # fmt: skip


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    functions = [
        "count",
        "last",
        "distinct",
        "min",
        "max",
        "sum",
        "mean",
        "abs",
        "peers.median",
        "outlier",
        "quiet",
        "known",
        "slope",
        "isnan",
    ]
    return st.one_of(
        st.builds(
            "({} {} {})".format,
            inner,
            st.sampled_from(["+", "-", "*", "/", "==", "<", ">=", "and", "or", "contains", "of"]),
            inner,
        ),
        st.builds("{}({})".format, st.sampled_from(functions), inner),
        st.builds("{}({}, {})".format, st.sampled_from(functions), inner, inner),
        st.builds("ranks where {}".format, inner),
        st.builds("a.b[{}]".format, inner),
        st.builds("not {}".format, inner),
        st.builds("seen a.b[{}]".format, inner),
        st.builds("some rank has a.b[{}] as again then a.c within 3m".format, inner),
        st.builds("{} matches `t(e|x)+t`".format, inner),
        st.builds("{} is known".format, inner),
    )


conditions = st.recursive(_atoms, _larger, max_leaves=6)


@slow
@given(st.lists(conditions, min_size=1, max_size=2), conditions)
def test_whatever_the_checker_lets_pass_can_be_judged(asked: list[str], named: str) -> None:
    whens = "\n".join(f"when {text}" for text in asked)
    run_what_passes(
        f'{EVENTS} rule a.rule {{ severity error cause killed when seen a.b as first\nlet mine = {named}\n{whens}\nverdict "it {{mine}}" }}'
    )


@pytest.mark.parametrize("text", ["", "\ufeff", "# only this", "\r\n"])
def test_nothing_is_nothing_wrong(text: str) -> None:
    assert messages_of(text) == []
