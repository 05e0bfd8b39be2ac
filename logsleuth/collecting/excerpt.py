"""A file as it is collected: whole, or where it is too large its start and its end with a line between them."""

import os
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

_BLOCK = 1 << 20
_SHARE = 4
"""Of what is kept of a large file, a quarter is its start; the end is what tells how a job ended."""
_SEARCHED = 64 << 10
"""Bytes in which the end of a line is looked for, so that cuts fall between lines."""


class Excerpt(NamedTuple):
    """What is kept of an open file; bytes are those of the file."""

    head: int
    """Bytes from the start."""
    mark: bytes
    """The line that stands for what is left out; empty where nothing is."""
    tail: int
    """Where the end begins."""
    end: int

    @property
    def size(self) -> int:
        """Bytes that come out."""
        return self.head + len(self.mark) + self.end - self.tail

    @property
    def left_out(self) -> int:
        return self.tail - self.head


def planned(file: BinaryIO, most: int) -> Excerpt:
    """What to keep of a regular file, at most ``most`` bytes of it. Raises OSError where it cannot be read."""
    end = os.fstat(file.fileno()).st_size
    if end <= most:
        return Excerpt(end, b"", end, end)
    head = _behind_last_line(file, most // _SHARE)
    tail = _behind_first_line(file, end - (most - most // _SHARE), end)
    return Excerpt(head, b"\n### logsleuth left out %d bytes here\n" % (tail - head), tail, end)


class Body:
    """The bytes of an excerpt, exactly as many as planned; what the file does not give is made up by line ends."""

    def __init__(self, file: BinaryIO, plan: Excerpt) -> None:
        self._file, self._plan = file, plan
        self.lost = 0
        """Bytes that could not be read: the file became shorter, or its disk refused."""

    def __iter__(self) -> Iterator[bytes]:
        yield from self._range(0, self._plan.head)
        yield self._plan.mark
        yield from self._range(self._plan.tail, self._plan.end)

    def _range(self, start: int, end: int) -> Iterator[bytes]:
        left = end - start
        while left:
            wanted = min(left, _BLOCK)
            block = b"" if self.lost else self._read(end - left, wanted)
            if not block:
                self.lost += wanted
                block = b"\n" * wanted
            left -= len(block)
            yield block

    def _read(self, at: int, wanted: int) -> bytes:
        try:
            self._file.seek(at)
            return self._file.read(wanted)
        except OSError:
            return b""


def _behind_last_line(file: BinaryIO, at: int) -> int:
    start = max(at - _SEARCHED, 0)
    file.seek(start)
    place = file.read(at - start).rfind(b"\n")
    return at if place < 0 else start + place + 1


def _behind_first_line(file: BinaryIO, at: int, end: int) -> int:
    file.seek(at)
    place = file.read(min(_SEARCHED, end - at)).find(b"\n")
    return at if place < 0 else at + place + 1
