"""What a rule needs to have been seen before it can have a case."""

import pytest

from logsleuth.language.library import compile_texts

EVENTS = "\n".join(
    f'event a.{name} "It was {name}." {{ line "it was {name} {{what}}" sample "it was {name} x" }}'
    for name in ("one", "two", "three")
)
RULE = 'rule a.rule "A rule." {{ severity error cause killed {} verdict "It was." }}'


def needed(clauses: str) -> list[list[str]]:
    """Of each of these some; an event with a filter that a line decides is told by what it asks for."""
    uses = compile_texts({"a.sleuth": EVENTS + "\n" + RULE.format(clauses)}).uses()
    names = {
        (event, place): event.removeprefix("a.") + ("" if chosen is None else " filtered")
        for event, filters in uses.filters.items()
        for place, chosen in enumerate(filters)
    }
    return [[names[event, place] for event, place in group if place is not None] for group in uses.needed["a.rule"]]


@pytest.mark.parametrize(
    ("clauses", "groups"),
    [
        ("when seen a.one", [["one"]]),
        ('when seen a.one[what == "x"]', [["one filtered"]]),
        ("when seen a.one when seen a.two", [["one", "two"], ["one"], ["two"]]),
        ("when seen a.one and seen a.two", [["one", "two"], ["one"], ["two"]]),
        ("when seen a.one or seen a.two", [["one", "two"]]),
        ("when seen a.one then a.two", [["one"]]),
        ("when seen a.one when no rank has a.two", [["one"]]),
        ("when seen a.one when not (seen a.two)", [["one"]]),
        ("when some rank has a.one when some rank has a.two", [["one", "two"]]),
        ("when some rank has a.one or seen a.two when seen a.three", [["one", "two", "three"], ["three"]]),
        ("when seen a.one when count(a.two) > 3", [["one"]]),
    ],
)
def test_what_is_needed(clauses: str, groups: list[list[str]]) -> None:
    assert needed(clauses) == groups
