"""Cuts a declaration that cannot be parsed as a whole into its clauses, so that each can be blamed."""

from collections.abc import Container
from typing import NamedTuple

from logsleuth.language.cut import TOKEN


class Clauses(NamedTuple):
    """Offsets in the text of a declaration."""

    body: int
    """Of the brace that opens its body."""
    spans: tuple[tuple[int, int], ...]
    """Where each clause starts and ends, without the blanks and comments behind it."""


def clauses_of(text: str, starts: Container[str], within: Container[str]) -> Clauses | None:
    """The clauses of a declaration; None where it has no body in braces.

    A clause starts on a line of its own, as far left as the first, with any word that is not one of ``within``, the
    words that only go on with a clause; where the first stands beside the brace, with one of the words ``starts``.
    """
    spans: list[list[int]] = []
    body, depth, left, at = -1, 0, -1, 0
    column = -1
    """How many blanks stand before a token on its line; -1 where anything else does."""
    while at < len(text):
        token = TOKEN.match(text, at)
        assert token  # the last alternative matches any character
        start, at = token.span()
        kind = token.lastgroup
        if kind == "space" or (kind == "skip" and token[0].startswith("#")):
            column = len(token[0]) - token[0].rfind("\n") - 1 if "\n" in token[0] else column
            continue
        if kind == "close":
            depth -= 1
            if depth <= 0:
                break
        if depth == 1 and body >= 0:
            if not spans:
                left = column
            if not spans or (column >= 0 and kind == "word" and _starts(token[0], column, left, starts, within)):
                spans.append([start, at])
        if kind == "open":
            depth += 1
            if body < 0:
                if token[0] != "{":
                    return None
                body = start
        if kind == "bad":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        if spans:
            spans[-1][1] = at
        column = -1
    return Clauses(body, tuple((start, end) for start, end in spans)) if body >= 0 else None


def _starts(word: str, column: int, left: int, starts: Container[str], within: Container[str]) -> bool:
    return word in starts if left < 0 else column <= left and word not in within
