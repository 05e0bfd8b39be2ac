"""Does what comes hold anything but progress? Known when it comes, long before it fills a chunk."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from logsleuth.model.origin import ByteStream, Opener, Source

Hear = Callable[[bytes], None]


def overheard(files: Iterator[Source], hear: Hear) -> Iterator[Source]:
    """The same files, whose bytes ``hear`` is given too, as they are read."""
    for file in files:
        yield file if file.opener is None else file._replace(opener=_Overheard(file.opener, hear))


class _Overheard:
    def __init__(self, opener: Opener, hear: Hear) -> None:
        self._opener, self._hear = opener, hear
        self.turn, self.once = opener.turn, opener.once

    @contextmanager
    def __call__(self) -> Iterator[ByteStream]:
        with self._opener() as stream:
            yield _Stream(stream, self._hear)


class _Stream:
    def __init__(self, stream: ByteStream, hear: Hear) -> None:
        self._stream, self._hear = stream, hear

    def read1(self, size: int, /) -> bytes:
        data = self._stream.read1(size)
        if data:
            self._hear(data)
        return data
