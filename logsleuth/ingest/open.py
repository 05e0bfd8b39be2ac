"""How a source is opened: files, pipes and standard input, plain or gzip, all as one kind of byte stream."""

import gzip
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, cast

from logsleuth.model.origin import Source

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
    with _standard_input() if source.path == "-" else Path(source.path).open("rb") as stream:
        if stream.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC):
            with gzip.GzipFile(fileobj=stream, mode="rb") as unpacked:
                yield unpacked
        else:
            yield stream


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
