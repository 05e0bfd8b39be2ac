"""A packed file, which does not grow, read on from where its log was left."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from logsleuth.ingest.kinds import kind_of
from logsleuth.ingest.layers import BLOCK
from logsleuth.ingest.open import open_source, stored
from logsleuth.model.origin import ByteStream, Source

OVERLAP = 256
"""Bytes in front of the next one that must be those that were read."""
PACKED = (".gz", ".zst", ".bz2", ".xz")
"""Names of files that were packed when their log was rotated."""


def format_of(path: str, before: str) -> str:
    """As in ``Source.format``: how a file is packed that was read under another name; ``before`` where it is not."""
    if not path.endswith(PACKED):
        return before
    try:
        with stored(path) as stream:
            return kind_of(stream, "").format
    except OSError:
        return before


class OtherError(OSError):
    """What stands there is not what was read before."""


class Whole:
    """What a packed file holds, behind what was read of it under another name."""

    def __init__(self, descriptor: int, skip: int = 0, before: bytes = b"") -> None:
        """Takes a descriptor, and closes it. ``skip`` bytes were read; ``before`` are the last of them."""
        self._descriptor, self._left, self._before = descriptor, skip, before
        self._stack = ExitStack()
        self._stack.callback(os.close, descriptor)
        source = Source("", opener=_ByPlace(descriptor))
        self._stream: ByteStream = self._stack.enter_context(open_source(source))

    def take(self, size: int) -> bytes:
        """The next bytes; none at the end. Raises OSError where it cannot be read, OtherError where it is another."""
        if self._left:
            self._skip()
        return self._stream.read1(size)

    def close(self) -> None:
        self._stack.close()

    def _skip(self) -> None:
        last = b""
        while self._left and (block := self._stream.read1(min(self._left, BLOCK))):
            self._left -= len(block)
            last = (last + block)[-OVERLAP:]
        if self._left or not last.endswith(self._before):
            raise OtherError("it does not hold what was read before")


class _ByPlace:
    """A file read by place: forks share the position of a descriptor, and must not move it."""

    turn: tuple[int, ...] = ()
    once = True

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._at = descriptor, 0

    @contextmanager
    def __call__(self) -> Iterator[ByteStream]:
        yield self

    def read1(self, size: int, /) -> bytes:
        data = os.pread(self._descriptor, size, self._at)
        self._at += len(data)
        return data
