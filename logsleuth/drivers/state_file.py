"""The file in which a follower keeps what another one needs to go on where it was ended, whatever ended it.

What is told is told first and written down afterwards, at once. Whoever is killed between the two tells it again when
they go on; killed anywhere else, they have told it once. Nothing that was told is lost to the file, and nothing counts
as told that nobody was told. The file is replaced as a whole, so that it holds either what it held or what it is to
hold. Parts of logs that were put aside are large and do not change: each is a file of its own beside it, named after
its content.
"""

import contextlib
import errno
import fcntl
import os
import re
import stat
import time
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from pathlib import Path
from weakref import ref

from logsleuth.drivers.saved import OPENING, NotSavedError, Saved, read, written

EVERY = 5.0
"""Seconds between two writings of what only saves work (how far logs were read), at least ..."""
_SHARE = 100
"""... and so many times as long as the last one took."""
_PATIENCE = 2.0
"""Seconds for which a file is asked for that another process holds: it may be about to end."""
_MOST = 1 << 28
"""Bytes of a state file."""
_UNKNOWN = errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS
"""What file systems say that know no locks."""


class StateFileError(Exception):
    """The file cannot be used; ``str()`` is a sentence that says which, why, and what to do."""


class StateFile:
    """The file while a follower runs. Nobody else may use it meanwhile, which a lock tells on all file systems that
    know locks; forks of the process let go of it, so that none that outlives it keeps others out."""

    def __init__(
        self, path: Path, descriptor: int, saved: Saved | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """To be made by ``open``."""
        self.path = path
        self.saved = saved
        """What was saved last; None before the first time."""
        self._descriptor, self._clock = descriptor, clock
        self._names = _names(saved)
        self._due = float("-inf")
        self._trouble = ""
        os.register_at_fork(after_in_child=partial(_let_go, ref(self)))
        self._remove_leftovers()

    @classmethod
    def open(cls, path: str, clock: Callable[[], float] = time.monotonic) -> "StateFile":
        """Takes the file, which is made where there is none; raises StateFileError.

        ``clock`` counts seconds from any moment on.
        """
        place = Path(os.path.realpath(path))
        try:
            descriptor = _held(place, path)
            try:
                saved = _content(descriptor, path)
                _try_to_replace(place)
                return cls(place, descriptor, saved, clock)
            except BaseException:
                os.close(descriptor)
                raise
        except FileNotFoundError as error:
            raise StateFileError(
                f"The state file {path} cannot be made, because there is no folder {place.parent}. Make the folder, or "
                "name another file."
            ) from error
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise StateFileError(
                f"The state file {path} cannot be used: {why}. Name a file in a folder that can be written to."
            ) from error

    def is_due(self) -> bool:
        """Whether it is time to save what only saves work; what was told is to be saved at once in any case."""
        return self._clock() >= self._due

    def save(self, saved: Saved) -> str | None:
        """Replaces what the file holds. Where that cannot be done, says why in a sentence, once until it can again; the
        file then holds what it held before."""
        began = self._clock()
        try:
            if saved != self.saved:
                self._replace(written(saved))
        except OSError as error:
            why = error.strerror or type(error).__name__
            told, self._trouble = self._trouble, why
            self._due = self._clock() + EVERY
            if told == why:
                return None
            return (
                f"The state file {self.path} could not be written: {why}. Following goes on and it is tried again; who "
                "resumes from it as it is would be told again what was told since."
            )
        self.saved, self._trouble = saved, ""
        self._forget({name for name in self._names - _names(saved) if self._is_ours(name)})
        self._names = _names(saved)
        now = self._clock()
        self._due = now + max(EVERY, _SHARE * (now - began))
        return None

    def keep(self, data: bytes) -> str:
        """Writes a part of a log beside the file and returns its name, for a ``Seal``; may be called in a fork. It is
        removed when no seal names it any more. Raises OSError."""
        name = f"{self.path.name}.{blake2b(data, digest_size=16).hexdigest()}.sealed"
        _write(self.path.with_name(name), data)
        return name

    def kept(self, name: str) -> bytes:
        """What was kept under a name; raises OSError."""
        if not self._is_ours(name):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        return self.path.with_name(name).read_bytes()

    def close(self) -> None:
        """Leaves the file to whoever comes next."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _replace(self, data: bytes) -> None:
        place = _beside(self.path)
        new = os.open(place, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(new, 0o600)
            _lock(new)  # Before anybody can find it in the place of the other.
            _write_all(new, data)
            place.replace(self.path)
        except BaseException:
            os.close(new)
            with contextlib.suppress(OSError):
                place.unlink()
            raise
        os.close(self._descriptor)
        self._descriptor = new
        _sync_folder(self.path.parent)

    def _is_ours(self, name: str) -> bool:
        return re.fullmatch(re.escape(self.path.name) + r"\.[0-9a-f]{32}\.sealed", name) is not None

    def _remove_leftovers(self) -> None:
        """What one left behind that was killed while it wrote."""
        with contextlib.suppress(OSError):
            there = {place.name for place in self.path.parent.iterdir()}
            unfinished = {name for name in there if name[:1] == "." and self._is_ours(name[1:].removesuffix(".new"))}
            self._forget({name for name in there if self._is_ours(name)} - self._names | unfinished)

    def _forget(self, names: set[str]) -> None:
        for name in names:
            with contextlib.suppress(OSError):
                self.path.with_name(name).unlink()


def _let_go(of: "ref[StateFile]") -> None:
    """In a fork: the lock is held until all who hold it have closed the file."""
    if (file := of()) is not None:
        file.close()


def _names(saved: Saved | None) -> set[str]:
    return {seal.name for log in saved.logs for seal in log.seals} if saved else set()


def _held(place: Path, told: str) -> int:
    """The file, opened and locked."""
    until = time.monotonic() + _PATIENCE
    while True:
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
        try:
            _lock(descriptor)
            # Its owner may have replaced it meanwhile: then the lock is one on a file that is nowhere.
            if os.path.samestat(os.fstat(descriptor), place.stat()):
                return descriptor
        except BlockingIOError as error:
            if time.monotonic() > until:
                os.close(descriptor)
                raise StateFileError(
                    f"Another logsleuth follows with the state file {told}. End that one, or name another file."
                ) from error
            time.sleep(0.05)
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    """Locks a file; raises BlockingIOError where another process has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError as error:
        if error.errno not in _UNKNOWN:
            raise


def _content(descriptor: int, told: str) -> Saved | None:
    """What the file holds; None of an empty one."""
    status = os.fstat(descriptor)
    size, is_file = status.st_size, stat.S_ISREG(status.st_mode)
    if is_file and not size:
        return None
    if not is_file or size > _MOST or os.pread(descriptor, len(OPENING), 0) != OPENING.encode():
        raise StateFileError(f"{told} is not a state file of logsleuth. Name another file.")
    try:
        return read(_whole(descriptor, size))
    except NotSavedError as error:
        raise StateFileError(
            f"{told} cannot be gone on from: {error}. Name another file, or remove it to begin anew."
        ) from error


def _whole(descriptor: int, size: int) -> bytes:
    parts, at = [], 0
    while at < size and (part := os.pread(descriptor, size - at, at)):
        parts.append(part)
        at += len(part)
    return b"".join(parts)


def _beside(place: Path) -> Path:
    """Where the next content of a file is written; one name, so that nothing is left behind twice."""
    return place.with_name(f".{place.name}.new")


def _try_to_replace(place: Path) -> None:
    """Raises OSError where files cannot be made beside the file."""
    beside = _beside(place)
    os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    beside.unlink()


def _write(place: Path, data: bytes) -> None:
    """Writes a file as a whole or not at all."""
    beside = _beside(place)
    new = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        _write_all(new, data)
        beside.replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    finally:
        os.close(new)
    _sync_folder(place.parent)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.fsync(descriptor)


def _sync_folder(folder: Path) -> None:
    """So that the new name outlasts the machine; not all file systems can."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
