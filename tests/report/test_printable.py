"""Tests of ``logsleuth.report.printable``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.report.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, ünïcode 損失", "plain text, ünïcode 損失"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\tb\r\nc\x0bd", "a b  c d"),
        ("no\u00a0break\u3000wide", "no break wide"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("bytes \udcff\udc80", "bytes \\udcff\\udc80"),
        ("\x9b2J\x7f", "\\x9b2J\\x7f"),
        ("one\u2028two", "one two"),
    ],
)
def test_what_could_harm_is_spelled_out(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("utf-8", "é → 損…"), ("latin-1", "é -> \\u640d..."), ("ascii", "\\xe9 -> \\u640d...")],
)
def test_what_the_encoding_lacks_is_spelled_out(encoding: str, shown: str) -> None:
    assert printable("é → 損…", encoding) == shown


@given(st.text(st.characters(exclude_categories=[])), st.sampled_from(["utf-8", "ascii", "cp1252", "koi8-r"]))
def test_any_text_becomes_one_harmless_row(text: str, encoding: str) -> None:
    shown = printable(text, encoding)
    assert shown.isprintable()
    assert shown.encode(encoding).decode(encoding) == shown
    assert printable(shown, encoding) == shown
