"""A file that does not grow any more, packed or not, read on from where its log was left."""

import os
from contextlib import ExitStack

from logsleuth.ingest.layers import BLOCK
from logsleuth.ingest.open import open_source
from logsleuth.model.origin import ByteStream, Source

OVERLAP = 256
"""Bytes in front of the next one that must be those that were read."""


PACKED = (".gz", ".zst", ".bz2", ".xz")
"""Names of files that were packed when their log was rotated."""


class OtherError(OSError):
    """What stands there is not what was read before."""


class Whole:
    """What a file holds, behind what was read of it under another name."""

    def __init__(self, path: str, skip: int = 0, before: bytes = b"") -> None:
        """``skip`` bytes were read; ``before`` are the last of them."""
        self._path, self._at, self._before = path, skip, before
        self._stack = ExitStack()
        self._stream: ByteStream | None = None
        self._process = 0

    def take(self, size: int) -> bytes:
        """The next bytes; none at the end. Raises OSError where it cannot be read, OtherError where it is another."""
        if self._stream is None or self._process != os.getpid():
            # A fork shares the place in an open file, and must not move it.
            self._stream = self._open()
        data = self._stream.read1(size)
        self._at += len(data)
        self._before = (self._before + data)[-OVERLAP:]
        return data

    def close(self) -> None:
        self._stack.close()
        self._stream = None

    def _open(self) -> ByteStream:
        self._stack, self._process = ExitStack(), os.getpid()
        stream = self._stack.enter_context(open_source(Source(self._path)))
        left, last = self._at, b""
        while left and (block := stream.read1(min(left, BLOCK))):
            left -= len(block)
            last = (last + block)[-len(self._before) :] if self._before else b""
        if left or last != self._before:
            self.close()
            raise OtherError(f"{self._path} does not hold what was read before")
        return stream
