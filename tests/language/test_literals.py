"""The literal that stands for a wording in the scanner: whatever the wording matches must hold it."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from logsleuth.language.literals import SHORTEST, literal_of
from logsleuth.language.syntax import Wording
from tests.language.wordings import REGEXES, TEMPLATES, lines_of, regex, template

SLOW = settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


@SLOW
@given(st.one_of(TEMPLATES, REGEXES), st.data())
def test_every_line_that_a_wording_matches_holds_its_literal(wording: Wording, data: st.DataObject) -> None:
    literal = literal_of(wording)
    assume(literal is not None)
    assert literal is not None
    assert len(literal.strip()) >= SHORTEST
    assert literal.encode() in data.draw(lines_of(wording))


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("failed (exitcode: {code:int}) local_rank: {l:int}", "failed (exitcode: "),
        ("one  two {x}", None),
        ("words  here", "words"),
        ("{...}at last", "at last"),
        ("{{abc}}", "{abc}"),
        ("abc{x}def", None),
        ("OOM {x} abcde", "abcde"),
        ("a" * 60, "a" * 48),
    ],
)  # fmt: skip
def test_the_literal_of_a_template(text: str, literal: str | None) -> None:
    assert literal_of(template(text)) in (literal, f" {literal}", f"{literal} ")


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        (r"exit=(?P<code>-?\d+) of binary", " of binary"),
        (r"what\(\): text", "what(): text"),
        (r"longer (?:never|ever)? text", "longer "),
        (r"abcdefs? xyzw", "abcdef"),
        (r"abcd{2}efgh", "efgh"),
        (r"[abc]defgh[^]]", "defgh"),
        (r"\x41bcdefg", "bcdefg"),
        (r"\101bcdefg", "bcdefg"),
        (r"(a) \1efgh", "efgh"),
        (r"first|second", None),
        (r"(?i)whatever", None),
        (r"\d+ \w+", None),
        (r"abc.def", None),
    ],
)  # fmt: skip
def test_the_literal_of_a_regular_expression(text: str, literal: str | None) -> None:
    assert literal_of(regex(text)) == literal


def test_a_letter_that_words_lack_tells_more_than_a_longer_word() -> None:
    assert literal_of(template("abcdefgh{x}[[##]]")) == "[[##]]"
