"""How far a line follows the template of a wording, and how the template goes on where the line does not."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from logsleuth.language.template import Hole, Part, Skip
from logsleuth.language.wording_regex import parts_source
from logsleuth.tokenize.view import Line

_LONGEST = 2_000
"""Bytes of a message that are compared: a template is tried piece by piece, and hostile lines must stay cheap."""


class Fit(NamedTuple):
    """How far a line follows a template; of two the greater follows further."""

    fixed: int
    """Characters of the template's plain text that the line follows."""
    end: int
    """Where in the line it stops."""
    start: int
    """Where in the line it was tried: at its message, or behind the name of an exception."""
    followed: tuple[Part, ...]
    rest: tuple[Part, ...]
    """How the template goes on; the first part is cut where only its beginning fits."""


def starts_of(line: Line) -> tuple[int, ...]:
    """Where in a line a wording may begin."""
    return tuple(sorted({line.frame.start, line.frame.body}))


def indented(text: bytes, start: int) -> int:
    """Where the blanks end that stand before a message."""
    return len(text) - len(text[start:].lstrip(b" \t"))


def fit(parts: tuple[Part, ...], line: Line) -> Fit:
    """How far the line follows the template, from where it follows it furthest."""
    return max((_fit_from(parts, line.text, start) for start in starts_of(line)), key=lambda one: one[:3])


def told(parts: Sequence[Part]) -> str:
    """Parts of a template as it writes them."""
    return "".join(map(_told, parts))


def _told(part: Part) -> str:
    match part:
        case Hole():
            return f"{{{part.name}:{part.type}}}"
        case Skip():
            return "{...}" if part.any_run else "{_}"
    return part


def _fit_from(parts: tuple[Part, ...], text: bytes, start: int) -> Fit:
    end, fixed = indented(text, start), 0
    for place, part in enumerate(parts):
        before, after = parts[:place], parts[place + 1 :]
        found = _match((*before, part), text, start)
        if isinstance(part, str):
            length = len(part) if found else _beginning(before, part, text, start)
            found = found or _match((*before, part[:length]), text, start)
            if length and found:
                end, fixed = found.end(), fixed + length
            if length < len(part):
                followed = (*before, part[:length]) if length else before
                return Fit(fixed, end, start, followed, (part[length:], *after))
        elif found is None or (after and _takes_all(part, found, text)):
            return Fit(fixed, end, start, before, parts[place:])
        else:
            end = found.end()
    return Fit(fixed, end, start, parts, ())


def _takes_all(part: Hole | Skip, found: re.Match[bytes], text: bytes) -> bool:
    """Whether a hole for any text has taken the rest of the line, as it does where what follows it is not there."""
    takes_any = part.any_run if isinstance(part, Skip) else part.type == "text"
    return takes_any and found.end() == len(text)


def _beginning(before: tuple[Part, ...], part: str, text: bytes, start: int) -> int:
    """How many characters of a part that does not match do so: where some match, fewer do too."""
    low, high = 0, len(part) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if _match((*before, part[:middle]), text, start):
            low = middle
        else:
            high = middle - 1
    return low


def _match(parts: tuple[Part, ...], text: bytes, start: int) -> re.Match[bytes] | None:
    return re.compile(rb"[ \t]*" + parts_source(parts).encode()).match(text, start, start + _LONGEST)
