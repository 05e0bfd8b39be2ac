"""Records inside a JSON document: an array, the answer of a service, objects that were printed over several lines.

Documents may be larger than memory and may stand on one line, so only the record that is being read is held. Whole
lines between records are left as they are; brackets and commas are no text.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts.layout import HEAD
from logsleuth.layouts.list_entry import BARE, Context, entry_in
from logsleuth.layouts.order import in_order
from logsleuth.layouts.record import decoded
from logsleuth.layouts.rows import PlainRow, Row

_MOST_HELD = 32 << 20
"""Bytes of a record; what is longer is read as lines."""
_ASKED = 4
"""Values at the head that are looked at."""
_LIST = re.compile(
    r'"(?:events|logEvents|entries|hits|results?|values?|rows|data|records|items|logs|messages|lines)"\s*:\s*'
    r'\[\s*(?=[{\[])(?!\{\s*"(?:stream|metric)"\s*:\s*\{)'
)
"""Lists of records; those whose members are lists of records again (Loki's streams) are passed by."""
_CONTEXT = re.compile(r'"(stream|columns|logStream)"\s*:\s*(?=[{\["])')
"""What stands beside a list and tells of all its records."""
_BEGINS = re.compile(r'\[\s*[\[{]|\{\s*"')
_ARRAY = re.compile(r"^\s*\[\s*(?=[{\[])", re.MULTILINE)
_OBJECT = re.compile(r"^[^\S\n]*(?=\{)", re.MULTILINE)
_PLACE = re.compile(r"[^\s,]|$(?!\n)")
_WORD = re.compile(rb"\w")
_SHARE = 0.5
"""Of the text at the head that may stand between the values of a document."""
_LONG = 64 << 10
"""Bytes that what opens a list may take up."""
_decode = json.JSONDecoder().raw_decode


class _Piece(NamedTuple):
    start: int
    end: int
    is_value: bool
    """False for what stands between values."""


def recognises(head: bytes) -> bool:
    """Whether a document begins whose first values are records."""
    text = head.decode("latin-1").removeprefix("\xef\xbb\xbf").lstrip()
    if not _BEGINS.match(text):
        return False
    document = _Document(0, 1)
    document.take(head)
    pieces = list(document.pieces(True))
    between = sum(len(_WORD.findall(head, *piece[:2])) for piece in pieces if not piece.is_value)
    if not document.is_wrapped and between > _SHARE * len(_WORD.findall(head)):
        return False
    return any(document.is_record(piece) for piece in [piece for piece in pieces if piece.is_value][:_ASKED])


def unfolded(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    return in_order(_rows(chunks))


def _rows(chunks: Iterable[Chunk]) -> Iterator[list[Row]]:
    document: _Document | None = None
    for chunk in chunks:
        document = document or _Document(chunk.offset, chunk.line)
        document.take(chunk.data)
        yield document.rows(False)
    if document is not None:
        yield document.rows(True)


class _Document:
    """Takes the text of a document bit by bit, and gives the lines of what is complete."""

    def __init__(self, offset: int, number: int) -> None:
        self._data = b""
        self._offset, self._number = offset, number
        """Of the first byte that is held, and of its line."""
        self._wanted = HEAD
        """Bytes to be held before it is worth trying (again)."""
        self._opens: re.Pattern[str] | None = None
        """What values stand behind."""
        self._is_inside = False
        """Whether a list of them is open."""
        self._context: Context = BARE

    def take(self, data: bytes) -> None:
        self._data += data

    @property
    def is_wrapped(self) -> bool:
        """Whether records stand in a list of an object."""
        return self._opens is _LIST

    def is_record(self, piece: _Piece) -> bool:
        """Whether a piece shows by itself that it is a record."""
        return entry_in(self._data[piece.start : piece.end], 0, 1, self._context, is_sure=False) is not None

    def rows(self, is_last: bool) -> list[Row]:
        """The lines of what is complete; at the end of all that is left: a record that is torn is the lines it is."""
        is_last = is_last or len(self._data) > _MOST_HELD
        if len(self._data) < self._wanted and not is_last:
            return []
        rows: list[Row] = []
        done, offset, number, counted = 0, self._offset, self._number, 0
        for start, end, is_value in self.pieces(is_last):
            number, counted, done = number + self._data.count(b"\n", counted, start), start, end
            raw = self._data[start:end]
            entry = entry_in(raw, offset + start, number, self._context) if is_value else None
            rows += entry if entry is not None else self._lines(start, end, number, is_value)
        self._number = number + self._data.count(b"\n", counted, done)
        self._offset, self._data = offset + done, self._data[done:]
        self._wanted = 2 * len(self._data)
        return rows

    def _lines(self, start: int, end: int, number: int, is_value: bool) -> Iterator[Row]:
        """The lines of a part that is no record; of what stands between values whole lines only."""
        at = start
        while at < end:
            newline = self._data.find(b"\n", at, end)
            stop = end if newline < 0 else newline
            begins_line = at == 0 or self._data[at - 1 : at] == b"\n"
            text = self._data[at:stop].removesuffix(b"\r")
            is_whole = begins_line and (newline >= 0 or stop == len(self._data))
            if is_value or (is_whole and _WORD.search(text)):
                yield PlainRow(text, self._offset + at, number)
            at, number = stop + 1, number + 1

    def pieces(self, is_last: bool) -> Iterator[_Piece]:
        """What can be read of the text that is held, without a gap, from its first byte on."""
        text = self._data.decode("latin-1")
        if self._opens is None:
            self._opens = _opening(text[:HEAD])
        at = 0
        while at < len(text):
            if not self._is_inside:
                opened = self._opens.search(text, at)
                end = opened.end() if opened else len(text) if is_last else text.rfind("\n", at, -_LONG) + 1
                if self._opens is _LIST:
                    self._see_context(text, at, end)
                if end > at:
                    yield _Piece(at, end, False)
                at = max(at, end)
                if opened is None:
                    return
                self._is_inside = True
                if end < len(text) or is_last:
                    continue
            start = next(_PLACE.finditer(text, at)).start()
            if text[start : start + 1] == "]":
                self._is_inside, at = False, start + 1
                continue
            try:
                _, end = _decode(text, start)
            except (ValueError, RecursionError):
                break
            if end == len(text) and not is_last and text[start] not in '{["':
                break
            yield _Piece(start, end, True)
            at, self._is_inside = end, self._opens is not _OBJECT
        if is_last and at < len(text):
            yield _Piece(at, len(text), True)
            self._is_inside = False

    def _see_context(self, text: str, at: int, end: int) -> None:
        for match in _CONTEXT.finditer(text, at, end):
            try:
                _, stop = _decode(text, match.end())
            except (ValueError, RecursionError):
                continue
            self._context = self._context.with_(match[1], decoded(text[match.end() : stop].encode("latin-1")))


def _opening(text: str) -> re.Pattern[str]:
    text = text.removeprefix("\xef\xbb\xbf")
    if _ARRAY.match(text):
        return _ARRAY
    is_wrapped = _LIST.search(text)
    if is_wrapped:
        try:
            _, end = _decode(text, text.index("{"))
        except (ValueError, RecursionError):
            return _LIST
        return _OBJECT if entry_in(text[:end].strip().encode("latin-1"), 0, 1, BARE) is not None else _LIST
    return _OBJECT
