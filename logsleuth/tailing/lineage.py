"""Of which files does a log consist, in their order, where do they lie, and when did their bytes come?"""

import os
from contextlib import suppress
from pathlib import Path

from logsleuth.model.present import Arrivals
from logsleuth.tailing.around import Around
from logsleuth.tailing.folders import parted, status_of
from logsleuth.tailing.grown import Grown
from logsleuth.tailing.kin import copied_to, is_named_after, is_still, missed, moved_to
from logsleuth.tailing.tally import Tally

_ATTEMPTS = 3
"""A copy may be renamed while we reach for it."""


class Lineage:
    """The files of a log as they came, the one that is written to last."""

    def __init__(self, path: str, files: list[Grown], around: Around, arrivals: Arrivals) -> None:
        """``path`` is where new bytes come, ``files`` are there already."""
        self.path, self.place = path, Path(path)
        self.files = files
        self.reading = -1
        """The number of the file that is read."""
        self._around, self._arrivals = around, arrivals
        self._at_start = files[-1] if files else None
        self._start_size, self._start_written = 0, 0.0
        if self._at_start is not None:
            self._start_size, self._start_written = self._at_start.size, self._at_start.grew
        self._base = self._searched = 0
        for file in files:
            file.find = self.moved
        self.stand_behind(0)

    def stand_behind(self, offset: int) -> None:
        """The first file begins at this offset of the log."""
        self._base = offset
        if self._at_start is not None:
            there = sum(file.size - file.start for file in self.files)
            self._arrivals.begin(offset + there, self._start_written)

    @property
    def last(self) -> Grown | None:
        return self.files[-1] if self.files else None

    @property
    def has_grown(self) -> bool:
        """Whether something came since it was found."""
        last = self.last
        return last is not None and (last is not self._at_start or last.size > self._start_size)

    @property
    def has_news(self) -> bool:
        """Whether reading on would find something."""
        return self.reading < len(self.files) - 1 or (bool(self.files) and self.files[-1].has_more)

    def begin(self, number: int) -> Grown:
        """A file is read from now on."""
        file = self.files[number]
        before = self.files[number - 1].tally if number else None
        file.tally = Tally(before.next_base if before else self._base, file.start)
        self.reading = number
        if file is self._at_start:
            self._arrivals.begin(file.tally.offset(self._start_size), self._start_written)
        for size, moment in file.marks:
            self._arrivals.note(file.tally.offset(size), moment)
        file.marks.clear()
        return file

    def append(self, path: str, status: os.stat_result, now: float) -> None:
        """The log goes on in this file; nothing more comes in the one before."""
        if self.files:
            self.files[-1].ends = True
        file = self._around.grown(path, status)
        if path == self.path and self.place.is_symlink():
            file.target = str(self.place.resolve())
        file.grew = now
        self.files.append(file)
        file.find = self.moved
        if file.is_packed:
            file.ends = True
        elif file.size:
            self._mark(file, now)

    def append_missed(self, now: float, also: str | None = None) -> None:
        """The log went on in files that were rotated before they were seen, and in ``also`` where it is among them."""
        folder, _ = parted(self.path)
        version = self._around.folders.refresh(folder)
        if version == self._searched and also is None:
            return
        self._searched = version
        for path in missed(self.files, self.path, self._around.folders, self._around.is_taken, also):
            if status := status_of(path):
                self.append(path, status, now)

    def overtaken(self) -> tuple[str, os.stat_result] | None:
        """A generation that is newer than the last one that was read, where nobody has seen the first bytes of it."""
        self._around.folders.refresh(parted(self.path)[0])
        found = missed(self.files[:-1], self.path, self._around.folders, self._around.is_taken)
        status = status_of(found[0]) if found else None
        return (found[0], status) if status is not None else None

    def is_named_as_older(self, path: str) -> bool:
        """Whether a file in its folder has the name of an older generation."""
        (folder, name), (own_folder, own) = parted(path), parted(self.path)
        return folder == own_folder and is_named_after(name, own)

    def note(self, file: Grown, status: os.stat_result, now: float) -> None:
        """A file has this size now."""
        if file.seen(status, now):
            self._mark(file, now)

    def _mark(self, file: Grown, now: float) -> None:
        if file.tally is None:
            file.marks.append((file.size, now))
        else:
            self._arrivals.note(file.tally.offset(file.size), now)

    def go_on_in_copy(self, file: Grown) -> bool:
        """Reads what is left of a file in a copy of it, where there is one; else it ends here."""
        self._around.disown(file)
        for _ in range(_ATTEMPTS):
            copy = copied_to(file, self.path, self._around.folders, self._around.is_taken)
            if copy is None:
                break
            with suppress(OSError):
                file.go_on_in(*copy)
                self._around.owners[copy[1].st_dev, copy[1].st_ino] = file
                return True
        file.end_here()
        return False

    def let_go(self, file: Grown) -> None:
        """Nothing will come of this file any more."""
        self._around.disown(file)
        file.end_here()

    def moved(self, file: Grown) -> str | None:
        """Where a file lies that is not at the path of the log any more; None where it is nowhere near."""
        if file.path != self.path and is_there(file):
            return file.path
        folders = self._around.folders
        place = moved_to(file, self.path, folders) or moved_to(file, self.path, folders, True)
        return file.target if place is None and file.target and status_of(file.target) else place

    def current_path(self, number: int) -> str:
        """Where the file of this number lies now; its old name where it is nowhere."""
        file = self.files[number]
        if file.identity is None or is_still(file):
            return file.path
        self._around.folders.refresh(parted(self.path)[0])
        if place := moved_to(file, self.path, self._around.folders):
            file.path = place
        elif file.ends and not file.is_over and not file.is_open:
            self.go_on_in_copy(file)
        elif file.ends:
            self._around.disown(file)
            if copy := copied_to(file, self.path, self._around.folders, self._around.is_taken):
                file.is_now(*copy)
                self._around.owners[copy[1].st_dev, copy[1].st_ino] = file
            else:
                file.identity = None
        return file.path

    def settle(self) -> None:
        """Something was renamed in its folder: finds its files again."""
        for number, file in enumerate(self.files[:-1]):
            if file.identity is not None:
                self.current_path(number)


def is_there(file: Grown) -> bool:
    """Whether a file lies where it was seen last."""
    status = status_of(file.path)
    return status is not None and (status.st_dev, status.st_ino) == file.identity
