"""What there is to read: files, folders, patterns, archives, URLs and standard input become sources."""

import heapq
import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from logsleuth.ingest.finds import Finds, reason
from logsleuth.ingest.kinds import is_named_like_no_log, may_be_recorder
from logsleuth.ingest.parts import parted
from logsleuth.model.analysis import Problem
from logsleuth.model.origin import Source

NaturalKey = tuple[tuple[str | tuple[int, str], ...], str]
Identity = tuple[int, int]
"""Device and inode: equal for two paths to one file."""

_MAGIC = re.compile(r"[*?[]")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class Discovery(NamedTuple):
    sources: list[Source]
    """Every log once, in natural order of the paths."""
    problems: list[tuple[str, Problem]]
    """What could not be read, or was left out for a reason that may surprise: the path and why, in the same order."""


def discover(arguments: Sequence[str]) -> Discovery:
    """Finds the logs that the arguments name, in an order that does not depend on theirs.

    An argument is a file or a pipe, which is read whatever it holds; a folder, of which everything is read, at any
    depth, that is not hidden and may be a log; a pattern (``*``, ``?``, ``[...]``, ``**`` for any depth), where the
    shell does not expand it, with its matches judged as if found in a folder; a URL of any of these (``s3://...``); or
    ``-`` for standard input. An archive is read as the folder that it was. A log that several arguments or links lead
    to counts once, under a path without links where there is one. Raises nothing for what it finds or fails to find.
    """
    search = _Search()
    for argument in sorted(set(arguments), key=natural_key):
        search.begin_at(argument)
    search.walk()
    found = search.judged()
    return Discovery(
        sorted((part for source in found.sources for part in parted(source)), key=lambda part: natural_key(part.path)),
        sorted(found.problems, key=lambda entry: (natural_key(entry[0]), entry[1].text)),
    )


def natural_key(path: str) -> NaturalKey:
    """Sorts folder by folder, and numbers by their value: ``rank_2`` before ``rank_10``."""
    parts: list[str | tuple[int, str]] = list(re.split(r"([0-9]+)", path.replace(os.sep, "\0")))
    for place in range(1, len(parts), 2):
        digits = str(parts[place]).lstrip("0")
        parts[place] = (len(digits), digits)
    return tuple(parts), path


@dataclass(slots=True)
class _File:
    is_regular: bool
    is_named: bool = False
    paths: list[tuple[bool, NaturalKey]] = field(default_factory=list)
    """Every way to it, with whether a link is on the way."""
    roots: set[str] = field(default_factory=set)
    """The arguments that lead to it."""

    @property
    def path(self) -> str:
        return min(self.paths)[1][1]


class _Search:
    """What has been found so far. Folders wait in a heap, those behind links last, so that real paths come first."""

    def __init__(self) -> None:
        self._finds = Finds()
        self._pipes: set[str] = set()
        self._urls: list[str] = []
        self._files: dict[Identity, _File] = {}
        self._folders: list[tuple[bool, NaturalKey, str, Identity]] = []
        self._searched: dict[Identity, str] = {}
        """Folders, and the argument that led there first."""
        self._barren: set[str] = set()
        """Folders and patterns among the arguments that have led to no log."""

    def begin_at(self, argument: str) -> None:
        if argument == "-":
            self._pipes.add(argument)
            return
        if _URL.match(argument):
            self._urls.append(argument)
            return
        path = Path(argument)
        try:
            status = path.stat()
        except (OSError, ValueError) as error:
            if _MAGIC.search(argument):
                self._expand(argument)
            elif isinstance(error, FileNotFoundError):
                self._finds.tell(argument, "There is no such file or folder; check the path.", True)
            else:
                self._finds.tell(argument, f"It cannot be read: {reason(error)}.", True)
            return
        if not argument:
            self._finds.tell(argument, "An argument is empty, as it is where a shell variable is not set.", True)
        elif stat.S_ISDIR(status.st_mode):
            self._barren.add(argument)
            self._place(argument, status, path.is_symlink(), argument)
        else:
            self._place(argument, status, path.is_symlink(), argument, is_named=True)

    def walk(self) -> None:
        while self._folders:
            is_linked, (_, folder), root, identity = heapq.heappop(self._folders)
            if identity not in self._searched:
                self._searched[identity] = root
                self._list(folder, is_linked, root)
            elif self._searched[identity] != root:
                self._barren.discard(root)

    def judged(self) -> Finds:
        """Decides which of the files become sources."""
        for file in sorted(self._files.values(), key=lambda file: min(file.paths)):
            if not file.is_regular:
                self._pipes.add(file.path)
            elif self._finds.file(file.path, file.is_named):
                self._barren -= file.roots
        self._begin_pipes()
        for root in self._barren:
            place = "in this folder" if Path(root).is_dir() else "that matches this pattern"
            self._finds.tell(root, f"Nothing {place} could be read as a log. Name a file itself to have it read.", True)
        if self._urls:
            from logsleuth.ingest.remote import find_all  # Most calls name no URL.

            find_all(self._urls, self._finds)
        return self._finds

    def _begin_pipes(self) -> None:
        """Looks at what comes through a pipe. Of several none is begun: one program may write them one after another,
        and would wait for us for ever."""
        if len(self._pipes) == 1:
            self._finds.pipe(*self._pipes)
        else:
            self._finds.sources += [Source(path) for path in sorted(self._pipes)]

    def _expand(self, pattern: str) -> None:
        paths = _matches(pattern)
        if not paths:
            self._finds.tell(pattern, "No file or folder matches this pattern.", True)
            return
        self._barren.add(pattern)
        for path in paths:
            self._enter(path, False, pattern)

    def _list(self, folder: str, is_linked: bool, root: str) -> None:
        try:
            with os.scandir(folder) as entries:
                paths = [entry.path for entry in entries if not entry.name.startswith(".")]
        except OSError as error:
            self._finds.tell(folder, f"The folder could not be searched: {reason(error)}.", True)
            return
        for path in paths:
            self._enter(path, is_linked, root)

    def _enter(self, path: str, is_linked: bool, root: str) -> None:
        found = Path(path)
        try:
            is_linked = is_linked or found.is_symlink()
            self._place(path, found.stat(), is_linked, root)
        except OSError as error:
            if found.is_symlink():
                self._finds.tell(path, "It is a symbolic link that leads nowhere; it was left out.")
            else:
                self._finds.tell(path, f"It cannot be read: {reason(error)}.", True)

    def _place(self, path: str, status: os.stat_result, is_linked: bool, root: str, is_named: bool = False) -> None:
        """Notes a folder for later, or a file; what was found and is no file is left out."""
        identity = status.st_dev, status.st_ino
        if stat.S_ISDIR(status.st_mode):
            heapq.heappush(self._folders, (is_linked, natural_key(path), root, identity))
        elif is_named or stat.S_ISREG(status.st_mode):
            name = Path(path).name
            if is_named or not is_named_like_no_log(name) or may_be_recorder(name):
                file = self._files.setdefault(identity, _File(stat.S_ISREG(status.st_mode)))
                file.is_named |= is_named
                file.paths.append((is_linked, natural_key(path)))
                file.roots.add(root)
        else:
            self._finds.tell(path, "It is a pipe, socket or device and was left out. A pipe is read if it is named.")


def _matches(pattern: str) -> list[str]:
    """What a pattern matches. A hidden name matches only where the pattern has one; ``**`` follows no links."""
    parts = Path(pattern).parts
    start = next(place for place, part in enumerate(parts) if _MAGIC.search(part))
    base, rest = Path(*parts[:start]), parts[start:]
    try:
        found = list(base.glob(str(Path(*rest))))
    except (OSError, ValueError):
        return []
    if not any(part.startswith(".") for part in rest):
        found = [path for path in found if not any(part.startswith(".") for part in path.relative_to(base).parts)]
    return [str(path) for path in found]
