"""Quantifiers over members of whom some may be unknown."""

import itertools

import pytest

from logsleuth.engine.quantify import quantify

QUANTIFIERS = [
    ("some", 0), ("no", 0), ("every", 0), ("most", 0), ("exactly", 2), ("all but", 1), ("at least", 2), ("at least percent", 50),
]  # fmt: skip


def plain(quantifier: str, number: float, yes: int, total: int) -> bool:
    """What the words mean where every member has answered."""
    return {
        "some": yes >= 1,
        "no": yes == 0,
        "every": yes == total,
        "most": yes * 2 > total,
        "exactly": yes == number,
        "all but": yes == total - number,
        "at least": yes >= number,
        "at least percent": yes * 100 >= number * total,
    }[quantifier]


@pytest.mark.parametrize(("quantifier", "number"), QUANTIFIERS)
def test_an_answer_is_given_if_and_only_if_the_unknown_members_cannot_change_it(quantifier: str, number: float) -> None:
    for total in range(1, 7):
        for yes, unknown in itertools.product(range(total + 1), repeat=2):
            if yes + unknown > total:
                continue
            possible = {plain(quantifier, number, yes + more, total) for more in range(unknown + 1)}
            expected = possible.pop() if len(possible) == 1 else None
            got = quantify(quantifier, number, yes, unknown, total, more=False)
            assert got is expected, (total, yes, unknown)


@pytest.mark.parametrize(
    ("quantifier", "number", "yes", "expected"),
    [
        ("some", 0, 1, True), ("some", 0, 0, False), ("every", 0, 4, None), ("every", 0, 3, False), ("at least", 2, 2, True),
        ("at least", 2, 1, None), ("exactly", 2, 3, False), ("exactly", 2, 2, None), ("most", 0, 4, None), ("no", 0, 1, False),
        ("all but", 1, 4, None), ("all but", 1, 3, None), ("all but", 1, 2, False),
    ],
)  # fmt: skip
def test_a_size_that_is_not_stated_leaves_open_what_more_members_could_change(
    quantifier: str, number: float, yes: int, expected: bool | None
) -> None:
    assert quantify(quantifier, number, yes, 0, 4, more=True) is expected
