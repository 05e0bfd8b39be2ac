"""A fork of the process that does one task after another for it, and what comes back.

POSIX only. The process must have a single thread. What is compiled for one task is there for the next.
"""

import contextlib
import gc
import mmap
import os
import pickle
import signal
import struct
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")
_READ_SIZE = 1 << 18
_TASK = struct.Struct("=q")
_SIZE = struct.Struct("=q")
_AT = struct.Struct("=qq")
_NO_TASK = -1

Told = Callable[[int], None]
"""Takes how far a task is, a number that never falls; a fork ends here when nobody waits for it any more."""


class Failed(NamedTuple):
    """What a fork could not do, though it lives."""

    is_memory: bool
    """Whether it had too little memory."""


class Fork(Generic[T]):
    """One fork at work. Results come as pickles, through a pipe that nobody else can write to."""

    def __init__(self, work: Callable[[int, Told], T], others: Iterable["Fork[T]"] = ()) -> None:
        """Starts it. ``work`` does the task of a number; ``others`` were started before. Raises OSError where it
        cannot be started."""
        self.waiting: deque[int] = deque()
        """Its tasks that are not done, the one it is at first."""
        self._received = bytearray()
        self._at = mmap.mmap(-1, _AT.size)
        _AT.pack_into(self._at, 0, _NO_TASK, 0)
        tasks, self._tasks = os.pipe()
        self.descriptor, results = os.pipe()
        """Can be read when ``receive`` should be called."""
        parent = os.getpid()
        # A Ctrl-C must find either the process or a fork that minds none.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            self._pid = os.fork()
            if self._pid == 0:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                for other in (*others, self):  # So that tasks end with the process, and only with it.
                    os.close(other._tasks)
                    os.close(other.descriptor)
                _serve(work, tasks, results, self._at, parent)
        except OSError:
            for descriptor in (tasks, self._tasks, self.descriptor, results):
                os.close(descriptor)
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.close(tasks)
        os.close(results)
        os.set_blocking(self.descriptor, False)

    def give(self, task: int) -> None:
        """Hands it one more task."""
        self.waiting.append(task)
        with contextlib.suppress(BrokenPipeError):  # That it has ended shows when results are taken.
            os.write(self._tasks, _TASK.pack(task))

    @property
    def at(self) -> tuple[int, int]:
        """The task that it is at, or was last, and how far that is; a negative number before the first one."""
        task, done = _AT.unpack_from(self._at, 0)
        return task, done

    def receive(self) -> tuple[list[tuple[int, T | Failed]], bool]:
        """The results that have come since, without waiting, and whether it still lives."""
        lives = True
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.descriptor, _READ_SIZE):
                self._received += data
            lives = False
        return self._complete(), lives

    def _complete(self) -> list[tuple[int, T | Failed]]:
        results: list[tuple[int, T | Failed]] = []
        start = 0
        while len(self._received) - start >= _SIZE.size:
            end = start + _SIZE.size + _SIZE.unpack_from(self._received, start)[0]
            if end > len(self._received):
                break
            with memoryview(self._received)[start + _SIZE.size : end] as data:
                results.append((self.waiting.popleft(), _loaded(data)))
            start = end
        del self._received[:start]
        return results

    def end(self) -> str:
        """Ends it, if it has not ended, and lets go of it; says how it ended by itself, in the words of a sentence's
        end."""
        os.close(self._tasks)
        os.close(self.descriptor)
        self._at.close()
        _, status = os.waitpid(self._pid, 0)
        code = os.waitstatus_to_exitcode(status)
        return f"was ended by {_name(-code)}" if code < 0 else f"ended with exit status {code}"

    def kill(self) -> None:
        """Ends it in the middle of whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        self.end()


def _loaded(data: memoryview) -> Any:
    """What a fork has sent; nothing of it is garbage."""
    looks = gc.isenabled()
    gc.disable()
    try:
        return pickle.loads(data)
    finally:
        if looks:
            gc.enable()


def _serve(work: Callable[[int, Told], T], tasks: int, results: int, at: mmap.mmap, parent: int) -> None:
    """What the fork does, in place of everything that the process would do; never comes back."""
    status = 1
    try:
        gc.freeze()  # Looking for garbage would write to all memory that is shared, and so copy it.
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        while task := os.read(tasks, _TASK.size):
            _do(work, _TASK.unpack(task)[0], results, at, parent)
        status = 0
    finally:
        os._exit(status)


def _do(work: Callable[[int, Told], T], task: int, results: int, at: mmap.mmap, parent: int) -> None:
    _AT.pack_into(at, 0, task, 0)

    def told(done: int) -> None:
        if os.getppid() != parent:
            os._exit(1)
        _AT.pack_into(at, 0, task, done)

    try:
        answer = pickle.dumps(work(task, told), pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        answer = pickle.dumps(Failed(is_memory=True))
    except Exception:
        answer = pickle.dumps(Failed(is_memory=False))
    for part in (_SIZE.pack(len(answer)), answer):
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(results, rest) :]


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # A real-time signal.
        return f"signal {number}"
