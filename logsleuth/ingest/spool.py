"""What has to seek, or to be read in another order than it comes in, kept in one temporary file without a name."""

import io
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple, cast

from logsleuth.ingest.layers import BLOCK, Region
from logsleuth.model.origin import ByteStream

MOST = 16 << 30
"""Bytes of one stream that are kept."""


class TooLongError(OSError):
    """A stream is longer than what is kept; ``str()`` says so as the rest of a sentence."""


class Kept(NamedTuple):
    """A stream that was kept: as an opener, its bytes from the start."""

    spool: "Spool"
    start: int
    size: int
    turn: tuple[int, ...] = ()
    once: bool = False

    @contextmanager
    def __call__(self) -> Iterator[io.BufferedReader]:
        yield io.BufferedReader(Region(self.spool.file, self.start, self.size))


class Spool:
    """The temporary file; it is gone with the last opener of what it keeps."""

    def __init__(self) -> None:
        self._file: BinaryIO | None = None
        self._end = 0

    @property
    def file(self) -> BinaryIO:
        if self._file is None:
            import tempfile  # Hardly any call needs one.

            self._file = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115
            weakref.finalize(self, self._file.close)
        return self._file

    def keep(self, stream: ByteStream, most: int = MOST) -> Kept:
        """Reads a stream to its end; raises TooLongError where that is too far, OSError where there is no room."""
        file, start, size = self.file, self._end, 0
        file.seek(start)
        while data := stream.read1(BLOCK):
            size += len(data)
            if size > most:
                file.truncate(start)
                raise TooLongError(f"it is longer than {most >> 30} GiB")
            file.write(data)
        self._end += size
        return Kept(self, start, size)
