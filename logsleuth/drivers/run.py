"""Runs a command as if we were not there, and keeps a copy of what it says. POSIX only."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from logsleuth.drivers.beside import Beside
from logsleuth.drivers.foreground import Foreground
from logsleuth.drivers.forwarding import Forwarding
from logsleuth.drivers.output_copy import OutputCopy
from logsleuth.drivers.streams import Channel, open_channels
from logsleuth.drivers.torchrun_logs import log_directories, run_folders

GRACE = 2.0
"""Seconds for which a process that the command left behind may still hold its output before we stop listening."""
_ROUNDS = 64
"""Reads of every channel after the command's end, at least: they take more than a pipe or pseudo-terminal can hold."""

NOT_EXECUTABLE, NOT_FOUND = 126, 127
"""Exit statuses of shells for a command that does not start."""


class StartError(Exception):
    """The command could not be started; ``str()`` says why in a sentence, ``status`` is what a shell would give."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended and what is left of its output."""

    status: int
    """Its exit status; 128 + n where signal n ended it, as shells count."""
    signal: int | None
    copy: OutputCopy
    """Closed; the caller discards it where it is of no use."""
    run_folders: tuple[Path, ...]
    """The folders of worker logs that torchrun made meanwhile."""
    reader_left: bool
    """True where whoever read our output went away first, as ``| head`` does."""
    troubles: tuple[str, ...]
    """What the user should know about the passing on and the copy."""
    was_stopped: bool = False
    """True where it was stopped for a verdict, and the report on that was shown."""

    @property
    def ended_badly(self) -> bool:
        """True for a bad exit status or a signal, but not for the SIGPIPE of a command whose reader had seen enough."""
        return self.status != 0 and not (self.reader_left and self.signal == signal.SIGPIPE)


def run(command: Sequence[str], log_dir: Path | None = None, beside: Beside | None = None) -> Outcome:
    """Runs the command to its end. Its stdin is ours, its output goes to ours, and it gets the signals that we get.

    ``log_dir`` is where the copy of the output goes: a fresh temporary folder where it is None. ``beside`` follows what
    it says. The command has a process group of its own. Raises StartError where it cannot be started. To be called from
    the main thread.
    """
    directories = log_directories(command, os.environ)
    folders_before = run_folders(directories)
    forwarding = Forwarding()
    try:
        channels = open_channels()
        copy = OutputCopy(log_dir)
        try:
            child = _start(command, channels)
        except StartError:
            for channel in channels:
                channel.close()
            copy.discard()
            raise
        forwarding.start(child.pid)
        if beside is not None:
            beside.start(copy, directories, folders_before)
        listening = _Listening(child, channels, copy, forwarding, beside)
        listening.until_the_end()
        copy.close()
    finally:
        forwarding.end()
        if beside is not None:
            beside.end()
    ended = child.returncode
    return Outcome(
        status=ended if ended >= 0 else 128 - ended,
        signal=-ended if ended < 0 else None,
        copy=copy,
        run_folders=tuple(sorted(run_folders(directories) - folders_before)),
        reader_left=any(channel.reader_left for channel in channels),
        troubles=tuple(_troubles(channels, copy, listening)),
        was_stopped=beside is not None and beside.has_stopped,
    )


def _start(command: Sequence[str], channels: Sequence[Channel]) -> subprocess.Popen[bytes]:
    """Starts the command in a process group of its own, and closes our side of the ends that it got."""
    name = command[0]
    try:
        return subprocess.Popen(command, stdout=channels[0].end, stderr=channels[-1].end, process_group=0)
    except FileNotFoundError:
        if Path(name).is_file():
            raise StartError(
                f"{name}: its interpreter was not found. Look at its first line (#!).", NOT_FOUND
            ) from None
        raise StartError(f"{name}: command not found. Is the environment that has it active?", NOT_FOUND) from None
    except PermissionError:
        raise StartError(
            f"{name}: not executable. Make it so (chmod +x), or name its interpreter.", NOT_EXECUTABLE
        ) from None
    except OSError as error:
        raise StartError(f"{name}: {error.strerror}. Run it by hand to see more.", NOT_EXECUTABLE) from None
    finally:
        for channel in channels:
            channel.close_end()


class _Listening:
    """Passes a command's output on until it has ended and said all."""

    def __init__(
        self,
        child: subprocess.Popen[bytes],
        channels: Sequence[Channel],
        copy: OutputCopy,
        forwarding: Forwarding,
        beside: Beside | None,
    ) -> None:
        self._child = child
        self._channels = channels
        self._copy = copy
        self._forwarding = forwarding
        self._beside = beside
        self._foreground = Foreground()
        self.left_behind = False
        """True where a process that the command left behind still holds its output."""

    def until_the_end(self) -> None:
        """Returns when the command has ended and its output is at its end, or when nothing of its own can follow."""
        self._foreground.lend(self._child.pid)
        with selectors.DefaultSelector() as selector:
            selector.register(self._forwarding.wakeup, selectors.EVENT_READ)
            for channel in self._channels:
                selector.register(channel.source, selectors.EVENT_READ, channel)
            while not self._has_ended():
                self._listen(selector, None if self._beside is None else self._beside.look(self._child.pid))
            self._foreground.take_back()
            self._hear_the_rest(selector)
            for key in list(selector.get_map().values()):
                if key.data is not None:
                    self._close(selector, key.data)

    def _hear_the_rest(self, selector: selectors.BaseSelector) -> None:
        """Reads what the command left in its channels, and for a short while what those write that it left behind."""
        deadline = time.monotonic() + GRACE
        rounds = 0
        while len(selector.get_map()) > 1:
            heard = self._listen(selector, max(deadline - time.monotonic(), 0))
            rounds += 1
            if time.monotonic() >= deadline and (not heard or rounds >= _ROUNDS):
                self.left_behind = True
                return

    def _listen(self, selector: selectors.BaseSelector, timeout: float | None) -> bool:
        """Waits for the next thing to happen and passes on what came; False where no channel had anything."""
        heard = False
        for key, _ in selector.select(timeout):
            if key.data is None:
                self._forwarding.drain()
                continue
            heard = True
            if not key.data.pass_on(self._copy.write):
                self._close(selector, key.data)
        return heard

    def _close(self, selector: selectors.BaseSelector, channel: Channel) -> None:
        selector.unregister(channel.source)
        channel.close()

    def _before_a_stop(self) -> None:
        if self._beside is not None:
            self._beside.leave("it is stopped for a while, which would look like a hang")

    def _has_ended(self) -> bool:
        """Looks at the command; where it was stopped, stops with it or gives it the terminal."""
        pid, state = os.waitpid(self._child.pid, os.WNOHANG | os.WUNTRACED)
        if pid == 0:
            return False
        if os.WIFSTOPPED(state):
            self._foreground.command_stopped(self._child.pid, os.WSTOPSIG(state), self._before_a_stop)
            return False
        self._child.returncode = os.waitstatus_to_exitcode(state)
        return True


def _troubles(channels: Sequence[Channel], copy: OutputCopy, listening: _Listening) -> list[str]:
    troubles = [
        f"{channel.lost_bytes:,} bytes of the command's output could not be passed on: {channel.failure}"
        for channel in channels
        if channel.lost_bytes
    ]
    if copy.trouble:
        troubles.append(copy.trouble)
    if listening.left_behind:
        troubles.append(
            "the command ended, but a process that it started still holds its output; it was not waited for"
        )
    return troubles
