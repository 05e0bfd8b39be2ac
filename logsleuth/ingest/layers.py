"""Streams that are laid over other streams: with a beginning given again, with an end, counted."""

import io
from typing import TYPE_CHECKING, BinaryIO

from logsleuth.ingest.allowance import Allowance
from logsleuth.model.origin import ByteStream

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BLOCK = 1 << 17
"""Bytes asked for at once. A damaged packed stream loses the block that the damage is in, so blocks are small."""

CUT_SHORT = "the archive ends in the middle, as it does where a writer was killed or a copy cut short"


class DamageError(OSError):
    """What is stored cannot be read on; ``str()`` says why, as the rest of a sentence that tells where it ended."""


class Layer:
    """A stream over another one, which knows how much may still be unpacked of the file beneath."""

    def __init__(self, stream: ByteStream) -> None:
        below = stream if isinstance(stream, Layer) else Metered(stream, Allowance())
        self._stream: ByteStream = below
        self.allowance: Allowance = below.allowance

    def read1(self, size: int, /) -> bytes:
        return self._stream.read1(size)


class Metered(Layer):
    """A stream of stored bytes, which are counted: what is unpacked of them is bounded by their number."""

    def __init__(self, stream: ByteStream, allowance: Allowance) -> None:
        self._stream = stream
        self.allowance = allowance

    def read1(self, size: int, /) -> bytes:
        data = self._stream.read1(size)
        self.allowance.stored += len(data)
        return data


class Begun(Layer):
    """A stream of which the first bytes were taken already; they are given again."""

    def __init__(self, head: bytes, stream: ByteStream, error: OSError | None = None) -> None:
        """``error`` is what was raised behind the first bytes."""
        super().__init__(stream)
        self._head, self._error = head, error

    def read1(self, size: int, /) -> bytes:
        if self._head:
            data, self._head = self._head[:size], self._head[size:]
            return data
        if self._error is not None:
            raise self._error
        return self._stream.read1(size)


class Recorded(Layer):
    """A stream that is looked at, and can be read from its start again afterwards."""

    def __init__(self, stream: ByteStream) -> None:
        super().__init__(stream)
        self._taken: list[bytes] = []

    def read1(self, size: int, /) -> bytes:
        data = self._stream.read1(size)
        self._taken.append(data)
        return data

    def again(self, error: OSError | None = None) -> Begun:
        return Begun(b"".join(self._taken), self._stream, error)


class Limited(Layer):
    """The next bytes of a stream, as many as a member of an archive has."""

    def __init__(self, stream: ByteStream, size: int) -> None:
        super().__init__(stream)
        self._left = size

    def read1(self, size: int, /) -> bytes:
        if not self._left or not size:
            return b""
        data = self._stream.read1(min(size, self._left))
        if not data:
            raise DamageError(CUT_SHORT)
        self._left -= len(data)
        return data


class Region(io.RawIOBase):
    """Some bytes of a file that can seek, as a file of their own. Several regions may share the file, in turns."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        super().__init__()
        self._file, self._start, self._size, self._at = file, start, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        base = (0, self._at, self._size)[whence]
        self._at = max(base + offset, 0)
        return self._at

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        view = memoryview(buffer).cast("B")
        self._file.seek(self._start + self._at)
        data = self._file.read(max(min(len(view), self._size - self._at), 0))
        view[: len(data)] = data
        self._at += len(data)
        return len(data)


def head_of(stream: ByteStream, size: int) -> bytes:
    """The next ``size`` bytes, fewer only where the stream ends."""
    blocks, missing = [], size
    while missing and (block := stream.read1(missing)):
        blocks.append(block)
        missing -= len(block)
    return b"".join(blocks)
