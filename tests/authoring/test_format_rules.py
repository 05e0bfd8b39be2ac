"""Laying rules out: what the style looks like, and that nothing but blanks and line ends ever changes."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from lark.grammar import NonTerminal, Symbol, Terminal
from lark.lexer import PatternStr

from logsleuth.authoring.format_rules import format_text
from logsleuth.language.library import shipped_rules
from logsleuth.language.parse import grammar, parse
from logsleuth.language.syntax import Clause, Definition, Place

GOLDEN = Path(__file__).parent / "layouts"
COMMENT_OR_TEXT = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"""|"(?!"")(?:[^"\\\n]|\\.)*"|`[^`\n]+`|(#[^\n]*)', re.S)


def comments(text: str) -> list[str]:
    return [found[1].rstrip() for found in COMMENT_OR_TEXT.finditer(text) if found[1]]


def texts(text: str) -> list[str]:
    return [found[0] for found in COMMENT_OR_TEXT.finditer(text) if not found[1]]


def declared(text: str) -> list[Any]:
    """What a text declares and what is wrong with it, without places and the blanks in how conditions are said."""
    parsed = parse("x.sleuth", text)
    # What is told of the clauses of a declaration with an error depends on where they stand.
    return [] if parsed.errors else [*map(_without_places, parsed.declarations)]


def _without_places(node: Any) -> Any:
    if isinstance(node, tuple):
        return tuple(_without_places(item) for item in node)
    if isinstance(node, Place):
        return None
    if isinstance(node, Clause | Definition):
        node = replace(node, text="".join(node.text.split()))
    if is_dataclass(node):
        return type(node).__name__, [_without_places(getattr(node, field.name)) for field in fields(node)]
    return node


def check_kept(text: str) -> str:
    """The text laid out, after everything that has to be as it was was found so."""
    formatted = format_text("x.sleuth", text)
    assert formatted.errors == []
    assert comments(formatted.text) == comments(text)
    assert texts(formatted.text) == texts(text)
    assert declared(formatted.text) == declared(text)
    assert format_text("x.sleuth", formatted.text).text == formatted.text
    return formatted.text


# What it looks like


@pytest.mark.parametrize("before", sorted(GOLDEN.glob("*.before.sleuth")), ids=lambda path: path.name.split(".")[0])
def test_a_layout_is_as_agreed(before: Path) -> None:
    after = before.with_name(before.name.replace(".before.", ".after."))
    assert check_kept(before.read_text(encoding="utf-8")) == after.read_text(encoding="utf-8")


def test_every_layout_has_a_text_before_it() -> None:
    names = {path.name.split(".")[0] for path in GOLDEN.glob("*.after.sleuth")}
    assert names == {path.name.split(".")[0] for path in GOLDEN.glob("*.before.sleuth")} != set()


@pytest.mark.parametrize("text", ["", "\n\n", "  \t\n"])
def test_nothing_stays_nothing(text: str) -> None:
    assert format_text("x.sleuth", text).text == ""


def test_a_file_of_comments_keeps_them() -> None:
    assert format_text("x.sleuth", "\n\n  # one\n\n\n# two  ").text == "# one\n\n# two\n"


def test_line_ends_and_the_byte_order_mark_become_those_that_the_language_reads() -> None:
    assert format_text("x.sleuth", "\ufeffdisable a.b\r\n# c\r\n").text == "disable a.b\n# c\n"


def test_a_syntax_error_is_told_and_the_text_left_alone() -> None:
    formatted = format_text("x.sleuth", "disable   a.b\nrule {")
    assert {error.code for error in formatted.errors} >= {"LS102"}
    assert formatted.text == "disable   a.b\nrule {"


def test_what_is_wrong_but_can_be_read_is_laid_out() -> None:
    assert check_kept('event a.b{line "{x:nonsense}"}') == 'event a.b {\n  line "{x:nonsense}"\n}\n'


def test_deep_nesting_is_an_error_and_no_crash() -> None:
    deep = "rule a.b { when " + "(" * 3000 + "seen c.d" + ")" * 3000 + " }"
    assert format_text("x.sleuth", deep).errors


# That nothing else changes, whatever the text


class _Writer:
    """Writes texts that the grammar derives; ``choose`` makes every decision."""

    SAMPLES: ClassVar = {
        "NAME": ["x", "rank_of", "ranks", "host"], "DOTTED": ["a.b", "area.some_name", "x.y.z"],
        "STRING": ['"t"', '""', r'"a \" # b"', '"{x}  two"', '"' + "long " * 30 + '"'],
        "LONG": ['"""\n  a # no comment\n\n"""', '""" x """'], "REGEX": ["`a#b`", "`(?P<x>\\d+)  `"],
        "NUMBER": ["1", "2.5", "5 min", "10s", "50%", "1 GiB"], "CAUSE": ["killed", "gpu-oom"], "HOST": ["node-7", "10.0.0.1"],
        "MOMENT": ["2025-03-04 10:20:00", "2025-03-04T10:20:00"],
        "COMPARATOR": ["==", "<"], "LATER": ["in later attempts", "in \n later  attempts"],
    }  # fmt: skip

    def __init__(self, choose: random.Random) -> None:
        self._choose = choose
        self._rules: dict[str, list[Sequence[Symbol]]] = {}
        for rule in grammar().rules:
            self._rules.setdefault(rule.origin.name, []).append(rule.expansion)

    def write(self) -> str:
        return "".join(self._spaced(self._derive("declaration", 0)))

    def _derive(self, name: str, depth: int) -> Iterator[str]:
        options = self._rules[name]
        if depth > 12:
            least = min(map(len, options))
            options = [option for option in options if len(option) == least]
        for symbol in self._choose.choice(options):
            if isinstance(symbol, NonTerminal):
                yield from self._derive(symbol.name, depth + 1)
            else:
                assert isinstance(symbol, Terminal)
                yield self._token(symbol.name)

    def _token(self, name: str) -> str:
        pattern = grammar().get_terminal(name).pattern
        return str(pattern.value) if isinstance(pattern, PatternStr) else self._choose.choice(self.SAMPLES[name])

    def _spaced(self, tokens: Iterator[str]) -> Iterator[str]:
        between = [" "] * 12 + ["  ", "\n ", "\n\n\n  ", "  # c\n ", "\n # own\n\n # two #\n ", " #\n "]
        for number, token in enumerate(tokens):
            yield token if number == 0 else (" " if number == 1 else self._choose.choice(between)) + token


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(
    st.integers(0, 10**9),
    st.sampled_from(["", "# head\n", "\n# a\n\n"]),
    st.sampled_from(["", "\n", "  # tail", "\n#t"]),
)
def test_whatever_the_grammar_derives_is_kept(seed: int, head: str, tail: str) -> None:
    choose = random.Random(seed)
    written = [_Writer(choose).write() for _ in range(3)]
    readable = [text for text in written if not _syntax_errors(text)]
    assume(readable)
    check_kept(head + "\n".join(readable) + tail)


def _syntax_errors(text: str) -> bool:
    return any(error.code.startswith("LS1") for error in parse("x.sleuth", text).errors)


def test_the_derived_texts_reach_every_kind_of_declaration() -> None:
    words: set[str] = set()
    for seed in range(400):
        text = _Writer(random.Random(seed)).write()
        if not _syntax_errors(text):
            words.add(text.split()[0])
    starts = {str(grammar().get_terminal(name).pattern.value) for name in grammar().parser.lexer_conf.terminals_by_name}
    assert words >= {"event", "rule", "test", "list", "adjust", "disable"} & starts


SHIPPED = sorted(shipped_rules().rglob("*.sleuth"))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SHIPPED), st.integers(0, 10**9))
def test_shipped_rules_torn_apart_are_kept(path: Path, seed: int) -> None:
    choose = random.Random(seed)
    tokens = re.split(
        r'("""(?:[^"\\]|\\.|"(?!""))*"""|"(?!"")(?:[^"\\\n]|\\.)*"|`[^`\n]+`|#[^\n]*\n|\s+)', path.read_text("utf-8")
    )
    blanks = ["\n   ", "  ", " # here\n ", "\n\n # own\n  "]
    torn = "".join(
        choose.choice(blanks)
        if token.isspace() and "\n" in token and choose.random() < 0.2 and not token.endswith("\n")
        else token
        for token in tokens
        if token
    )
    assume(not _syntax_errors(torn))
    check_kept(torn)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.one_of(
        st.text(),
        st.lists(st.sampled_from(["rule", "event", "a.b", "{", "}", '"', '"""', "`", "#", "\n", " ", "when", "(", ")", "[", "\r", "disable", "test"]), max_size=30).map(" ".join),
    )
)  # fmt: skip
def test_no_text_breaks_it(text: str) -> None:
    formatted = format_text("x.sleuth", text)
    assert formatted.errors or format_text("x.sleuth", formatted.text).text == formatted.text
