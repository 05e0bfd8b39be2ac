"""What lies in a folder? Listed again only where it may have changed."""

import os
import time
from pathlib import Path
from typing import NamedTuple

_BLUR = 2.5
"""Seconds by which a folder's time of modification may be too coarse: what changes within them may not move it (NFS and
FAT count seconds, ext4 the ticks of its kernel)."""


def parted(path: str) -> tuple[str, str]:
    """The folder of a path, up to and with its slash, empty where there is none; and the name in it."""
    name = path.rpartition("/")[2]
    return path[: len(path) - len(name)], name


def status_of(path: str) -> os.stat_result | None:
    """None where nothing is there, or nothing that may be looked at."""
    try:
        return Path(path).stat()
    except (OSError, ValueError):
        return None


class Entry(NamedTuple):
    inode: int
    is_folder: bool
    is_file: bool
    is_link: bool


class Listing(NamedTuple):
    entries: dict[str, Entry]
    modified: float
    """The folder's time of modification when it was listed, in seconds."""
    listed: float
    """When that was."""
    version: int


class Folders:
    """Listings, kept until they change. A folder is named with a slash at its end, the current one by nothing."""

    def __init__(self) -> None:
        self._listings: dict[str, Listing] = {}

    def listing(self, folder: str, fresh: bool = False) -> dict[str, Entry]:
        """The entries by name, as they were when they were last listed, or now; none of a folder that is not there."""
        if fresh or folder not in self._listings:
            self._list(folder)
        return self._listings[folder].entries

    def version(self, folder: str) -> int:
        """Rises whenever a listing was found to be another."""
        return self._listings[folder].version if folder in self._listings else 0

    def refresh(self, folder: str) -> int:
        """Lists it again where it may have changed; returns its version then."""
        old = self._listings.get(folder)
        if old is not None:
            status = status_of(folder or ".")
            modified = status.st_mtime if status else 0.0
            if modified == old.modified and not 0 <= old.listed - modified < _BLUR:
                return old.version
        self._list(folder)
        return self._listings[folder].version

    def _list(self, folder: str) -> None:
        entries: dict[str, Entry] = {}
        modified = 0.0
        try:
            modified = Path(folder or ".").stat().st_mtime
            with os.scandir(folder or ".") as found:
                for entry in found:
                    entries[entry.name] = _entry(entry)
        except OSError:
            pass
        old = self._listings.get(folder)
        # Other files may have the names and the inodes of those before.
        version = 1 if old is None else old.version + ((entries, modified) != (old.entries, old.modified))
        # Compared with what file systems say, so that it is their clock.
        self._listings[folder] = Listing(entries, modified, time.time(), version)


def _entry(entry: "os.DirEntry[str]") -> Entry:
    try:
        is_link = entry.is_symlink()
        return Entry(entry.inode(), entry.is_dir(), entry.is_file(), is_link)
    except OSError:
        return Entry(entry.inode(), False, False, False)
