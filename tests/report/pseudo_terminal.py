"""A real pseudo-terminal, and what has come out at its other end."""

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, TextIO

DEADLINE = 30.0
"""Seconds that are waited for what another process does."""
CODE = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07)")


class PseudoTerminal:
    """``stream`` is the side that programs write to."""

    stream: TextIO

    def __init__(self, width: int = 80, height: int = 24, encoding: str = "utf-8") -> None:
        self.near, self.far = pty.openpty()
        os.set_blocking(self.near, False)
        self.resize(width, height)
        self._encoding = encoding
        self._seen = b""

    def __enter__(self) -> Self:
        self.stream = open(self.far, "w", encoding=self._encoding, closefd=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hang_up()
        os.close(self.far)

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self.far, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def halt(self, is_halted: bool) -> None:
        """What Ctrl-S and Ctrl-Q do."""
        termios.tcflow(self.far, termios.TCOOFF if is_halted else termios.TCOON)

    def hang_up(self) -> None:
        """Takes the terminal away."""
        if self.near >= 0:
            os.close(self.near)
            self.near = -1

    def take(self) -> str:
        """What came out since it was last taken."""
        while select.select([self.near], [], [], 0.05)[0]:
            try:
                self._seen += os.read(self.near, 1 << 16)
            except OSError:
                break
        text, self._seen = self._seen.decode(self._encoding, "replace"), b""
        return text

    def wait(self, is_there: Callable[[str], bool]) -> str:
        """All that comes out until something is there."""
        text, end = "", time.monotonic() + DEADLINE
        while not is_there(text):
            assert time.monotonic() < end, f"it did not come: {text[-2000:]!r}"
            text += self.take()
        return text


def plain(text: str) -> str:
    """The text without what moves the cursor or colours it."""
    return CODE.sub("", text)


def is_clean(text: str) -> bool:
    """Whether a terminal that got this shows its cursor, and its own screen."""
    return _last(text, "\x1b[?25h", "\x1b[?25l") and _last(text, "\x1b[?1049l", "\x1b[?1049h")


def _last(text: str, wanted: str, other: str) -> bool:
    return text.rfind(wanted) > text.rfind(other)
