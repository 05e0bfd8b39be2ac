"""How a source is opened: files, pipes and standard input, plain or gzip, all as one kind of byte stream."""

import gzip
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, cast

from logsleuth.model.origin import Extent, Source

GZIP_MAGIC = b"\x1f\x8b\x08"
"""Identification and the only compression method in use, RFC 1952 section 2.3.1."""


class ByteStream(Protocol):
    """What is read of an open source: ``io.BytesIO``, ``io.BufferedReader`` and ``gzip.GzipFile`` are such streams."""

    def read1(self, size: int, /) -> bytes:
        """Up to ``size`` bytes, as few as there are without waiting for more; none only at the end."""


@contextmanager
def open_source(source: Source) -> Iterator[ByteStream]:
    """The decompressed bytes of a source, or the lines that were made of it, for a ``with`` statement; standard input
    (``-``) stays open behind it.

    Gzip is recognised by its first bytes, as a pipe cannot be looked at before it is opened. Raises OSError where the
    source cannot be opened; a damaged gzip stream raises EOFError, zlib.error or gzip.BadGzipFile only when reading
    comes to the damage.
    """
    if source.made:
        yield io.BytesIO(source.made)
        return
    if source.extent:
        with Path(source.extent.path).open("rb") as file:
            yield _Stretches(file, source.extent)
        return
    with _standard_input() if source.path == "-" else Path(source.path).open("rb") as stream:
        if stream.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC):
            with gzip.GzipFile(fileobj=stream, mode="rb") as unpacked:
                yield unpacked
        else:
            yield stream


class _Stretches:
    """The bytes of the stretches of an extent, one behind the other."""

    def __init__(self, file: io.BufferedReader, extent: Extent) -> None:
        self._file = file
        self._ranges = iter(extent.ranges)
        self._at = self._end = 0

    def read1(self, size: int, /) -> bytes:
        while self._at >= self._end:
            stretch = next(self._ranges, None)
            if stretch is None:
                return b""
            self._at, self._end = stretch
            self._file.seek(self._at)
        data = self._file.read1(min(size, self._end - self._at))
        self._at = self._at + len(data) if data else self._end
        return data


@contextmanager
def _standard_input() -> Iterator[io.BufferedReader]:
    if sys.stdin is None:
        raise OSError("this process has no standard input")
    # A reader of our own, because what replaces sys.stdin (a test runner, an embedding program) need not offer peek().
    stream: io.BufferedReader = io.BufferedReader(cast(io.RawIOBase, sys.stdin.buffer))
    try:
        yield stream
    finally:
        stream.detach()
