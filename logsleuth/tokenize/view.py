"""A chunk as lines: framed, numbered, with their offsets in the source as it stands."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, count, repeat
from operator import add, itemgetter
from typing import NamedTuple

from logsleuth.ingest.chunks import Chunk
from logsleuth.model.origin import Frame, Tag
from logsleuth.tokenize import ansi
from logsleuth.tokenize.framing import frame

LONGEST_TEXT = 2_000
"""Characters of a line that are kept as evidence."""

_COUNTED = 8 << 10
"""Bytes between two places whose line number is remembered."""
_NEAR = 256
"""Bytes that are counted again rather than remembered."""

_SILENT = (b"\0", b"\f", b"\v", b"\xef", b"\b")
_silence = re.compile(rb"(?:[\0\f\v\b]++|\xef\xbb\xbf)++").match
"""What may stand in front of a line and says nothing: holes of truncated logs, page breaks, byte order marks of files
that were joined."""

_CONTROL = {code: None for code in (*range(32), *range(127, 160)) if chr(code) != "\t"}


class Line(NamedTuple):
    """One logical line of a source (the end of a line is a newline or a lone carriage return)."""

    text: bytes
    offset: int
    """Bytes from the start of the source."""
    number: int
    """1-based number of the physical line."""
    frame: Frame
    cited: bytes | None = None
    """What stands in the source, where ``text`` was unfolded from a record; else None."""

    def of(self, tag: Tag) -> "Line":
        """The line as one of this writer."""
        return self._replace(frame=self.frame._replace(tag=tag))

    def evidence(self) -> str:
        """The line as it stands in the source, readable."""
        return readable(self.text if self.cited is None else self.cited)


class View:
    """The text of a chunk without colours, and its lines."""

    def __init__(self, chunk: Chunk, labelled: int) -> None:
        self.text, self._offsets = ansi.strip(chunk.data)
        self._chunk, self.labelled = chunk, labelled
        self._counted = [(0, chunk.line)]
        """Offsets whose line number is known, ascending: a line's number is counted from the nearest in front of it."""
        self._followed: dict[int, tuple[Line, int]] = {}

    @cached_property
    def characters(self) -> str:
        """``text`` with a character for every byte."""
        return self.text.decode("latin-1")

    @property
    def newlines(self) -> int:
        """How many lines end in the text of the chunk."""
        if self._chunk.folds is not None:
            return self.text.count(b"\n")
        text, counted = self.text, self._counted
        at, number = counted[-1]
        while len(text) - at > _COUNTED:
            # Marks on the way, for lines that are looked at later: numbering them must not count all of it again.
            number += text.count(b"\n", at, at + _COUNTED)
            at += _COUNTED
            counted.append((at, number))
        return number - self._chunk.line + text.count(b"\n", at)

    def line(self, start: int, end: int) -> Line:
        """The line that takes up this part of ``text``."""
        text = self.text[start:end]
        if text[:1] in _SILENT and (silent := _silence(text)):
            start += silent.end()
            text = text[silent.end() :]
        return Line(text, self.offset(start), self.number(start), frame(text, self.labelled), self._cited(start))

    def following(self, start: int) -> tuple[Line, int]:
        """The line that starts here, and where it ends; remembered, because several blocks may go on over it."""
        known = self._followed.get(start)
        if known is None:
            end = self.end(start)
            known = self._followed[start] = self.line(start, end), end
        return known

    def row(self, start: int, end: int, label: int) -> Line:
        """The line that takes up this part of ``text``, of which only the label, so many bytes, is framing."""
        told = frame(self.text[start : start + label] + b"x", self.labelled)
        framed = Frame(label, label, told.tag, told.stamp, told.level, None, None)
        return Line(self.text[start:end], self.offset(start), self.number(start), framed, self._cited(start))

    def evidence(self, start: int, end: int) -> str:
        """This part of ``text`` as it stands in the source, readable."""
        cited = self._cited(start)
        return readable(self.text[start:end] if cited is None else cited)

    def _cited(self, start: int) -> bytes | None:
        folds = self._chunk.folds
        return None if folds is None else folds.cited(self._offsets.raw(start))

    def start(self, at: int) -> int:
        """Where the line begins that this byte stands in."""
        line = self.text.rfind(b"\n", 0, at) + 1
        return max(line, self.text.rfind(b"\r", line, at) + 1)

    def end(self, start: int) -> int:
        """Where the line that starts here ends, its terminator left out."""
        newline = self.text.find(b"\n", start)
        newline = len(self.text) if newline < 0 else newline
        carriage = self.text.find(b"\r", start, newline)
        return newline if carriage < 0 else carriage

    def behind(self, end: int) -> int:
        """Where the line begins that follows the one that ends here."""
        return end + 2 if self.text[end : end + 2] == b"\r\n" else end + 1

    def next_line_with(self, prefix: bytes, start: int) -> int:
        """Where the next line begins that starts with these bytes, from the line start given on; else the end."""
        if self.text.startswith(prefix, start):
            return start
        found = self.text.find(b"\n" + prefix, start)
        return len(self.text) if found < 0 else found + 1

    def offset(self, start: int) -> int:
        """Where in the source this byte of the text stands."""
        folds = self._chunk.folds
        raw = self._offsets.raw(start)
        return self._chunk.offset + raw if folds is None else folds.offset(raw)

    def offsets(self, starts: Sequence[int]) -> list[int]:
        """The same of many bytes."""
        if self._chunk.folds is not None:
            return list(map(self.offset, starts))
        return list(map(add, map(self._offsets.raw, starts), repeat(self._chunk.offset)))

    def first_behind(self, offset: int) -> int:
        """Where in the text the first line begins at this offset of the source or behind it; else the end."""
        low, high = 0, len(self.text)
        guess = offset - self._chunk.offset
        if guess >= high and self.offset(high) < offset:
            return high
        while low < high:
            middle = (low + high) // 2
            if self.offset(middle) < offset:
                low = middle + 1
            else:
                high = middle
        return (
            low if low == 0 or self.text[low - 1 : low] == b"\n" else (self.text.find(b"\n", low) + 1 or len(self.text))
        )

    def number(self, start: int) -> int:
        """The number of the line that this byte of the text stands in."""
        if self._chunk.folds is not None:
            return self._chunk.folds.number(self._offsets.raw(start))
        counted = self._counted
        place = len(counted) if counted[-1][0] <= start else bisect_right(counted, start, key=itemgetter(0))
        at, number = counted[place - 1]
        if start > at:
            number += self.text.count(b"\n", at, start)
            if start - at > _NEAR:
                counted.insert(place, (start, number))
        return number

    def numbers(self, starts: Sequence[int]) -> list[int]:
        """The same of many bytes."""
        if self._chunk.folds is not None:
            return list(map(self.number, starts))
        before = map(bisect_left, repeat(self._feeds), starts)
        return list(map(add, before, repeat(self._chunk.line)))

    @cached_property
    def _feeds(self) -> list[int]:
        """Where the line feeds stand."""
        return list(map(add, accumulate(map(len, self.text.split(b"\n"))), count()))


def readable(text: bytes) -> str:
    """A line as evidence: decoded, without control characters, cut."""
    line = text[: LONGEST_TEXT * 4].decode("utf-8", "replace")
    return (line if line.isprintable() else line.translate(_CONTROL))[:LONGEST_TEXT].rstrip()
