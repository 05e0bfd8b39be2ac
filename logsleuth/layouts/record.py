"""A JSON object that a collector or a logger wrote: its texts, its writer, and where the lines of the texts stand."""

import json
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from logsleuth.layouts import field_names
from logsleuth.layouts.escapes import place_in, unescaped
from logsleuth.layouts.json_places import Path, lines_of, member
from logsleuth.layouts.writer import UNKNOWN, Fields, Scalar, Writer, writer
from logsleuth.model.label import unlabelled

_DEPTH = 4
"""Objects inside each other in which fields are looked for."""
_MOST = 400
"""Fields of a record that are looked at."""
_NESTED = 3
"""Records inside each other that are unfolded."""


class _Text(NamedTuple):
    lines: list[bytes]
    paths: tuple[Path, ...]
    """Where the text stands: each in the text at the one before it."""


class Record:
    """A record that stands at a place of a source."""

    def __init__(self, raw: bytes, offset: int, number: int, texts: list[_Text], told: Writer) -> None:
        self._raw, self._number, self._texts = raw, number, texts
        self.begins = offset
        """Where in the source it does."""
        self.writer = told

    def rows(self, around: Writer = UNKNOWN) -> list["RecordRow"]:
        """Its lines, labelled."""
        label = around.around(self.writer).label()
        lines = (line for text in self._texts for line in text.lines)
        return [RecordRow(label + line, self, place) for place, line in enumerate(lines)]

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        places = [place for text in self._texts for place in _places(self._raw, text)]
        # None begins in front of the one before it, whatever a key that stands twice does to their order.
        last = 0
        for at, (start, end) in enumerate(places):
            last = max(last, start)
            places[at] = (last, max(end, last))
        return places

    def place(self, line: int) -> tuple[int, int, bytes]:
        """See ``Row.place``."""
        start, end = self._places[line]
        return self.begins + start, self._number + self._raw.count(b"\n", 0, start), self._raw[start:end]


class RecordRow:
    """One line of a record."""

    __slots__ = ("_line", "_record", "text")

    def __init__(self, text: bytes, record: Record, line: int) -> None:
        self.text, self._record, self._line = text, record, line

    @property
    def leads(self) -> bool:
        return self._line == 0

    @property
    def begins(self) -> int:
        return self._record.begins

    def place(self) -> tuple[int, int, bytes]:
        return self._record.place(self._line)


def record_in(raw: bytes, offset: int = 0, number: int = 1, *, is_sure: bool = False) -> Record | None:
    """The record that this text is; None where it is none.

    A record is an object with a text (``field_names.TEXT``) and something about its writer, which may be missing where
    ``is_sure``.
    """
    if found := _read(raw, is_sure, 1):
        return Record(raw, offset, number, *found)
    return None


def members(value: dict[str, object]) -> Iterator[tuple[str, Path, object]]:
    """Name as in ``field_names``, path and value of everything in an object, in its order."""
    left = _MOST
    waiting: list[tuple[str, Path, object]] = [("", (), value)]
    while waiting and left:
        left -= 1
        name, path, item = waiting.pop()
        if isinstance(item, dict) and len(path) < _DEPTH:
            inside = "" if name in field_names.AROUND else name + "." if name else ""
            entries = [(inside + key.lower(), (*path, key), entry) for key, entry in list(item.items())[:_MOST]]
            waiting.extend(reversed(entries))
        if path:
            yield name, path, item


def record_of(raw: bytes, offset: int, number: int, named: list[tuple[str, Path, object]]) -> Record | None:
    """The record whose members are these, as ``members`` gives them; None where none of them is a text."""
    found = _of_members(iter(named), True, False, 1)
    return Record(raw, offset, number, *found) if found else None


def _read(raw: bytes, is_sure: bool, depth: int) -> tuple[list[_Text], Writer] | None:
    value = decoded(raw)
    if not isinstance(value, dict):
        return None
    is_formatted = isinstance(value.get("record"), dict) and isinstance(value.get("text"), str)
    return _of_members(members(value), is_sure, is_formatted, depth)


def _of_members(
    named: Iterator[tuple[str, Path, object]], is_sure: bool, is_formatted: bool, depth: int
) -> tuple[list[_Text], Writer] | None:
    fields: dict[str, Scalar] = {}
    found: dict[str, tuple[Path, list[bytes]]] = {}
    for name, path, item in named:
        if isinstance(item, str | int | float):
            fields.setdefault(name, item)
        if (name in field_names.EXCEPTION or name in field_names.TEXT) and (text := _text(item)) is not None:
            found.setdefault(name, (path, text))
    # Loguru's ``text`` holds all that its ``record`` does, laid out, and the traceback.
    names = ["text"] if is_formatted else field_names.TEXT
    name = next((name for name in names if name in found), "")
    if not name or not (is_sure or _tells_writer(name, fields)):
        return None
    return _texts(name, found, fields, depth)


def _tells_writer(text: str, fields: Fields) -> bool:
    others = fields.keys() - {text}
    if text in field_names.WEAK:
        return any(name in others for name in field_names.STAMP) and not others.isdisjoint(field_names.STRONG)
    return not others.isdisjoint(field_names.WRITER)


def decoded(raw: bytes) -> object:
    """The value of a JSON text, bytes that are no UTF-8 kept; None where it is no JSON, or has no end of depth."""
    try:
        return json.loads(raw.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None


def _text(item: object) -> list[bytes] | None:
    """The lines of a text; journald writes one that is no UTF-8 as an array of its bytes."""
    if isinstance(item, str):
        text = _encoded(item)
    elif isinstance(item, list) and item and all(type(byte) is int and 0 <= byte < 256 for byte in item):
        text = unlabelled(bytes(item))
    else:
        return None
    lines = text.split(b"\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def _encoded(text: str) -> bytes:
    try:
        return unlabelled(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return unlabelled(text.encode("utf-8", "replace"))


def _texts(
    name: str, found: dict[str, tuple[Path, list[bytes]]], fields: dict[str, Scalar], depth: int
) -> tuple[list[_Text], Writer]:
    told = writer({field: value for field, value in fields.items() if field != name})
    path, lines = found[name]
    message = b"\n".join(lines)
    if depth < _NESTED and message[:1] == b"{" and (inner := _read(message, False, depth + 1)):
        inside = [text._replace(paths=(path, *text.paths)) for text in inner[0]]
        return inside, told.around(inner[1])
    texts = []
    seen: list[bytes] = []
    for field, (path, lines) in found.items():
        text = b"\n".join(lines)
        if field == name:
            texts.append(_Text(lines, (path,)))
        elif field in field_names.EXCEPTION and text.strip() and not any(text in other for other in (message, *seen)):
            texts.append(_Text(lines, (path,)))
            seen.append(text)
    return texts, told


def _places(raw: bytes, text: _Text) -> list[tuple[int, int]]:
    """Start and end of each line of a text."""
    *around, path = text.paths
    strings = []
    inside = raw
    for outer in around:
        start, end = member(inside, outer)
        strings.append((start + 1, inside[start + 1 : end - 1]))
        inside = unescaped(inside[start + 1 : end - 1])
    places = lines_of(inside, *member(inside, path))
    for start, string in reversed(strings):
        places = [(start + place_in(string, low), start + place_in(string, high)) for low, high in places]
    # Texts of lone surrogates may read otherwise the second time.
    return places if len(places) == len(text.lines) else [places[0]] * len(text.lines)
