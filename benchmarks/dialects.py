"""The wordings of the shipped library as other tools read patterns: ripgrep, grep -E, Perl, Python's re over text."""

import re
from collections.abc import Iterable

from logsleuth.language.syntax import Event, Wording
from logsleuth.tokenize.patterns import LinePattern

_TRANSLATIONS = (
    (re.compile(r"\(\?(?:P<\w+>|>)"), "(?:"),
    (re.compile(r"^(?:\[ \\t\]\*\+?|\.\*\?)+"), ""),
    (re.compile(r"^\(\?:\.\*\?"), "(?:"),
    (re.compile(r"\\(?=[ ])"), ""),
)
"""Patterns over patterns and what they become, for ripgrep."""
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:P?<\w+>|<?[=!]|[:>])|.", re.DOTALL)
_LOOK_AROUND = ("(?=", "(?!", "(?<=", "(?<!")
_OTHERS = re.compile(r"[^\x00-\x7f]")
_CLASS = re.compile(r"(?<!\\)\[(\^?\]?(?:\\.|[^\]\\])*)\]")
_COUNTED = re.compile(r"(?<!\\)\{(\d+),(?:\d{2,})?\}")
_BYTE = re.compile(r"\(\?-u:\\x[0-9a-f]{2}\)")
_OF_GREP = re.compile(_BYTE.pattern + "|" + _TOKEN.pattern, re.DOTALL)
_GREP_CLASSES = {
    "d": "[0-9]",
    "D": "[^0-9]",
    "s": "[[:space:]]",
    "S": "[^[:space:]]",
    "w": "[A-Za-z0-9_]",
    "b": r"\b",
    "t": "\t",
}
_IN_CLASS = (("\\d", "0-9"), ("\\w", "A-Za-z0-9_"), ("\\s", " \t\r\f\v"), ("\\S", "!-~"), ("\\t", "\t"))


def wordings(events: Iterable[Event]) -> list[Wording]:
    """What an analysis searches for, blocks by their first line; each once."""
    events = tuple(events)
    found = [wording for event in events for wording in event.wordings]
    found += [item.wording for event in events for block in event.blocks for item in block.items[:1] if item.wording]
    return list({LinePattern(wording).source: wording for wording in found}.values())


def as_perl(wording: Wording) -> str:
    """A pattern that Perl reads, which stands at the start of a message in ours and anywhere in a line here."""
    return LinePattern(wording).source


def as_ripgrep(wording: Wording) -> str:
    """A pattern in ripgrep's dialect, made as cheap for it as it can be without matching other lines.

    There is no look-ahead: what ours forbid behind a match is not forbidden there. It only counts, so groups have no
    names, and it looks anywhere in a line, so what may precede a message is left out.
    """
    source = _without_look_around(LinePattern(wording).source)
    for pattern, replacement in _TRANSLATIONS:
        source = pattern.sub(replacement, source)
    # A bracket in a class would open a class in the class.
    source = _CLASS.sub(lambda found: "[" + re.sub(r"(?<!\\)\[", r"\\[", found[1]) + "]", source)
    # Without classes of Unicode's characters there is no character but ASCII's: others are their bytes.
    return _OTHERS.sub(lambda found: "".join(rf"(?-u:\x{byte:02x})" for byte in found[0].encode()), source)


def uncounted(pattern: str) -> str:
    """The pattern of ripgrep's dialect with ``*`` and ``+`` for repetitions that have a high bound.

    It matches a few more lines. Counted repetitions make an automaton large, and ripgrep many times slower.
    """
    return _COUNTED.sub(lambda found: "*" if found[1] == "0" else "+", pattern)


def as_grep(pattern: str) -> str:
    """An uncounted pattern of ripgrep's dialect as an extended regular expression of POSIX, with GNU's ``\\b``."""
    out = "".join(_token_of_grep(token[0]) for token in _OF_GREP.finditer(pattern))
    return re.sub(r"(?<!\\)([*+?}])[?+]", r"\1", out)


def _token_of_grep(token: str) -> str:
    if token.startswith("(?"):
        return "." if _BYTE.fullmatch(token) else "("
    if token.startswith("["):
        return _class_of_grep(token)
    if token.startswith("\\"):
        letter = token[1]
        plain = letter if letter in "-'\" #&~/<>`:" else token
        return _GREP_CLASSES.get(letter, "." if letter in "nx" else plain)
    return token


def _class_of_grep(token: str) -> str:
    negated = "^" if token.startswith("[^") else ""
    inside = token[1 + len(negated) : -1]
    for name, characters in _IN_CLASS:
        inside = inside.replace(name, characters)
    inside = re.sub(r"\\(.)", r"\1", inside)
    # In POSIX's classes nothing can be escaped: what would end one stands first.
    first = "]" if "]" in inside else ""
    return f"[{negated}{first}{inside.replace(']', '')}]"


def _without_look_around(source: str) -> str:
    """A pattern without its look-aheads and look-behinds, groups inside them included."""
    out, dropped = "", 0
    for token in _TOKEN.finditer(source):
        text = token[0]
        if dropped:
            dropped += text.startswith("(") - (text == ")")
        elif text in _LOOK_AROUND:
            dropped = 1
        else:
            out += text
    return out
