"""Which wording of an event comes nearest to a sample that none of them matches, and where it stops fitting."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from logsleuth.language.program import wordings_of
from logsleuth.language.syntax import Event, Wording
from logsleuth.language.template import Hole, Part, Skip, parse_template
from logsleuth.language.wording_regex import parts_source
from logsleuth.tokenize.view import Line

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
    tried = [near for line in lines for wording in wordings_of(event) for near in _tries(wording, line)]
    return max(tried, key=lambda near: (near.fixed, near.end), default=None)


def told(near: Near) -> str:
    """The wording, and the line with a caret under the first character that no longer fits."""
    kind, quote = ("regex", "`") if near.wording.is_regex else ("line", '"')
    text = near.line.text.decode("utf-8", "replace").expandtabs(1)
    column = len(near.line.text[: near.end].decode("utf-8", "replace").expandtabs(1))
    at = near.wording.at
    return (
        f"The nearest wording is {kind} {quote}{near.wording.text}{quote} ({at.file}:{at.line}), up to the caret:\n"
        f"  {text}\n  {' ' * column}^ expected {near.expected}{_advice(near)}"
    )


def _advice(near: Near) -> str:
    """What to do where a wording does not fit at the start, but its beginning stands elsewhere in the line."""
    first = None if near.wording.is_regex else next(iter(parse_template(near.wording.text)), None)
    if not isinstance(first, str) or near.fixed >= len(first):
        return ""
    before, behind = near.line.text[: near.end], near.line.text[near.end :]
    if first.strip().encode() in behind:
        return "\nA wording begins where the message does. To let it begin farther on, write {...} in front of it."
    if first.strip().encode() in before:
        return "\nThe message begins at the caret: what stands before it is framing, which no wording sees."
    return ""


def _tries(wording: Wording, line: Line) -> Iterator[Near]:
    for start in sorted({line.frame.start, line.frame.body}):
        yield _of_regex(wording, line, start) if wording.is_regex else _of_template(wording, line, start)


def _of_template(wording: Wording, line: Line, start: int) -> Near:
    parts = parse_template(wording.text)
    end, fixed = _indented(line, start), 0
    for number, part in enumerate(parts):
        found = _end(parts[: number + 1], line, start)
        if found is not None:
            end, fixed = found, fixed + (len(part) if isinstance(part, str) else 0)
            continue
        if isinstance(part, str):
            for length in range(len(part) - 1, 0, -1):
                cut = _end((*parts[:number], part[:length]), line, start)
                if cut is not None:
                    return Near(wording, line, fixed + length, cut, _said(part[length:]))
        return Near(wording, line, fixed, end, _said(part))
    return Near(wording, line, fixed, end, "the line itself")


def _end(parts: tuple[Part, ...], line: Line, start: int) -> int | None:
    """Where these parts of a template end in the line; None where they do not fit."""
    found = re.compile(rb"[ \t]*" + parts_source(parts).encode()).match(line.text, start)
    return found.end() if found else None


def _of_regex(wording: Wording, line: Line, start: int) -> Near:
    """The longest beginning of a regular expression that matches."""
    for length in range(len(wording.text) - 1, 0, -1):
        try:
            found = re.compile(rf"[ \t]*(?:{wording.text[:length]})".encode()).match(line.text, start)
        except re.error:
            continue
        if found:
            return Near(wording, line, found.end() - start, found.end(), f"`{_cut(wording.text[length:])}`")
    return Near(wording, line, 0, _indented(line, start), f"`{_cut(wording.text)}`")


def _indented(line: Line, start: int) -> int:
    return start + len(line.text[start:]) - len(line.text[start:].lstrip(b" \t"))


def _said(part: Part) -> str:
    match part:
        case Hole(name, kind):
            return f"{{{name}:{kind}}}"
        case Skip():
            return "a token"
    return f'"{_cut(str(part))}"'


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TOLD else f"{text[: _LONGEST_TOLD - 3]}..."
