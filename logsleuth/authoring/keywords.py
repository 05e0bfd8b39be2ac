"""The words of the rule language by what they are for, read from its grammar."""

import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from logsleuth.language.functions import FUNCTIONS
from logsleuth.language.template import TYPES

_WORDS = re.compile(r"[a-z_]+(?:\\s\+[a-z_]+)*")
"""A terminal that is a word, or several in a row."""
_CONSTANTS = frozenset(("true", "false"))


class Keywords(NamedTuple):
    declarations: frozenset[str]
    """What begins a declaration."""
    clauses: frozenset[str]
    """What begins a clause between braces."""
    quantifiers: frozenset[str]
    constants: frozenset[str]
    connectives: frozenset[str]
    """All other words of the grammar."""
    functions: frozenset[str]
    types: frozenset[str]
    digits: str
    """The regular expression of a number without its unit."""
    units: str
    """That of the unit, which may be missing."""

    def words(self) -> frozenset[str]:
        """All words of the grammar."""
        return self.declarations | self.clauses | self.quantifiers | self.constants | self.connectives


@cache
def keywords() -> Keywords:
    """The words of the grammar as it is."""
    from logsleuth.language.parse import grammar

    patterns = {terminal.name: str(terminal.pattern.value) for terminal in grammar().terminals}
    words = {name: pattern.split(r"\s+") for name, pattern in patterns.items() if _WORDS.fullmatch(pattern)}
    rules: dict[str, list[list[str]]] = {}
    for rule in grammar().rules:
        rules.setdefault(rule.origin.name, []).append([symbol.name for symbol in rule.expansion])
    declarations = {word for name in _first("declaration", rules) for word in words.get(name, [])[:1]}
    clauses = {word for name in _openings(rules) for word in words.get(name, [])[:1]}
    quantifiers = {word for name in _first("quantifier", rules) for word in words.get(name, [])[:1]}
    told = declarations | clauses | quantifiers | _CONSTANTS
    rest = {word for several in words.values() for word in several} - told
    digits, units = patterns["NUMBER"].split("(?:[ \t]?", 1)
    return Keywords(
        frozenset(declarations),
        frozenset(clauses),
        frozenset(quantifiers),
        _CONSTANTS,
        frozenset(rest),
        frozenset(FUNCTIONS),
        TYPES,
        digits,
        "(?:[ \t]?" + units,
    )


def _first(symbol: str, rules: dict[str, list[list[str]]]) -> set[str]:
    """The terminals that can come first in what a symbol of the grammar stands for."""
    seen: set[str] = set()
    todo = [symbol]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += [expansion[0] for expansion in rules.get(name, []) if expansion]
    return seen - set(rules)


def _openings(rules: dict[str, list[list[str]]]) -> set[str]:
    """The terminals that can come first between braces, beside those that continue what came first."""
    found: set[str] = set()
    for expansions in rules.values():
        for expansion in expansions:
            for brace, inner in pairwise(expansion):
                if brace == "LBRACE" and inner in rules:
                    found |= _first(inner, rules)
    return found
