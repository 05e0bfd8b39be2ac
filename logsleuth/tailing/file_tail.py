"""A followed file: how it is read on while it is rotated, copied and cut, deleted, or made anew."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from logsleuth.ingest.finds import reason
from logsleuth.model.origin import Source
from logsleuth.tailing.around import Around
from logsleuth.tailing.beginning import Beginning, newlines_before
from logsleuth.tailing.folders import status_of
from logsleuth.tailing.generation import Generation
from logsleuth.tailing.grown import Grown
from logsleuth.tailing.lineage import Lineage, is_there
from logsleuth.tailing.pace import after_trouble, interval
from logsleuth.tailing.tail import Opening, Tail
from logsleuth.tailing.whole import PACKED

_HELD = 60.0
"""Seconds without a byte after which a file is closed until it grows, one that was deleted is let go of, and one that
was rotated is not looked at any more for what comes too late."""


class FileTail(Tail):
    """One path, and the files that lay there one after another."""

    def __init__(self, source: Source, around: Around, beginning: Beginning) -> None:
        super().__init__(source, around.pause)
        self.lineage = Lineage(source.files[-1].path, beginning.files, around, self.arrivals)
        self.is_told = False
        """Whether notification tells of it."""
        self.lost = beginning.lost
        self._around = around
        self._due = 0.0
        self._failures = 0
        self._old: Grown | None = None
        """What was rotated last, as long as it may still be written to."""

    @property
    def path(self) -> str:
        """Where new bytes come."""
        return self.lineage.path

    @property
    def due(self) -> float:
        return self._due

    @property
    def has_news(self) -> bool:
        return self.lineage.has_news

    def files(self) -> Iterator[Source]:
        number = 0
        while True:
            while number >= len(self.lineage.files):
                if not self.wait():
                    return
            file = self.lineage.begin(number)
            opening = Opening(_Stream(self, file))
            yield Source(file.path, file.format, layout=self.source.layout, label=self.source.label, opener=opening)
            if self._is_over:
                return
            number += 1

    def current_path(self, number: int) -> str:
        return self.lineage.current_path(number)

    def generations(self) -> list[Generation]:
        return [file.generation for file in self.lineage.files if file.read]

    def skipped(self, number: int) -> int:
        return self.lineage.files[number].start

    def skipped_lines(self, number: int) -> int:
        if number not in self._counted:
            self._counted[number] = newlines_before(self.current_path(number), self.skipped(number))
        return self._counted[number]

    def stands_behind(self, offset: int) -> None:
        super().stands_behind(offset)
        self.lineage.stand_behind(offset)

    def close(self) -> None:
        for file in self.lineage.files:
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
            last = self.lineage.last
            is_in_place = last is not None and last.path == self.path and self._old is None
            self._due = now + interval(now - last.grew if last else 0.0, self.is_told and is_in_place)

    def _look(self, now: float) -> None:
        status, last = self._status(), self.lineage.last
        self._look_at_old(now)
        self._look_at_troubles()
        if last is None:
            if status is not None:
                self.lineage.append(self.path, status, now)
            return
        if last.trouble is not None:
            trouble, last.trouble = last.trouble, None
            if not isinstance(trouble, FileNotFoundError):
                self.tell(f"It could not be read at {last.read:,} bytes: {reason(trouble)}. It is tried again.")
                if status is not None:
                    last.descriptor()
        if status is not None and (status.st_dev, status.st_ino) == last.identity:
            last.path, last.is_gone = self.path, False
            self._check(last, self.path, status, now)
            return
        if last.identity is not None:
            self._left(last, status, now)
        if status is None or not status.st_size:
            self.lineage.append_missed(now)
        elif not self._around.is_taken(self.path, (status.st_dev, status.st_ino)):
            self._old = self.lineage.last
            self.lineage.append_missed(now)
            self.lineage.append(self.path, status, now)

    def _look_at_troubles(self) -> None:
        """Tells what could not be read of files that were rotated; they are tried again for a while."""
        for file in self.lineage.files[self.lineage.reading : -1]:
            if file.trouble is not None:
                after = "was given up" if file.is_over else "is tried again"
                self.tell(
                    f"{file.path} could not be read behind {file.read:,} bytes: {reason(file.trouble)}. It {after}."
                )
                file.trouble = None

    def _status(self) -> os.stat_result | None:
        """Of the path; None where no file lies there. Raises OSError where nobody can tell."""
        try:
            status = self.lineage.place.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        if stat.S_ISREG(status.st_mode):
            return status
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "a pipe, socket or device"
        self.tell(f"It has become {what}; a file in its place is waited for.")
        return None

    def _check(self, last: Grown, path: str, status: os.stat_result, now: float) -> None:
        """A path leads to the file that is read: has it grown, or is it another text?"""
        if not last.is_changed and (status.st_size, status.st_mtime_ns) == (last.size, last.modified):
            if last.is_open and last.read == last.size and now - last.grew > _HELD:
                last.close()
        elif status.st_size >= last.read and last.is_same():
            last.is_changed = False
            if not last.size and (path_of_missed := self.lineage.overtaken()):
                # What was written first was copied away before it was seen.
                missed, there = path_of_missed
                self.take_in(missed, there, now)
            else:
                self.lineage.note(last, status, now)
        else:
            self._cut(last, path, status, now)

    def _cut(self, last: Grown, path: str, status: os.stat_result, now: float) -> None:
        """Other bytes, or none, stand where some were read: copied away before, or lost."""
        if not self.lineage.go_on_in_copy(last):
            self.tell(
                "It was truncated or written anew, and no copy of what it held was found; what it holds since is read "
                "as the rest of the log.",
                "truncated",
            )
        if path != self.path and self.lineage.is_named_as_older(path):
            self.lineage.append_missed(now, path)
        else:
            self.lineage.append_missed(now)
            self.lineage.append(path, status, now)

    def _left(self, last: Grown, status: os.stat_result | None, now: float) -> None:
        """The path leads to another file, or to none: what has become of the one that is read?"""
        place = self.lineage.moved(last)
        if place is not None:
            last.path, last.is_gone = place, False
            self._check(last, place, last.status(), now)
        elif last.is_open:
            last.is_gone = True
            there = last.status()
            if there.st_size < last.read or not last.is_same():
                self.lineage.go_on_in_copy(last)
                return
            self.lineage.note(last, there, now)
            if status is None and not there.st_nlink:
                self._tell_deleted()
            if last.read == last.size and now - last.grew > _HELD:
                self.lineage.let_go(last)
        elif not self.lineage.go_on_in_copy(last) and status is None:
            self._tell_deleted()

    def _tell_deleted(self) -> None:
        self.tell("It was deleted or moved away; a new file in its place is waited for.", "deleted")

    def take_in(self, path: str, status: os.stat_result, now: float) -> bool:
        """A generation that came and went while nothing was seen of it: taken in where nothing was read behind it yet.
        Returns whether it was."""
        last = self.lineage.last
        if last is None or last.read:
            return False
        place = last.path if is_there(last) else None
        self.lineage.let_go(last)
        self.lineage.append_missed(now, path)
        if not self._around.is_taken(path, (status.st_dev, status.st_ino)):
            self.lineage.append(path, status, now)
        there = status_of(place) if place else None
        if place and there and not self._around.is_taken(place, (there.st_dev, there.st_ino)):
            self.lineage.append(place, there, now)
        return True

    def adopt(self, path: str, status: os.stat_result, now: float) -> None:
        """The log goes on in another file (``x.part2.log``)."""
        self.lineage.path, self.lineage.place = path, Path(path)
        self.lineage.append(path, status, now)

    def _look_at_old(self, now: float) -> None:
        """Whoever writes may keep a file open that was rotated: what comes then comes too late."""
        old, last = self._old, self.lineage.last
        if old is None or last is None or not old.is_over or old.identity is None:
            return
        status = status_of(old.path)
        if status is not None and (status.st_dev, status.st_ino) == old.identity and status.st_size > old.read:
            if not old.path.endswith(PACKED):  # What was packed since has another size for the same text.
                self.tell(
                    f"It was written to after the next file had begun ({old.path}, behind {old.read:,} bytes); those "
                    "lines are not read here, only by an analysis afterwards.",
                    "late",
                )
            self._old = None
        elif now - last.grew > _HELD or now - old.grew > 2 * _HELD:
            self._old = None


class _Stream:
    """The bytes of one file, as they come."""

    def __init__(self, tail: FileTail, file: Grown) -> None:
        self._tail, self._file = tail, file

    def read1(self, size: int, /) -> bytes:
        while not (data := self._file.take(size)):
            if self._file.is_over or not self._tail.wait():
                return b""
        return data
