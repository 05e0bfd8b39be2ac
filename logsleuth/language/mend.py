"""What of a declaration with syntax errors can be read all the same, and each of its errors."""

import re
from collections.abc import Callable
from typing import NamedTuple

from lark import Lark

from logsleuth.language import syntax as s
from logsleuth.language.clauses import clauses_of
from logsleuth.language.cut import Cut
from logsleuth.language.faults import Fault, accepted, fault_in, keywords
from logsleuth.language.messages import Message
from logsleuth.language.syntax_errors import CLAUSES_OF, Surroundings, describe

_HEADS = {
    "event": "event a.b",
    "wordings": "wordings of a.b",
    "rule": "rule a.b",
    "test": 'test "a"',
    "adjust": "adjust a.b",
}
"""The head of a declaration in whose braces a clause can be parsed by itself."""
_NAMED = re.compile(r"(event|rule|list|define)\s+([A-Za-z_][\w.]*)(?:\s*\(([\w\s,]*)\))?")
_WHOLE = ("LS104", "LS105")
"""What is told of the size and depth of a declaration, as a whole."""
_MOST = 20
"""So many errors of one declaration are told."""

Read = Callable[[str, Cut], tuple[s.Declaration | None, list[Message]]]
"""The declaration of a text, else what is wrong with it beside its syntax."""


class Mended(NamedTuple):
    declaration: s.Declaration | None
    """What can be read; None where not even its name can."""
    errors: list[Message]


def mend(file: str, piece: Cut, told: list[Message], read: Read, grammar: Lark) -> Mended:
    """Reads the clauses of a declaration one by one and leaves out those with errors.

    ``told`` is what is wrong with it as a whole.
    """
    kind = piece.text.split(None, 1)[0]
    parts = None
    if kind in _HEADS and not any(message.code in _WHOLE for message in told):
        parts = clauses_of(piece.text, _clause_words(grammar, kind), keywords(grammar) - _all_clause_words(grammar))
    errors = list(told)
    left = piece.text
    if parts:
        for start, end in ((0, parts.body), *parts.spans):
            # What comes behind so many errors is passed over.
            damaged = len(errors) >= _MOST or any(start <= at < end for at in piece.damage)
            found = [] if damaged else _errors_of(file, piece, kind, (start, end), parts.body, read, grammar)
            errors += [message for message in found if message not in errors]
            if damaged or found:
                left = left[:start] + re.sub(r"[^\n]", " ", left[start:end]) + left[end:]
    if not errors and not piece.damage and (fault := fault_in(grammar, piece.text)):
        errors.append(_message(file, piece, piece.text, fault, 0, kind, grammar))
    declaration = None
    if parts and left[: parts.body].strip():
        body = left if left.rstrip().endswith("}") else left + "}"
        declaration, more = read(file, Cut(body, piece.line, piece.column))
        errors += [message for message in more if message not in errors]
    return Mended(declaration or _named(file, piece), errors[:_MOST])


def _errors_of(
    file: str, piece: Cut, kind: str, span: tuple[int, int], body: int, read: Read, grammar: Lark
) -> list[Message]:
    """What is wrong with the head or one clause of a declaration."""
    start, end = span
    if end == body:
        text, shift, line, column = piece.text[:body] + "{}", 0, piece.line, piece.column
    else:
        line = piece.line + piece.text.count("\n", 0, start)
        indent = start - (piece.text.rfind("\n", 0, start) + 1) + (piece.column - 1 if line == piece.line else 0)
        front = f"{_HEADS[kind]} {{\n{' ' * indent}"
        text, shift, line, column = f"{front}{piece.text[start:end]}\n}}", start - len(front), line - 1, 1
    fault = fault_in(grammar, text)
    if fault:
        return [_message(file, piece, text, fault, shift, kind, grammar, end)]
    return read(file, Cut(text, line, column))[1]


def _message(
    file: str, piece: Cut, text: str, fault: Fault, shift: int, kind: str, grammar: Lark, end: int | None = None
) -> Message:
    """What to say of a fault in a text that stands ``shift`` characters further on in that of the declaration; where
    its part ends, at ``end``, something is missing."""
    at, found = fault.at + shift, fault.found
    limit = len(piece.text) if end is None else end
    if at >= limit:
        at, found, text, fault_at = limit, "", "", 0
    else:
        fault_at = fault.at
    own = _clause_words(grammar, kind) if kind in _HEADS else frozenset()
    others = {word: what for other, what in reversed(CLAUSES_OF.items()) for word in _clause_words(grammar, other)}
    rest = piece.text[at + max(1, len(found)) : limit + 1]
    said = describe(text, fault_at, found, fault.expected, fault.before, Surroundings(kind, own, others, rest))
    width = max(1, len(said.found.split("\n")[0]))
    before = piece.text[:at] if found or said.found else piece.text[:at].rstrip()
    line, column = before.count("\n"), len(before) - (before.rfind("\n") + 1) + 1
    place = s.Place(file, piece.line + line, column + (piece.column - 1 if line == 0 else 0), width)
    return Message("LS101", place, said.text, said.remedy)


def _clause_words(grammar: Lark, kind: str) -> frozenset[str]:
    """The words that start a clause of this kind of declaration."""
    return frozenset(word for word in accepted(grammar, f"{_HEADS[kind]} {{") if word.isidentifier())


def _all_clause_words(grammar: Lark) -> frozenset[str]:
    return frozenset[str]().union(*(_clause_words(grammar, kind) for kind in _HEADS))


def _named(file: str, piece: Cut) -> s.Declaration | None:
    """A declaration of which only the name can be read."""
    match = _NAMED.match(piece.text)
    if not match:
        return None
    line = piece.text.count("\n", 0, match.start(2))
    at = s.Place(file, piece.line + line, piece.column + match.start(2) if line == 0 else 1, len(match[2]))
    match match[1]:
        case "event":
            return s.Event(match[2], "", at)
        case "rule":
            return s.Rule(match[2], "", at)
        case "define":
            parameters = tuple((name, at) for name in re.findall(r"\w+", match[3] or ""))
            return s.Definition(match[2], parameters, s.Parameter("", "", at), "", at)
        case _:
            return s.ListOf(match[2], (), (), at)
