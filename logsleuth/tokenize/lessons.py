"""What does one line of frequent events tell for series? Lines like it then need not be looked at one by one."""

import re

from logsleuth.language.syntax import Event
from logsleuth.tokenize.dictionary import Dictionary
from logsleuth.tokenize.glue import splits
from logsleuth.tokenize.learned import Told
from logsleuth.tokenize.patterns import LinePattern
from logsleuth.tokenize.view import Line


def lesson(dictionary: Dictionary, line: Line, literals: tuple[int, ...]) -> tuple[list[Told], frozenset[int]]:
    """What a line tells for series, and its literals that say nothing, where it is no event but of these."""
    candidates = dictionary.candidates(literals)
    others = any(entry.pattern.match_framed(line) for entry in candidates.lines if not entry.event.frequent)
    others = others or any(entry.block.opener.match_framed(line) for entry in candidates.blocks)
    is_plain = not others and not splits(line.text, line.frame.start)
    quiet = frozenset(literals) - dictionary.frequent if is_plain else frozenset()
    return told_by(dictionary, line, literals), quiet


def told_by(dictionary: Dictionary, line: Line, literals: tuple[int, ...]) -> list[Told]:
    """What a line of frequent events tells for series; several wordings may tell it one by one."""
    matched: dict[str, tuple[Event, list[tuple[LinePattern, re.Match[bytes]]]]] = {}
    told: set[tuple[str, str]] = set()
    for event, pattern, fields in dictionary.feeding(literals):
        if not told.issuperset(fields) and (match := pattern.match_framed(line)):
            matched.setdefault(event.name, (event, []))[1].append((pattern, match))
            told |= fields
    return [Told(event, tuple(matches)) for event, matches in matched.values()]
