"""What unpacks each packing: the decoders, and what to install where one is missing."""

import sys
import zlib
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple, Protocol

XZ_MEMORY = 256 << 20
"""Bytes that a decoder of xz may take; ``xz -9`` asks for 65 MiB."""


class Decoder(Protocol):
    """As ``bz2.BZ2Decompressor`` and its like: for one stream, fed as it comes, with bounded output."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class Codec(NamedTuple):
    begin: Callable[[], Decoder]
    errors: tuple[type[Exception], ...]
    """What a decoder raises where the data are damaged."""


class DecoderMissingError(OSError):
    """This Python cannot unpack such data; ``str()`` says what to install, as the rest of a sentence."""


def codec(packing: str) -> Codec:
    """The decoders of ``gzip``, ``deflate`` (a zip's, without header), ``zstd``, ``bzip2`` or ``xz``."""
    try:
        return _CODECS[packing]()
    except ImportError:
        raise DecoderMissingError(_MISSING[packing]) from None


class _Zlib:
    """A decoder of zlib with the interface of the others."""

    def __init__(self, bits: int) -> None:
        self._decoder = zlib.decompressobj(bits)

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def needs_input(self) -> bool:
        return not self._decoder.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return self._decoder.decompress(self._decoder.unconsumed_tail + data, max_length)


def _gzip() -> Codec:
    try:
        igzip = import_module("isal.igzip_lib")  # Three times as fast, where it can be had.
    except ImportError:
        return Codec(lambda: _Zlib(31), (zlib.error,))
    return Codec(lambda: igzip.IgzipDecompressor(flag=igzip.DECOMP_GZIP), (igzip.IsalError,))


def _deflate() -> Codec:
    return Codec(lambda: _Zlib(-15), (zlib.error,))


def _zstd() -> Codec:
    zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    return Codec(zstd.ZstdDecompressor, (zstd.ZstdError, MemoryError))


def _bzip2() -> Codec:
    import bz2

    return Codec(bz2.BZ2Decompressor, (OSError, ValueError))


def _xz() -> Codec:
    import lzma

    return Codec(lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, XZ_MEMORY), (lzma.LZMAError, MemoryError))


_CODECS: dict[str, Callable[[], Codec]] = {
    "gzip": _gzip,
    "deflate": _deflate,
    "zstd": _zstd,
    "bzip2": _bzip2,
    "xz": _xz,
}
_MISSING = {
    "zstd": "zstd data are read with the package backports.zstd, which is not installed: `pip install backports.zstd`, "
    "or unpack it first (`zstd -d`)",
    "bzip2": "this Python was built without bzip2: unpack it first (`bunzip2`), or use another Python",
    "xz": "this Python was built without xz: unpack it first (`unxz`), or use another Python",
}
