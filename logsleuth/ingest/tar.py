"""The members of a tar archive, one behind the other, from a stream that need not be able to seek.

Formats: POSIX.1-2001 (pax), ustar, GNU (long names, numbers in base 256) and the old one of UNIX version 7. Ours
instead of ``tarfile``, which reads a header of any size into memory, and keeps every member that it has seen.
"""

import io
from collections.abc import Iterator
from typing import NamedTuple

from logsleuth.ingest.layers import BLOCK, CUT_SHORT, DamageError, Layer, Limited, head_of
from logsleuth.model.origin import ByteStream

_RECORD = 512
_MOST_HEADER = 1 << 20
"""Bytes of an extended header; a long path has some hundreds."""
_KINDS = {
    b"5": "folder",
    b"D": "folder",
    b"1": "link",
    b"2": "link",
    b"3": "device",
    b"4": "device",
    b"6": "device",
    b"S": "sparse",
}
_NO_DATA = {"folder", "link", "device"}
_EXTENDED = (b"x", b"g", b"L", b"K", b"X")


class Entry(NamedTuple):
    """A member as its header describes it."""

    name: str
    kind: str
    """``file``, ``folder``, ``link``, ``device`` or ``sparse`` (a file of which holes were left out)."""
    size: int
    offset: int
    """Of its data in the archive."""


def is_tar(head: bytes) -> bool:
    """Whether a file that begins so is a tar archive: its first header has the right checksum."""
    return len(head) >= _RECORD and head[0] != 0 and _has_checksum(head[:_RECORD])


def entries(stream: ByteStream) -> Iterator[tuple[Entry, ByteStream]]:
    """Every member and its data, which can be read until the next one is asked for.

    Zeros between members are passed over, so that archives that were put one behind the other are read as one. Raises
    DamageError where no header stands where one should, or the data end in a header.
    """
    archive = _Archive(stream)
    told: dict[str, str] = {}
    """What extended headers say of the member that follows them."""
    always: dict[str, str] = {}
    """What they say of all that follow."""
    while header := archive.record():
        kind, size = header[156:157], _number(header[124:136])
        if kind in _EXTENDED:
            if size > _MOST_HEADER:
                raise DamageError(f"a header of the archive is {size:,} bytes long, as none is that names a file")
            data = archive.take(size)
            if kind in b"LK":
                told.update({"path": _text(data)} if kind == b"L" else {})
            else:
                (always if kind == b"g" else told).update(_records(data))
            continue
        if kind == b"S":
            archive.pass_over_map(header)
        entry = _entry(header, kind, size, {**always, **told}, archive.at)
        told = {}
        yield entry, Limited(archive, entry.size)
        archive.move_to(entry.offset + entry.size)


class _Archive(Layer):
    """The stream and where in it we are."""

    def __init__(self, stream: ByteStream) -> None:
        super().__init__(stream)
        self.at = 0
        self._file = stream if isinstance(stream, io.BufferedReader) and stream.seekable() else None
        """Where the archive lies in a file of its own, what nobody wants need not be read."""
        self._size = 0
        if self._file is not None:
            self._size = self._file.seek(0, io.SEEK_END)
            self._file.seek(0)

    def read1(self, size: int, /) -> bytes:
        data = self._stream.read1(size)
        self.at += len(data)
        return data

    def record(self) -> bytes:
        """The next header; empty at the end of the archive."""
        while (header := head_of(self, _RECORD)) and not header.strip(b"\0"):
            pass
        if header and len(header) < _RECORD:
            raise DamageError(CUT_SHORT)
        if header and not _has_checksum(header):
            raise DamageError("the archive is damaged: there is no header where the next member should begin")
        return header

    def take(self, size: int) -> bytes:
        """The data of an extended header."""
        end = self.at + size
        data = head_of(self, size)
        self.move_to(end)
        return data

    def pass_over_map(self, header: bytes) -> None:
        """The rest of the table of holes that GNU tar writes between a header and its data."""
        goes_on = header[482]
        while goes_on and len(more := head_of(self, _RECORD)) == _RECORD:
            goes_on = more[504]

    def move_to(self, end: int) -> None:
        """Passes over what is left of a member's data, and over what fills its last record, if that is there."""
        offset = end + -end % _RECORD
        if self._file is not None and offset - self.at > BLOCK and end <= self._size:
            self.at = self._file.seek(offset)
        while self.at < offset and self.read1(min(offset - self.at, BLOCK)):
            pass
        if self.at < end:
            raise DamageError(CUT_SHORT)


def _entry(header: bytes, kind: bytes, size: int, told: dict[str, str], offset: int) -> Entry:
    name = _text(header[:100])
    if header[257:263] == b"ustar\0" and (prefix := _text(header[345:500])):
        name = f"{prefix}/{name}"
    name = told.get("path", name)
    meaning = _KINDS.get(kind, "file")
    if any(key.startswith("GNU.sparse.") for key in told):
        name, meaning = told.get("GNU.sparse.name", name), "sparse"
    elif kind in b"\x000" and name.endswith("/"):
        meaning = "folder"  # As version 7 wrote them.
    try:
        size = int(told.get("size", size))
    except ValueError:
        raise DamageError("the archive is damaged: the size of a member is no number") from None
    return Entry(name, meaning, 0 if meaning in _NO_DATA else max(size, 0), offset)


def _records(data: bytes) -> dict[str, str]:
    """The key and value of each record of a pax header: ``30 path=a/b\\n``, length first."""
    found: dict[str, str] = {}
    while data:
        digits, blank, _ = data.partition(b" ")
        if not blank or not digits.isdigit() or not len(digits) < int(digits[:9]) <= len(data):
            break
        record, data = data[len(digits) + 1 : int(digits)], data[int(digits) :]
        key, _, value = record.removesuffix(b"\n").partition(b"=")
        found[_text(key)] = _text(value)
    return found


def _text(name: bytes) -> str:
    return name.partition(b"\0")[0].decode(errors="backslashreplace")


def _number(field: bytes) -> int:
    """A number in octal digits, or in base 256 where the first bit says so."""
    if field[0] & 0x80:
        return int.from_bytes(bytes([field[0] & 0x7F]) + field[1:])
    digits = field.strip(b" \0")
    try:
        return int(digits or b"0", 8)
    except ValueError:
        raise DamageError("the archive is damaged: the size of a member is no number") from None


def _has_checksum(header: bytes) -> bool:
    """Whether the header adds up to the sum that stands in it; old archivers added signed bytes."""
    digits = header[148:156].strip(b" \0")
    if not digits or digits.strip(b"01234567"):
        return False
    rest = header[:148] + b" " * 8 + header[156:]
    unsigned = sum(rest)
    return int(digits, 8) in (unsigned, unsigned - 256 * sum(byte > 127 for byte in rest))
