"""The way of a command's output to our own stdout and stderr: the same bytes, as they come.

POSIX only.
"""

import os
import pty
import select
import termios
from collections.abc import Callable

STDOUT, STDERR = 1, 2
_READ_SIZE = 1 << 18


class Channel:
    """One way from the command to one of our descriptors: a pseudo-terminal where that is a terminal, else a pipe.

    On a pseudo-terminal the command sees a terminal (so that progress bars stay alive) whose output processing is off:
    what is read is what was written.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._is_terminal = os.isatty(target)
        self.source, self.end = pty.openpty() if self._is_terminal else os.pipe()
        """Where we read; what the command gets as its stdout or stderr."""
        if self._is_terminal:
            mode = termios.tcgetattr(self.end)
            mode[1] &= ~termios.OPOST
            termios.tcsetattr(self.end, termios.TCSANOW, mode)
            self._follow_size()
        self.reader_left = False
        """True when whoever read our descriptor went away; the channel is at its end then."""
        self.lost_bytes = 0
        """Bytes that our descriptor did not take."""
        self.failure = ""
        """Why it did not."""

    def close_end(self) -> None:
        """Closes the command's end on our side, after the command has got it."""
        os.close(self.end)

    def close(self) -> None:
        """Closes our end: the command's next write fails as it would if it wrote to our reader itself."""
        os.close(self.source)

    def pass_on(self, copy: Callable[[bytes], None]) -> bool:
        """Reads what there is, gives it to our descriptor and to ``copy``; False at the end of the channel."""
        try:
            data = os.read(self.source, _READ_SIZE)
        except OSError:  # EIO: nobody holds the other end of the pseudo-terminal any more.
            data = b""
        if self._is_terminal:
            self._follow_size()
        self._write(data)
        copy(data)
        return bool(data) and not self.reader_left

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._target, rest) :]
            except BlockingIOError:  # Someone who shares the descriptor made it non-blocking.
                select.select([], [self._target], [])
            except BrokenPipeError:
                self.reader_left = True
                return
            except OSError as error:  # A full disk, a terminal that hung up: the command's work goes on.
                self.lost_bytes += len(rest)
                self.failure = error.strerror or str(error)
                return

    def _follow_size(self) -> None:
        """Gives the pseudo-terminal the size of the terminal, which may change at any time."""
        try:
            size = termios.tcgetwinsize(self._target)
            if size != termios.tcgetwinsize(self.source):
                termios.tcsetwinsize(self.source, size)
        except termios.error:  # The terminal hung up.
            pass


def open_channels() -> tuple[Channel, ...]:
    """One channel for stdout and one for stderr; a single one where both lead to the same place.

    A single channel keeps the order of what the command writes to both.
    """
    _occupy_standard_descriptors()
    if os.path.sameopenfile(STDOUT, STDERR):
        return (Channel(STDOUT),)
    return (Channel(STDOUT), Channel(STDERR))


def _occupy_standard_descriptors() -> None:
    """Opens those that were closed before we started, lest the next file that we open becomes somebody's stdout."""
    for descriptor in (0, STDOUT, STDERR):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
