"""How much plain text does a wording fix? Of several that match a line, the most specific fixes most."""

import re

from logsleuth.language.syntax import Wording
from logsleuth.language.template import parse_template

_GROUP_OPENING = re.compile(r"\((?:\?(?:P<\w+>|[:=!#]|<[=!]|[aiLmsux-]+[:)]))?")
_ESCAPE = re.compile(r"\\(?:x[\da-fA-F]{2}|\d{1,3}|.)", re.DOTALL)
_QUANTIFIER = re.compile(r"[*?+]|\{\d*,?\d*\}")


def plain_length(wording: Wording) -> int:
    """How many characters of plain text a line must hold to match."""
    if wording.is_regex:
        return sum(map(len, _regex_runs(wording.text)))
    return sum(len(part) for part in parse_template(wording.text) if isinstance(part, str))


def _regex_runs(pattern: str) -> list[str]:
    """Runs of plain characters outside of groups, classes and quantifiers; none where the pattern has alternatives."""
    runs, current, depth, at = [], "", 0, 0
    while at < len(pattern):
        char = pattern[at]
        width, plain = 1, ""
        if char == "\\":
            escape = _ESCAPE.match(pattern, at)
            width = escape.end() - at if escape else 1
            plain = pattern[at + 1 : at + 2] if not pattern[at + 1 : at + 2].isalnum() else ""
        elif char == "[":
            width = _class_width(pattern, at)
        elif char == "(":
            opening = _GROUP_OPENING.match(pattern, at)
            width, depth = (opening.end() - at if opening else 1), depth + 1
        elif char == ")":
            depth -= 1
        elif char == "|" and depth == 0:
            return []
        elif char not in ".^$*+?{}|":
            plain = char
        at += width
        quantifier = _QUANTIFIER.match(pattern, at)
        if quantifier:
            at = quantifier.end()
        if plain and depth == 0 and not quantifier:
            current += plain
        else:
            runs.append(current)
            current = ""
    return [*runs, current]


def _class_width(pattern: str, at: int) -> int:
    """How many characters the class that opens here takes up."""
    end = at + 1
    if pattern[end : end + 1] == "^":
        end += 1
    if pattern[end : end + 1] == "]":
        end += 1
    while end < len(pattern) and pattern[end] != "]":
        end += 2 if pattern[end] == "\\" else 1
    return end + 1 - at
