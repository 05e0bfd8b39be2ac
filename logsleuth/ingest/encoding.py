"""In which encoding a log is written, and UTF-16 turned into UTF-8 on the way."""

import codecs
from collections.abc import Iterable, Iterator

SNIFFED = 512
"""Bytes from the start of a source that decide its encoding."""

_BOMS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_FEWEST_UNITS = 4
_MOST, _FEW = 0.8, 0.1


def utf16_codec(head: bytes) -> str | None:
    """``utf-16-le`` or ``utf-16-be`` where the first bytes of a source say so, otherwise None.

    They say so by a byte order mark (PowerShell's ``>`` writes one), or by a NUL in nearly every second place and in
    hardly any other, which is how UTF-16 spells the ASCII that logs mostly are.
    """
    if codec := _BOMS.get(head[:2]):
        return codec
    even, odd = head[:SNIFFED:2], head[1:SNIFFED:2]
    if len(odd) < _FEWEST_UNITS:
        return None
    nul_even, nul_odd = even.count(0) / len(even), odd.count(0) / len(odd)
    if nul_odd >= _MOST and nul_even <= _FEW:
        return "utf-16-le"
    if nul_even >= _MOST and nul_odd <= _FEW:
        return "utf-16-be"
    return None


def as_utf8(blocks: Iterable[bytes], codec: str) -> Iterator[bytes]:
    """Decodes UTF-16 blocks, cut anywhere, to UTF-8 without the byte order mark; what is no UTF-16 becomes U+FFFD."""
    decoder = codecs.getincrementaldecoder(codec)(errors="replace")
    mark = "\ufeff"
    for block in blocks:
        text = decoder.decode(block)
        if text:
            yield text.removeprefix(mark).encode()
            mark = ""
    yield decoder.decode(b"", final=True).encode()
