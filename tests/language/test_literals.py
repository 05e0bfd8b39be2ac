"""The literals that stand for a wording in the scanner: whatever the wording matches must hold one of them."""

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from logsleuth.language.library import compile_texts
from logsleuth.language.literals import SHORTEST, literals_of
from logsleuth.language.syntax import Wording
from tests.language.regexes import compiled, patterns
from tests.language.wordings import REGEXES, TEMPLATES, lines_of, regex, template

SLOW = settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


@SLOW
@given(st.one_of(TEMPLATES, REGEXES), st.data())
def test_every_line_that_a_wording_matches_holds_one_of_its_literals(wording: Wording, data: st.DataObject) -> None:
    literals = literals_of(wording)
    assume(literals)
    assert all(len(literal.strip()) >= SHORTEST for literal in literals)
    line = data.draw(lines_of(wording))
    assert any(literal.encode() in line for literal in literals)


_LONG = st.sampled_from(("abcde", "fghij x", "klmno", "[Pp]qrst", "vwxé yz"))


@SLOW
@given(st.lists(st.one_of(patterns, _LONG), min_size=2, max_size=4), st.sampled_from(("", "|", "?", "+")), st.data())
def test_so_does_every_line_of_any_regular_expression(parts: list[str], joint: str, data: st.DataObject) -> None:
    """All that the syntax has, around texts that are long enough."""
    text = joint.join(f"(?:{part})" for part in parts)
    literals = literals_of(regex(text)) if compiled(text) else ()
    assume(literals)
    pattern = re.compile(text.encode())
    try:
        line = data.draw(st.from_regex(pattern).filter(lambda line: b"\n" not in line and b"\r" not in line))
    except AttributeError:
        assume(False)  # Hypothesis cannot draw from a negated set of bytes without regard to case.
    found = pattern.search(line)
    assert found is None or any(literal.encode() in line for literal in literals)


@pytest.mark.parametrize(
    ("text", "literals"),
    [
        ("failed (exitcode: {code:int}) local_rank: {l:int}", ["failed (exitcode: "]),
        ("one  two {x}", []),
        ("words  here", ["words"]),
        ("{...}at last", ["at last"]),
        ("{{abc}}", ["{abc}"]),
        ("abc{x}def", []),
        ("OOM {x} abcde", [" abcde"]),
        ("a" * 60, ["a" * 48]),
    ],
)  # fmt: skip
def test_the_literal_of_a_template(text: str, literals: list[str]) -> None:
    assert list(literals_of(template(text))) == literals


@pytest.mark.parametrize(
    ("text", "literals"),
    [
        (r"exit=(?P<code>-?\d+) of binary", [" of binary"]),
        (r"what\(\): text", ["what(): text"]),
        (r"longer (?:never|ever)? text", ["longer  text", "longer ever text", "longer never text"]),
        (r"abcdefs? xyzw", ["abcdef xyzw", "abcdefs xyzw"]),
        (r"abcd{2}efgh", ["abcddefgh"]),
        (r"abcde*fghij", ["fghij"]),
        (r"(?:abcde)+f", ["abcdef"]),
        (r"(?:abcde)*f", []),
        (r"[abc]defgh[^]]", ["adefgh", "bdefgh", "cdefgh"]),
        (r"\x41bcdefg", ["Abcdefg"]),
        (r"\101bcdefg", ["Abcdefg"]),
        (r"(a) \1efgh", ["efgh"]),
        (r"(?P<what>abcd\d+)", ["abcd"]),
        (r"(?:abcd\d+|\d+efghi)", ["abcd", "efghi"]),
        (r"(?:abcd\d+|\d+ef)", []),
        (r"first|second", ["first", "second"]),
        (r"first|two|second", []),
        (r"abc(?=d)def", ["abcdef"]),
        (r"abc(?!d)def", ["abcdef"]),
        (r"\d(?=.*abcd)", ["abcd"]),
        (r"\d(?!.*abcd)", []),
        (r"(?i)whatever", []),
        (r"\d+ \w+", []),
        (r"abc.def", []),
    ],
)  # fmt: skip
def test_the_literals_of_a_regular_expression(text: str, literals: list[str]) -> None:
    assert list(literals_of(regex(text))) == literals


def test_a_letter_that_words_lack_tells_more_than_a_longer_word() -> None:
    assert literals_of(template("abcdefgh{x}[[##]]")) == ("[[##]]",)


def test_a_word_that_every_log_holds_tells_less_than_a_shorter_one_that_is_rare() -> None:
    assert literals_of(template("process failed {x} quorum")) == (" quorum",)


def test_what_rules_are_compiled_to_holds_the_literals() -> None:
    text = 'event site.lost """Gone.""" { line "quorum {x} lost" sample "quorum 4 lost" gives x = "4" }'
    event = compile_texts({"a.sleuth": text}).events["site.lost"]
    assert event.wordings[0].literals == ("quorum ",)
