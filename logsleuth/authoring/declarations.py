"""Declarations as they are written in rule files."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from logsleuth.language.cut import TOKEN, cut

_HEAD = re.compile(r"(rule|event|wordings\s+of|adjust|define|list|cause)\s+([\w.-]+)")
SHARED = {"define": "definition", "list": "list", "cause": "cause"}
"""The words that declare what rules share beside events, with what that is."""


class Written(NamedTuple):
    """A declaration that has a name, or adds to one that has."""

    word: str
    """What it begins with: ``rule``, ``wordings of``."""
    name: str
    file: str
    line: int
    text: str

    @property
    def is_shared(self) -> bool:
        """Whether it is a definition, a list or a cause."""
        return self.word in SHARED


def written(texts: Mapping[str, str]) -> list[Written]:
    """All of the declarations of rule files without errors, by file, in their order."""
    found = []
    for file, text in texts.items():
        pieces, _ = cut(file, text.replace("\r\n", "\n").removeprefix("\ufeff"))
        for piece in pieces:
            if head := _HEAD.match(piece.text):
                found.append(Written(" ".join(head[1].split()), head[2], file, piece.line, piece.text))
    return found


def source_of(name: str, declared: Sequence[Written]) -> str:
    """Everything that is declared or adjusted under this name, each behind a comment that says where it stands.

    Ends with a newline.
    """
    told = [f"# {one.file}:{one.line}\n{one.text}\n" for one in declared if one.name == name]
    return "\n".join(told)


def users_of(name: str, declared: Sequence[Written]) -> list[str]:
    """What speaks of a definition, a list or a cause, by name."""
    return sorted({one.name for one in declared if one.name != name and name in one.text and _speaks(name, one.text)})


def _speaks(name: str, text: str) -> bool:
    """Whether the name stands outside of texts and comments."""
    return any(token.lastgroup == "word" and token[0] == name for token in TOKEN.finditer(text))
