"""Which wording of an event comes nearest to a sample that none of them matches, and where it stops fitting."""

import re
from typing import NamedTuple

from logsleuth.language.program import wordings_of
from logsleuth.language.syntax import Event, Wording
from logsleuth.language.template import Part, Skip, parse_template
from logsleuth.tokenize.view import Line
from logsleuth.tokenize.wording_fit import fit, indented, starts_of
from logsleuth.tokenize.wording_fit import told as told_parts

_LONGEST_TOLD = 40
"""Characters of a wording that are told as what was expected."""


class Near(NamedTuple):
    """How far a wording fits a line."""

    wording: Wording
    line: Line
    fixed: int
    """Characters of plain text of the wording that fit."""
    end: int
    """Where in the line it stops fitting."""
    expected: str
    """What the wording asks for there."""


def nearest(event: Event, lines: list[Line]) -> Near | None:
    """The wording of the event of which most fits some of the lines; None for an event of tables only."""
    tried = [
        _of_regex(wording, line) if wording.is_regex else _of_template(wording, line)
        for line in lines
        for wording in wordings_of(event)
    ]
    return max(tried, key=lambda near: (near.fixed, near.end), default=None)


def told(near: Near) -> str:
    """The wording, and the line with a caret under the first character that no longer fits."""
    kind, quote = ("regex", "`") if near.wording.is_regex else ("line", '"')
    text = near.line.text.decode("utf-8", "replace").expandtabs(1)
    column = len(near.line.text[: near.end].decode("utf-8", "replace").expandtabs(1))
    at = near.wording.at
    return (
        f"The nearest wording is {kind} {quote}{near.wording.text}{quote} ({at.file}:{at.line}), up to the caret:\n"
        f"  {text}\n  {' ' * column}^ expected {near.expected}"
    )


def _of_template(wording: Wording, line: Line) -> Near:
    found = fit(parse_template(wording.text), line)
    return Near(wording, line, found.fixed, found.end, _said(found.rest[0]) if found.rest else "the line itself")


def _of_regex(wording: Wording, line: Line) -> Near:
    """The longest beginning of a regular expression that matches."""
    for length in range(len(wording.text) - 1, 0, -1):
        try:
            pattern = re.compile(rf"[ \t]*(?:{wording.text[:length]})".encode())
        except re.error:
            continue
        found = [
            (match.end() - start, match.end())
            for start in starts_of(line)
            if (match := pattern.match(line.text, start))
        ]
        if found:
            return Near(wording, line, *max(found), f"`{_cut(wording.text[length:])}`")
    return Near(wording, line, 0, indented(line.text, line.frame.start), f"`{_cut(wording.text)}`")


def _said(part: Part) -> str:
    if isinstance(part, Skip):
        return "a token"
    return f'"{_cut(part)}"' if isinstance(part, str) else told_parts([part])


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TOLD else f"{text[: _LONGEST_TOLD - 3]}..."
