"""What the parts of a rule file are to somebody who reads it, as regular expressions that every editor understands.

Each mark is a regular expression with a role, or with a role for each of its groups; of those that match at a place,
the first counts. Both Python's ``re`` and Oniguruma read them alike.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from logsleuth.authoring.keywords import keywords


class Mark(NamedTuple):
    pattern: str
    roles: tuple[str, ...]


VERBATIM = (
    Mark(r"^test\b", ("declaration",)),
    Mark(r"(?<![\w.])(?:sample|logs?|gives)\b(?!\.)(?![ \t]*[=:])", ("clause",)),
)
"""What has texts of logs, or names, behind it on its line: braces mean nothing in these."""

_NAME = r"[A-Za-z_]\w*"

ESCAPES = (Mark(r"\\.", ("escape",)),)
HOLES = (
    Mark(r"\{\{|\}\}", ("escape",)),
    Mark(rf"\{{(?:\.\.\.|{_NAME}(?:\.{_NAME})*(?::[a-z]+)?)\}}", ("hole",)),
)
"""The parts of a template that are not its text."""
REGEX = (
    *ESCAPES,
    Mark(rf"\(\?P<{_NAME}>", ("hole",)),
    Mark(r"\[\^?\]?(?:\\.|[^\]\\`])*\]", ("class",)),
    Mark(r"\(\?[:=!]|\(\?<[=!]|[()|?*+^$.]|\{\d*,?\d*\}", ("regex-operator",)),
)
"""The parts of a regular expression that are not plain text."""


@cache
def code() -> tuple[Mark, ...]:
    """The marks outside of texts and regular expressions."""
    known = keywords()
    return (
        Mark(r"#.*", ("comment",)),
        Mark(rf"{_any(known.functions)}(?=[ \t]*\()", ("function",)),
        Mark(rf"^{_any(known.declarations)}", ("declaration",)),
        Mark(rf"\b{_NAME}(?=[ \t]*=(?!=)|:)", ("attribute",)),
        Mark(rf"(?<=:){_any(known.types)}", ("type",)),
        Mark(rf"\b{_NAME}(?:\.{_NAME})+", ("entity",)),
        Mark(r"\b[a-z][a-z0-9]*(?:-[a-z0-9]+)+\b|\b\d+(?:\.\d+){2,}", ("label",)),
        Mark(_any(known.quantifiers), ("quantifier",)),
        Mark(_any(known.constants), ("constant",)),
        Mark(_any(known.clauses), ("clause",)),
        Mark(_any(known.connectives | known.declarations), ("connective",)),
        Mark(rf"({known.digits})({known.units})", ("number", "type")),
        Mark(rf"\b{_NAME}", ("name",)),
        Mark(r"->|==|!=|<=|>=|[<>=+*/-]", ("operator",)),
        Mark(r"[\[\](){},:.]", ("punctuation",)),
    )


def _any(words: Iterable[str]) -> str:
    """One of these words, and no part of a longer one."""
    return rf"\b(?:{'|'.join(re.escape(word) for word in sorted(words))})\b"
