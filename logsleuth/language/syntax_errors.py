"""What is said where a text leaves the grammar: what stands there, what could, and what was probably meant."""

import re
from typing import NamedTuple

from logsleuth.language.habits import meant
from logsleuth.model.analysis import Confidence, Severity

CLAUSES_OF = {
    "event": "an event",
    "wordings": "more wordings",
    "rule": "a rule",
    "test": "a test",
    "adjust": "an adjustment",
}
"""The declarations that are made of clauses."""
_MOST = 7
"""Of so many things that could stand somewhere all are told; of more, the first ones."""

_FEW = 3

_GROUPS = (
    ({"NAME", "NUMBER", "STRING", "DOTTED", "seen", "every", "not"}, "a condition",
     {"NAME", "NUMBER", "STRING", "LONG", "DOTTED", "seen", "silent", "every", "some", "no", "most", "exactly", "all",
      "at", "not", "true", "false", "-", "("}),
    ({"NAME", "NUMBER", "STRING"}, "a value",
     {"NAME", "NUMBER", "STRING", "LONG", "DOTTED", "seen", "silent", "true", "false", "-", "("}),
    ({"NUMBER", "STRING"}, "a value", {"NUMBER", "STRING", "LONG", "true", "false", "-", "DOTTED"}),
    ({"STRING", "LONG"}, 'a text in "..."', {"STRING", "LONG"}),
    ({"COMPARATOR", "in"}, "a comparison (==, !=, <, >, in, contains, matches ...)",
     {"COMPARATOR", "in", "not", "contains", "starts", "matches", "is", "of", "within", "(", "["}),
    ({"ranks", "rank", "hosts", "host"}, "`ranks` or `hosts`", {"ranks", "rank", "hosts", "host"}),
    ({"+", "*"}, "", {"+", "-", "*", "/"}),
)  # fmt: skip
"""Where all of the first can stand, what is said instead of all of the last."""
_SAID = {
    "DOTTED": "a dotted name (area.name)", "NAME": "a name", "STRING": 'a text in "..."', "LONG": 'a text in """..."""',
    "NUMBER": "a number", "CAUSE": "a cause", "HOST": "a host name", "REGEX": "a regular expression in `...`",
    "COMPARATOR": "a comparison", "LATER": "in later attempts",
}  # fmt: skip
_WORDS_OF = {
    "severity": ", ".join(level.value for level in Severity),
    "confidence": ", ".join(level.value for level in Confidence),
    "role": "symptom",
    "each": "`rank`, `host`, `pg` or `comm`",
}
"""What may stand behind words that take one of a few."""
_WORD = re.compile(r"'[^'\n]*'|[“”„‟«»‘’‚][^\n“”„‟«»‘’‚]*[“”„‟«»‘’‚]|\w[\w.-]*|[&|!=<>~+*/?:;,^%$@-]+|.", re.DOTALL)


class Surroundings(NamedTuple):
    """What stands around a fault."""

    kind: str
    """Of the declaration: ``event``."""
    clauses: frozenset[str]
    """The words that start a clause of it."""
    other_clauses: dict[str, str]
    """The words that start clauses of other declarations, and of which (``an event``)."""
    after: str
    """The text behind the fault."""


class Said(NamedTuple):
    found: str
    text: str
    remedy: str


def describe(
    text: str, at: int, found: str, expected: frozenset[str], before: tuple[str, ...], around: Surroundings
) -> Said:
    """What to say of a fault (``logsleuth.language.faults``) in the text of a declaration."""
    if not found and at < len(text):
        match = _WORD.match(text, at)
        found = match[0] if match else text[at]
    between = bool(around.clauses) and around.clauses <= expected
    starts_clause = between and before[-1:] == ("{",)
    remedy = "" if between else meant(found, expected, before, around.after)
    if between and found in around.other_clauses and found not in around.clauses:
        remedy = f"`{found}` is a clause of {around.other_clauses[found]}."
    remedy = remedy or meant(found, expected, before, around.after)
    if starts_clause and found.isidentifier():
        remedy = remedy or f"It has {', '.join(sorted(around.clauses))}."
        return Said(found, f"'{found}' starts no clause of {CLAUSES_OF[around.kind]}", remedy)
    phrases = [_WORDS_OF[before[-1]]] if expected == {"NAME"} and before[-1] in _WORDS_OF else []
    phrases = phrases or _phrases(expected - around.clauses - {"}"} if between else expected)
    if between:
        phrases.append("a clause" if starts_clause else "the next clause")
    expectation = f"expected {_either(phrases)}" if phrases else ""
    if not found:
        return Said("", f"something is missing here; {expectation}", remedy)
    what = f"{_quoted(found)} was not expected here"
    # Whoever is told what to write need not know all that could be written.
    brief = not expectation or (remedy and len(phrases) > _FEW)
    return Said(found, what if brief else f"{what}; {expectation}", remedy)


def _phrases(expected: frozenset[str]) -> list[str]:
    """What could stand there, in words, the most telling first."""
    left = {word for word in expected if not word.startswith("$")}
    phrases = []
    for all_of, phrase, covered in _GROUPS:
        if all_of <= left:
            left -= covered
            phrases += [phrase] if phrase else []
    terminals = sorted(word for word in left if word.isupper())
    words = sorted(word for word in left if word.isidentifier() and not word.isupper())
    signs = sorted(word for word in left if not word.isidentifier())
    names = [_SAID.get(name, name.lower()) for name in terminals]
    end = ["the end of the declaration"] if any(word.startswith("$") for word in expected) else []
    return [*phrases, *names, *(f"`{word}`" for word in words + signs), *end]


def _either(phrases: list[str]) -> str:
    if len(phrases) > _MOST:
        return ", ".join(phrases[:_MOST]) + " ..."
    return f"{', '.join(phrases[:-1])} or {phrases[-1]}" if len(phrases) > 1 else phrases[0]


def _quoted(found: str) -> str:
    return f"'{_shorten(found.strip(chr(39)) or found)}'"


def _shorten(text: str) -> str:
    line = text.split("\n")[0]
    return line if len(line) <= 40 else line[:37] + "..."
