"""Templates: plain text with typed holes, cut into its parts."""

import re
from functools import cache
from typing import NamedTuple

TYPES = frozenset(
    (
        "int", "float", "count", "word", "text", "bytes", "duration", "ms", "s", "mib", "gib", "address", "hex",
        "ranks", "exception", "moment", "percent",
    )
)  # fmt: skip
"""The types that a hole or a group of a regular expression may have."""

DURATIONS = frozenset(("duration", "ms", "s"))
NUMERIC = {
    "int": "",
    "float": "",
    "count": "",
    "bytes": "bytes",
    "mib": "bytes",
    "gib": "bytes",
    "ms": "seconds",
    "s": "seconds",
    "duration": "seconds",
    "percent": "percent",
}
"""The types whose values are numbers to reckon with, and the units of these."""


class Hole(NamedTuple):
    name: str
    type: str


class Skip(NamedTuple):
    """``{_}``: one token; ``{...}``: any run of characters."""

    any_run: bool


Part = str | Hole | Skip


class TemplateError(ValueError):
    """A malformed template; ``offset`` counts characters from its start. ``unknown_type`` is a type that is none."""

    def __init__(self, text: str, offset: int, width: int = 1, unknown_type: str = "") -> None:
        super().__init__(text)
        self.unknown_type = unknown_type
        self.offset = offset
        self.width = width


_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+")
_HOLE = re.compile(r"([A-Za-z_]\w*)(?::([A-Za-z_]\w*))?")


@cache
def parse_template(text: str) -> tuple[Part, ...]:
    """Cuts a template into texts, holes and skips.

    Raises TemplateError for a brace that is not closed, a name that is none, an unknown type, or a name used twice.
    """
    parts: list[Part] = []
    names: set[str] = set()
    for piece in _PIECE.finditer(text):
        whole = piece[0]
        if whole in ("{{", "}}"):
            _append_text(parts, whole[0])
        elif whole in ("{", "}"):
            raise TemplateError(f"a lone '{whole}'; write '{whole}{whole}' for the character itself", piece.start())
        elif piece[1] is None:
            _append_text(parts, whole)
        elif piece[1] in ("_", "..."):
            parts.append(Skip(piece[1] == "..."))
        else:
            hole = _hole(piece[1], piece.start(), len(whole))
            if hole.name in names:
                raise TemplateError(f"the hole {{{hole.name}}} stands here a second time", piece.start(), len(whole))
            names.add(hole.name)
            parts.append(hole)
    return tuple(parts)


def _hole(text: str, offset: int, width: int) -> Hole:
    match = _HOLE.fullmatch(text)
    if not match:
        raise TemplateError(f"'{{{text}}}' is no hole; write {{name}} or {{name:type}}", offset, width)
    kind = match[2] or "word"
    if kind not in TYPES:
        raise TemplateError(f"unknown type '{kind}'", offset, width, kind)
    return Hole(match[1], kind)


def _append_text(parts: list[Part], text: str) -> None:
    if parts and isinstance(parts[-1], str):
        parts[-1] += text
    else:
        parts.append(text)
