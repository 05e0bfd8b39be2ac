"""In which folders, and to which names in them, has something happened since the last look?"""

import errno
import select
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from logsleuth.tailing.mounts import Mounts

if TYPE_CHECKING:
    from inotify_simple import INotify

_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _UNMOUNT, _OVERFLOW, _IGNORED = 0x400, 0x800, 0x2000, 0x4000, 0x8000
_ONLYDIR = 0x01000000
"""From ``sys/inotify.h``."""
_ENTRIES = _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE
_GONE = _DELETE_SELF | _MOVE_SELF | _UNMOUNT | _IGNORED
_WANTED = _MODIFY | _ATTRIB | _CLOSE_WRITE | _ENTRIES | _DELETE_SELF | _MOVE_SELF | _ONLYDIR


@dataclass(slots=True)
class News:
    names: set[str] = field(default_factory=set)
    """Paths of what was written, made, renamed, ..."""
    folders: set[str] = field(default_factory=set)
    """Those in which names came or went, or which themselves did."""
    is_all: bool = False
    """More happened than the kernel kept: look everywhere."""


class Notices:
    """What the kernel tells of folders, where it does; and one descriptor that is readable when there is something."""

    def __init__(self, mounts: Mounts | None = None, wanted: bool = True) -> None:
        """Without ``wanted`` nothing is told of folders."""
        self.note: str | None = None
        """Why less is told than was asked for."""
        self._mounts = mounts
        self._watches: dict[int, list[str]] = {}
        """By the kernel's number, the ways in which its folder is spelled."""
        self._numbers: dict[str, int] = {}
        self._partly: set[str] = set()
        """Folders in which more happens than is told."""
        self._epoll = select.epoll() if sys.platform == "linux" else None
        self._kernel = self._begin() if wanted and sys.platform == "linux" else None

    def _begin(self) -> "INotify | None":
        from inotify_simple import INotify  # Only where files are followed on Linux.

        try:
            kernel = INotify(nonblocking=True)
        except OSError as error:
            self._give_up(error)
            return None
        if self._epoll is not None:
            self._epoll.register(kernel.fileno(), select.EPOLLIN)
        self._mounts = self._mounts or Mounts()
        return kernel

    @property
    def wake(self) -> int | None:
        """Readable when something is to be looked at; None where nothing can tell."""
        return self._epoll.fileno() if self._epoll is not None else None

    def watch(self, folder: str) -> bool:
        """From now on this folder (with a slash at its end) is told of; False where not all that happens in it is."""
        if folder in self._numbers:
            return folder not in self._partly
        if self._kernel is None or self._mounts is None:
            return False
        try:
            number = self._kernel.add_watch(folder or ".", _WANTED)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.ENOMEM, errno.EMFILE):
                self._give_up(error)
            return False
        self._watches.setdefault(number, []).append(folder)
        self._numbers[folder] = number
        # Where others write too, what this host writes is told all the same.
        if not self._mounts.tells_all(folder or "."):
            self._partly.add(folder)
        return folder not in self._partly

    def is_watched(self, folder: str) -> bool:
        """Whether anything is told of it."""
        return folder in self._numbers

    def _give_up(self, error: OSError) -> None:
        limit = "max_user_watches" if error.errno == errno.ENOSPC else "max_user_instances"
        self.note = (
            "The kernel gives no more notices of changed files; what it does not tell of is looked at now and then "
            f"instead (raise fs.inotify.{limit} with sysctl to be told sooner)."
        )

    def add_pipe(self, descriptor: int) -> None:
        """``wake`` is readable when this descriptor is."""
        if self._epoll is not None:
            with suppress(OSError):  # A file as standard input is always readable.
                self._epoll.register(descriptor, select.EPOLLIN)

    def drop_pipe(self, descriptor: int) -> None:
        """It has ended, which would wake us for ever: standard input stays open behind its end."""
        if self._epoll is not None:
            with suppress(OSError, ValueError):  # It was closed.
                self._epoll.unregister(descriptor)

    def news(self) -> News:
        """What happened since this was asked for last."""
        news = News()
        if self._kernel is None:
            return news
        for number, mask, _, name in self._kernel.read(timeout=0):
            if mask & _OVERFLOW:
                news.is_all = True
                continue
            for folder in self._watches.get(number, ()):
                if name:
                    news.names.add(folder + name)
                if mask & (_ENTRIES | _GONE):
                    news.folders.add(folder)
            if mask & _GONE and not name:
                self._lose(number)
        return news

    def _lose(self, number: int) -> None:
        """A folder lies elsewhere, or nowhere."""
        for folder in self._watches.pop(number, ()):
            del self._numbers[folder]
            self._partly.discard(folder)
        if self._kernel is not None:
            with suppress(OSError):  # The kernel has done so itself.
                self._kernel.rm_watch(number)

    def close(self) -> None:
        if self._kernel is not None:
            self._kernel.close()
        if self._epoll is not None:
            self._epoll.close()
