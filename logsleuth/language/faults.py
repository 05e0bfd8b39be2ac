"""Finds where a text leaves the grammar, and what could have stood there."""

import re
from functools import cache
from typing import Any, NamedTuple

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr


class Fault(NamedTuple):
    """The first thing in a text that the grammar does not know there."""

    at: int
    """Its offset; the length of the text where that ends too early."""
    found: str
    """The token; empty where the text ends, or holds what is no token of the language."""
    expected: frozenset[str]
    """Keywords and signs as they are written, and the names of other terminals (``NAME``, ``STRING``)."""
    before: tuple[str, ...]
    """The tokens before it."""


@cache
def keywords(grammar: Lark) -> frozenset[str]:
    """Every word of the language."""
    return frozenset(word for word in _written(grammar).values() if word.isidentifier())


def accepted(grammar: Lark, text: str) -> frozenset[str]:
    """What may follow this beginning of a declaration, as in ``Fault.expected``."""
    try:
        parser: Any = grammar.parse_interactive(text)
        parser.exhaust_lexer()
    except UnexpectedInput:
        return frozenset()
    # The end of the text is not shown to it: it may follow a condition, in a definition, and would close all clauses.
    # Nor is it told: nobody writes it.
    return frozenset(_written(grammar).get(name, name) for name in parser.accepts() if not name.startswith("$"))


def fault_in(grammar: Lark, text: str) -> Fault | None:
    """What is wrong with the text of a declaration; None where it can be parsed."""
    try:
        grammar.parse(text)
    except UnexpectedToken as error:
        ends = error.token.type == "$END"
        return _fault(grammar, text, len(text) if ends else error.token.start_pos or 0, "" if ends else error.token)
    except UnexpectedCharacters as error:
        return _fault(grammar, text, error.pos_in_stream or 0, "")
    return None


def _fault(grammar: Lark, text: str, at: int, found: str) -> Fault:
    """The fault at an offset, or where its word begins: ``seen`` may have been read as ``see`` and ``n``."""
    whole = next((run for run in _RUN.finditer(text) if run.start() <= at < run.end() and not run["skip"]), None)
    read = grammar.parse_interactive(text[:at]).exhaust_lexer()
    if whole and not found.startswith(('"', "`")):
        while read and (read[-1].start_pos or 0) >= whole.start() and read[-1].end_pos == at:
            at = read.pop().start_pos or 0
        found = whole[0][at - whole.start() :]
    return Fault(at, str(found), accepted(grammar, text[:at]), tuple(map(str, read)))


_RUN = re.compile(r"""(?P<skip>"(?:[^"\\\n]|\\.)*"|`[^`\n]*`)|[\w.]+|[=<>!~&|]+|//+|/\*""")
"""Words and signs as they are meant to be read; a text is none of them."""


@cache
def _written(grammar: Lark) -> dict[str, str]:
    """The terminals that are always written alike, by their names."""
    return {t.name: t.pattern.value for t in grammar.terminals if isinstance(t.pattern, PatternStr)}
