"""Passes the signals that reach us on to a command. POSIX only."""

import os
import signal
from types import FrameType

_FORWARDED = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,  # SLURM's --signal announces the time limit with it, and Lightning saves a checkpoint then.
    signal.SIGUSR2,
    signal.SIGTSTP,
)


class Forwarding:
    """Sends signals on to a process group, and wakes a loop when one came or a child changed its state.

    A signal that we were started to ignore (``nohup``, a job in the background) is ignored by the command when it
    starts, and passed on afterwards: the command may have set up a handler of its own. To be made before the command is
    started, and in the main thread.
    """

    def __init__(self) -> None:
        self._group: int | None = None
        self._early: list[int] = []
        self.wakeup, self._write_end = os.pipe()
        """A descriptor that can be read when something happened."""
        os.set_blocking(self.wakeup, False)
        os.set_blocking(self._write_end, False)
        self._wakeup_before = signal.set_wakeup_fd(self._write_end, warn_on_full_buffer=False)
        self._before = {signal.SIGCHLD: signal.signal(signal.SIGCHLD, lambda *_: None)}
        for number in _FORWARDED:
            if signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._forward)

    def start(self, group: int) -> None:
        """Sends signals to this group from now on, those that came before it existed at once."""
        self._group = group
        for number in _FORWARDED:
            if number not in self._before:
                self._before[number] = signal.signal(number, self._forward)
        for early in self._early:
            self._forward(early, None)

    def drain(self) -> None:
        """Empties ``wakeup``."""
        os.read(self.wakeup, 4096)

    def end(self) -> None:
        """Puts everything back as it was."""
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        signal.set_wakeup_fd(self._wakeup_before)
        os.close(self.wakeup)
        os.close(self._write_end)

    def _forward(self, number: int, _frame: FrameType | None) -> None:
        if self._group is None:
            self._early.append(number)
            return
        try:
            os.killpg(self._group, number)
        except OSError:  # The whole group has ended.
            return
