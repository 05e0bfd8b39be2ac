"""How does another machine open a log that was found on this one?

By its path, where both see the same files, or by its URL, with the credentials that it has itself. What only the
process can open that found it (standard input, pipes, members of archives, lines that were made of a dump) stays here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from logsleuth.ingest.open import stored
from logsleuth.ingest.parts import PartOpener
from logsleuth.ingest.remote import RemoteOpener, opener_of
from logsleuth.model.origin import ByteStream, Opener, Source


class FileOpener(NamedTuple):
    """Opens a file by its whole path, whatever folder the process is in."""

    path: str
    turn: tuple[int, ...] = ()
    once: bool = False

    @contextmanager
    def __call__(self) -> Iterator[ByteStream]:
        with stored(self.path) as stream:
            yield stream


class UrlOpener(NamedTuple):
    """Opens what a URL names, as the machine knows its store."""

    url: str
    turn: tuple[int, ...] = ()
    once: bool = False

    @contextmanager
    def __call__(self) -> Iterator[ByteStream]:
        with opener_of(self.url)() as stream:
            yield stream


def elsewhere(source: Source) -> Source | None:
    """The source as another machine opens it, cited as it is here; None where only this process can."""
    if source.made:
        return None
    if source.pieces:
        pieces = [piece for piece in map(elsewhere, source.pieces) if piece]
        return source._replace(pieces=tuple(pieces)) if len(pieces) == len(source.pieces) else None
    opener = _elsewhere(source)
    return None if opener is None else source._replace(opener=opener)


def unseen(source: Source) -> str | None:
    """A file of such a source that cannot be seen here, by its whole path; None where all are there."""
    for file in source.files:
        if isinstance(file.opener, FileOpener | PartOpener) and not Path(file.opener.path).exists():
            return file.opener.path
    return None


def _elsewhere(source: Source) -> Opener | None:
    match source.opener:
        case None:
            path = Path(source.path)
            return FileOpener(str(path.absolute())) if path.is_file() else None
        case PartOpener() as part:
            return replace(part, path=str(Path(part.path).absolute()))
        case RemoteOpener() as remote:
            return UrlOpener(source.path) if remote.is_at(source.path) else None
    return None
