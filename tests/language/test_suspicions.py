"""Warnings: what rules that can run hardly mean as they say it, and what is meant."""

import pytest

from logsleuth.language.library import findings, read_rules, shipped_rules

EVENTS = """
event d.slow "A write took long." {
  line "write took {took:ms} ms on {disk}"
  line "disk {disk} was refused by {who}"
}
event d.back "A disk is back." { line "disk {disk} is back" }
event d.beat "A step." { line "step {at:int}" frequent }
event d.gone "The disk is gone." { line "the disk is gone" about job }
list echoes = [d.back]
"""


def rule(clauses: str, name: str = "r.r") -> str:
    return f'rule {name} "A rule." {{ severity error cause killed verdict "it happened" {clauses} }}'


def codes(*clauses: str) -> list[str]:
    rules = [rule(text, f"r.r{number}") for number, text in enumerate(clauses)]
    return [message.code for message in findings({"x.sleuth": EVENTS + "\n".join(rules)})]


def test_the_shipped_rules_are_free_of_warnings() -> None:
    assert findings(read_rules([shipped_rules()])) == []


@pytest.mark.parametrize(
    "clauses",
    [
        # names
        "let least = 2 s when seen d.slow[took > least]", "let name = last(d.slow.disk) when seen d.slow next \"Look at {name}.\"",
        "let hurt = ranks where seen d.slow when count(hurt) > 1", "when seen d.slow as x",
        "unless seen d.back as y then d.slow[disk == y.disk] when seen d.slow",
        # absences
        "when seen d.slow then no d.back within 5m", "when seen d.slow then never d.back", "when seen d.slow then no d.beat",
        'when seen d.slow then no d.slow[disk == "a"]', "when seen d.slow then no d.back confidence likely", "when seen d.slow then no d.back confidence possible",
        # explanations
        "when some rank has d.slow as x culprit x explains d.slow on other ranks", "when seen d.slow[took > 2 s] explains d.slow on any ranks",
        "when seen d.slow explains d.slow, d.back on any ranks", "when seen d.slow explains echoes on any ranks",
        # what can hold
        "when seen d.slow[took > 2 s and took < 5 s]", 'when seen d.slow[disk != "a" and disk != "b"]', 'when seen d.slow[disk == "a" or disk == "b"]',
        'when seen d.slow as x when x.disk == "a" when x.disk == "b"', "when some rank has d.slow[rank == 1 and rank == 2]", "when count(d.slow) > 0",
        'when seen d.slow when no d.slow[disk == "a"]', 'when seen d.slow unless seen d.slow[disk == "a"]', "when exactly 1 rank has d.slow",
        "when at least 100% of ranks have d.slow", 'when seen d.slow[took > 1 s or who == "a"]',
        'when seen d.slow[disk starts with "sd" and disk == "sda"]', "when count(d.slow) > 3 when count(d.back) < 2",
    ],
)  # fmt: skip
def test_what_may_be_meant_is_not_told(clauses: str) -> None:
    assert codes(clauses) == []


@pytest.mark.parametrize(
    ("clauses", "code"),
    [
        ("let least = 2 s when seen d.slow", "LS233"), ('let disk = "a" when seen d.slow[disk == "b"]', "LS233"), ("when seen d.slow unless seen d.back as y", "LS234"),
        ("when seen d.slow then no d.back", "LS235"), ("when some rank has d.slow as x then no d.back confidence certain when seen d.beat, else likely", "LS235"),
        ("when seen d.slow explains d.slow on any ranks", "LS236"), ("when some rank has d.beat when seen d.slow as x culprit x explains d.slow on same ranks", "LS236"),
        ("when seen d.slow[took > 5 s and took < 2 s]", "LS238"), ("when seen d.slow[took > 5 s and took <= 5 s]", "LS238"), ("let a = 5 s when seen d.slow[took > a and took < 2 s]", "LS238"),
        ('when seen d.slow[disk == "a" and disk == "b"]', "LS238"), ('when seen d.slow[disk == "a" and disk != "a"]', "LS238"), ('when seen d.slow[disk == "a" and disk not in ["a", "b"]]', "LS238"),
        ('when seen d.slow[disk starts with "a" and disk == "b"]', "LS238"), ('when seen d.slow[disk starts with "a" and disk starts with "b"]', "LS238"),
        ('when seen d.slow[took > 1 s and who == "a"]', "LS238"), ("when count(d.slow) > 3 when count(d.slow) < 2", "LS238"), ("when count(d.slow) < 0", "LS238"),
        ("when seen d.slow when no d.slow", "LS238"), ('when seen d.slow[disk == "a"] needs no d.slow[disk == "a"]', "LS238"), ('when seen d.slow[disk == "a"] when no d.slow', "LS238"),
        ("when every rank has d.slow when no d.slow", "LS238"), ("when at least 101% of ranks have d.slow", "LS238"), ("when some rank has d.gone", "LS238"), ("when seen d.slow when no rank has d.gone", "LS239"), ("for each rank when seen d.gone", "LS238"),
        ("when seen d.slow unless seen d.slow", "LS238"), ("when seen d.slow as x unless seen d.back or seen d.slow", "LS238"), ("when seen d.slow when 5 > 7", "LS238"), ("when seen d.slow when false", "LS238"), ("when seen d.slow when true", "LS239"), ("when seen d.slow[disk in []]", "LS238"),
        ("when seen d.slow when 7 > 5", "LS239"), ("when seen d.slow when count(d.slow) >= 0", "LS239"), ("when at least 0 ranks have d.slow", "LS239"), ("when exactly 0 ranks have d.slow", "LS239"),
        ("when seen d.slow when seen d.slow", "LS240"), ("when seen d.slow[took > 1 s] needs seen d.slow[took > 1 s]", "LS240"), ("when seen d.slow explains d.back, d.back on any ranks", "LS243"),
    ],
)  # fmt: skip
def test_what_is_hardly_meant_is_told(clauses: str, code: str) -> None:
    assert codes(clauses) == [code]


def test_rules_with_the_same_conditions_are_told_at_the_second() -> None:
    (told,) = findings(
        {"x.sleuth": EVENTS + rule("when seen d.slow as x", "r.b") + "\n" + rule("when  seen d.slow as x", "r.a")}
    )
    assert (told.code, told.place.line) == ("LS241", 11)
    assert codes("when seen d.slow", "for each rank when seen d.slow") == []
    assert codes("when seen d.slow", "when seen d.slow unless seen d.back") == []


@pytest.mark.parametrize(
    ("first", "second", "is_circle"),
    [
        ("explains d.back on any ranks", "explains d.slow on any ranks", True), ("explains d.back on other ranks", "explains d.slow on other ranks", True),
        ("explains d.back on any ranks", "", False), ("explains d.back on any ranks began within 5m", "explains d.slow on any ranks", False),
        ('explains d.back[disk == "a"] on any ranks', "explains d.slow on any ranks", False), ("explains echoes on any ranks", "explains d.slow on any ranks", False),
        ("explains d.back on any ranks role symptom", "explains d.slow on any ranks", False), ("explains d.back on same ranks", "explains d.slow on any ranks", False),
    ],
)  # fmt: skip
def test_a_circle_is_one_that_nothing_breaks(first: str, second: str, is_circle: bool) -> None:
    assert codes(f"when seen d.slow {first}", f"when seen d.back {second}") == (["LS237"] if is_circle else [])


def test_others_are_reached_where_somebody_is_named() -> None:
    some = "when some rank has {} as x culprit x explains {} on {} ranks"
    assert codes(some.format("d.slow", "d.back", "other"), some.format("d.back", "d.slow", "other")) == []
    assert codes(some.format("d.slow", "d.back", "any"), some.format("d.back", "d.slow", "any")) == ["LS237"]


def test_a_circle_of_three_is_told_once() -> None:
    ways = (("r.a", "d.slow", "d.back"), ("r.b", "d.back", "d.gone"), ("r.c", "d.gone", "d.slow"))
    rules = [rule(f"when seen {own} explains {other} on any ranks", name) for name, own, other in ways]
    (told,) = findings({"x.sleuth": EVENTS + "\n".join(rules)})
    assert told.text.startswith("'r.a' explains 'r.b' explains 'r.c' explains 'r.a'")


def test_a_field_has_one_kind_in_all_wordings() -> None:
    def of(*lines: str) -> list[str]:
        return [
            m.code
            for m in findings({"x.sleuth": f"event d.d {{ {' '.join(f'line {chr(34)}{x}{chr(34)}' for x in lines)} }}"})
        ]

    assert of("disk {n} full", "drive {n:int} full") == ["LS244"]
    assert of("write {n:ms} took", "wrote {n:bytes} took") == ["LS244"]
    assert of("write {n:ms} took", "wrote {n:s} took") == []
    assert of("holds {n:bytes} of memory", "memory.current {n:float}") == []


@pytest.mark.parametrize(
    ("expected", "is_told"),
    [
        ("expect r.r culprit rank 3", True), ("expect r.r culprit nobody", False), ("expect r.r expect no r.r", True), ("expect cause killed", False),
        ("expect cause hang", True), ("expect r.r expect nothing", False), ("expect nothing", False), ("expect open r.r expect nothing", False),
    ],
)  # fmt: skip
def test_what_a_test_can_never_get_is_told(expected: str, is_told: bool) -> None:
    text = EVENTS + rule("when seen d.slow") + f'\ntest "it" {{ log """disk sda is back""" {expected} }}'
    assert [message.code for message in findings({"x.sleuth": text})] == (["LS246"] if is_told else [])


def test_errors_are_told_without_warnings() -> None:
    assert codes("let least = 2 when seen d.slow", "when seen d.slo") == ["LS201"]
