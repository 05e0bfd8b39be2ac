"""A followed pipe, or standard input: read as its writer writes, never waited for."""

import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from logsleuth.ingest.finds import reason
from logsleuth.ingest.kinds import kind_of
from logsleuth.ingest.layers import Begun
from logsleuth.model.origin import Source
from logsleuth.tailing.pace import SOONEST
from logsleuth.tailing.tail import Opening, Pause, Tail


def is_pipe(path: str) -> bool:
    """Whether a path names standard input, a pipe or a device."""
    try:
        mode = Path(path).stat().st_mode if path != "-" else stat.S_IFIFO
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


class PipeTail(Tail):
    """What comes through a pipe, up to where its writers have left."""

    def __init__(self, source: Source, pause: Pause, clock: Callable[[], float]) -> None:
        super().__init__(source, pause)
        self._clock = clock
        self._process = os.getpid()
        self._read = 0
        self._is_ready = True
        self._due = 0.0
        self._poll = select.poll()
        self.descriptor: int | None = None
        """Readable when something comes; None once nothing can."""
        try:
            self.descriptor = _opened(source.path)
            self._poll.register(self.descriptor, select.POLLIN)
        except OSError as error:
            self.tell(f"It cannot be read: {reason(error)}.")
            self.is_finished = True

    @property
    def has_news(self) -> bool:
        return self._is_ready

    @property
    def due(self) -> float:
        return self._due

    def files(self) -> Iterator[Source]:
        yield self.source._replace(opener=Opening(self))

    def current_path(self, number: int) -> str:  # noqa: ARG002 - There is one only.
        return self.source.path

    def look(self, now: float) -> None:
        self._is_ready = self.descriptor is not None and bool(self._poll.poll(0))
        self._due = now + SOONEST if self.descriptor is not None else float("inf")

    def close(self) -> None:
        if self.descriptor is not None and self.source.path != "-":
            os.close(self.descriptor)
        self.descriptor, self._is_ready = None, False

    def read1(self, size: int, /) -> bytes:
        while not (data := self._taken(size)):
            if self.is_finished or not self.wait():
                return b""
        return data

    def _taken(self, size: int) -> bytes:
        """What is there now. A fork takes nothing: it would be missing here."""
        if self.descriptor is None or self._process != os.getpid():
            return b""
        try:
            # A pipe that nobody has opened yet looks as if it had ended when it is read, but not when it is asked.
            if not self._poll.poll(0):
                self._is_ready = False
                return b""
            data = os.read(self.descriptor, size)
        except BlockingIOError:
            self._is_ready = False
            return b""
        except OSError as error:
            self.tell(f"Reading stopped after {self._read:,} bytes: {reason(error)}.")
            data = b""
        if data:
            self._note(data)
        else:
            self.is_finished = True
            self.close()
        return data

    def _note(self, data: bytes) -> None:
        if not self._read and (archive := kind_of(Begun(data, _Nothing()), "").archive):
            self.tell(
                f"It is a {archive} archive; one that comes through a pipe cannot be followed. Save it as a file."
            )
        self._read += len(data)
        self.arrivals.note(self._base + self._read, self._clock())


class _Nothing:
    def read1(self, _size: int, /) -> bytes:
        return b""


def _opened(path: str) -> int:
    if path != "-":
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if sys.stdin is None:
        raise OSError("this process has no standard input")
    return sys.stdin.fileno()
