"""Wordings made up by hypothesis, and lines that they match."""

import re

from hypothesis import strategies as st

from logsleuth.language.syntax import Place, Wording
from logsleuth.language.template import TYPES
from logsleuth.tokenize.patterns import LinePattern

AT = Place("x.sleuth", 1, 1)

_TEXT = st.text(st.sampled_from("abcz AZ09_-.:,;()[]*+?^$|\\/#'é{}"), min_size=1, max_size=12)
_ESCAPED = _TEXT.map(lambda text: text.replace("{", "{{").replace("}", "}}"))
_HOLE = st.one_of(
    st.sampled_from(("{_}", "{...}")), st.sampled_from(sorted(TYPES)).map(lambda kind: "{NAME:" + kind + "}")
)


def template(text: str) -> Wording:
    """A template that stands by itself."""
    return Wording(text, False, (), AT)


def regex(text: str, *types: tuple[str, str]) -> Wording:
    """A regular expression that stands by itself."""
    return Wording(text, True, types, AT)


def _named(parts: list[str]) -> Wording:
    return template("".join(part.replace("NAME", f"x{place}") for place, part in enumerate(parts)))


TEMPLATES = st.lists(st.one_of(_ESCAPED, st.just("  "), _HOLE), min_size=1, max_size=6).map(_named)

_PLAIN = st.text(st.sampled_from("abc XY09_-.:(|?*{é"), min_size=1, max_size=8).map(re.escape)
_ATOM = st.one_of(
    _PLAIN,
    st.sampled_from(
        (
            r"\d+",
            r"\s*",
            r"[a-f]{2}",
            r"[]x]",
            r"[^]\]]",
            ".",
            r"\x41bcd",
            r"\101bcd",
            "x?",
            "yy+",
            "z{2,3}",
            "a*?",
            "w{,2}",
        )
    ),
    _PLAIN.map(lambda text: f"(?:{text})?"),
    _PLAIN.map(lambda text: f"({text}|other)"),
    _PLAIN.map(lambda text: f"(?={text}){text}"),
    _PLAIN.map(lambda text: f"(?<!{text})"),
)
REGEXES = st.lists(_ATOM, min_size=1, max_size=5).map("".join).map(regex)


def lines_of(wording: Wording) -> st.SearchStrategy[bytes]:
    """Single lines that the wording matches from their start."""
    pattern = re.compile(LinePattern(wording).source.encode())
    return st.from_regex(pattern, fullmatch=True).filter(
        lambda line: b"\n" not in line and pattern.match(line) is not None
    )
