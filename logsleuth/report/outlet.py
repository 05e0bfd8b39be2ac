"""How does text leave while a job is followed, without anybody waiting for whoever reads it? POSIX only.

A pipe whose reader sleeps and a terminal that was stopped take nothing for a while, a full disk takes nothing until
somebody makes room. What they do not take is kept here and offered again.
"""

import asyncio
import errno
import os
import select
import time
from collections import deque
from contextlib import suppress
from typing import TextIO

MOST = 16 << 20
"""Bytes that are kept for a reader who takes nothing; then it is given up."""
AGAIN = 0.1
"""Seconds until text is offered again."""
_FULL = (errno.ENOSPC, errno.EDQUOT)


class Outlet:
    """Writes to one stream. A stream without a file descriptor (in memory) takes all at once."""

    def __init__(self, stream: TextIO, most: int = MOST) -> None:
        self.encoding = stream.encoding or "utf-8"
        self.trouble: str | None = None
        """Why text does not leave at present, in the words of a sentence's end."""
        self.is_broken = False
        """Whether none ever will again."""
        self.has_left = False
        """Whether that is because its reader wants no more (``| head``)."""
        self._stream, self._most = stream, most
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None
        self._descriptor = -1
        with suppress(OSError, ValueError):
            self._descriptor = stream.fileno()
            stream.flush()

    @property
    def is_behind(self) -> bool:
        """Whether something waits: what is not needed should not be added to it."""
        return bool(self._waiting)

    def write(self, text: str) -> None:
        """Takes the text; it leaves at once, or as soon as it can. Never waits, never raises."""
        if self.is_broken:
            return
        data = text.encode(self.encoding, "backslashreplace")
        self._waiting.append(data)
        self._size += len(data)
        self._offer()
        if self._size > self._most:
            self._give_up("whoever reads it takes nothing")

    async def close(self, patience: float) -> None:
        """Waits until all has left, for so many seconds at most."""
        until = time.monotonic() + patience
        self._offer()
        while self._waiting and time.monotonic() < until:
            await asyncio.sleep(AGAIN / 2)
            self._offer()
        if self._waiting:
            self._give_up(self.trouble or "whoever reads it takes nothing")
        self._set_timer()

    def _offer(self) -> None:
        """Writes what is taken without waiting."""
        while self._waiting and self._takes():
            try:
                self._write_some()
            except BlockingIOError:
                break
            except OSError as error:
                self.has_left = isinstance(error, BrokenPipeError)
                if error.errno not in _FULL:
                    self._give_up(error.strerror or str(error))
                    return
                self.trouble = error.strerror
                break
            except ValueError:  # It was closed.
                self._give_up("it is closed")
                return
        if not self._waiting:
            self.trouble = None
        self._set_timer()

    def _takes(self) -> bool:
        if self._descriptor < 0:
            return True
        poll = select.poll()
        poll.register(self._descriptor, select.POLLOUT)
        return bool(poll.poll(0))

    def _write_some(self) -> None:
        data = self._waiting[0]
        if self._descriptor < 0:
            self._stream.write(data.decode(self.encoding))
            written = len(data)
        else:
            # A pipe that can be written to takes so much without waiting, and mostly no more.
            written = os.write(self._descriptor, data[: select.PIPE_BUF])
        self._size -= written
        if written < len(data):
            self._waiting[0] = data[written:]
        else:
            self._waiting.popleft()

    def _give_up(self, why: str) -> None:
        self.trouble, self.is_broken = why, True
        self._waiting.clear()
        self._size = 0
        self._set_timer()

    def _set_timer(self) -> None:
        """Sees to it that what waits is offered again, where a loop runs that can."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting:
            with suppress(RuntimeError):  # No loop: the next text, or the end, offers it again.
                self._timer = asyncio.get_running_loop().call_later(AGAIN, self._offer)
