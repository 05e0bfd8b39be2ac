"""What ``journalctl -o export`` writes: ``NAME=value``, or a name, a length and bytes; a blank line ends an entry."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts.rows import PlainRow, Row, chunk_of
from logsleuth.layouts.writer import writer
from logsleuth.model.label import unlabelled

_MOST_HELD = 32 << 20
"""Bytes of one entry; what is longer is read as lines."""
_TEXT = re.compile(rb"([A-Z_][A-Z0-9_]*)=([^\n]*)\n")
_BINARY = re.compile(rb"([A-Z_][A-Z0-9_]*)\n(.{8})", re.DOTALL)
_BEGUN = re.compile(rb"[A-Z_][A-Z0-9_]*\n.{0,7}\Z", re.DOTALL)
_HEAD = re.compile(rb"(?:\s*)(?:__(?:CURSOR|REALTIME_TIMESTAMP)=[^\n]+\n)(?:__[A-Z_]+=[^\n]*\n)*_?[A-Z]")


class _Field(NamedTuple):
    name: bytes
    start: int
    end: int


def recognises(head: bytes) -> bool:
    return _HEAD.match(head) is not None


def unfolded(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    data, offset, number, wanted = b"", 0, 1, 0
    for chunk in chunks:
        if not data:
            offset, number = chunk.offset, chunk.line
        data += chunk.data
        if len(data) < wanted:
            continue
        rows, end = _entries(data, offset, number, len(data) > _MOST_HELD)
        number, offset, data = number + data.count(b"\n", 0, end), offset + end, data[end:]
        wanted = 2 * len(data)
        if rows:
            yield chunk_of(rows)
    if data and (rows := _entries(data, offset, number, True)[0]):
        yield chunk_of(rows)


def _entries(data: bytes, offset: int, number: int, is_last: bool) -> tuple[list[Row], int]:
    """The lines of the entries that are complete, and where those end."""
    rows: list[Row] = []
    at, counted = 0, 0
    while at < len(data):
        fields, end, is_whole = _fields(data, at)
        if not is_whole and not is_last:
            break
        number, counted = number + data.count(b"\n", counted, at), at
        if end == at:
            # No field begins here: the line stands as it is.
            newline = data.find(b"\n", at)
            end = len(data) if newline < 0 else newline + 1
            if text := data[at:end].strip(b"\r\n"):
                rows.append(PlainRow(unlabelled(text), offset + at, number, text))
        elif fields:
            rows += _of_entry(data, fields, offset, number, at)
        at = end
    return rows, at


def _fields(data: bytes, at: int) -> tuple[list[_Field], int, bool]:
    """The fields of the entry that begins here, where it ends, and whether that end is there."""
    fields: list[_Field] = []
    while at < len(data):
        if data[at : at + 1] == b"\n":
            return fields, at + 1, True
        if match := _TEXT.match(data, at):
            fields.append(_Field(match[1], *match.span(2)))
            at = match.end()
            continue
        binary = _BINARY.match(data, at)
        length = int.from_bytes(binary[2], "little") if binary else 0
        if binary and binary.end() + length < len(data) and data[binary.end() + length] == ord("\n"):
            fields.append(_Field(binary[1], binary.end(), binary.end() + length))
            at = binary.end() + length + 1
            continue
        # What may still become a field is no damage.
        goes_on = length <= _MOST_HELD if binary else _BEGUN.match(data, at) or data.find(b"\n", at) < 0
        return fields, at, not goes_on
    return fields, at, False


def _of_entry(data: bytes, fields: Sequence[_Field], offset: int, number: int, at: int) -> list[Row]:
    values = {
        name.decode().lower(): data[start : min(end, start + 300)].decode("utf-8", "replace")
        for name, start, end in fields
        if name != b"MESSAGE"
    }
    label = writer(values).label()
    rows: list[Row] = []
    for start, end in [field[1:] for field in fields if field.name == b"MESSAGE"]:
        line_number = number + data.count(b"\n", at, start)
        lines = data[start:end].split(b"\n")
        for line in lines[:-1] if len(lines) > 1 and not lines[-1] else lines:
            rows.append(PlainRow(label + unlabelled(line), offset + start, line_number, line, leads=not rows))
            start, line_number = start + len(line) + 1, line_number + 1
    return rows
