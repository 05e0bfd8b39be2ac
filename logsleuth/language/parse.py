"""Rule text to syntax trees, with every syntax error of a file."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from lark import Lark, Token, UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken, VisitError

from logsleuth.language.build import builder
from logsleuth.language.cut import Cut, cut
from logsleuth.language.expressions import ClauseError
from logsleuth.language.messages import Message, did_you_mean
from logsleuth.language.syntax import Declaration, Place


class Parsed(NamedTuple):
    declarations: list[Declaration]
    errors: list[Message]


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


def parse(file: str, text: str, tests: bool = True) -> Parsed:
    """All declarations of a file that can be parsed, and an error for each that cannot.

    ``file`` is the name to blame in errors; the text may use any newline convention. Without ``tests``, tests are
    passed over: an analysis has no use for them, and they are half of the text.
    """
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    pieces, errors = cut(file, text)
    declarations: list[Declaration] = []
    for piece in pieces:
        if not tests and piece.text.startswith("test"):
            continue
        try:
            tree = grammar().parse(piece.text)
            declarations += [builder(file, piece.line, piece.column, piece.text).transform(tree)]
        except UnexpectedInput as error:
            errors.append(_syntax_error(file, piece, error))
        except VisitError as error:
            errors.append(_visit_error(file, piece, error))
        except ClauseError as error:
            errors.append(error.message)
        except RecursionError:
            place = Place(file, piece.line, piece.column)
            errors.append(Message("LS104", place, "this declaration is nested too deeply", _SIMPLER))
    return Parsed(declarations, errors)


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


def _syntax_error(file: str, piece: Cut, error: UnexpectedInput) -> Message:
    line, column, width, found = error.line, error.column, 1, "the end of the declaration"
    expected: set[str] = set()
    if isinstance(error, UnexpectedToken):
        expected = set(error.accepts or error.expected)
        token: Token = error.token
        if token.type == "$END":
            line, column = piece.text.count("\n") + 1, len(piece.text) - piece.text.rfind("\n")
        else:
            found, width = f"'{_shorten(str(token))}'", len(str(token).split("\n")[0])
    elif isinstance(error, UnexpectedCharacters):
        expected = set(error.allowed or ())
        word = _word_at(piece.text, error.pos_in_stream or 0)
        found, width = f"'{_shorten(word)}'", len(word)
    elif isinstance(error, UnexpectedEOF):
        expected = set(error.expected)
    place = Place(file, piece.line + line - 1, column + (piece.column - 1 if line == 1 else 0), max(width, 1))
    words = sorted({_say(name) for name in expected} - {""})
    text = f"{found} was not expected here"
    if words:
        text += f"; expected {', '.join(words[:-1]) + ' or ' if len(words) > 1 else ''}{words[-1]}"
    return Message("LS101", place, text, did_you_mean(found.strip("'"), [w for w in words if w.isalpha()]))


_SIMPLER = "Write a list instead of many terms, or several conditions."

_SAID = {
    "DOTTED": "a dotted name (area.name)", "NAME": "a name", "STRING": 'a text in "..."', "LONG": 'a text in """..."""',
    "NUMBER": "a number", "CAUSE": "a cause", "HOST": "a host name", "REGEX": "a regular expression in `...`",
    "COMPARATOR": "a comparison", "LBRACE": "'{'", "RBRACE": "'}'", "LSQB": "'['", "RSQB": "']'",
    "LPAR": "'('", "RPAR": "')'",
    "COMMA": "','", "EQUAL": "'='", "COLON": "':'", "MINUS": "'-'", "PLUS": "'+'", "STAR": "'*'", "SLASH": "'/'",
    "LATER": "in later attempts", "$END": "the end of the declaration", "WS": "", "COMMENT": "",
    "ARROW": "'->'",
}  # fmt: skip


def _say(terminal: str) -> str:
    """A terminal in words; keywords are their own words, also those that share their name with another terminal."""
    if terminal.startswith("__ANON"):
        return str(grammar().get_terminal(terminal).pattern.value)
    return _SAID.get(terminal, terminal.lower())


def _word_at(text: str, at: int) -> str:
    end = at
    while end < len(text) and not text[end].isspace() and end - at < 60:
        end += 1
    return text[at:end] or text[at : at + 1]


def _shorten(text: str) -> str:
    line = text.split("\n")[0]
    return line if len(line) <= 40 else line[:37] + "..."
