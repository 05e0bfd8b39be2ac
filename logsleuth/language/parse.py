"""Rule text to syntax trees, with every syntax error of a file."""

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from lark import Lark, UnexpectedInput
from lark.exceptions import VisitError

from logsleuth.language.broken import Broken
from logsleuth.language.build import builder
from logsleuth.language.check_size import check_size
from logsleuth.language.cut import Cut, cut
from logsleuth.language.expressions import ClauseError
from logsleuth.language.limits import MOST_DECLARATIONS
from logsleuth.language.mend import mend
from logsleuth.language.messages import Message
from logsleuth.language.syntax import Declaration, Place

_HALF = re.compile("[\ud800-\udfff]")
_KEPT = 1024
"""Files whose trees are kept: commands compile the library several times, each time with a little more."""


class Parsed(NamedTuple):
    declarations: tuple[Declaration, ...]
    """Those without an error."""
    errors: tuple[Message, ...]
    broken: tuple[Broken, ...] = ()
    """What could be read of those with errors."""


@cache
def grammar(every_token: bool = False) -> Lark:
    """The parser of one declaration; with ``every_token``, its trees hold the words and brackets too."""
    text = Path(__file__).with_name("sleuth.lark").read_text(encoding="utf-8")
    return Lark(
        text,
        start="declaration",
        parser="lalr",
        lexer="contextual",
        propagate_positions=True,
        keep_all_tokens=every_token,
    )


@lru_cache(_KEPT)
def parse(file: str, text: str, tests: bool = True) -> Parsed:
    """All declarations of a file, and every error that keeps one from being read as a whole.

    ``file`` is the name to blame in errors; the text may use any newline convention. Without ``tests``, tests are
    passed over: an analysis has no use for them, and they are half of the text.
    """
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    text, errors = _readable(file, text)
    pieces, unclosed = cut(file, text)
    errors += unclosed
    declarations: list[Declaration] = []
    broken: list[Broken] = []
    if len(pieces) > MOST_DECLARATIONS:
        place = Place(file, pieces[MOST_DECLARATIONS].line, pieces[MOST_DECLARATIONS].column)
        text = f"here begins declaration {MOST_DECLARATIONS + 1:,}; a file has {MOST_DECLARATIONS:,} at most"
        return Parsed((), (Message("LS106", place, text, "Divide it into several files."),))
    for piece in pieces:
        if not tests and piece.text.startswith("test"):
            continue
        found: list[Message] = []
        if not piece.damage:
            declaration, found = _read(file, piece)
            if declaration:
                declarations.append(declaration)
                continue
            if any(message.code in ("LS104", "LS106") for message in found):
                errors += found
                continue
        rest = mend(file, piece, found, _read, grammar())
        errors += rest.errors
        if rest.declaration:
            broken.append(Broken(rest.declaration, piece.line, piece.line + piece.text.count("\n")))
    return Parsed(tuple(declarations), tuple(errors), tuple(broken))


def _read(file: str, piece: Cut) -> tuple[Declaration | None, list[Message]]:
    """The declaration of a text; else what is wrong with it, which is nothing where the grammar does not know it."""
    try:
        tree = grammar().parse(piece.text)
        made = builder(file, piece.line, piece.column, piece.text)
        if too_large := check_size(tree, made.place):
            return None, [too_large]
        return made.transform(tree), []
    except UnexpectedInput:
        return None, []
    except VisitError as error:
        return None, [_visit_error(file, piece, error)]
    except ClauseError as error:
        return None, [error.message]
    except RecursionError:
        place = Place(file, piece.line, piece.column)
        return None, [Message("LS104", place, "this declaration is nested too deeply", _SIMPLER)]


def _readable(file: str, text: str) -> tuple[str, list[Message]]:
    """The text without halves of characters, which no UTF-8 file can hold, and a message for the first of them."""
    found = _HALF.search(text)
    if found is None:
        return text, []
    line, column = text.count("\n", 0, found.start()) + 1, found.start() - text.rfind("\n", 0, found.start())
    return _HALF.sub("\ufffd", text), [Message("LS001", Place(file, line, column), "half of a character stands here")]


def _visit_error(file: str, piece: Cut, error: VisitError) -> Message:
    cause = error.orig_exc
    if isinstance(cause, ClauseError):
        return cause.message
    if isinstance(cause, RecursionError):
        return Message(
            "LS104", Place(file, piece.line, piece.column), "this declaration is nested too deeply", _SIMPLER
        )
    if isinstance(cause, ValueError):
        # Python refuses to read integers of more than 4300 digits.
        return Message(
            "LS105", Place(file, piece.line, piece.column), "a number of this declaration has too many digits"
        )
    raise error


_SIMPLER = "Write a list instead of many terms, or several conditions."
