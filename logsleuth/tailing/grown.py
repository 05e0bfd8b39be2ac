"""One file of a log: how much of it was read, and is it still what it was?"""

import os
import stat
from collections.abc import Callable
from pathlib import Path

from logsleuth.tailing.descriptors import Descriptors
from logsleuth.tailing.generation import HEAD, Generation, Identity, digest
from logsleuth.tailing.tally import Tally
from logsleuth.tailing.whole import OVERLAP, PACKED, OtherError, Whole

_NO_LINK = getattr(os, "O_NOCTTY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
"""A pipe that took a file's place must not hold us up."""

_PATIENCE = 20
"""Failures one after another with a file to which nothing is added, before what is left of it is given up."""


class Grown:
    """A file that grows, or has grown, as a part of a log.

    It is read by place, never by the position of its descriptor, which forks of this process share. Every read takes
    the last bytes before it once more: where they are others, the file was cut or written anew.
    """

    def __init__(self, path: str, status: os.stat_result, descriptors: Descriptors, start: int = 0) -> None:
        self.path = path
        """Where it lay when it was last seen."""
        self.target: str | None = None
        """Where it lies where the path is a link to it."""
        self.is_packed = path.endswith(PACKED)
        """It is read unpacked, as a whole."""
        self.format = "text"
        """As in ``Source.format``."""
        self.identity: Identity | None = (status.st_dev, status.st_ino)
        """None once nothing of it is there any more."""
        self.size, self.modified = status.st_size, status.st_mtime_ns
        """As they were last seen; ``size`` is never less than what was read."""
        self.grew = status.st_mtime
        """When it grew last, as far as is known."""
        self.read = self.start = start
        self.ends = False
        """Nothing will be written to it any more: what is there is read, and then the next file."""
        self.is_over = False
        """It was read to its end."""
        self.is_changed = False
        """A read met other bytes than those that had been read."""
        self.is_gone = False
        """It was deleted or moved away; only its descriptor leads to it."""
        self.trouble: OSError | None = None
        self.find: Callable[[Grown], str | None] | None = None
        """Where it lies if it is not where it was seen last."""
        self.tally: Tally | None = None
        """From when on it is read."""
        self.marks: list[tuple[int, float]] = []
        """What sizes it was seen to have before it was read, and when."""
        self._head = self._overlap = b""
        self._rest: Whole | None = None
        self._failures = 0
        self._descriptors = descriptors
        self._descriptor: int | None = None

    @property
    def head(self) -> bytes:
        """Its first bytes, as far as they were read."""
        return self._head

    def peek(self) -> bytes:
        """Its first bytes; those that stand there where none were read yet."""
        if self._head or self.is_over or self.is_packed:
            return self._head
        try:
            return os.pread(self.descriptor(), HEAD, 0)
        except OSError:
            return b""

    @property
    def overlap(self) -> bytes:
        """The last bytes that were read."""
        return self._overlap

    @property
    def is_open(self) -> bool:
        return self._descriptor is not None

    @property
    def has_more(self) -> bool:
        """Whether a read would give something, or show that it is over."""
        if self.is_over:
            return False
        return self.ends or (self.size > self.read and not self.is_changed and self.trouble is None)

    @property
    def generation(self) -> Generation:
        device, inode = self.identity or (0, 0)
        lines = self.tally.lines if self.tally else 0
        return Generation(device, inode, self.read, digest(self._head), len(self._head), self.path, lines, self.start)

    def take(self, size: int) -> bytes:
        """Up to so many of the next bytes; none where there are none now. Never raises, see ``trouble``."""
        try:
            data = self._next(size)
            self._failures = 0
        except OtherError:
            data = b""
        except OSError as error:
            self.trouble, data = error, b""
            self._failures += 1
            self._shut()
        if not data:
            self.size = self.read if self.trouble is None and not self.is_changed else self.size
            is_lost = isinstance(self.trouble, FileNotFoundError) or self._failures > _PATIENCE
            self.is_over = self.ends and (self.trouble is None or is_lost)
            if self.is_over:
                self.close()
            return b""
        self._note(data)
        return data

    def _next(self, size: int) -> bytes:
        if self._rest is None and self.is_packed:
            self._rest = Whole(self._opened())
        if self._rest is not None:
            return self._rest.take(size)
        if self.is_changed:
            return b""
        descriptor = self.descriptor()
        back = len(self._overlap)
        data = os.pread(descriptor, size + back, self.read - back)
        if data[:back] != self._overlap:
            self.is_changed = True
            return b""
        return data[back:]

    def _note(self, data: bytes) -> None:
        if len(self._head) == self.read:  # Else it is complete.
            self._head += data[: HEAD - len(self._head)]
        self._overlap = (self._overlap + data)[-OVERLAP:]
        self.read += len(data)
        self.size = max(self.size, self.read)
        if self.tally is not None:
            self.tally.add(data)

    def descriptor(self) -> int:
        """An open descriptor of the very file. Raises OSError, FileNotFoundError where another lies in its place."""
        if self._descriptor is None:
            self._descriptor = descriptor = self._opened()
            if len(self._head) < min(self.start, HEAD):
                self._head = os.pread(descriptor, min(self.start, HEAD), 0)
                back = min(self.start, OVERLAP)
                self._overlap = os.pread(descriptor, back, self.start - back)
        self._descriptors.used(self)
        return self._descriptor

    def _opened(self) -> int:
        try:
            return _opened(self.path, self.identity)
        except FileNotFoundError:
            # It may have been renamed since it was looked for.
            if self.find is None or (path := self.find(self)) is None:
                raise
            self.path = path
            return _opened(path, self.identity)

    def is_same(self) -> bool:
        """Whether what was read of it still stands in it. Raises OSError."""
        descriptor, back = self.descriptor(), len(self._overlap)
        return (
            os.pread(descriptor, back, self.read - back) == self._overlap
            and os.pread(descriptor, len(self._head), 0) == self._head
        )

    def status(self) -> os.stat_result:
        """As it is now, by its descriptor or where it lay last. Raises OSError."""
        if self._descriptor is not None:
            return os.fstat(self._descriptor)
        status = Path(self.path).stat()
        if (status.st_dev, status.st_ino) != self.identity:
            raise FileNotFoundError(f"{self.path} is another file")
        return status

    def seen(self, status: os.stat_result, now: float) -> bool:
        """Takes note of a size; returns whether it grew."""
        self.modified = status.st_mtime_ns
        if status.st_size <= self.size:
            self.size = max(status.st_size, self.read)
            return False
        self.size, self.grew = status.st_size, now
        return True

    def go_on_in(self, path: str, status: os.stat_result) -> None:
        """What it held stands in a copy of it: the rest is read there. Raises OSError where it is not there."""
        descriptor = _opened(path, (status.st_dev, status.st_ino))
        self._shut()
        self.is_now(path, status)
        self.is_packed = path.endswith(PACKED)
        if self.is_packed:
            self._rest = Whole(descriptor, self.read, self._overlap)
        else:
            self._descriptor = descriptor
            self._descriptors.used(self)
            self.size = max(status.st_size, self.read)
        self.ends, self.is_changed, self.is_over = True, False, False

    def is_now(self, path: str, status: os.stat_result) -> None:
        """What it held stands in a copy of it, to be cited there."""
        self.path, self.identity, self.is_gone = path, (status.st_dev, status.st_ino), False

    def end_here(self) -> None:
        """Nothing can be read of it any more."""
        self._shut()
        self.identity, self.ends, self.is_over = None, True, True

    def skip(self, head: bytes) -> None:
        """It is not read, but known by its first bytes."""
        self._head, self.read, self.start = head, self.size, self.size
        self.ends = self.is_over = True

    def _shut(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            self._descriptors.closed(self)

    def close(self) -> None:
        """Lets go of it; where it can be found again it is opened when it is read on."""
        self._shut()
        if self._rest is not None:
            self._rest.close()


def _opened(path: str, identity: Identity | None) -> int:
    """A descriptor of this very file. Raises OSError, FileNotFoundError where another lies in its place."""
    descriptor = os.open(path, os.O_RDONLY | _NO_LINK)
    status = os.fstat(descriptor)
    if (status.st_dev, status.st_ino) == identity and stat.S_ISREG(status.st_mode):
        return descriptor
    os.close(descriptor)
    raise FileNotFoundError(f"{path} is another file")
