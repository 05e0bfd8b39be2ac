"""The members of a zip archive, and the bytes of each; the table of members stands at its end, so it has to seek."""

import io
import stat
import struct
import zlib
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from logsleuth.ingest.allowance import Allowance
from logsleuth.ingest.layers import DamageError, Layer, Limited, Metered, Region
from logsleuth.ingest.unpack import Unpacked
from logsleuth.model.origin import ByteStream

if TYPE_CHECKING:
    from zipfile import ZipInfo

_MOST_TABLE = 24 << 20
"""Bytes of the table of members, which is held in memory: those of 100,000 long names."""
_PACKINGS = {0: "", 8: "deflate", 12: "bzip2", 93: "zstd", 95: "xz"}
"""The methods of compression that are read, APPNOTE 4.4.5."""
_HEADER = 30
_END, _END_SIZE = b"PK\x05\x06", 22


class Entry(NamedTuple):
    """A member as the table describes it."""

    name: str
    kind: str
    """``file``, ``folder``, ``link`` or ``encrypted``."""
    packing: str | None
    """Empty for none; None where it is one that we cannot read."""
    size: int
    stored: int
    checksum: int
    offset: int
    """Of its header in the archive."""


def table(file: BinaryIO) -> list[Entry]:
    """The members in the order of the table. Raises DamageError where it cannot be read."""
    from zipfile import BadZipFile, ZipFile  # It takes longer to load than all of ours that reads archives.

    _check_size(file)
    try:
        with ZipFile(file) as archive:
            return [_entry(info) for info in archive.infolist()]
    except (BadZipFile, struct.error, ValueError, NotImplementedError, EOFError) as error:
        raise DamageError(f"the table of its members at its end is missing or damaged ({error})") from None


def content(file: BinaryIO, entry: Entry, allowance: Allowance) -> ByteStream:
    """The bytes of a member, unpacked; raises DamageError where they are not there or not as the table says."""
    file.seek(entry.offset)
    header = file.read(_HEADER)
    if len(header) < _HEADER or header[:4] != b"PK\x03\x04":
        raise DamageError("the archive is damaged: the member is not where its table says")
    name, extra = struct.unpack("<HH", header[26:30])
    region = io.BufferedReader(Region(file, entry.offset + _HEADER + name + extra, entry.stored))
    stored = Metered(region, allowance)
    stream = Unpacked(stored, entry.packing, is_single=True) if entry.packing else Limited(stored, entry.size)
    return _Checked(stream, entry)


class _Checked(Layer):
    """The bytes of a member, added up."""

    def __init__(self, stream: ByteStream, entry: Entry) -> None:
        super().__init__(stream)
        self._sum, self._wanted = 0, entry.checksum

    def read1(self, size: int, /) -> bytes:
        data = self._stream.read1(size)
        self._sum = zlib.crc32(data, self._sum)
        if size and not data and self._sum != self._wanted:
            raise DamageError("the member is damaged (wrong checksum), so that the text may be wrong in places")
        return data


def _entry(info: "ZipInfo") -> Entry:
    mode = info.external_attr >> 16
    kind = "folder" if info.is_dir() else "link" if stat.S_ISLNK(mode) else "file"
    if info.flag_bits & 0x41:
        kind = "encrypted" if kind == "file" else kind
    return Entry(
        _name(info),
        kind,
        _PACKINGS.get(info.compress_type),
        info.file_size,
        info.compress_size,
        info.CRC,
        info.header_offset,
    )


def _name(info: "ZipInfo") -> str:
    """Python reads a name that does not say that it is UTF-8 as code page 437, but most of them are UTF-8."""
    name = info.filename
    if not info.flag_bits & 0x800:
        try:
            return name.encode("cp437").decode()
        except UnicodeError:
            pass
    return name.encode(errors="backslashreplace").decode()


def _check_size(file: BinaryIO) -> None:
    """Raises DamageError for a table that is too long to be read."""
    size = file.seek(0, 2)
    start = max(size - _END_SIZE - (1 << 16) - 76, 0)
    file.seek(start)
    tail = file.read()
    end = tail.rfind(_END)
    if end < 0 or len(tail) - end < _END_SIZE:
        raise DamageError("its end is missing, with the table of its members, as it is where a copy was cut short")
    (length,) = struct.unpack_from("<L", tail, end + 12)
    if length == 0xFFFFFFFF and end >= 76:
        (length,) = struct.unpack_from("<Q", tail, end - 76 + 40)  # Of the longer record of zip64, which stands before.
    if length > _MOST_TABLE:
        raise DamageError("the table of its members is longer than that of any archive of logs")
    file.seek(0)
