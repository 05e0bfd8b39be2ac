"""Builds definitions, and what may stand in them only."""

import re
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from logsleuth.language import syntax as s
from logsleuth.language.conditions import MEMBERS, ConditionBuilder

_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*"|`[^`]*`)|#[^\n]*')
"""A comment, or a text or regular expression in which a ``#`` is none."""


class DefinitionBuilder(ConditionBuilder):
    """Adds definitions to conditions."""

    _text: str
    """Of the declaration."""

    def said(self, meta: Meta) -> str:
        """What is written there, in one line and without comments."""
        said = _COMMENT.sub(lambda match: match[1] or "", self._text[meta.start_pos : meta.end_pos])
        return " ".join(said.split())

    @v_args(meta=True)
    def define(self, meta: Meta, items: list[Any]) -> s.Definition:
        name, parameters, body = items
        return s.Definition(
            str(name), parameters or (), body, self.said(meta).partition("=")[2].strip(), self.place(name)
        )

    def parameters(self, items: list[Token]) -> tuple[tuple[str, s.Place], ...]:
        return tuple((str(item), self.place(item)) for item in items)

    def seen_members(self, items: list[Token]) -> s.Node:
        which, name = items
        if which == "seen" and str(name) not in MEMBERS and self._text.startswith("define"):
            return s.Seen(s.Pattern(s.Reference(str(name), None, self.place(name)), "", ()))
        return super().seen_members(items)
