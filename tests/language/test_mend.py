"""Each clause of a declaration is read by itself where the whole cannot be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.language.library import compile_texts
from logsleuth.language.messages import RulesError
from logsleuth.language.parse import parse
from logsleuth.language.syntax import Event, ListOf, Rule

CLAUSES = (
    "severity error",
    "cause killed",
    "for each rank",
    "let least = 2",
    "when count(a.b) >= least",
    "when seen a.b[n > 3 and n < 9] as x\n    then no a.c within 5 min",
    "needs count(seen ranks) > 1",
    "unless seen a.c",
    "culprit x",
    "explains a.c\n    on other ranks\n    began within 5m",
    "confidence certain\n    when x.n > 4, else likely",
    'verdict "{x} fell"',
    'chain "a" -> "b"',
    'remedy """\n- Do {x}.\nwhen it is done\n"""',
    'see "https://example.org"',
)
EVENTS = 'event a.b { line "fell with {n:int}" }\nevent a.c { line "rose with {n:int}" }\n'


def rule(clauses: list[str]) -> str:
    return 'rule r.r "It fell." {\n' + "".join(f"  {clause}\n" for clause in clauses) + "}\n"


def lines_told(text: str) -> list[int]:
    return sorted({error.place.line for error in parse("x", text).errors})


def first_line(clauses: list[str], number: int) -> int:
    return 2 + sum(clause.count("\n") + 1 for clause in clauses[:number])


def test_what_is_right_has_no_errors() -> None:
    compile_texts({"x": EVENTS + rule(list(CLAUSES))})


@given(st.sets(st.integers(0, len(CLAUSES) - 1), min_size=1, max_size=5))
def test_every_wrong_clause_is_told_and_no_other(wrong: set[int]) -> None:
    clauses = [f"x{clause}" if number in wrong else clause for number, clause in enumerate(CLAUSES)]
    assert lines_told(rule(clauses)) == [first_line(clauses, number) for number in sorted(wrong)]


@given(st.sets(st.integers(0, len(CLAUSES) - 1), min_size=1, max_size=5))
def test_what_is_left_of_a_rule_gets_no_error_that_follows(wrong: set[int]) -> None:
    clauses = [f"x{clause}" if number in wrong else clause for number, clause in enumerate(CLAUSES)]
    with pytest.raises(RulesError) as told:
        compile_texts({"events": EVENTS, "x": rule(clauses)})
    assert {message.code for message in told.value.messages} == {"LS101"}


def test_a_text_without_its_end_hides_no_other_clause() -> None:
    clauses = ["severity error", 'verdict "it fell', "wehn seen a.b", "cause killed"]
    assert [(e.place.line, e.code) for e in parse("x", rule(clauses)).errors] == [(3, "LS102"), (4, "LS101")]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("event a.b {\n  lien\n}\n", Event),
        ("evnet a.b {\n  fallback\n}\n", Event),
        ("rule a.b 5 {\n  role symptom\n}\n", Rule),
        ("list a [1]\n", ListOf),
        ("rule a.b", Rule),
    ],
)
def test_the_name_of_a_broken_declaration_is_known(text: str, kind: type) -> None:
    parsed = parse("x", text)
    assert len(parsed.errors) == 1
    left, *more = list(parsed.declarations) + [item.declaration for item in parsed.broken]
    assert not more
    assert isinstance(left, kind)
    assert getattr(left, "name", "") in ("a.b", "a")


def test_so_many_errors_of_one_declaration_are_told() -> None:
    assert len(parse("x", rule(["wehn seen a.b"] * 100)).errors) == 20


def test_a_bracket_that_closes_another_one_is_not_the_one_to_blame() -> None:
    text = rule(["when count(a.b[n > 3) > 2", "severity eror"])
    (error,) = parse("x", text).errors
    assert (error.code, error.place.line, error.place.column) == ("LS102", 2, 17)
