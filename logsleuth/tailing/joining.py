"""Which files that came are logs, and which only other names or copies of what is followed already?"""

import os
import re
from collections import defaultdict
from collections.abc import Sequence

from logsleuth.ingest.pieces import pieces_by_name
from logsleuth.model.analysis import Problem
from logsleuth.model.origin import Source
from logsleuth.tailing.around import Around
from logsleuth.tailing.file_tail import FileTail
from logsleuth.tailing.folders import parted, status_of
from logsleuth.tailing.judging import judgement
from logsleuth.tailing.kin import agrees, is_named_after
from logsleuth.tailing.lineage import is_there
from logsleuth.tailing.seeking import Met, Seeker
from logsleuth.tailing.still import Still

_NEVER = (-1, -1)
_BOUNDARY = re.compile(r"[.\-_~]")


class Joining:
    """Judges each file once, when it is first seen; again only where another took its place, or it was undecided."""

    def __init__(self, around: Around, seeker: Seeker, still: Still) -> None:
        self._around, self._seeker, self._still = around, seeker, still
        self.problems: list[tuple[str, Problem]] = []
        self.is_begun = False
        self._known: dict[str, int] = {}
        """Paths that were judged, and the inode that lay there."""
        self._parts: set[str] = set()
        """Those of them that are generations of logs."""
        self._held: dict[str, tuple[int, int]] = {}
        """Files that look like copies, and other undecided ones: their size and time of modification."""
        self._doubted: set[str] = set()
        """Files that are named as generations of logs, and look like none: as they do in the middle of a rotation."""
        self._is_last = False
        self.looked: dict[FileTail, None] = {}
        """Logs that were looked at to find out."""
        self._unjudged: dict[FileTail, bool] = {}
        """Logs that held nothing when they were found; whether they were named."""
        self._tails: dict[tuple[str, str], list[FileTail]] = defaultdict(list)
        """By folder, and the start of the name."""
        self._by_folder: dict[str, list[FileTail]] = defaultdict(list)

    def follow(self, tail: FileTail) -> None:
        """A log is followed from now on."""
        folder, name = parted(tail.path)
        self._tails[folder, name.partition(".")[0]].append(tail)
        self._by_folder[folder].append(tail)
        met = self._seeker.files.get(tail.path)
        if met is not None:
            self._known[tail.path] = met.inode
        if not any(part.size for part in tail.lineage.files):
            self._unjudged[tail] = met is not None and met.is_named

    def settle(self, folders: Sequence[str]) -> None:
        """Names in these folders have changed."""
        for path in self._parts:
            self._known.pop(path, None)  # Its inode may have been given to another file.
        self._parts.clear()
        for folder in folders:
            for tail in self._by_folder.get(folder, ()):
                tail.lineage.settle()

    @property
    def is_unsettled(self) -> bool:
        """Whether a file is to be judged at the next look."""
        return _NEVER in self._held.values()

    def came(self, now: float, is_last: bool) -> list[str]:
        """New files that are logs, in natural order; at the last look nothing waits for another one."""
        self.is_begun, self._is_last = True, is_last
        self.looked.clear()
        return [
            path
            for path, met in self._seeker.files.items()
            if self._is_undecided(path, met) and self._is_log(path, met, now)
        ]

    def left(self, tails: Sequence[FileTail]) -> list[FileTail]:
        """Those of the logs that hold bytes by now, the first ones, and are none."""
        gone = []
        for tail in tails:
            if tail not in self._unjudged or not any(part.size for part in tail.lineage.files):
                continue
            is_named = self._unjudged.pop(tail)
            judged = judgement(tail.path, is_named)
            if judged.is_log:
                continue
            for part in tail.lineage.files:
                self._around.disown(part)
            folder, name = parted(tail.path)
            self._tails[folder, name.partition(".")[0]].remove(tail)
            self._by_folder[folder].remove(tail)
            self._decide(tail.path, is_named)
            gone.append(tail)
        return gone

    def _is_undecided(self, path: str, met: Met) -> bool:
        if path in self._held:
            status = status_of(path)
            return status is not None and self._held[path] != (status.st_size, status.st_mtime_ns)
        return self._known.get(path) != met.inode

    def _is_log(self, path: str, met: Met, now: float) -> bool:
        """Decides on a file, and remembers that it did."""
        self._known[path] = met.inode
        self._held.pop(path, None)
        status = status_of(path)
        if status is None:
            del self._known[path]
            return False
        beside = self._by_folder.get(parted(path)[0], ())
        if any(tail.path == path for tail in beside) or self._still.holds(path):
            return False  # Its own look tells what has become of it.
        logs = [] if self._is_part(path, status, met) else self._logs_of(path)
        for tail in logs:
            tail.look(now)  # It may have been rotated just now, and this file be a part of it since.
            self.looked[tail] = None
        if self._is_part(path, status, met):
            return False
        for tail in logs:
            if not status.st_size or any(part.peek() and agrees(path, part) for part in tail.lineage.files):
                self._held[path] = status.st_size, status.st_mtime_ns
                return False
            if tail.take_in(path, status, now):
                return False
        if logs and path not in self._doubted and not self._is_last:
            self._doubted.add(path)
            self._held[path] = _NEVER
            return False
        for tail in beside if "part" in path.lower() else ():
            if _goes_on(tail, path):
                tail.adopt(path, status, now)
                return False
        return self._decide(path, met.is_named)

    def _is_part(self, path: str, status: os.stat_result, met: Met) -> bool:
        """Whether a file is a generation of a followed log, under its name or another."""
        owner = self._around.owner(path, (status.st_dev, status.st_ino))
        if owner is None:
            return False
        self._parts.add(path)
        if not met.is_linked and not is_there(owner):
            owner.path = path
        return True

    def _decide(self, path: str, is_named: bool) -> bool:
        judged = judgement(path, is_named)
        if judged.is_still:
            self._still.add(path)
        if judged.may_become and (status := status_of(path)):
            self._held[path] = status.st_size, status.st_mtime_ns
        if judged.problem is not None and (path, judged.problem) not in self.problems:
            self.problems.append((path, judged.problem))
        return judged.is_log

    def _logs_of(self, path: str) -> list[FileTail]:
        """The logs of which a file may be an older generation, by its name."""
        folder, name = parted(path)
        stems = {name[: found.start()] for found in _BOUNDARY.finditer(name)}
        tails = [tail for stem in sorted(stems) for tail in self._tails.get((folder, stem), ())]
        return [tail for tail in tails if tail.path != path and is_named_after(name, parted(tail.path)[1])]


def _goes_on(tail: FileTail, path: str) -> bool:
    """Whether a log goes on in this file: both are named as parts, this as the later one."""
    if "part" not in tail.path.lower():
        return False
    pieces = pieces_by_name([Source(tail.path), Source(path)])
    return len(pieces) == 1 and pieces[0].is_said and pieces[0].files[-1].path == path
