"""Work that is done in a fork of the process, on everything as it stands at this moment, while the process goes on.

POSIX only. The process must have a single thread.
"""

import contextlib
import gc
import os
import pickle
import signal
import traceback
from collections.abc import Callable
from typing import Generic, TypeVar, cast

T = TypeVar("T")
_READ_SIZE = 1 << 18
_DONE, _RAISED = b"\0", b"\1"


class ApartError(Exception):
    """The fork ended without a result; ``str()`` says how, in the words of a sentence's end."""


class Apart(Generic[T]):
    """One fork at work. Its result is passed back as a pickle, through a pipe that nobody else can write to."""

    def __init__(self, work: Callable[[], T]) -> None:
        """Starts it. ``work`` may change whatever it likes: nobody else sees it. Raises OSError where it cannot."""
        self._received = bytearray()
        self.descriptor, end = os.pipe()
        """Can be read when ``receive`` should be called."""
        try:
            self._pid = os.fork()
        except OSError:
            os.close(self.descriptor)
            os.close(end)
            raise
        if self._pid == 0:
            os.close(self.descriptor)
            _be_apart(work, end)
        os.close(end)
        os.set_blocking(self.descriptor, False)

    def receive(self) -> bool:
        """Takes what has come without waiting; returns whether it is complete."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.descriptor, _READ_SIZE):
                self._received += data
            return True
        return False

    def result(self) -> T:
        """To be called once, when all was received. Raises ApartError where the fork failed."""
        os.close(self.descriptor)
        _, status = os.waitpid(self._pid, 0)
        kind, data = bytes(self._received[:1]), memoryview(self._received)[1:]
        if kind == _DONE and status == 0:
            return cast(T, pickle.loads(data))
        if kind == _RAISED:
            raise ApartError(f"it raised\n{str(data, 'utf-8', 'replace')}")
        code = os.waitstatus_to_exitcode(status)
        raise ApartError(f"it was ended by {_name(-code)}" if code < 0 else f"it ended with exit status {code}")

    def abandon(self) -> None:
        """Ends it without a result."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.close(self.descriptor)
        os.waitpid(self._pid, 0)


def _be_apart(work: Callable[[], T], end: int) -> None:
    """What the fork does, in place of everything that the process would do."""
    status = 1
    try:
        gc.disable()  # Looking for garbage would write to all memory that is shared, and so copy it.
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group, and the process decides.
        try:
            answer = _DONE + pickle.dumps(work(), pickle.HIGHEST_PROTOCOL)
            status = 0
        except BaseException:  # Nothing may get out of here: it would go on as the process does.
            answer = _RAISED + traceback.format_exc().encode("utf-8", "replace")
        rest = memoryview(answer)
        while rest:
            rest = rest[os.write(end, rest) :]
    finally:
        os._exit(status)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # A real-time signal.
        return f"signal {number}"
