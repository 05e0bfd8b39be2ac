"""Lines that records hold, and the way back from them to the source, worked out only for those that are asked for."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

from logsleuth.ingest.chunks import Chunk, Folds
from logsleuth.model.origin import Turned


class Placed(Protocol):
    """A line that was made of what stands in a source."""

    @property
    def text(self) -> bytes:
        """Without a newline, and with none inside."""

    def place(self) -> tuple[int, int, bytes]:
        """Where in the source it begins, the number of the line there, and what stands there."""


class Row(Placed, Protocol):
    """A line of a record."""

    @property
    def leads(self) -> bool:
        """Whether it is the first of its record."""

    @property
    def begins(self) -> int:
        """Where in the source its record begins, or this line of it; costs nothing, unlike its place."""


class PlainRow:
    """A line that stands for itself, or for a part of a line."""

    __slots__ = ("_cited", "_number", "_offset", "leads", "text")

    def __init__(
        self, text: bytes, offset: int, number: int, cited: bytes | None = None, *, leads: bool = True
    ) -> None:
        self.text, self._offset, self._number, self.leads = text, offset, number, leads
        self._cited = text if cited is None else cited

    @property
    def begins(self) -> int:
        return self._offset

    def place(self) -> tuple[int, int, bytes]:
        return self._offset, self._number, self._cited


class RowFolds(Folds):
    """The way back from the lines of a chunk."""

    __slots__ = ("_rows", "_starts", "turned")

    def __init__(self, rows: Sequence[Placed], turned: Turned | None = None) -> None:
        self._rows, self.turned = rows, turned
        self._starts: array[int] = array("Q")

    def offset(self, at: int) -> int:
        (offset, _, cited), behind = self._place(at)
        return offset + min(behind, len(cited))

    def number(self, at: int) -> int:
        return self._place(at)[0][1]

    def cited(self, at: int) -> bytes:
        return self._place(at)[0][2]

    def _place(self, at: int) -> tuple[tuple[int, int, bytes], int]:
        """The place of the line in which a byte stands, and how many bytes of the line are in front of it."""
        if not self._starts:
            start = 0
            for row in self._rows:
                self._starts.append(start)
                start += len(row.text) + 1
        place = bisect_right(self._starts, at) - 1
        return self._rows[place].place(), at - self._starts[place]


def chunk_of(rows: Sequence[Placed], turned: Turned | None = None) -> Chunk:
    """The lines, of which there is at least one, as a chunk; none begins in front of the one before it.

    ``turned`` tells where they stand, where they count as standing elsewhere.
    """
    offset, number, _ = rows[0].place()
    return Chunk(b"\n".join([row.text for row in rows]) + b"\n", offset, number, False, RowFolds(rows, turned))
