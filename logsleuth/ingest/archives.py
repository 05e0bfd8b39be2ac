"""Archives that are open: their members come one at a time, in the order of the archive without going back."""

import io
import weakref
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import BinaryIO, NamedTuple, Protocol, cast

from logsleuth.ingest import tar, zips
from logsleuth.ingest.allowance import Allowance
from logsleuth.ingest.layers import DamageError, Limited, Region
from logsleuth.ingest.unpack import unpacked
from logsleuth.model.origin import ByteStream


class Open(Protocol):
    """Opens the bytes of an archive, or of a member, as they are stored."""

    def __call__(self) -> AbstractContextManager[ByteStream]: ...


Found = tuple[int, tar.Entry | zips.Entry, Open]
"""A member's place, what the archive says of it, and how to read it before the next one is asked for."""


class Archive(Protocol):
    turn: tuple[int, ...]
    """Of the archive itself, in front of those of its members."""
    goes_forward: bool
    """Whether members are dear to open in another order than their own."""
    inner: "Shelf"
    """Where the archives in it lie."""

    def walk(self) -> Iterator[Found]:
        """All members in their order; raises OSError where the archive cannot be read on."""

    def open(self, place: int) -> AbstractContextManager[ByteStream]:
        """A member as it is stored; it may be read until another one of the archive is opened."""

    def close(self) -> None:
        """Lets go of the file; a member that is opened afterwards opens it anew."""


class MemberOpener(NamedTuple):
    """Opens a member; see ``logsleuth.model.origin.Opener``."""

    archive: Archive
    place: int
    once: bool = False

    @property
    def turn(self) -> tuple[int, ...]:
        return (*self.archive.turn, self.place)

    def __call__(self) -> AbstractContextManager[ByteStream]:
        return self.archive.open(self.place)


class Shelf:
    """Where archives lie: of those that lie on one, or in one archive, only the last that was asked is open.

    However many there are, few files are open at a time; and where an archive goes on to its next member, what was read
    of the archive in the member before is closed.
    """

    def __init__(self) -> None:
        self._taken: weakref.ref[Archive] | None = None

    def take(self, archive: Archive) -> None:
        if self._taken is None or self._taken() is not archive:
            self.clear()
            self._taken = weakref.ref(archive)

    def clear(self) -> None:
        if self._taken is not None and (archive := self._taken()) is not None:
            archive.close()
        self._taken = None


class TarArchive:
    """A tar, packed or not, that is read from its start to the member that is wanted, and from there to the next."""

    def __init__(self, opener: Open, packing: str, shelf: Shelf, turn: tuple[int, ...]) -> None:
        self._opener, self._is_packed, self._shelf = opener, packing != "text", shelf
        self.turn = turn
        self.inner = Shelf()
        self.goes_forward = True
        self._stack = ExitStack()
        self._stored: ByteStream | None = None
        self._offsets: list[tuple[int, int]] = []
        """Of each member's data, and its size, where the archive can seek."""
        self._entries: Iterator[tuple[int, tuple[tar.Entry, ByteStream]]] | None = None
        self._at = -1
        """Place of the member that was opened last."""

    def walk(self) -> Iterator[Found]:
        self.close()
        self._offsets.clear()
        try:
            for place, (entry, stream) in self._begin():
                self._at = place
                if not self.goes_forward:
                    self._offsets.append((entry.offset, entry.size))
                yield place, entry, _once(stream)
        finally:
            self.close()

    @contextmanager
    def open(self, place: int) -> Iterator[ByteStream]:
        self._shelf.take(self)
        self.inner.clear()
        if self._entries is None or (self._at >= place and self.goes_forward):
            self.close()
            self._begin()
        if isinstance(self._stored, io.BufferedReader) and place < len(self._offsets):
            start, size = self._offsets[place]
            yield Limited(io.BufferedReader(Region(self._stored, start, size)), size)
            return
        assert self._entries is not None
        for self._at, (_, stream) in self._entries:  # noqa: B020
            if self._at == place:
                yield stream
                return
        raise DamageError("the archive has changed since it was looked through")

    def close(self) -> None:
        self.inner.clear()
        self._stack.close()
        self._entries, self._stored, self._at = None, None, -1

    def __del__(self) -> None:
        self._stack.close()

    def _begin(self) -> Iterator[tuple[int, tuple[tar.Entry, ByteStream]]]:
        self._stored = self._stack.enter_context(self._opener())
        self._shelf.take(self)
        stream = unpacked(self._stored) if self._is_packed else self._stored
        self.goes_forward = not (isinstance(stream, io.BufferedReader) and stream.seekable())
        self._entries = enumerate(tar.entries(stream))
        return self._entries


class ZipArchive:
    """A zip in a file that can seek."""

    def __init__(self, opener: Open, shelf: Shelf, turn: tuple[int, ...]) -> None:
        self._opener, self._shelf = opener, shelf
        self.turn = turn
        self.goes_forward = False
        self.inner = Shelf()
        self._stack = ExitStack()
        self._file: BinaryIO | None = None
        self._table: list[zips.Entry] = []
        self._size = 0
        self._last: tuple[int, int, Allowance] | None = None
        """The member that was opened last, where its allowance began, and that."""
        self._spent: dict[int, int] = {}
        """Bytes that were unpacked of each member, when most of it was."""
        self._unpacked = 0
        """Their sum."""

    def walk(self) -> Iterator[Found]:
        self._begin()
        for place, entry in enumerate(self._table):
            yield place, entry, MemberOpener(self, place)

    @contextmanager
    def open(self, place: int) -> Iterator[ByteStream]:
        self._shelf.take(self)
        self.inner.clear()
        file = self._begin()
        yield zips.content(file, self._table[place], self._allowance(place))

    def close(self) -> None:
        self.inner.clear()
        self._stack.close()
        self._file = None

    def __del__(self) -> None:
        self._stack.close()

    def _begin(self) -> BinaryIO:
        if self._file is None:
            self._file = cast(BinaryIO, self._stack.enter_context(self._opener()))
            self._shelf.take(self)
            self._size = self._file.seek(0, io.SEEK_END)
            self._table = self._table or zips.table(self._file)
        return self._file

    def _allowance(self, place: int) -> Allowance:
        """What is left for a member. Members may share their bytes, so that a bound for each alone bounds nothing."""
        if self._last is not None:
            before, start, allowance = self._last
            more = max(allowance.unpacked - start - self._spent.get(before, 0), 0)
            self._spent[before] = self._spent.get(before, 0) + more
            self._unpacked += more
        allowance = Allowance(self._size)
        allowance.unpacked = self._unpacked - self._spent.get(place, 0)
        self._last = place, allowance.unpacked, allowance
        return allowance


def _once(stream: ByteStream) -> Open:
    @contextmanager
    def opened() -> Iterator[ByteStream]:
        yield stream

    return opened
