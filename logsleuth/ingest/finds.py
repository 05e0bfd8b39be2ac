"""Files that were found become sources: logs by what they hold, archives member by member."""

from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

from logsleuth.ingest.archives import Open, Shelf
from logsleuth.ingest.kinds import Kind, judged, kind_of, last_bytes
from logsleuth.ingest.open import stored
from logsleuth.ingest.pipes import begun
from logsleuth.ingest.spool import Spool
from logsleuth.model.analysis import Problem
from logsleuth.model.origin import Opener, Source


class Finds:
    """The sources that were found so far, and what was wrong with files that are none."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.problems: list[tuple[str, Problem]] = []
        self._shelf, self._spool = Shelf(), Spool()
        self._archives = 0

    def tell(self, path: str, text: str, fatal: bool = False) -> None:
        self.problems.append((path, Problem(text, fatal)))

    def file(self, path: str, is_named: bool, opener: Opener | None = None) -> bool:
        """Judges a file; ``opener`` opens it where its path does not. Gives whether it holds a log."""
        opened: Open = partial(stored, path) if opener is None else opener
        name = path.rpartition("/")[2] if opener else Path(path).name
        try:
            with opened() as stream:
                can_seek = getattr(stream, "seekable", bool)()
                tail = partial(last_bytes, cast(BinaryIO, stream)) if can_seek else None
                kind = kind_of(stream, name, tail)
        except OSError as error:
            self.tell(path, f"It cannot be read: {reason(error)}.", True)
            return False
        if kind.archive and judged(kind, name, is_named) is not None:
            return self._archive(path, opened, kind, is_named)
        return self._judged(path, name, kind, is_named, opener)

    def pipe(self, path: str) -> None:
        """Begins a pipe, or standard input, to see what it holds; it was named, so it is read whatever that is."""
        try:
            kind, opener = begun(path)
        except (OSError, ValueError):
            self.sources.append(Source(path))  # Whoever reads it will be told why that cannot be.
            return
        if not kind.archive:
            self._judged(path, Path(path).name, kind, True, opener)
            return
        try:
            with opener() as stream:
                kept = self._spool.keep(stream)
        except OSError as error:
            why = f"It is an archive that comes through a pipe, and cannot be kept to be read: {reason(error)}"
            self.tell(path, f"{why}. Save it as a file, and name that.", True)
            return
        self._archive(path, kept, kind, True)

    def _judged(self, path: str, name: str, kind: Kind, is_named: bool, opener: Opener | None) -> bool:
        what = judged(kind, name, is_named)
        if isinstance(what, Problem):
            self.problems.append((path, what))
        elif what is not None:
            self.sources.append(Source(path, what, opener=opener))
            return True
        return False

    def _archive(self, path: str, opener: Open, kind: Kind, is_named: bool) -> bool:
        from logsleuth.ingest.contents import contents  # Most calls name no archive.

        self._archives += 1
        found = contents(path, opener, kind, self._shelf, self._spool, (self._archives,))
        self._shelf.clear()
        self.sources += found.sources
        self.problems += found.problems
        if not found.sources and not any(problem.fatal for _, problem in found.problems):
            self.tell(path, "Nothing in this archive could be read as a log.", is_named)
        return bool(found.sources)


def reason(error: Exception) -> str:
    """Why something cannot be read, as the rest of a sentence."""
    strerror = getattr(error, "strerror", None)
    return strerror.lower() if strerror else str(error)
