"""Lends the terminal to a command in a process group of its own, as a shell does for its jobs.

The group in the foreground is the one that reads the keyboard, and the one to which Ctrl-C and Ctrl-Z go. POSIX only.
"""

import contextlib
import os
import signal
from collections.abc import Callable

STDIN, STDOUT = 0, 1


class Foreground:
    """The foreground of the terminal at stdin, as far as it is ours to give; without a terminal nothing happens."""

    def __init__(self) -> None:
        self._lent_to: int | None = None

    def lend(self, group: int, *, if_asked: bool = False) -> bool:
        """Puts the group into the foreground; False where that is not ours to do.

        Where stdout is no terminal, a pager may read the keyboard beside us: then only ``if_asked``, that is when the
        group has tried to read.
        """
        with contextlib.suppress(OSError):
            is_ours = os.isatty(STDIN) and os.tcgetpgrp(STDIN) == os.getpgrp()
            if is_ours and (if_asked or os.isatty(STDOUT)):
                os.tcsetpgrp(STDIN, group)
                # From the background, writing and taking the terminal back would stop us.
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                self._lent_to = group
        return self._lent_to is not None

    def take_back(self) -> None:
        """Puts our own group into the foreground again, where it was lent."""
        if self._lent_to is None:
            return
        self._lent_to = None
        with contextlib.suppress(OSError):
            os.tcsetpgrp(STDIN, os.getpgrp())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)

    def command_stopped(self, group: int, by: int, before: Callable[[], None] = lambda: None) -> None:
        """The command was stopped by this signal: gives it the keyboard that it asked for, or stops with it.

        Comes back when we are continued, with the command continued too. ``before`` is called before we stop.
        """
        if by in (signal.SIGTTIN, signal.SIGTTOU):
            if self._lent_to is None and self.lend(group, if_asked=True):
                _continue(group)
                return
        elif by != signal.SIGTSTP and self._lent_to is None:
            return  # Somebody stopped the command alone (SIGSTOP) and will continue it.
        before()
        self.take_back()
        os.kill(os.getpid(), signal.SIGSTOP)
        self.lend(group)
        _continue(group)


def _continue(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGCONT)
