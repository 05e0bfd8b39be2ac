"""Cuts the text of a rule file into its declarations, so that each is parsed (and blamed) by itself."""

import re
from typing import NamedTuple

from logsleuth.language.messages import Message
from logsleuth.language.syntax import Place
from logsleuth.language.unbraced import LINE_START, STARTS, end_without_braces


class Cut(NamedTuple):
    """One declaration of a file: its text and where it starts (1-based)."""

    text: str
    line: int
    column: int


_TOKEN = re.compile(
    r'(?P<skip>\#[^\n]*|"""(?:[^"\\]|\\.|"(?!""))*"""|"(?!"")(?:[^"\\\n]|\\.)*"|`[^`\n]*`)'
    r"|(?P<open>[{\[(])|(?P<close>[}\])])|(?P<bad>[\"`])|(?P<word>[A-Za-z_][\w.-]*)|(?P<space>\s+)|.",
    re.DOTALL,
)
_START = re.compile(LINE_START, re.MULTILINE)


def cut(file: str, text: str) -> tuple[list[Cut], list[Message]]:
    """The declarations of a file, and what keeps the rest of it from being one."""
    cuts: list[Cut] = []
    errors: list[Message] = []
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        assert token  # the last alternative matches any character
        if token.lastgroup == "space" or (token.lastgroup == "skip" and token[0].startswith("#")):
            at = token.end()
            continue
        if token.lastgroup != "word" or token[0] not in STARTS:
            errors.append(_stray(file, text, at, token[0]))
            at = _next_start(text, at + 1)
            continue
        end, error = _end(file, text, at)
        if error:
            errors.append(error)
        else:
            cuts.append(Cut(text[at:end], *_position(text, at)))
        at = end
    return cuts, errors


def _end(file: str, text: str, start: int) -> tuple[int, Message | None]:
    """Where the declaration that starts here ends: behind its outermost closing bracket, or its name."""
    if (end := end_without_braces(text, start)) is not None:
        return end, None
    depth: list[int] = []
    at = start
    while at < len(text):
        token = _TOKEN.match(text, at)
        assert token
        if token.lastgroup == "bad":
            what = "text" if token[0] == '"' else "regular expression"
            return _next_start(text, at + 1), _message(file, text, at, f"this {what} is not closed")
        if token.lastgroup == "open":
            depth.append(at)
        elif token.lastgroup == "close":
            if depth:
                depth.pop()
            if not depth:
                return token.end(), None
        elif token.lastgroup == "word" and depth and _START.match(text, at):
            return at, _message(file, text, depth[0], "this bracket is not closed before the next declaration starts")
        at = token.end()
    if depth:
        return len(text), _message(file, text, depth[0], "this bracket is not closed")
    return len(text), _message(file, text, start, "this declaration has no body")


def _next_start(text: str, at: int) -> int:
    found = _START.search(text, at)
    return found.start() if found else len(text)


def _stray(file: str, text: str, at: int, token: str) -> Message:
    line, column = _position(text, at)
    place = Place(file, line, column, len(token))
    return Message(
        "LS103",
        place,
        f"'{token[:40]}' starts no declaration",
        f"A declaration starts with {', '.join(STARTS[:-1])} or {STARTS[-1]}.",
    )


def _message(file: str, text: str, at: int, what: str) -> Message:
    line, column = _position(text, at)
    return Message("LS102", Place(file, line, column), what)


def _position(text: str, at: int) -> tuple[int, int]:
    line_start = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at) + 1, at - line_start + 1
