"""The literal texts of which a line must hold one if a wording is to match it: what the scanner searches for.

A rule author never writes these; they are derived. A single blank of a template matches a single blank only, so that
literals may hold blanks: the scanner and the pattern must agree on every line (docs/architecture.md says why).
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from math import log2

from logsleuth.language.syntax import Event, Wording
from logsleuth.language.template import parse_template

SHORTEST = 4
"""A literal below this many characters hits too many lines to be worth searching for."""
_LONGEST = 48
_ORDINARY = frozenset(
    (
        "failed", "failure", "error", "errors", "exception", "timeout", "timed", "out", "warning", "warn", "info",
        "debug", "rank", "local", "node", "host", "process", "worker", "unable", "cannot", "could", "not",
        "connect", "connection", "connected", "address", "retry", "retrying", "signal", "killed", "exit", "code",
        "loss", "step", "epoch", "iteration", "memory", "cuda", "gpu", "device", "channel", "using", "version",
        "train", "training", "batch", "model", "file", "the", "for", "with", "from", "this", "that", "has", "was",
        "net", "ib", "nccl",
    )
)  # fmt: skip
"""What logs of jobs that run well are full of: a literal is none the rarer for such words."""
_word = re.compile(r"[A-Za-z]+").findall


def literals_of(wording: Wording) -> tuple[str, ...]:
    """The rarest set of literals of which a line that the wording matches holds at least one; none at all where no set
    has ``SHORTEST`` characters in each of its literals."""
    return wording.literals or _literals(wording.text, wording.is_regex)


def with_literals(event: Event) -> Event:
    """The event with the literals of its wordings worked out, which is too dear for every start."""
    blocks = (
        replace(
            block, items=tuple(i if i.wording is None else replace(i, wording=_with(i.wording)) for i in block.items)
        )
        for block in event.blocks
    )
    return replace(event, wordings=tuple(map(_with, event.wordings)), blocks=tuple(blocks))


def _with(wording: Wording) -> Wording:
    return replace(wording, literals=literals_of(wording))


@cache
def _literals(text: str, is_regex: bool) -> tuple[str, ...]:
    return tuple(sorted(_best(_regex_sets(text) if is_regex else [{run} for run in _template_runs(text)])))


def _best(sets: list[set[str]]) -> set[str]:
    """The set to search for; empty where none will do."""
    return max(_usable(sets), key=_rarity, default=set())


def _usable(sets: Iterable[set[str]]) -> list[set[str]]:
    """Those in which every text can be searched for, cut to the length that is searched for; a line that holds a text
    holds what is part of it."""
    cut = [{text[:_LONGEST] for text in texts} for texts in sets]
    cut = [{text for text in texts if not any(o != text and o in text for o in texts)} for texts in cut]
    return [texts for texts in cut if all(len(text.strip()) >= SHORTEST for text in texts)]


def _rarity(texts: set[str]) -> tuple[float, list[str]]:
    """The rarity of the commonest of a set, less for every further one; equals are told apart by their texts."""
    return min(map(_score, texts)) - log2(len(texts)), sorted(texts)


def _score(literal: str) -> float:
    """Length, and more for characters that ordinary words lack; a word that every log holds counts as a character."""
    text = literal.strip()
    ordinary = sum(len(word) - 1 for word in _word(text) if word.lower() in _ORDINARY)
    return len(text) + 0.5 * sum(not (c.islower() or c == " ") for c in text) - ordinary


def _template_runs(text: str) -> list[str]:
    """The texts between holes, cut where the template has a run of blanks (which matches any run)."""
    runs: list[str] = []
    for part in parse_template(text):
        if isinstance(part, str):
            runs += re.split(r"[ \t]{2,}", part)
    return runs


def _regex_sets(pattern: str) -> list[set[str]]:
    from logsleuth.language.regex_texts import texts_of  # Only where rules are compiled.
    from logsleuth.language.regex_tree import tree_of

    return texts_of(tree_of(pattern.encode()), _best)
