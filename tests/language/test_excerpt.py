"""The caret stands under what is wrong, whatever a line holds."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.language.excerpt import WIDEST, excerpt, harmless, inside
from logsleuth.language.syntax import Place


def shown(line: str, column: int, width: int = 1) -> tuple[str, str]:
    """The line and its carets, without the margin."""
    first, second = excerpt(line, Place("x", 1, column, width))
    return first.removeprefix("  1 | "), second.removeprefix("    | ")


@pytest.mark.parametrize(
    ("line", "column", "width", "told"),
    [
        ("  when x", 3, 4, ("  when x", "  ^^^^")),
        ("\twhen x", 2, 4, (" when x", " ^^^^")),
        ("表 when", 3, 4, ("表 when", "   ^^^^")),
        ("表表", 1, 2, ("表表", "^^^^")),
        ("e\u0301 when", 4, 4, ("e\u0301 when", "  ^^^^")),
        ("a\x1b[31m when", 8, 4, ("a\\x1b[31m when", "          ^^^^")),
        ("a\u00a0b", 2, 1, ("a\\xa0b", " ^^^^")),
        ("when", 5, 1, ("when", "    ^")),
        ("when", 3, 99, ("when", "  ^^")),
    ],
)
def test_carets_stand_under_their_words(line: str, column: int, width: int, told: tuple[str, str]) -> None:
    assert shown(line, column, width) == told


def test_a_long_line_is_cut_around_its_caret() -> None:
    line, carets = shown("a" * 300 + "when" + "b" * 300, 301, 4)
    assert len(line) <= WIDEST
    assert line.startswith("...")
    assert line.endswith("...")
    assert line[carets.index("^") : len(carets)] == "when"


@given(st.text(min_size=1, max_size=200), st.data())
def test_no_line_is_too_wide_and_none_harms_a_terminal(line: str, data: st.DataObject) -> None:
    column = data.draw(st.integers(1, len(line.partition("\n")[0]) + 1))
    for row in excerpt(line, Place("x", 1, column, data.draw(st.integers(1, 210)))):
        assert all(unicodedata.category(character) not in ("Cc", "Cf") for character in row)
        wide = sum(unicodedata.east_asian_width(character) in "WF" for character in row)
        combining = sum(unicodedata.category(character) in ("Mn", "Me") for character in row)
        assert len(row) + wide - combining <= len("  1 | ") + WIDEST + len("\\U00000000")


def test_a_place_behind_the_text_shows_nothing() -> None:
    assert excerpt("one\n", Place("x", 3, 1)) == []
    assert excerpt("one\n\n", Place("x", 2, 1)) == []


def test_what_is_inside_a_text_has_its_place() -> None:
    assert inside(Place("x", 4, 3, 9), '"a\nb {c}"', 5, 3) == Place("x", 5, 3, 3)
    assert inside(Place("x", 4, 3, 9), '"ab {c}"', 4, 3) == Place("x", 4, 7, 3)


def test_harmless_text_stays_as_it_is() -> None:
    assert harmless("when x == 'é'\n") == "when x == 'é'\n"
