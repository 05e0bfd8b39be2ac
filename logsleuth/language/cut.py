"""Cuts the text of a rule file into its declarations, so that each is parsed (and blamed) by itself."""

import difflib
import re
from typing import NamedTuple

from logsleuth.language.messages import Message, did_you_mean
from logsleuth.language.syntax import Place
from logsleuth.language.unbraced import LINE_START, STARTS, end_without_braces


class Cut(NamedTuple):
    """One declaration of a file: its text and where it starts (1-based)."""

    text: str
    line: int
    column: int
    damage: tuple[int, ...] = ()
    """Offsets of what is told already and keeps the text from being parsed as a whole: quotes and brackets without an
    end."""


TOKEN = re.compile(
    r'(?P<skip>\#[^\n]*|"""(?:[^"\\]|\\.|"(?!""))*"""|"(?!"")(?:[^"\\\n]|\\.)*"|`[^`\n]*`)'
    r"|(?P<open>[{\[(])|(?P<close>[}\])])|(?P<bad>[\"`])|(?P<word>[A-Za-z_][\w.-]*)|(?P<space>\s+)|.",
    re.DOTALL,
)
_START = re.compile(rf"(?:{LINE_START}|^[A-Za-z]\w*[ \t]+[\w.]+[^\n]*\{{[ \t]*$)", re.MULTILINE)
"""What starts a declaration, or looks as if it was to start one."""
_DECLARES = re.compile(LINE_START, re.MULTILINE)


def cut(file: str, text: str) -> tuple[list[Cut], list[Message]]:
    """The declarations of a file, and what keeps them, or what stands between them, from being one."""
    cuts: list[Cut] = []
    errors: list[Message] = []
    at = 0
    while at < len(text):
        token = TOKEN.match(text, at)
        assert token  # the last alternative matches any character
        if token.lastgroup == "space" or (token.lastgroup == "skip" and token[0].startswith("#")):
            at = token.end()
            continue
        word = token[0] if token[0] in STARTS else _meant(token[0], text[token.end() :])
        if word != token[0]:
            errors.append(_stray(file, text, at, token[0]))
        if not word:
            at = _next_start(text, at + 1)
            continue
        end, damage = _end(text, at)
        errors += [_message(file, text, where, what, remedy) for where, what, remedy in damage]
        line, column = _position(text, at)
        # What is behind a misspelt word stands where it did.
        longer = len(token[0]) - len(word)
        offsets = tuple(max(0, where - at - longer) for where, _, _ in damage)
        cuts.append(Cut(word + text[token.end() : end], line, column + longer, offsets))
        at = end
    return cuts, errors


def _meant(word: str, behind: str) -> str:
    """The word that a declaration was to start with, where one is close and a name follows; else nothing."""
    if not word.isidentifier() or not _NAME.match(behind):
        return ""
    close = difflib.get_close_matches(word.lower(), STARTS, n=1, cutoff=0.75)
    return close[0] if close else ""


_NAME = re.compile(r'[ \t]+["A-Za-z_]')
_MOST = 20
"""So many brackets of one declaration are told."""
_PAIRS = {"}": "{", "]": "[", ")": "("}
_Damage = tuple[int, str, str]
"""Where it is, what is wrong, what to do."""
_ONE_LINE = 'A text in "..." ends on its line; write \\" for a quote inside, and """...""" around several lines.'


def _end(text: str, start: int) -> tuple[int, list[_Damage]]:
    """Where the declaration that starts here ends, behind its outermost closing bracket or its name; and what of it is
    not closed."""
    if (end := end_without_braces(text, start)) is not None:
        return end, []
    depth: list[int] = []
    damage: list[_Damage] = []
    suspect = None
    at = start
    while at < len(text):
        token = TOKEN.match(text, at)
        assert token
        at = token.end()
        if token.lastgroup == "bad":
            damage.append(_unclosed(text, token.start()))
            long = text.startswith('"""', token.start())
            at = _next_start(text, at) if long else _line_end(text, at)
            if long:
                return at, damage
        elif token.lastgroup == "open":
            depth.append(token.start())
        elif token.lastgroup == "close":
            while depth and text[depth[-1]] != _PAIRS[token[0]] and any(text[o] == _PAIRS[token[0]] for o in depth):
                opened = depth.pop()
                damage += [(opened, *_not_closed(text, token.start()))] if len(damage) < _MOST else []
            if depth and text[depth[-1]] == _PAIRS[token[0]]:
                opened = depth.pop()
                if suspect is None and _indent(text, token.start()) < _indent(text, opened):
                    suspect = opened
                if not depth:
                    return at, damage
        elif token.lastgroup == "word" and depth and _DECLARES.match(text, token.start()):
            what = "this bracket is not closed before the next declaration starts"
            return token.start(), [*damage, (depth[0] if suspect is None else suspect, what, _CLOSE)]
    if depth:
        return len(text), [*damage, (depth[0] if suspect is None else suspect, "this bracket is not closed", _CLOSE)]
    body = "Its items stand in [ ... ]." if text.startswith("list", start) else "Its clauses stand in { ... }."
    return len(text), [*damage, (start, "this declaration has no body", body)]


_CLOSE = "Close it where its last clause ends."


def _unclosed(text: str, at: int) -> _Damage:
    if text[at] == "`":
        return at, "this regular expression is not closed", "It ends on its line, with a back-quote."
    if text.startswith('"""', at):
        return at, "this text is not closed", 'It ends with """.'
    return at, "this text is not closed", _ONE_LINE


def _not_closed(text: str, closing: int) -> tuple[str, str]:
    return f"this bracket is not closed before '{text[closing]}'", "Close it, or leave it out."


def _indent(text: str, at: int) -> int:
    """By how much the line of this place is indented."""
    start = text.rfind("\n", 0, at) + 1
    return len(text[start:at]) - len(text[start:at].lstrip())


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _next_start(text: str, at: int) -> int:
    found = _START.search(text, at)
    return found.start() if found else len(text)


def _stray(file: str, text: str, at: int, token: str) -> Message:
    line, column = _position(text, at)
    place = Place(file, line, column, len(token.split("\n")[0]))
    if token in _PAIRS:
        return Message(
            "LS103", place, f"this '{token}' closes nothing", "Leave it out, or look for one too many above."
        )
    if token in "/-" and text.startswith(("//", "/*", "--"), at):
        return Message("LS103", place, f"'{text[at : at + 2]}' starts no declaration", "A comment starts with `#`.")
    if column > 1:
        remedy = "It looks like a clause: has a brace too many above ended its declaration?"
        return Message("LS103", place, f"'{token[:40]}' starts no declaration", remedy)
    known = f"A declaration starts with {', '.join(STARTS[:-1])} or {STARTS[-1]}."
    remedy = " ".join(filter(None, (did_you_mean(token, STARTS), known)))
    return Message("LS103", place, f"'{token[:40]}' starts no declaration", remedy)


def _message(file: str, text: str, at: int, what: str, remedy: str) -> Message:
    line, column = _position(text, at)
    return Message("LS102", Place(file, line, column), what, remedy)


def _position(text: str, at: int) -> tuple[int, int]:
    line_start = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at) + 1, at - line_start + 1
