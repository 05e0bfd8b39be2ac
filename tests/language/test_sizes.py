"""Rules that are larger or deeper than anybody writes: told at their place, in no time."""

import pytest

from logsleuth.language import limits
from logsleuth.language.library import compile_texts
from tests.small_jobs import EVENTS, errors_of, rule


def found(text: str) -> str:
    """The one error, with its place."""
    (message,) = errors_of({"events.sleuth": EVENTS, "x.sleuth": text})
    return message


def fits(text: str) -> None:
    compile_texts({"events.sleuth": EVENTS, "x.sleuth": text})


# Depth


@pytest.mark.parametrize(
    "condition",
    [
        "not " * 10_000 + "seen a.fall",
        "abs(" * 10_000 + "1" + ")" * 10_000 + " > 1",
        "max(1, " * 10_000 + "1" + ")" * 10_000 + " > 1",
        "seen a.fall[" * 10_000 + "code > 1" + "]" * 10_000,
        "1 + " * 10_000 + "1 > 1",
        "1 of " * 10_000 + "ranks > 1",
        "(" * 10_000 + "seen a.fall or " + "not (" * 10_000 + "no a.fall" + ")" * 20_000,
    ],
    ids=["not", "calls", "arguments", "filters", "sums", "shares", "parentheses"],
)
@pytest.mark.parametrize("form", ["rule", "define"])
def test_what_is_nested_too_deeply_is_told_where_it_is(condition: str, form: str) -> None:
    text = rule("r.r", f"\nwhen {condition}") if form == "rule" else f"\ndefine deep = {condition}"
    told = found(text)
    assert told.startswith("x.sleuth:2:")
    assert "LS104 this stands more than 60 levels deep in its declaration. Write a list" in told


def test_parentheses_alone_are_no_depth() -> None:
    fits(rule("r.r", "when " + "(" * 10_000 + "seen a.fall" + ")" * 10_000))


def test_brackets_within_brackets_of_a_list_are_told() -> None:
    assert "LS101 '[' was not expected here" in found(f"list deep = {'[' * 10_000}1{']' * 10_000}")


# Lengths

LONG_NAME = "x" * (limits.NAME_LENGTH + 1)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (f"\nlist {LONG_NAME} = [1]", "x.sleuth:2:6 LS106 this name has 201 characters, more than 200"),
        (rule("r." + LONG_NAME, "when seen a.fall"), "LS106 this name has 203 characters, more than 200"),
        (rule("r.r", "when seen a.fall", cause=LONG_NAME), "LS106 this cause has 201 characters"),
        ('test "t" { log host ' + LONG_NAME + ' """x""" expect nothing }', "LS106 this host name has 201 characters"),
        (rule("r.r", "when seen a.fall", verdict="x" * 20_000), "LS106 this text has 20,002 characters, more than 20,000. Write it in fewer words."),
        (rule("r.r", f"when seen a.slip[what matches `{'x' * 2000}`]"), "LS106 this regular expression has 2,002 characters, more than 2,000"),
        ('test "t" { log """' + "x" * 2**20 + '""" expect nothing }', "LS106 this log has 1,048,582 characters, more than 1,048,576. Keep long logs in files and name them with `logs`."),
        ('event e.e { line "some text" sample "' + "x" * 2**20 + '" }', "LS106 this log has 1,048,578 characters"),
        (f"list x = [{'1' * 41}]", "x.sleuth:1:11 LS105 this number has 41 digits, more than 40"),
        ('event e.e {\n  block within 10001 lines { line "some text" } }', "x.sleuth:2:16 LS106 a block of 10001 lines, more than 10,000"),
        ('event e.e { block within 9 lines { ' + 'line "some text" ' * 501 + "} }", "LS106 this has 502 parts, more than 500. Divide it into several."),
        ('event e.e { frequent table { header "utilization" ' + 'column "c" as c:int ' * 501 + "} }", "LS106 this has 503 parts, more than 500"),
        (rule("r.r", *["when seen a.fall"] * 501), "LS106 this has 506 parts, more than 500"),
        (rule("r.r", "when " + "seen a.fall or " * 500 + "no a.fall"), "LS106 this has 501 parts, more than 500"),
        (f"list x = [{', '.join(['1'] * 10_001)}]", "LS106 this has 10,002 parts, more than 10,000"),
        (rule("r.r", f"when seen a.fall[code in [{', '.join(['1'] * 10_001)}]]"), "LS106 this has 10,001 parts, more than 10,000"),
        ("disable a.b\n" * 2_001, "x.sleuth:2001:1 LS106 here begins declaration 2,001; a file has 2,000 at most. Divide it into several files."),
    ],
    ids=range(17),
)  # fmt: skip
def test_what_is_too_large_is_told_where_it_is(text: str, error: str) -> None:
    assert error in found(text)


def test_a_block_that_is_bounded_by_a_time_is_told() -> None:
    assert "x.sleuth:1:" in found('event e.e { block within 10 s lines { line "some text" } }')


def test_what_just_fits_is_taken() -> None:
    name = "r." + "x" * (limits.NAME_LENGTH - 2)
    text = "x" * (limits.TEXT_LENGTH - 2)
    fits(rule(name, f"when seen a.fall[code in [{', '.join(['1'] * 10_000)}]]", verdict=text))
    fits(rule("r.r", "when seen a.fall", *["when seen a.slip"] * 490))
    fits(f"list x = [{'1' * 40}]")
