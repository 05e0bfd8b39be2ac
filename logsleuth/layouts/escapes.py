"""The escapes of a JSON string: what they stand for, and where in the source a byte of the text stands."""

import re

from logsleuth.model.label import unlabelled

_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|[^u])")
SHORT = {
    b'\\"': b'"',
    b"\\\\": b"\\",
    b"\\/": b"/",
    b"\\b": b"\b",
    b"\\f": b"\f",
    b"\\n": b"\n",
    b"\\r": b"\r",
    b"\\t": b"\t",
    # What Go escapes for HTML, and what begins a colour.
    b"\\u003c": b"<",
    b"\\u003e": b">",
    b"\\u0026": b"&",
    b"\\u001b": b"\x1b",
}


def unescaped(raw: bytes) -> bytes:
    """The text of a JSON string, given without its quotes; a lone surrogate is ``?``, what is no escape stays."""
    return _ESCAPE.sub(_meaning, raw) if b"\\" in raw else raw


def place_in(raw: bytes, at: int) -> int:
    """Where in the string as it stands the byte ``at`` of its text stands."""
    behind = 0
    for match in _ESCAPE.finditer(raw):
        if match.start() - behind >= at:
            break
        meaning = len(_meaning(match))
        begins = match.start() - behind
        if begins + meaning > at:
            return match.start()
        behind += len(match[0]) - meaning
    return at + behind


def _meaning(match: re.Match[bytes]) -> bytes:
    escape = match[0]
    if (short := SHORT.get(escape)) is not None:
        return short
    if escape[1:2] != b"u":
        return escape
    first = int(escape[2:6], 16)
    if len(escape) == 6:
        return _character(first)
    second = int(escape[8:], 16)
    if 0xD800 <= first < 0xDC00:
        return chr(0x10000 + ((first - 0xD800) << 10) + second - 0xDC00).encode()
    return _character(first) + _character(second)


def _character(number: int) -> bytes:
    return unlabelled(chr(number).encode("utf-8", "replace"))
