"""Follows a command from a process beside it, which must never harm it. POSIX only.

The process has a session of its own: no key that is meant for the command reaches it, and no terminal stops it. It ends
when its standard input does, of which we hold the other end, so also when we are killed.
"""

import glob
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path

from logsleuth.drivers.output_copy import OutputCopy

REACHED = 3
"""Its exit status where it ended at a verdict that was waited for, so that the command is to be stopped."""
STOPPING = 45.0
"""Seconds between SIGTERM and SIGKILL for the command; torchrun waits thirty for its workers."""
PATIENCE = 30.0
"""Seconds in which it has to come to its end, alerts included."""
_STDERR = 2


class Beside:
    """One process that follows."""

    def __init__(self, words: Sequence[str], tell: Callable[[str], None]) -> None:
        """``words`` are options of ``logsleuth beside``; ``tell`` takes sentences for the user."""
        self._words, self._tell = words, tell
        self._process: subprocess.Popen[bytes] | None = None
        self._lifeline = -1
        self._copy: OutputCopy | None = None
        self._kill_at: float | None = None
        """Of ``time.monotonic``, when the command is being stopped."""
        self.has_stopped = False
        """Whether the command was stopped, and the report on why was shown."""

    def start(self, copy: OutputCopy, directories: Sequence[Path], old_folders: Collection[Path]) -> None:
        """Follows the copy of the output, and the logs of torchrun's workers but for those in old folders."""
        if copy.path is None:
            self._tell("there is no copy of the output, so nobody follows the command")
            return
        self._copy = copy
        leave_out = [f"--leave-out={folder}" for folder in sorted(old_folders)]
        patterns = [f"{glob.escape(str(directory))}/*/attempt_*" for directory in directories]
        words = [*_program(), "beside", *self._words, *leave_out, "--", str(copy.path), *patterns]
        read_end, self._lifeline = os.pipe()
        try:
            self._process = subprocess.Popen(words, stdin=read_end, stdout=_STDERR, start_new_session=True)
        except OSError as error:
            self._tell(f"nobody follows the command, for no process could be started: {error.strerror or error}")
            self._let_go()
        finally:
            os.close(read_end)

    def look(self, command: int) -> float | None:
        """To be called whenever something may have happened, with the process group of the command.

        Stops the command where that is wanted. Gives the seconds after which to be called in any case, None where
        nothing is waited for.
        """
        if self._process is not None and (status := self._process.poll()) is not None:
            self._process = None
            self._let_go()
            self._has_ended(status, command)
        elif self._process is not None and self._copy is not None and self._copy.is_cut_off:
            self.leave("the copy of its output does not grow any more, which would look like silence")
        if self._kill_at is None:
            return None
        left = self._kill_at - time.monotonic()
        if left > 0:
            return left
        self._kill_at = None
        _send(command, signal.SIGKILL)
        return None

    def leave(self, why: str) -> None:
        """Follows no further, although the command goes on."""
        if self._process is not None:
            self._tell(f"nobody follows the command from here on: {why}")
            self.end()

    def end(self) -> None:
        """Lets the process judge for the last time and deliver its alerts; Ctrl-C ends it at once."""
        if self._process is None:
            return
        process, self._process = self._process, None
        self._let_go()
        try:
            status = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._tell(f"whoever followed did not come to an end in {PATIENCE:g} s, and was ended; alerts may be lost")
        except KeyboardInterrupt:
            pass
        else:
            if status not in (0, REACHED):
                self._tell(f"whoever followed the command {_ending(status)}; alerts may be lost")
            return
        process.kill()
        process.wait()

    def _has_ended(self, status: int, command: int) -> None:
        """It ended by itself."""
        if status == REACHED:
            self._tell(f"the command is stopped, as --exit-on says: SIGTERM, and SIGKILL {STOPPING:g} s later")
            _send(command, signal.SIGTERM)
            self.has_stopped = True
            self._kill_at = time.monotonic() + STOPPING
        else:
            self._tell(f"whoever followed the command {_ending(status)}; the command goes on, and nobody follows it")

    def _let_go(self) -> None:
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1


def _program() -> list[str]:
    """How this program is started again. What lies in the folder of a job must not stand in for a module of Python's,
    unless the program itself is started from there."""
    is_here = Path(__file__).parents[2] == Path.cwd()
    return [sys.executable, *([] if is_here else ["-P"]), "-m", "logsleuth"]


def _send(group: int, number: signal.Signals) -> None:
    with suppress(OSError):
        os.killpg(group, number)


def _ending(status: int) -> str:
    return f"was ended by signal {-status}" if status < 0 else f"ended with exit status {status}"
