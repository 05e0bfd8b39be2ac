"""Where in the text of a JSON value one of its members stands."""

import re
from itertools import pairwise

from logsleuth.layouts.escapes import unescaped

Path = tuple[str | int, ...]
"""Keys of objects and places in arrays, from the outside in."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"|[{}\[\]:,]|[^\s"{}\[\]:,]+', re.DOTALL)
_TEN = re.compile(rb"(?<!\d)10(?!\d)")
_ESCAPE = re.compile(rb"\\(?:u000[aA]|.)", re.DOTALL)
_NEWLINES = (b"\\n", b"\\u000a", b"\\u000A")


def member(raw: bytes, path: Path) -> tuple[int, int]:
    """Start and end of the member at a path of a valid JSON value; of a key that stands twice, the last counts."""
    start, end = 0, len(raw)
    for key in path:
        start, end = _child(raw, start, end, key)
    return start, end


def lines_of(raw: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Start and end of every line of the text that a string, or an array of its bytes, at this place holds."""
    is_array = raw[start : start + 1] == b"["
    start, end = start + 1, end - 1
    if is_array:
        breaks = [match.span() for match in _TEN.finditer(raw, start, end)]
        is_last = bool(breaks) and not raw[breaks[-1][1] : end].strip()
    else:
        breaks = [match.span() for match in _ESCAPE.finditer(raw, start, end) if match[0] in _NEWLINES]
        is_last = bool(breaks) and breaks[-1][1] == end
    edges = [(start, start), *breaks, (end, end)]
    lines = [(before[1], after[0]) for before, after in pairwise(edges)]
    return lines[:-1] if is_last else lines


def _child(raw: bytes, start: int, end: int, key: str | int) -> tuple[int, int]:
    found = (start, end)
    depth, place, last = 0, 0, start
    name: bytes | None = None
    is_value, begins = False, 0
    for token in _TOKEN.finditer(raw, start, end):
        text = token[0]
        closes = text in (b"}", b"]")
        if depth == 1 and (text == b"," or closes):
            if is_value and _is(name, place, key):
                found = (begins, last)
            place, name, is_value = place + 1, None, False
            if closes:
                break
            continue
        if depth == 1 and not is_value and text != b":":
            if isinstance(key, int) or name is not None:
                is_value, begins = True, token.start()
            else:
                name = text
        depth += (text in (b"{", b"[")) - closes
        last = token.end()
    return found


def _is(name: bytes | None, place: int, key: str | int) -> bool:
    if isinstance(key, int):
        return place == key
    return name is not None and unescaped(name[1:-1]).decode("utf-8", "replace") == key
