"""Which files do the arguments lead to now?"""

import re
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from logsleuth.ingest.discover import natural_key
from logsleuth.tailing.folders import Folders, parted, status_of
from logsleuth.tailing.generation import Identity

_MAGIC = re.compile(r"[*?[]")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class Met(NamedTuple):
    """A file on the way."""

    is_named: bool
    """It is an argument itself."""
    is_linked: bool
    inode: int
    """Of the link where it is one; another one says that another file came in its place."""


class Seeker:
    """The files beneath arguments: found as ``logsleuth.ingest.discover`` finds them, in listings that are kept."""

    def __init__(self, arguments: Sequence[str], folders: Folders, leave_out: Collection[str] = ()) -> None:
        """Arguments are files, folders and patterns; folders that are left out are as if they were not there."""
        self._folders, self._leave_out = folders, frozenset(leave_out)
        self._named = sorted({argument for argument in arguments if not is_url(argument)}, key=natural_key)
        self.files: dict[str, Met] = {}
        """In an order that does not depend on that of the arguments, those behind links last."""
        self.folders: dict[str, int] = {}
        """Those in which new files would be found, with a slash at the end; and the version of what they held."""
        self.missing: list[str] = []
        """Arguments that lead to nothing yet."""

    def walk(self) -> None:
        """Goes everywhere again; only folders that are new are listed, see ``changed``."""
        self._searched: set[Identity] = set()
        self._met: dict[str, Met] = {}
        self._folders_met: dict[str, None] = {}
        self._links: list[str] = []
        self.missing = []
        for argument in self._named:
            self._begin_at(argument)
        while self._links:
            self._search(self._links.pop(0), True)
        self.files = dict(sorted(self._met.items(), key=lambda entry: (entry[1].is_linked, natural_key(entry[0]))))
        self.folders = {folder: self._folders.version(folder) for folder in self._folders_met}

    def changed(self, folders: Iterable[str]) -> list[str]:
        """Which of the folders hold other names than when they were gone through."""
        return [folder for folder in folders if self._folders.refresh(folder) != self.folders.get(folder, 0)]

    def has_appeared(self) -> bool:
        """Whether an argument is there that was missing."""
        return any(status_of(argument) is not None for argument in self.missing if not _is_pattern(argument))

    def _begin_at(self, argument: str) -> None:
        status = status_of(argument)
        if status is None:
            if _is_pattern(argument):
                self._begin_at_pattern(argument)
            else:
                self.missing.append(argument)
                self._folders_met[parted(argument.rstrip("/"))[0]] = None
        elif stat.S_ISDIR(status.st_mode):
            self._search(argument if argument.endswith("/") else argument + "/", False)
        else:
            self._folders_met[parted(argument)[0]] = None
            self._met[argument] = Met(True, Path(argument).is_symlink(), status.st_ino)

    def _begin_at_pattern(self, pattern: str) -> None:
        parts = Path(pattern).parts
        start = next(place for place, part in enumerate(parts) if _MAGIC.search(part))
        base = str(Path(*parts[:start])) if start else ""
        found = False
        for path in self._matches(base + "/" * (bool(base) and not base.endswith("/")), parts[start:]):
            found = True
            status = status_of(path)
            if status is not None and stat.S_ISDIR(status.st_mode):
                self._search(path + "/", False)
            elif status is not None:
                self._enter(path, Path(path).is_symlink(), status.st_ino)
        if not found:
            self.missing.append(pattern)

    def _matches(self, folder: str, parts: Sequence[str]) -> Iterator[str]:
        if not parts:
            if folder:
                yield folder.rstrip("/")
            return
        part, rest = parts[0], parts[1:]
        if part == "..":
            yield from self._matches(folder + "../", rest)
            return
        self._folders_met[folder] = None
        entries = self._folders.listing(folder)
        if part == "**":
            yield from self._matches(folder, rest)
        for name in sorted(entries):
            if name.startswith(".") and not part.startswith("."):
                continue
            if part == "**":
                if entries[name].is_folder and not entries[name].is_link and folder + name not in self._leave_out:
                    yield from self._matches(f"{folder}{name}/", parts)
            elif fnmatchcase(name, part):
                if not rest:
                    yield folder + name
                elif entries[name].is_folder and folder + name not in self._leave_out:
                    yield from self._matches(f"{folder}{name}/", rest)

    def _search(self, folder: str, is_linked: bool) -> None:
        todo = [folder]
        while todo:
            folder = todo.pop()
            status = status_of(folder)
            if status is None or (status.st_dev, status.st_ino) in self._searched:
                continue
            self._searched.add((status.st_dev, status.st_ino))
            self._folders_met[folder] = None
            for name, entry in self._folders.listing(folder).items():
                if name.startswith("."):
                    continue
                path = folder + name
                if path in self._leave_out:
                    continue
                if entry.is_folder:
                    (self._links if entry.is_link and not is_linked else todo).append(path + "/")
                elif entry.is_file:
                    self._enter(path, is_linked or entry.is_link, entry.inode)

    def _enter(self, path: str, is_linked: bool, inode: int) -> None:
        self._met.setdefault(path, Met(False, is_linked, inode))


def is_url(argument: str) -> bool:
    return bool(_URL.match(argument))


def _is_pattern(argument: str) -> bool:
    return bool(_MAGIC.search(argument))
