"""Where unfolded text stands in the source."""

from collections.abc import Iterable
from typing import NamedTuple

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts.rows import chunk_of


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

    def place(self) -> tuple[int, int, bytes]:
        """See ``Placed.place``."""
        return self.line.offset + self.at, self.line.number, self.cited


def unfolded_chunk(lines: Iterable[Unfolded]) -> Chunk | None:
    """The lines as a chunk of the text that the tokenizer reads; None where there are none.

    They are in the order of the source: none begins in front of the one before it.
    """
    taken = list(lines)
    return chunk_of(taken) if taken else None
