"""The TextMate grammar of rules, which editors colour them by: ``python -m logsleuth.authoring.textmate FILE``."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from logsleuth.authoring import colouring
from logsleuth.authoring.colouring import Mark

SCOPES = {
    "attribute": "variable.parameter", "class": "constant.other.character-class.regexp",
    "clause": "keyword.control", "comment": "comment.line.number-sign", "connective": "keyword.operator.word",
    "constant": "constant.language", "declaration": "storage.type", "entity": "entity.name.type",
    "escape": "constant.character.escape", "function": "support.function", "hole": "variable.other.interpolated",
    "label": "constant.other", "name": "variable.other", "number": "constant.numeric",
    "operator": "keyword.operator", "punctuation": "punctuation", "quantifier": "keyword.control.quantifier",
    "regex-operator": "keyword.operator.regexp", "type": "storage.type.unit",
}  # fmt: skip
"""The names that editors have colours for, for the roles of marks."""


def grammar() -> dict[str, Any]:
    """The TextMate grammar as it is written to JSON."""
    return {
        "name": "Sleuth",
        "scopeName": "source.sleuth",
        "fileTypes": ["sleuth"],
        "patterns": [{"include": f"#{name}"} for name in ("verbatim", "long", "text", "regex", "code")],
        "repository": {
            "verbatim": {"patterns": [_verbatim(mark) for mark in colouring.VERBATIM]},
            "long": _text('"""', '"""', "string.quoted.triple", (*colouring.ESCAPES, *colouring.HOLES)),
            "text": _text('"', '"|$', "string.quoted.double", (*colouring.ESCAPES, *colouring.HOLES)),
            "verbatim-long": _text('"""', '"""', "string.unquoted.log", colouring.ESCAPES),
            "verbatim-text": _text('"', '"|$', "string.unquoted.log", colouring.ESCAPES),
            "regex": _text("`", "`|$", "string.regexp", colouring.REGEX),
            "code": {"patterns": _patterns(colouring.code())},
        },
    }


def _verbatim(mark: Mark) -> dict[str, Any]:
    """From a word that is followed by texts of logs to the end of its line, or of the text that its line opens."""
    return {
        "begin": mark.pattern,
        "beginCaptures": {"0": {"name": _scope(mark.roles[0])}},
        "end": "$",
        "patterns": [{"include": f"#{name}"} for name in ("verbatim-long", "verbatim-text", "regex", "code")],
    }


def _text(begin: str, end: str, scope: str, marks: Iterable[Mark]) -> dict[str, Any]:
    return {"name": f"{scope}.sleuth", "begin": begin, "end": end, "patterns": _patterns(marks)}


def _patterns(marks: Iterable[Mark]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for mark in marks:
        if len(mark.roles) == 1:
            found.append({"match": mark.pattern, "name": _scope(mark.roles[0])})
        else:
            captures = {str(number): {"name": _scope(role)} for number, role in enumerate(mark.roles, 1)}
            found.append({"match": mark.pattern, "captures": captures})
    return found


def _scope(role: str) -> str:
    return f"{SCOPES[role]}.sleuth"


def written() -> str:
    """The grammar as the text of its file."""
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(written(), encoding="utf-8")
