"""A followed file: how it is read on while it is rotated, copied and cut, deleted, or made anew."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from logsleuth.ingest.finds import reason
from logsleuth.model.origin import Source
from logsleuth.tailing.around import Around
from logsleuth.tailing.beginning import Beginning, newlines_before
from logsleuth.tailing.folders import parted, status_of
from logsleuth.tailing.generation import Generation
from logsleuth.tailing.grown import Grown
from logsleuth.tailing.kin import copied_to, missed, moved_to
from logsleuth.tailing.pace import after_trouble, interval
from logsleuth.tailing.tail import Opening, Tail
from logsleuth.tailing.tally import Tally

_HELD = 60.0
"""Seconds without a byte after which a file is closed until it grows, one that was deleted is let go of, and one that
was rotated is not looked at any more for what comes too late."""


class FileTail(Tail):
    """One path, and the files that lay there one after another."""

    def __init__(self, source: Source, around: Around, beginning: Beginning) -> None:
        super().__init__(source, around.pause)
        self.path = source.files[-1].path
        """Where new bytes come."""
        self.is_told = False
        """Whether notification tells of it."""
        self._place, self._around = Path(self.path), around
        self._files = beginning.files
        self._reading = -1
        self._due = 0.0
        self._failures = 0
        self._old: Grown | None = None
        """What was rotated last, as long as it may still be written to."""
        self.lost = beginning.lost
        self._at_start = self._files[-1] if self._files else None
        if self._at_start is not None:
            self._start_size, self._start_written = self._at_start.size, self._at_start.grew
            sizes = sum(file.size - file.start for file in self._files)
            self.arrivals.begin(sizes, self._start_written)

    @property
    def current(self) -> Grown | None:
        """The file that is written to, as far as is known."""
        return self._files[-1] if self._files else None

    @property
    def parts(self) -> tuple[Grown, ...]:
        """All its files."""
        return tuple(self._files)

    @property
    def due(self) -> float:
        return self._due

    @property
    def has_news(self) -> bool:
        return self._reading < len(self._files) - 1 or (bool(self._files) and self._files[-1].has_more)

    def files(self) -> Iterator[Source]:
        number = 0
        while True:
            while number >= len(self._files):
                if not self.wait():
                    return
            file = self._files[number]
            self._begin(number, file)
            stream = _Stream(self, file)
            yield Source(
                file.path, file.format, layout=self.source.layout, label=self.source.label, opener=Opening(stream)
            )
            if self._is_over:
                return
            number += 1

    def _begin(self, number: int, file: Grown) -> None:
        """A file is read from now on."""
        before = self._files[number - 1].tally if number else None
        file.tally = Tally(before.next_base if before else 0, file.start)
        self._reading = number
        if file is self._at_start:
            self.arrivals.begin(file.tally.offset(self._start_size), self._start_written)
        for size, moment in file.marks:
            self.arrivals.note(file.tally.offset(size), moment)
        file.marks.clear()

    def current_path(self, number: int) -> str:
        file = self._files[number]
        if file.identity is None or is_there(file):
            return file.path
        self._around.folders.refresh(parted(self.path)[0])
        if place := moved_to(file, self.path, self._around.folders):
            file.path = place
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
        for number, file in enumerate(self._files[:-1]):
            if file.identity is not None:
                self.current_path(number)

    def generations(self) -> list[Generation]:
        return [file.generation for file in self._files if file.read]

    def skipped_lines(self, number: int) -> tuple[int, int]:
        file = self._files[number]
        return file.start, newlines_before(self.current_path(number), file.start)

    def close(self) -> None:
        for file in self._files:
            file.close()

    def look(self, now: float) -> None:
        try:
            self._look(now)
        except OSError as error:
            self._failures += 1
            self.tell(f"It cannot be read at the moment: {reason(error)}. It is tried again.")
            self._due = now + after_trouble(self._failures)
        else:
            self._failures = 0
            grew = max((file.grew for file in self._files[-1:]), default=0.0)
            self._due = now + interval(now - grew, self.is_told and self._is_in_place)

    @property
    def _is_in_place(self) -> bool:
        return bool(self._files) and self._files[-1].path == self.path and self._old is None

    def _look(self, now: float) -> None:
        status, last = self._status(), self.current
        self._look_at_old(now)
        if last is None:
            if status is not None:
                self._append(self.path, status, now)
            return
        if last.trouble is not None:
            trouble, last.trouble = last.trouble, None
            if not isinstance(trouble, FileNotFoundError):
                self.tell(f"It could not be read at {last.read:,} bytes: {reason(trouble)}. It is tried again.")
                if status is not None:
                    last.descriptor()
        if status is not None and (status.st_dev, status.st_ino) == last.identity:
            self._stayed(last, status, now)
            return
        if last.identity is not None:
            self._left(last, status, now)
        if status is not None and status.st_size and not self._is_known(status):
            last.ends = True
            self._old = last
            self._append_missed(now)
            self._append(self.path, status, now)

    def _status(self) -> os.stat_result | None:
        """Of the path; None where no file lies there. Raises OSError where nobody can tell."""
        try:
            status = self._place.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        if stat.S_ISREG(status.st_mode):
            return status
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "a pipe, socket or device"
        self.tell(f"It has become {what}; a file in its place is waited for.")
        return None

    def _is_known(self, status: os.stat_result) -> bool:
        return self._around.is_taken(self.path, (status.st_dev, status.st_ino))

    def _stayed(self, last: Grown, status: os.stat_result, now: float) -> None:
        """The path leads to the file that is read."""
        last.path, last.is_gone = self.path, False
        if not last.is_changed and (status.st_size, status.st_mtime_ns) == (last.size, last.modified):
            if last.is_open and last.read == last.size and now - last.grew > _HELD:
                last.close()
        elif status.st_size >= last.read and last.is_same():
            last.is_changed = False
            self._note(last, status, now)
        else:
            self._cut(last, status, now)

    def _cut(self, last: Grown, status: os.stat_result, now: float) -> None:
        """Other bytes, or none, stand where some were read: copied away before, or lost."""
        self._around.disown(last)
        if copy := copied_to(last, self.path, self._around.folders, self._around.is_taken):
            last.go_on_in(*copy)
            self._around.owners[copy[1].st_dev, copy[1].st_ino] = last
        else:
            last.end_here()
            self.tell(
                "It was truncated or written anew, and no copy of what it held was found; what it holds since is read as "
                "the rest of the log.",
                "truncated",
            )
        self._append_missed(now)
        self._append(self.path, status, now)

    def _left(self, last: Grown, status: os.stat_result | None, now: float) -> None:
        """The path leads to another file, or to none: what has become of the one that is read?"""
        folders = self._around.folders
        if not (last.path != self.path and is_there(last)):
            place = moved_to(last, self.path, folders) or moved_to(last, self.path, folders, True)
            if place is None and last.target and status_of(last.target):
                place = last.target
            if place is None and not last.is_open:
                self._vanished(last, status)
                return
            last.is_gone = place is None
            last.path = place or last.path
        there = last.status()
        self._note(last, there, now)
        if last.is_gone:
            if status is None and not there.st_nlink:
                self._tell_deleted()
            if last.read == last.size and now - last.grew > _HELD:
                self._around.disown(last)
                last.end_here()

    def _vanished(self, last: Grown, status: os.stat_result | None) -> None:
        """The file that was read is not there, and was closed when it was quiet."""
        self._around.disown(last)
        if copy := copied_to(last, self.path, self._around.folders, self._around.is_taken):
            last.go_on_in(*copy)
            self._around.owners[copy[1].st_dev, copy[1].st_ino] = last
            return
        last.end_here()
        if status is None:
            self._tell_deleted()

    def _tell_deleted(self) -> None:
        self.tell("It was deleted or moved away; a new file in its place is waited for.", "deleted")

    def _append_missed(self, now: float) -> None:
        for path in missed(self._files, self.path, self._around.folders, self._around.is_taken):
            if status := status_of(path):
                self._append(path, status, now)
                self._files[-1].is_whole()

    def _append(self, path: str, status: os.stat_result, now: float) -> None:
        file = self._around.grown(path, status)
        if path == self.path and self._place.is_symlink():
            file.target = str(self._place.resolve())
        file.grew = now
        self._files.append(file)
        if file.size:
            self._mark(file, now)

    def take_in(self, path: str, status: os.stat_result, now: float) -> bool:
        """A generation that came and went while nothing was seen of it: taken in where nothing has come behind it yet.
        Returns whether it was."""
        last = self.current
        if last is None or last.size or last.read or status.st_mtime_ns < last.modified or last.path != self.path:
            return False
        there = status_of(self.path)
        if there is None or (there.st_dev, there.st_ino) != last.identity:
            return False
        self._around.disown(last)
        last.end_here()
        self._append(path, status, now)
        self._files[-1].is_whole()
        self._append(self.path, there, now)
        return True

    @property
    def has_grown(self) -> bool:
        """Whether something came since it was found."""
        last = self.current
        return last is not None and (last is not self._at_start or last.size > self._start_size)

    def adopt(self, path: str, status: os.stat_result, now: float) -> None:
        """The log goes on in another file (``x.part2.log``)."""
        if self._files:
            self._files[-1].ends = True
        self.path, self._place = path, Path(path)
        self._append(path, status, now)

    def _note(self, file: Grown, status: os.stat_result, now: float) -> None:
        if file.seen(status, now):
            self._mark(file, now)

    def _mark(self, file: Grown, now: float) -> None:
        if file.tally is None:
            file.marks.append((file.size, now))
        else:
            self.arrivals.note(file.tally.offset(file.size), now)

    def _look_at_old(self, now: float) -> None:
        """Whoever writes may keep a file open that was rotated: what comes then comes too late."""
        old = self._old
        if old is None or not old.is_over or old.identity is None:
            return
        status = status_of(old.path)
        if status is not None and (status.st_dev, status.st_ino) == old.identity and status.st_size > old.read:
            if not old.is_packed:
                self.tell(
                    f"It was written to after the next file had begun ({old.path}, behind {old.read:,} bytes); those "
                    "lines are read by an analysis of what is there in the end.",
                    "late",
                )
            self._old = None
        elif now - self._files[-1].grew > _HELD or now - old.grew > 2 * _HELD:
            self._old = None


def is_there(file: Grown) -> bool:
    """Whether a file lies where it was seen last."""
    status = status_of(file.path)
    return status is not None and (status.st_dev, status.st_ino) == file.identity


class _Stream:
    """The bytes of one file, as they come."""

    def __init__(self, tail: FileTail, file: Grown) -> None:
        self._tail, self._file = tail, file

    def read1(self, size: int, /) -> bytes:
        while not (data := self._file.take(size)):
            if self._file.is_over or not self._tail.wait():
                return b""
        return data
