"""What conditions compare and reckon with: kinds and units that fit, and those that do not."""

import pytest

from logsleuth.language.library import findings

EVENTS = """
event d.slow "A write took long." {
  line "write of {size:bytes} took {took:ms} ms on {disk} by {n:int} at {when:moment}"
  line "disk {disk} holds {held:ranks} and is {used:percent} full"
}
event d.back "A disk is back." { line "disk {disk} is back" }
event d.step "A step." { line "loss of step {at:int} is {loss:float}" frequent series loss at at }
list disks = ["sda", 7]
list numbers = [7, 8]
"""


def codes(clauses: str) -> list[str]:
    rule = f'rule r.r "A rule." {{ severity error cause killed verdict "it happened" {clauses} }}'
    return [
        f"{m.code} {m.text}" for m in findings({"x.sleuth": EVENTS + rule}) if m.code in ("LS230", "LS231", "LS232")
    ]


@pytest.mark.parametrize(
    "clauses",
    [
        'when seen d.slow[disk == "sda"]', 'when seen d.slow[disk in disks]', "when seen d.slow[n in disks]", "when seen d.slow[took > 0]",
        "when seen d.slow[took > 2 s and size > 1 GiB]", "when seen d.slow[took > 2 * took - 1 s]", "when seen d.slow[used > 97%]",
        "when seen d.slow[used > 0.97]", "when seen d.slow[used * took > 1 s]", "when seen d.slow[size / took > 7]", "when seen d.slow[size / size > 7]",
        'when seen d.slow[disk starts with "sd" and disk contains "a" and disk matches `a`]', "when seen d.slow[held contains 3]",
        "when seen d.slow as x when last(d.back.time) > first(x.time) + 10 min", "when seen d.slow as x when max(x.time) - min(x.time) > 10 min",
        "when seen d.slow as x when x.when < x.time", "when seen d.slow as x when count(x) > 25% of ranks", "let a = seen d.slow when a",
        "let least = 2 s when seen d.slow[took > least]", "let all_ranks = ranks where seen d.slow when count(all_ranks) > 1 culprit all_ranks",
        "when rising(d.loss)", "when last(d.loss) > 3", "when seen d.loss[value > 3 and step > 4]", "when not seen d.slow", "when mode(d.slow.disk) == \"sda\"",
        'when known(last(d.slow.disk), "sda") == "sdb"', "when count(distinct(d.slow.disk)) > 2", 'when seen d.slow[text contains "x" and level == "E"]',
        "when seen d.slow[rank == 3 and n != rank]", "when min(mean(d.slow.took), 3 s) > 2 s", 'when seen d.slow as x verdict_', "when some rank has d.slow as x when min(x.took) < 7 s",
    ],
)  # fmt: skip
def test_what_fits_is_not_told(clauses: str) -> None:
    assert codes(clauses.replace(" verdict_", "")) == []


@pytest.mark.parametrize(
    ("clauses", "told"),
    [
        ("when seen d.slow[disk == 1]", "LS230 'disk' is a text and 1 is a plain number, so this comparison never holds"),
        ("when seen d.slow[disk != 1]", "LS230 'disk' is a text and 1 is a plain number, so this comparison always holds"),
        ('when seen d.slow[n == "1"]', "LS230 'n' is a plain number and \"1\" is a text, so this comparison never holds"),
        ('when seen d.slow[disk > "sda"]', "LS230 only numbers have an order, and 'disk' is a text"),
        ('when seen d.slow[n contains "1"]', "LS230 'contains' asks for texts, and 'n' is a plain number"),
        ("when seen d.slow[n matches `1`]", "LS230 'matches' asks for texts, and 'n' is a plain number"),
        ('when seen d.slow[n starts with "1"]', "LS230 'starts with' asks for texts, and 'n' is a plain number"),
        ('when seen d.slow[held contains "a"]', "LS230 a list of numbers never holds a text"),
        ("when seen d.slow[disk in numbers]", "LS230 'disk' is a text, and 7 in this list is a plain number"),
        ('when seen d.slow[disk in ["a", 7]]', "LS230 'disk' is a text, and 7 in this list is a plain number"),
        ("when seen d.slow[disk + 1 > 3]", "LS230 '+' asks for numbers, and 'disk' is a text"),
        ("when sum(d.slow.disk) > 3", "LS230 'sum' asks for numbers, and 'd.slow.disk' is a text"),
        ("when seen d.slow as x when count(x.n) > 3", "LS230 'count' asks for an event, a binding, a set or distinct(...), and 'x.n' is a plain number"),
        ("when seen d.slow[took > 500]", "LS231 500 has no unit, and 'took' is a time"), ("when seen d.slow[size > 500]", "LS231 500 has no unit, and 'size' is memory"),
        ("when seen d.slow[took > n + 1]", "LS231 'took' is a time in seconds and this is a plain number, which do not go together"),
        ("when seen d.slow[took > size]", "LS231 'took' is a time in seconds and 'size' is an amount of memory, which do not go together"),
        ("when seen d.slow[took + size > 3]", "LS231 'took' is a time in seconds and 'size' is an amount of memory, which do not go together"),
        ("when seen d.slow[used > 97]", "LS231 a share is kept as a part of one (97% is 0.97), and this compares it with 97"),
        ("when seen d.slow[when > time - 60]", "LS231 a moment and a plain number cannot be added or subtracted"),
        ("let least = 2 GiB when seen d.slow[took > least]", "LS231 'took' is a time in seconds and 'least' is an amount of memory, which do not go together"),
        ("when 3", "LS232 a condition is asked here, and this is a plain number"), ("when seen d.slow as x when x.took", "LS232 a condition is asked here, and this is a time in seconds"),
        ("when seen d.slow[disk]", "LS232 a condition is asked here, and this is a text"), ("when d.slow", "LS232 a condition is asked here, and this is an event"),
        ("let a = d.slow when seen d.slow", "LS232 a let names a value, a condition or a set, and this is an event"),
        ("let a = d.loss when seen d.slow", "LS232 a let names a value, a condition or a set, and this is a series"),
        ("when 25% of d.slow > 1", "LS230 a share is one of a number or of a set, and this is an event"),
        ("when not 3", "LS232 a condition is asked here, and this is a plain number"), ("when d.loss > 3", "LS232 a value is asked here, and this is a series"),
        ("when d.slow > 3", "LS232 a value is asked here, and this is an event"), ("when ranks > 3", "LS232 a value is asked here, and this is a set of members"),
        ("when seen d.slow as x when x > 3", "LS232 a value is asked here, and this is a set of members"),
        ("when seen d.slow confidence likely when 3, else possible", "LS232 a condition is asked here, and this is a plain number"),
        ("when seen d.slow explains d.back[disk == 3] on any ranks", "LS230 'disk' is a text and 3 is a plain number, so this comparison never holds"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told(clauses: str, told: str) -> None:
    assert told in codes(clauses)
