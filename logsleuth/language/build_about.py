"""Builds whom an event concerns and what else it states, and keeps the places of what is named there."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from lark import Token

from logsleuth.language import syntax as s
from logsleuth.language.expressions import ExpressionBuilder


class Clause(NamedTuple):
    """One clause on its way into its declaration."""

    name: str
    value: Any
    at: s.Place
    parts: tuple[tuple[str, s.Place], ...] = ()
    """What it names, with its places."""
    ats: tuple[s.Place, ...] = ()
    """Of the words, texts or levels that it lists."""

    @property
    def places(self) -> tuple[tuple[str, s.Place], ...]:
        """The clause and what it names, with their places; ``" rank"`` for a part."""
        return ("", self.at), *self.parts


class AboutBuilder(ExpressionBuilder):
    """Adds ``about``, ``began``, ``comm``, ``states`` and ``confirmed`` to expressions."""

    def word(self, clause: str, token: Token) -> Clause:
        return Clause(clause, str(token), self.place(token))

    def hole(self, items: list[Token]) -> Token:
        return items[0]

    def pair(self, items: list[Token]) -> tuple[Token, Token]:
        return items[0], items[1]

    def about(self, items: list[tuple[Token, Token]]) -> Clause:
        pairs = tuple((str(key), str(field)) for key, field in items)
        return Clause("about", pairs, self.place(items[0][0]), self._parts(token for pair in items for token in pair))

    def _parts(self, tokens: Iterable[Token | None]) -> tuple[tuple[str, s.Place], ...]:
        return tuple((f" {token}", self.place(token)) for token in tokens if token is not None)

    def about_job(self, _: list[Any]) -> Clause:
        return Clause("about_job", True, self._start)

    def began_earlier(self, items: list[Token]) -> Clause:
        return self.word("began", items[0])

    def began_after_life(self, _: list[Any]) -> Clause:
        return Clause("began", "after life", self._start)

    def belongs(self, items: list[Token | None]) -> Clause:
        pairs = tuple((key, str(item)) for key, item in zip(("comm", "rank", "size"), items, strict=True) if item)
        return Clause("belongs", pairs, self._start, self._parts(items))

    def statement(self, items: list[Token]) -> tuple[Token, Token]:
        return items[0], items[1]

    def states(self, items: list[tuple[Token, Token]]) -> Clause:
        pairs = tuple((str(key), int(value) if value.type == "NUMBER" else str(value)) for key, value in items)
        return Clause("states", pairs, self.place(items[0][0]), self._parts(token for pair in items for token in pair))

    def confirmed(self, items: list[Token]) -> Clause:
        return Clause("confirmed", (str(items[0]), str(items[1])), self.place(items[0]), self._parts(items))
