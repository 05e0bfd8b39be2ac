"""Where unfolded text stands in the source."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from logsleuth.ingest.chunks import Chunk, Folds


class Physical(NamedTuple):
    """A line of a source as it stands."""

    text: bytes
    """Without its newline."""
    offset: int
    """Bytes from the start of the source."""
    number: int
    """1-based."""


class Unfolded(NamedTuple):
    """A line that a layout made of what stands in a source."""

    text: bytes
    """Without a newline, and with none inside."""
    line: Physical
    """The line in which it begins."""
    at: int = 0
    """Where in that line."""
    end: int | None = None
    """Where in that line it ends; None for the end of the line."""

    @property
    def cited(self) -> bytes:
        """What stands there."""
        return self.line.text[self.at : self.end]


class LineFolds(Folds):
    """The way back from lines of unfolded text to the source."""

    __slots__ = ("_lines", "_starts")

    def __init__(self, lines: list[Unfolded]) -> None:
        self._lines = lines
        starts = array("Q")
        at = 0
        for line in lines:
            starts.append(at)
            at += len(line.text) + 1
        self._starts = starts

    def offset(self, at: int) -> int:
        place = bisect_right(self._starts, at) - 1
        line = self._lines[place]
        behind = at - self._starts[place]
        # What is inside a line lies somewhere behind its start; the last byte of a line is its newline.
        length = len(line.cited)
        return line.line.offset + line.at + min(behind, length)

    def number(self, at: int) -> int:
        return self._lines[bisect_right(self._starts, at) - 1].line.number

    def cited(self, at: int) -> bytes:
        return self._lines[bisect_right(self._starts, at) - 1].cited


def unfolded_chunk(lines: Iterable[Unfolded]) -> Chunk | None:
    """The lines as a chunk of the text that the tokenizer reads; None where there are none.

    They are in the order of the source: none begins in front of the one before it.
    """
    taken = list(lines)
    if not taken:
        return None
    first = taken[0]
    text = b"\n".join(line.text for line in taken) + b"\n"
    return Chunk(text, first.line.offset + first.at, first.line.number, False, LineFolds(taken))
