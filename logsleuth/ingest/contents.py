"""Which members of an archive are logs: judged as the files of a folder are, and as far as bounds allow."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from logsleuth.ingest import tar, zips
from logsleuth.ingest.archives import Archive, Found, MemberOpener, Open, Shelf, TarArchive, ZipArchive
from logsleuth.ingest.kinds import Kind, is_named_like_no_log, judged, kind_of, may_be_recorder
from logsleuth.ingest.layers import Recorded
from logsleuth.ingest.pieces import is_named_as_piece
from logsleuth.ingest.spool import Spool
from logsleuth.ingest.unpack import unpacked
from logsleuth.model.analysis import Problem
from logsleuth.model.origin import ByteStream, Opener, Source

MOST_MEMBERS = 50_000
"""Of one archive and those in it."""
MOST_KEPT = 1 << 30
"""Bytes of a member that are kept beside the archive, because it is not read in its turn, or has to seek."""

_TROUBLES = {
    "device": Problem("It is a pipe, socket or device and was left out."),
    "sparse": Problem(
        "It was packed without its holes (`tar --sparse`), which is not read: unpack the archive and give what was in "
        "it.",
        True,
    ),
    "encrypted": Problem(
        "It is encrypted: unpack the archive with its password (`unzip`) and give what was in it.", True
    ),
}


class Contents(NamedTuple):
    sources: list[Source]
    problems: list[tuple[str, Problem]]
    """The path and why."""


class _TooManyError(Exception):
    """The archive holds more than any archive of logs."""


def contents(path: str, opener: Open, kind: Kind, shelf: Shelf, spool: Spool, turn: tuple[int, ...]) -> Contents:
    """The logs in an archive: ``PATH!MEMBER``, and ``PATH!ARCHIVE!MEMBER`` where one lies in it.

    ``opener`` opens the archive as it is stored; a zip that is not packed has to be able to seek. ``turn`` is the
    number of the archive among those on the shelf. Raises nothing for what an archive holds or is.
    """
    search = _Search(spool)
    try:
        archive = search.opened(path, opener, kind, shelf, turn)
        if archive is not None:
            search.walk(path, archive, 0)
    except _TooManyError:
        text = f"It holds more than {MOST_MEMBERS:,} members; those behind were left out. Unpack it, and give the logs."
        search.problems.append((path, Problem(text)))
    return search.found()


class _Search:
    """What has been found so far."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._sources: dict[str, Source] = {}
        self._times: dict[str, int] = {}
        self._members = 0
        self.problems: list[tuple[str, Problem]] = []

    def found(self) -> Contents:
        for path, times in self._times.items():
            if times > 1:
                text = f"The archive holds it {times} times; the last one was read, which unpacking would leave."
                self.problems.append((path, Problem(text)))
        return Contents(list(self._sources.values()), self.problems)

    def opened(self, path: str, opener: Open, kind: Kind, shelf: Shelf, turn: tuple[int, ...]) -> Archive | None:
        """The archive, or None where it cannot be opened, which is told."""
        if kind.archive == "tar":
            return TarArchive(opener, kind.format, shelf, turn)
        if kind.format == "text" and not isinstance(opener, _Handed):
            return ZipArchive(opener, shelf, turn)
        try:
            with opener() as stream:
                return ZipArchive(self._spool.keep(unpacked(stream), MOST_KEPT), shelf, turn)
        except OSError as error:
            text = (
                f"It is a zip that is itself packed, and cannot be read: {_reason(error)}. Unpack what it is in first."
            )
            self.problems.append((path, Problem(text, True)))
            return None

    def walk(self, path: str, archive: Archive, depth: int) -> None:
        before = self._members
        try:
            for found in archive.walk():
                self._members += 1
                if self._members > MOST_MEMBERS:
                    raise _TooManyError
                self._member(path, archive, found, depth)
        except OSError as error:
            read = self._members - before
            if read:
                text = f"Reading stopped at its member {read:,}: {_reason(error)}. What came before was analysed."
            else:
                text = f"Nothing of the archive could be read: {_reason(error)}."
            self.problems.append((path, Problem(text, not read)))

    def _member(self, path: str, archive: Archive, found: Found, depth: int) -> None:
        place, entry, opened = found
        parts = [part for part in entry.name.split("/") if part not in ("", ".")]
        if not parts or any(part.startswith(".") and part != ".." for part in parts):
            return
        member, name = f"{path}!{'/'.join(parts)}", parts[-1]
        if entry.kind in ("folder", "link"):
            return  # What a link leads to is a member itself, or lies outside.
        if is_named_like_no_log(name) and not may_be_recorder(name):
            return
        if trouble := _trouble(entry):
            self.problems.append((member, trouble))
            return
        opener = MemberOpener(archive, place)
        try:
            with opened() as stream:
                recorded = Recorded(stream)
                kind = kind_of(recorded, name)
                if kind.archive:
                    self._archive(member, opener, recorded, kind, depth)
                else:
                    self._file(member, name, opener, recorded, kind)
        except OSError as error:
            if not isinstance(entry, zips.Entry):
                raise  # Nothing can be found behind it.
            self.problems.append((member, Problem(f"It cannot be read: {_reason(error)}.", True)))

    def _archive(self, path: str, opener: MemberOpener, recorded: Recorded, kind: Kind, depth: int) -> None:
        if depth:
            text = "It is an archive in an archive in an archive and was left out: unpack the outer one first."
            self.problems.append((path, Problem(text, True)))
            return
        handed = _Handed(recorded.again(), opener)
        archive = self.opened(path, handed, kind, opener.archive.inner, opener.turn)
        if archive is not None:
            self.walk(path, archive, depth + 1)

    def _file(self, path: str, name: str, opener: MemberOpener, recorded: Recorded, kind: Kind) -> None:
        what = judged(kind, name)
        if isinstance(what, Problem):
            self.problems.append((path, what))
        elif what is not None:
            is_moved = opener.archive.goes_forward and is_named_as_piece(path)
            self._times[path] = self._times.get(path, 0) + 1
            self._sources[path] = Source(path, what, opener=self._kept(recorded, opener) if is_moved else opener)

    def _kept(self, recorded: Recorded, opener: Opener) -> Opener:
        """The pieces of a log are read one behind the other, however they lie in the archive."""
        try:
            return self._spool.keep(recorded.again(), MOST_KEPT)
        except OSError:
            return opener


class _Handed:
    """Opens a member first as it is before us now, then by its opener."""

    def __init__(self, stream: ByteStream, opener: Opener) -> None:
        self._stream: ByteStream | None = stream
        self._opener = opener

    @contextmanager
    def __call__(self) -> Iterator[ByteStream]:
        if self._stream is not None:
            stream, self._stream = self._stream, None
            yield stream
            return
        with self._opener() as stream:
            yield stream


def _trouble(entry: tar.Entry | zips.Entry) -> Problem | None:
    if isinstance(entry, zips.Entry) and entry.kind == "file" and entry.packing is None:
        return Problem("It is packed in a way that is not read: unpack the archive and give what was in it.", True)
    return _TROUBLES.get(entry.kind)


def _reason(error: OSError) -> str:
    return error.strerror.lower() if error.strerror else str(error)
