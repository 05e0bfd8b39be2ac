"""What is read as a whole because it cannot be followed: which of it is complete, and what does it hold?"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from logsleuth.model.analysis import Problem
from logsleuth.model.origin import Source
from logsleuth.tailing.folders import status_of
from logsleuth.tailing.seeking import is_url

_Look = tuple[int, int] | None
"""Size and time of modification."""


class FoundLike(Protocol):
    """What there is to read (``logsleuth.drivers.hints.Found``)."""

    @property
    def sources(self) -> Sequence[Source]: ...
    @property
    def problems(self) -> Sequence[tuple[str, Problem]]: ...
    @property
    def notes(self) -> Sequence[str]: ...


Discover = Callable[[Sequence[str]], FoundLike]


class Still:
    """Archives, packed files, dumps and what is behind URLs; files are read anew when they have changed and rest."""

    def __init__(self, discover: Discover) -> None:
        self._discover = discover
        self._remote: list[Source] = []
        self._files: dict[str, _Look] = {}
        """As they were when they were read."""
        self._before: dict[str, _Look] = {}
        """As they were at the last look."""
        self.sources: list[Source] = []
        self.problems: list[tuple[str, Problem]] = []

    def begin(self, sources: Sequence[Source]) -> None:
        """What was found first."""
        for source in sources:
            if is_url(source.path):
                self._remote.append(source)
            for piece in source.files:
                if path := _file_of(piece.path):
                    self._files[path] = self._before[path] = _look(path)
        self.sources = list(sources)

    def add(self, path: str) -> None:
        """A file that is read when it rests."""
        if path not in self._files:
            self._files[path] = self._before[path] = None

    def holds(self, path: str) -> bool:
        return path in self._files

    @property
    def is_unsettled(self) -> bool:
        """Whether something has changed that was not read since."""
        return any(look != self._files[path] for path, look in self._before.items())

    def look(self, is_last: bool) -> bool:
        """Reads anew what has changed and rests; at the last look, whatever has changed. Returns whether it did."""
        now = {path: _look(path) for path in self._files}
        rests = [
            path for path, look in now.items() if look != self._files[path] and (is_last or look == self._before[path])
        ]
        self._before = now
        if not rests:
            return False
        for path in rests:
            if now[path] is None:
                del self._files[path], self._before[path]
            else:
                self._files[path] = now[path]
        ready = [path for path, look in self._files.items() if look is not None]
        found = self._discover(ready) if ready else None
        self.sources = [*self._remote, *(found.sources if found else ())]
        self.problems = list(found.problems) if found else []
        return True


def _look(path: str) -> _Look:
    status = status_of(path)
    return None if status is None else (status.st_size, status.st_mtime_ns)


def _file_of(path: str) -> str | None:
    """The file in which a source lies: ``x.tar`` of ``x.tar!rank_0.log``."""
    if Path(path).is_file():
        return path
    parts = path.split("!")
    return next((whole for end in range(1, len(parts)) if Path(whole := "!".join(parts[:end])).is_file()), None)
