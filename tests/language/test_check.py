"""What the checker finds, all in one go."""

import pytest

from logsleuth.language.library import compile_texts
from logsleuth.language.messages import RulesError

GOOD = """
event a.b "said" { line "something {x:int} happened to {who:word}" sample "something 1 happened to me" }
event a.c "said" { line "another thing happened" about job sample "another thing happened" }
list echoes = [a.c]
list numbers = [1, 2]
rule r.s "A thing" {
  severity error
  cause killed
  when seen a.b[x in numbers] as thing then a.c
  culprit thing
  explains echoes on other ranks
  verdict "{thing} had {thing.x}"
}
"""


def errors(text: str) -> list[str]:
    with pytest.raises(RulesError) as caught:
        compile_texts({"good.sleuth": GOOD, "x.sleuth": text})
    return str(caught.value).split("\n\n")[:-1]


def test_what_is_right_compiles_with_its_lists_in_place() -> None:
    program = compile_texts({"good.sleuth": GOOD})
    rule = program.rules["r.s"]
    assert rule.explains[0].lists == ()
    assert [reference.event for reference in rule.explains[0].references] == ["a.c"]


CLAUSES = 'severity error cause killed when seen a.b as t verdict "v"'


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("rule q.q { " + CLAUSES.replace("a.b", "a.bb") + " }", "LS201", "no event 'a.bb'"),
        ("rule q.q { " + CLAUSES.replace("a.b", "a.b[y > 1]") + " }", "LS202", "no field 'y'"),
        ("rule q.q { " + CLAUSES.replace('"v"', '"{t.y}"') + " }", "LS202", "no field 'y'"),
        ("rule q.q { " + CLAUSES.replace("a.b", "a.b[x in no_list]") + " }", "LS203", "no list 'no_list'"),
        ("rule q.q { " + CLAUSES + " explains echo on any ranks }", "LS203", "Did you mean `echoes`"),
        ("rule q.q { " + CLAUSES + " culprit u }", "LS204", "Bound are t"),
        ("rule q.q { " + CLAUSES.replace('"v"', '"{u}"') + " }", "LS204", "nothing is called 'u'"),
        ("rule r.s { " + CLAUSES + " }", "LS205", "declared already, at good.sleuth:6"),
        ('event a.b { line "another {x} thing" }', "LS205", "declared already"),
        ('event e.e { line "long enough {x:whole}" }', "LS206", "unknown type 'whole'"),
        ("event e.e { regex `long enough (?P<x>\\d)` with x:whole }", "LS206", "unknown type"),
        ("rule q.q { " + CLAUSES.replace("killed", "kiled") + " }", "LS207", "Did you mean `killed`"),
        ("rule q.q { " + CLAUSES.replace("severity error", "severity loud") + " }", "LS208", "'loud' after 'severity'"),
        ('event e.e { witness cpu line "long enough" }', "LS208", "'cpu' after 'witness'"),
        ("rule q.q { cause killed when seen a.b }", "LS209", "has no severity"),
        ("event e.e { fallback }", "LS209", "neither line nor regex nor block"),
        ('event e.e { line "{x:int} of {y:int}" }', "LS210", "no literal of 4"),
        ("event e.e { regex `abcdef|\\d+` }", "LS210", "no literal of 4"),
        ("event e.e { regex `a(` }", "LS211", "does not compile"),
        ('event e.e { line "some {x text" }', "LS212", "a lone '{'"),
        ('event e.e { line "some {x} more {x}" }', "LS212", "a second time"),
        ('event e.e { line "some {x:int} text" about rank {y} }', "LS202", "no field 'y'"),
        ('event e.e { line "some {x:int} text" began said - x }', "LS206", "no duration"),
        ("event e.e { block within 3 lines { lines deeper } }", "LS214", "must match"),
        ('test "t" { log """x""" expect r.t }', "LS208", "no rule 'r.t'"),
        ('test "t" { log """x""" }', "LS209", "no expectation"),
    ],
)  # fmt: skip
def test_each_error_has_its_code(text: str, code: str, words: str) -> None:
    found = errors(text)
    assert any(f" {code}: " in error and words in error for error in found), found


def test_all_errors_come_at_once_in_the_order_of_the_file() -> None:
    text = "\n".join(f"rule q.q{n} {{ {CLAUSES.replace('a.b', f'no.e{n}')} }}" for n in range(3))
    found = errors(text)
    assert [error.split(":")[1] for error in found] == ["1", "2", "3"]
    assert all("LS201" in error for error in found)


def test_a_caret_stands_inside_the_template() -> None:
    (error,) = errors('event e.e {\n  line "some {x:whole} text"\n}\n')
    assert error.splitlines()[0].startswith("x.sleuth:2:14: LS206")
    assert error.splitlines()[2].rstrip().endswith("^^^^^^^^^")
