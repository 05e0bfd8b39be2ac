"""What docker's json-file driver writes: ``{"log":"text\\n","stream":"stderr","time":"2026-03-05T10:00:00.1Z"}``.

Such files are large, so lines that are written just so are unfolded a chunk at a time: the text between two separators
is the message. Only a chunk that holds anything else is read record by record.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from logsleuth.ingest.chunks import Chunk, Folds
from logsleuth.layouts.escapes import SHORT, unescaped
from logsleuth.layouts.folds import Physical
from logsleuth.layouts.joining import Joining
from logsleuth.layouts.json_lines import whole_lines
from logsleuth.layouts.layout import lines_in
from logsleuth.layouts.record import record_in
from logsleuth.layouts.rows import PlainRow, Row, chunk_of
from logsleuth.model.label import told

_OPENS = b'{"log":"'
_BEHIND = rb'"stream":"(std(?:out|err))"(?:,"attrs":\{[^{}\n]{0,4000}\})?,"time":"([\w:.+-]{1,40})"\}'
_SEPARATOR = re.compile(rb'\\n",%b\n\{"log":"' % _BEHIND.replace(b"(std(?:out|err))", b"std(?:out|err)"))
"""Between two texts; its group is the time of the first."""
_SLASH, _QUOTE = b'\\"'
"""As numbers, which bytes are asked for several times as fast."""
_BACKSLASH = b"\x1c"
"""Stands for an escaped one: JSON has no control characters."""
_ODD = (b'\n{\\"', b"\\\n", b"\\u000", b"\\u001c", b"\\u001C")
"""A record in a text, a backslash at its end, and what would be taken for what ends a line or for the mark."""
_NEWLINE = re.compile(rb"(?<!\\)(?:\\\\)*\\(?:n|u000[aA])")
_LINE = re.compile(rb'\{"log": ?"((?:[^"\\]|\\.)*+)", ?%b' % _BEHIND)
_SHARE = 0.8
_BEFORE, _, _AFTER = told(stamp=b"0").partition(b"0")


def recognises(head: bytes) -> bool:
    """Whether lines are docker's, the first among them: one may be torn, or have come from elsewhere."""
    if not head.startswith(_OPENS):
        return False
    lines = [line for line in whole_lines(head) if line.strip()]
    records = sum(_LINE.fullmatch(line) is not None for line in lines)
    return records >= _SHARE * len(lines) or (len(lines) == 1 and b"\n" not in head)


def unfolded(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    joining = Joining()
    for chunk in chunks:
        if joining.is_empty and not chunk.torn and (plain := _plain(chunk)):
            yield plain
        elif rows := [row for line in lines_in(chunk) for row in _rows(line, joining)]:
            yield chunk_of(rows)
    if held := joining.finish():
        yield chunk_of(held)


def _plain(chunk: Chunk) -> Chunk | None:
    """The chunk with all of its records unfolded, where each holds one whole line of text and no record."""
    data = chunk.data
    if not data.startswith(_OPENS) or not data.endswith(b"}\n"):
        return None
    parts = _SEPARATOR.split(data[len(_OPENS) :] + _OPENS)
    texts, stamps = parts[0:-1:2], parts[1::2]
    if parts[-1] or len(texts) != data.count(b"\n"):
        return None
    if escaped := [at for at, text in enumerate(texts) if _SLASH in text or _QUOTE in text]:
        said = _said(b"\n".join([texts[at] for at in escaped]))
        if said is None:
            return None
        for at, text in zip(escaped, said.split(b"\n"), strict=True):
            texts[at] = text
    # By slices, because there are thousands.
    pieces = [b"\n" + _BEFORE, b"", _AFTER, b""] * len(stamps)
    pieces[1::4], pieces[3::4] = stamps, texts
    unfolded = b"".join(pieces)[1:] + b"\n"
    return Chunk(unfolded, chunk.offset + len(_OPENS), chunk.line, False, _PlainFolds(chunk, unfolded))


def _said(texts: bytes) -> bytes | None:
    """Texts, one a line, without their escapes; None where one holds a record or more than one line."""
    if texts.startswith(b'{\\"') or texts.endswith(b"\\") or _BACKSLASH in texts or any(odd in texts for odd in _ODD):
        return None
    texts = texts.replace(b"\\\\", _BACKSLASH)
    # From here on every backslash begins an escape.
    if b"\\n" in texts or texts.count(b'"') != texts.count(b'\\"'):
        return None
    texts = texts.replace(b'\\"', b'"')
    if b"\\" in texts:
        for escape, meaning in SHORT.items():
            texts = texts.replace(escape, meaning)
    return unescaped(texts).replace(_BACKSLASH, b"\\")


class _PlainFolds(Folds):
    """The way back where every line of a chunk became one."""

    keeps_lines = True

    def __init__(self, chunk: Chunk, unfolded: bytes) -> None:
        self._chunk, self._unfolded = chunk, unfolded
        self._lines = array("Q")
        """Where lines end in the source's chunk, and in what was made of it."""
        self._rows = array("Q")
        self._last: tuple[int, tuple[int, int, int]] | None = None
        """The place that was asked for last; a line is asked for its offset, its number and its text."""

    def offset(self, at: int) -> int:
        row, start, end = self._place(at)
        behind = at - (self._rows[row - 1] + 1 if row else 0)
        return self._chunk.offset + min(start + behind, end)

    def number(self, at: int) -> int:
        return self._chunk.line + self._place(at)[0]

    def cited(self, at: int) -> bytes:
        _, start, end = self._place(at)
        return self._chunk.data[start:end]

    def _place(self, at: int) -> tuple[int, int, int]:
        """Which line it is, and where its text begins and ends."""
        if self._last is not None and self._last[0] == at:
            return self._last[1]
        if not self._lines:
            self._lines, self._rows = _ends(self._chunk.data), _ends(self._unfolded)
        row = min(bisect_left(self._rows, at), len(self._rows) - 1)
        start = (self._lines[row - 1] + 1 if row else 0) + len(_OPENS)
        place = row, start, self._chunk.data.rfind(b'\\n","stream":"', start, self._lines[row])
        self._last = at, place
        return place


def _ends(data: bytes) -> "array[int]":
    return array("Q", [match.start() for match in re.finditer(b"\n", data)])


def _rows(line: Physical, joining: Joining) -> Sequence[Row]:
    match = _LINE.fullmatch(line.text)
    if not match:
        return joining.other(PlainRow(line.text, line.offset, line.number))
    text, stream, stamp = match.groups()
    is_whole = text.endswith(b"\\n") and (len(text) - len(text[:-1].rstrip(b"\\"))) % 2 == 0
    if _NEWLINE.search(text[:-2] if is_whole else text) or text.startswith(b'{\\"'):
        record = record_in(line.text, line.offset, line.number)
        rows = record.rows() if record else [PlainRow(line.text, line.offset, line.number)]
        return [*joining.finish(), *rows]
    message = text[:-2] if is_whole else text
    start = match.start(1)
    row = PlainRow(told(stamp=stamp) + unescaped(message), line.offset + start, line.number, message)
    return joining.part(stream, row, unescaped(message), is_whole)
