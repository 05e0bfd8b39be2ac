"""How does text reach a terminal without anybody waiting for it?

A terminal that was halted (Ctrl-S) or whose reader is slow takes no more text after some kilobytes. Whoever reads logs
must not stand still for that, so the terminal is opened once more, without waiting, and what it does not take is kept.
"""

import os
import select
from contextlib import suppress
from typing import TextIO

WIDTH, HEIGHT = 80, 24
"""Of a terminal that does not tell its size."""


def is_for(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal that can go back to its first row."""
    return stream is not None and stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


class Terminal:
    """The terminal that a stream leads to."""

    def __init__(self, stream: TextIO) -> None:
        self._fd = stream.fileno()
        self.encoding = stream.encoding or "utf-8"
        self._own: int | None = None
        self._rest = b""
        """What was not taken yet."""
        self.is_lost = False
        """Whether it is gone: nothing is written any more."""

    def open(self) -> None:
        """May be called again behind ``close``."""
        self._rest = b""
        with suppress(OSError):
            # Of its own, because not to wait is a property of what was opened, which others share: the shell, too.
            self._own = os.open(os.ttyname(self._fd), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)

    def send(self, text: str) -> None:
        """Writes the text as far as the terminal takes it now, and keeps the rest."""
        self._rest += text.encode(self.encoding, "replace")
        self.takes_more()

    def takes_more(self) -> bool:
        """Writes what was kept; whether the terminal has taken all of it."""
        while self._rest and not self.is_lost and self._is_ready(0):
            try:
                # Where it could be opened no second time, a write may wait: then little is written at once.
                written = os.write(self._fd, self._rest[:256]) if self._own is None else os.write(self._own, self._rest)
                self._rest = self._rest[written:]
            except BlockingIOError:
                return False
            except OSError:
                self.is_lost = True
        return not self._rest and not self.is_lost

    def close(self, patience: float) -> None:
        """Waits so many seconds at most for the terminal to take what was kept."""
        while not self.takes_more() and not self.is_lost and self._is_ready(patience):
            pass
        if self._own is not None:
            os.close(self._own)
            self._own = None

    def size(self) -> tuple[int, int]:
        """Columns and rows, as they are now."""
        try:
            width, height = os.get_terminal_size(self._fd)
        except OSError:
            return WIDTH, HEIGHT
        return width or WIDTH, height or HEIGHT

    def _is_ready(self, patience: float) -> bool:
        waiting = select.poll()
        waiting.register(self._fd if self._own is None else self._own, select.POLLOUT)
        found = waiting.poll(patience * 1000)
        self.is_lost = self.is_lost or any(event & ~select.POLLOUT for _, event in found)
        return bool(found)
