"""Lines that nearly are an event: they hold text of one of its wordings, but do not match it.

Asked for only where somebody wonders why an event was not seen, so logs are read once more for it, up to a bound.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from logsleuth.ingest.chunks import Chunk
from logsleuth.ingest.open import in_reading_order, is_read_again
from logsleuth.language.literals import literals_of
from logsleuth.language.syntax import Event, Wording
from logsleuth.language.template import parse_template
from logsleuth.layouts.whole import LogReader
from logsleuth.model.analysis import Evidence
from logsleuth.model.origin import Log, Source
from logsleuth.model.trace import NearLine
from logsleuth.tokenize.framing import is_labelled
from logsleuth.tokenize.patterns import LinePattern
from logsleuth.tokenize.view import Line, View, readable
from logsleuth.tokenize.wording_fit import fit, told

MOST = 2
"""Lines that are told of each event."""
_MOST_BYTES = 64 << 20
"""Bytes of each log that are looked at."""
_MOST_HITS = 64
"""Lines of a log that are tried for each text of a wording."""
_SHORTEST = 4
"""Letters of a word of a wording that is worth looking for, beside its most telling text."""
_WORDS = 4
_LEAST_FIT = 4
"""Characters by which a line that holds only a word must begin like the wording."""
_word = re.compile(r"[^\W\d_]+").findall
_SHOWN = 60
"""Characters that are shown of what a line says where it stops fitting."""
_SAMPLE = 8 << 10


class _Candidate(NamedTuple):
    fit: int
    """Characters of the line that follow the wording."""
    near: NearLine


class _Wanted:
    """One wording of an event, and the lines that hold text of it."""

    def __init__(self, event: Event, wording: Wording, is_in_block: bool) -> None:
        self.event, self.wording, self._is_in_block = event.name, wording, is_in_block
        self.pattern = LinePattern(wording)
        self.main = frozenset(literal.encode() for literal in literals_of(wording))
        parts = () if wording.is_regex else parse_template(wording.text)
        words = dict.fromkeys(word for part in parts if isinstance(part, str) for word in _word(part))
        longest = sorted((word for word in words if len(word) >= _SHORTEST), key=len, reverse=True)[:_WORDS]
        self.texts = tuple(dict.fromkeys((*sorted(self.main), *(word.encode() for word in longest))))
        self._parts = parts

    def near(self, line: Line, held: bytes) -> tuple[int, str, str, str] | None:
        """How much of the line follows the wording, the part of the wording that it follows, how that goes on, and how
        the line does; None for a line that is no nearer than others."""
        if self.pattern.match_framed(line):
            rest = "the other lines of the block" if self._is_in_block else ""
            return len(line.text), self.wording.text, rest, ""
        if self.wording.is_regex:
            return (0, "", f"`{self.wording.text}`", _start(line)) if held in self.main else None
        found = fit(self._parts, line)
        if found.fixed < _LEAST_FIT and held not in self.main:
            return None
        shown = readable(line.text[found.end : found.end + 4 * _SHOWN])[:_SHOWN]
        return found.end - found.start, told(found.followed), told(found.rest), shown


def near_lines(
    events: Sequence[Event], sources: Sequence[Source], logs: Sequence[Log]
) -> dict[str, tuple[NearLine, ...]]:
    """For each event the lines that come nearest to it; what cannot be read again, as a pipe, is passed over."""
    wanted = [_Wanted(event, wording, is_in_block) for event in events for wording, is_in_block in _wordings(event)]
    found: dict[str, list[_Candidate]] = {}
    if wanted:
        for place in in_reading_order(sources):
            source = sources[place]
            if all(map(is_read_again, source.files)):
                for name, candidate in _of_source(source, logs[place], wanted):
                    found.setdefault(name, []).append(candidate)
    return {name: tuple(_best(candidates)) for name, candidates in found.items()}


def _wordings(event: Event) -> Iterator[tuple[Wording, bool]]:
    yield from ((wording, False) for wording in event.wordings)
    for block in event.blocks:
        # A line in the middle of a block says nothing where the first is not there.
        yield from ((item.wording, True) for item in block.items[:1] if item.wording is not None)


def _best(candidates: list[_Candidate]) -> Iterator[NearLine]:
    known: set[tuple[str, str, str]] = set()
    for candidate in sorted(candidates, key=lambda one: (-one.fit, one.near.line.source, one.near.line.line)):
        near = candidate.near
        if len(known) < MOST and (near.wording, near.fits, near.found) not in known:
            known.add((near.wording, near.fits, near.found))
            yield near


def _of_source(source: Source, log: Log, wanted: Sequence[_Wanted]) -> Iterator[tuple[str, _Candidate]]:
    labelled: bool | None = None
    read = 0
    hits = dict.fromkeys(((number, text) for number, one in enumerate(wanted) for text in one.texts), 0)
    for chunk in LogReader(source):
        labelled = is_labelled(chunk.data[:_SAMPLE]) if labelled is None else labelled
        yield from _of_chunk(chunk, labelled, log, wanted, hits)
        read += len(chunk.data)
        if read >= _MOST_BYTES:
            return


def _of_chunk(
    chunk: Chunk, labelled: bool, log: Log, wanted: Sequence[_Wanted], hits: dict[tuple[int, bytes], int]
) -> Iterator[tuple[str, _Candidate]]:
    view = View(chunk, labelled)
    for number, text in hits:
        one = wanted[number]
        at = view.text.find(text)
        while at >= 0 and hits[number, text] < _MOST_HITS:
            hits[number, text] += 1
            start = view.start(at)
            end = view.end(start)
            line = view.line(start, end)
            if near := one.near(line, text):
                length, fits, asked, shown = near
                tag = line.frame.tag
                evidence = Evidence(*log.place(line.number, line.offset), tag.rank, tag.host, None, line.evidence())
                yield one.event, _Candidate(length, NearLine(evidence, one.wording.text, fits, asked, shown))
            at = view.text.find(text, end)


def _start(line: Line) -> str:
    return readable(line.text[line.frame.start : line.frame.start + 4 * _SHOWN])[:_SHOWN]
