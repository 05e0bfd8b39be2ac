"""The matcher that counts steps reads patterns as Python does: it is no judge of them otherwise."""

import re

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from logsleuth.language.regex_steps import StepCounter, TooManyStepsError
from logsleuth.language.regex_tree import tree_of
from tests.language.regexes import compiled, patterns


@settings(max_examples=600)
@given(patterns, st.text("abxA1=. \né-", min_size=1, max_size=12))
def test_it_matches_what_python_matches(pattern: str, text: str) -> None:
    expected = compiled(pattern).match(text.encode())
    # Some versions of Python keep what a possessive group took before it failed; those patterns are not asked about.
    other = regex.match(pattern.encode(), text.encode())
    assume((expected and expected.end()) == (other and other.end()))
    try:
        found = StepCounter(tree_of(pattern.encode())).end(text.encode(), most=50_000)
    except TooManyStepsError:
        assume(False)
        raise
    assert found == (expected.end() if expected else None)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"(?P<a>x+)-(?P=a)!", "xx-xx!"),
        (r"(a|b)\1", "aa"),
        (r"(?x) a b # a comment", "ab"),
        (r"[\]\-a]+", "]-a"),
        (r"(?i)[k]ELVIN", "Kelvin"),
        (r"\101\x42\t", "AB\t"),
        (r"a{,3}b{2}", "abb"),
        (r"a{x", "a{x"),
        (r"(?>a*)b", "aab"),
        (r"(?:ab)++c", "ababc"),
    ],
)
def test_syntax_that_is_seldom_drawn(pattern: str, text: str) -> None:
    assert re.match(pattern.encode(), text.encode())
    assert StepCounter(tree_of(pattern.encode())).end(text.encode(), most=1000) == len(text)


def test_steps_grow_with_what_backtracking_tries() -> None:
    greedy, possessive = (StepCounter(tree_of(pattern)) for pattern in (rb"(?:a+)+b", rb"(?:a++)++b"))
    assert [greedy.steps(b"a" * n, 10**6) // greedy.steps(b"a" * (n - 1), 10**6) for n in (8, 12)] == [2, 2] or (
        greedy.steps(b"a" * 12, 10**6) > 1.9 * greedy.steps(b"a" * 11, 10**6)
    )
    assert possessive.steps(b"a" * 40, 10**6) < 400
    assert greedy.steps(b"a" * 40, 1000) == 1001
