"""The literal text that a line must hold if a wording is to match it: what the scanner searches for.

A rule author never writes these; they are derived. A single blank of a template matches a single blank only, so that
literals may hold blanks: the scanner and the pattern must agree on every line (docs/architecture.md says why).
"""

import re
from functools import cache

from logsleuth.language.syntax import Wording
from logsleuth.language.template import parse_template

SHORTEST = 4
"""A literal below this many characters hits too many lines to be worth searching for."""
_LONGEST = 48

_GROUP_OPENING = re.compile(r"\((?:\?(?:P<\w+>|[:=!#]|<[=!]|[aiLmsux-]+[:)]))?")
_ESCAPE = re.compile(r"\\(?:x[\da-fA-F]{2}|\d{1,3}|.)", re.DOTALL)
_QUANTIFIER = re.compile(r"[*?+]|\{\d*,?\d*\}")


def literal_of(wording: Wording) -> str | None:
    """The most telling literal of a wording, or None where every one is shorter than ``SHORTEST``."""
    return _literal(wording.text, wording.is_regex)


def plain_length(wording: Wording) -> int:
    """How many characters of plain text a line must hold to match."""
    if wording.is_regex:
        return sum(map(len, _regex_runs(wording.text)))
    return sum(len(part) for part in parse_template(wording.text) if isinstance(part, str))


@cache
def _literal(text: str, is_regex: bool) -> str | None:
    runs = _regex_runs(text) if is_regex else _template_runs(text)
    best = max(runs, key=_score, default="")
    return best[:_LONGEST] if len(best.strip()) >= SHORTEST else None


def _score(run: str) -> float:
    """Length, and more for characters that ordinary words lack."""
    text = run[:_LONGEST].strip()
    return len(text) + 0.5 * sum(not (c.islower() or c == " ") for c in text)


def _template_runs(text: str) -> list[str]:
    """The texts between holes, cut where the template has a run of blanks (which matches any run)."""
    runs: list[str] = []
    for part in parse_template(text):
        if isinstance(part, str):
            runs += re.split(r"[ \t]{2,}", part)
    return runs


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
