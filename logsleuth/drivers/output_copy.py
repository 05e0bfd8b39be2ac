"""A copy of a command's output on disk, which must never harm the command."""

import os
import tempfile
import time
from pathlib import Path

_LEFT_FREE = 256 << 20
"""Bytes that the copy leaves free on its disk, or a tenth of a smaller disk."""
_LOOK_EVERY = 16 << 20
"""Bytes written between two looks at the free space."""


class OutputCopy:
    """A file that grows with the output until its disk is full or fails; ``trouble`` says so then, nothing raises."""

    def __init__(self, folder: Path | None = None) -> None:
        """Opens a new file in ``folder``, which is made where it is missing, or in a fresh temporary folder.

        Both are named after the time. The temporary folder also serves where ``folder`` cannot be written.
        """
        self.trouble = ""
        """Why the copy is not where it was wanted or not complete; empty where all is well."""
        self.path: Path | None = None
        """The file; None where there is none."""
        self.size = 0
        """Bytes in the file."""
        self.is_cut_off = False
        """Whether more was said than the file holds."""
        self._own_folder: Path | None = None
        self._file = -1
        self._next_look = 0
        try:
            self._open(folder)
        except OSError as error:
            self._complain(f"{folder or tempfile.gettempdir()} cannot hold a copy of the output", error)
            if folder is not None:
                self._open_elsewhere()

    def write(self, data: bytes) -> None:
        """Appends the data; after the first failure it does nothing."""
        rest = memoryview(data)
        try:
            while rest and self._file >= 0:
                if self.size >= self._next_look:
                    self._look_at_free_space()
                written = os.write(self._file, rest)
                self.size += written
                rest = rest[written:]
        except OSError as error:
            self.is_cut_off = True
            self._complain(f"the copy of the output ends after {self.size:,} bytes", error)
            self.close()

    def close(self) -> None:
        """Ends the copy; the file stays."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def discard(self) -> None:
        """Removes what this object made."""
        self.close()
        try:
            if self.path is not None:
                self.path.unlink()
            if self._own_folder is not None:
                self._own_folder.rmdir()
        except OSError as error:
            self._complain(f"{self.path} could not be removed", error)
        self.path = None

    def _open(self, folder: Path | None) -> None:
        stamp = time.strftime("%Y%m%dT%H%M%S")
        if folder is None:
            folder = self._own_folder = Path(tempfile.mkdtemp(prefix=f"logsleuth-{stamp}-"))
            name = "output.log"
        else:
            folder.mkdir(parents=True, exist_ok=True)
            taken = (folder / f"output-{stamp}.log").exists()
            name = f"output-{stamp}.{os.getpid()}.log" if taken else f"output-{stamp}.log"
        path = folder / name
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        self.path = path

    def _open_elsewhere(self) -> None:
        try:
            self._open(None)
        except OSError as error:
            self._complain(f"neither can {tempfile.gettempdir()}", error)

    def _look_at_free_space(self) -> None:
        disk = os.fstatvfs(self._file)
        free, whole = disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize
        if free < min(_LEFT_FREE, whole // 10):
            raise OSError(f"only {free >> 20} MiB are free on its disk")
        self._next_look = self.size + _LOOK_EVERY

    def _complain(self, what: str, error: OSError) -> None:
        sentence = f"{what}: {error.strerror or error}"
        self.trouble = f"{self.trouble}; {sentence}" if self.trouble else sentence
