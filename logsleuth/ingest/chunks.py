"""A stream of bytes in pieces that end where lines end."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import cache
from itertools import chain
from typing import NamedTuple, Protocol

from logsleuth.ingest.encoding import SNIFFED, as_utf8, utf16_codec
from logsleuth.ingest.layers import BLOCK
from logsleuth.model.analysis import Problem
from logsleuth.model.origin import ByteStream

CHUNK_SIZE = 1 << 20
LINE_LIMIT = 16 << 20
_ALLOCATOR_HINT = 8 << 20
"""glibc gives freed blocks back to the kernel, page by page to be got again, if they are larger than any that was freed
before (and than 128 KiB). A block of this size, freed once and never touched, makes it keep those of all chunks, which
doubles the speed of reading."""


class Folds(Protocol):
    """The way back from text that a layout made of a source to what stands there; see ``logsleuth.layouts``."""

    keeps_lines: bool = False
    """Whether every line of a chunk of the source became one."""

    def offset(self, at: int) -> int:
        """Where in the source the text begins whose byte is at this place; it never falls as the place rises."""

    def number(self, at: int) -> int:
        """1-based number of the physical line in which it stands."""

    def cited(self, at: int) -> bytes:
        """What stands there in place of the whole line of this byte."""


class Chunk(NamedTuple):
    """Whole lines of a source, or a piece of a line that is longer than the limit.

    ``data`` is never empty and ends with a newline, but in the last chunk of a source and before a torn one.
    """

    data: bytes
    offset: int
    """Of the first byte in the decompressed source."""
    line: int
    """1-based number of the line that ``data`` starts in."""
    torn: bool
    """True where ``data`` starts inside a line."""
    folds: Folds | None = None
    """Where ``data`` is not the text of the source as it stands; ``offset`` and ``line`` are those of the source."""


class Reader:
    """The chunks of one source, once, from first to last, and what was wrong with them.

    Takes a stream that is still to be opened (``open_source(source)``) and closes it when the chunks end. Nothing that
    is wrong with the input raises: the chunks end there, and ``problems`` says so. Memory is that of a few chunks, or
    of a few of the longest lines up to the limit.
    """

    def __init__(
        self, stream: AbstractContextManager[ByteStream], *, size: int = CHUNK_SIZE, line_limit: int = LINE_LIMIT
    ) -> None:
        """Chunks hold up to ``size`` bytes, or one longer line; a line is cut after every ``line_limit`` bytes.

        Both are at least 1. A size above the limit is lowered to it: where lines are cut must not depend on the size.
        """
        self._stream = stream
        self._size = min(size, line_limit)
        self._line_limit = line_limit
        self.problems: list[Problem] = []
        """Complete after the last chunk, as are the two counts."""
        self.bytes = 0
        """Decompressed, and converted to UTF-8 where the source is UTF-16."""
        self.lines = 0
        self.encoding = ""
        """``utf-16-le`` or ``utf-16-be`` where the source was converted."""
        self.told: int | None = None
        """The newlines of the last chunk, where whoever took it has counted them: then they need not be counted again,
        which is a quarter of all work on a log of no interest."""

    def __iter__(self) -> Iterator[Chunk]:
        _hint()
        chunk = None
        for chunk in cut(self._decoded(self._blocks()), self._size, self._line_limit, self._count):
            yield chunk
        if chunk:
            self.bytes = chunk.offset + len(chunk.data)
            self.lines = chunk.line + chunk.data.count(b"\n", 0, -1)

    def _count(self, data: bytes) -> int:
        told, self.told = self.told, None
        return newlines(data) if told is None else told

    def _blocks(self) -> Iterator[bytes]:
        """The stream as it comes, up to its end or its first error."""
        received = 0
        try:
            with self._stream as stream:
                while block := stream.read1(BLOCK):
                    received += len(block)
                    yield block
        except OSError as error:
            self.problems.append(_unreadable(error, received))

    def _decoded(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """The same bytes, or their UTF-8 spelling where they are UTF-16."""
        head = b""
        for block in blocks:
            head += block
            if len(head) >= SNIFFED:
                break
        blocks = chain([head], blocks)
        codec = utf16_codec(head)
        if not codec:
            return blocks
        self.encoding = codec
        self.problems.append(
            Problem("The text is UTF-16. It was read as UTF-8, so that byte offsets refer to the converted text.")
        )
        return as_utf8(blocks, codec)


@cache
def _hint() -> None:
    """Once for a process: a second block would come from what the first one left, and be cleared byte by byte."""
    bytes(_ALLOCATOR_HINT)


def newlines(data: bytes) -> int:
    """How many lines end in the data."""
    return data.count(b"\n")


def cut(
    blocks: Iterable[bytes], size: int, line_limit: int, count: Callable[[bytes], int] = newlines
) -> Iterator[Chunk]:
    """Blocks of any sizes as chunks (see ``Reader``), in time that is linear in their bytes.

    ``count`` is asked for the newlines of a chunk when the next one is wanted.
    """
    offset, line, torn = 0, 1, False
    for data in _pieces(iter(blocks), size, line_limit):
        yield Chunk(data, offset, line, torn)
        offset += len(data)
        line += count(data)
        torn = not data.endswith(b"\n")


def _pieces(blocks: Iterator[bytes], size: int, line_limit: int) -> Iterator[bytes]:
    data, wanted, more = b"", size, True
    while more:
        data, more = _filled_up(data, blocks, wanted)
        start = 0
        while end := _next_cut(data, start, size, line_limit, more):
            yield data[start:end]
            start = end
        data = data[start:]
        # What is left without a newline is searched again only when it has doubled, which keeps the work linear.
        wanted = size if len(data) < size else min(2 * len(data), line_limit)


def _filled_up(data: bytes, blocks: Iterator[bytes], wanted: int) -> tuple[bytes, bool]:
    """The data with as many blocks behind it as it takes to have ``wanted`` bytes; and False where the blocks end."""
    held, length = [data], len(data)
    for block in blocks:
        held.append(block)
        length += len(block)
        if length >= wanted:
            return b"".join(held), True
    return b"".join(held), False


def _next_cut(data: bytes, start: int, size: int, line_limit: int, more: bool) -> int:
    """Where the piece that begins at ``start`` ends; 0 where that takes more data, or where no data is left."""
    left = len(data) - start
    if left < size and more:
        return 0
    if left <= size and not more:
        return len(data) if left else 0
    if end := data.rfind(b"\n", start, start + size) + 1:
        return end
    if end := data.find(b"\n", start + size, start + line_limit) + 1:
        return end
    if left >= line_limit:
        return start + line_limit
    return 0 if more else len(data)


def _unreadable(error: OSError, received: int) -> Problem:
    why = error.strerror or str(error) or type(error).__name__
    if not received:
        return Problem(f"Nothing could be read: {why}.", fatal=True)
    return Problem(f"Reading stopped after {received:,} bytes: {why}. What came before was analysed.")
