"""Exports as CSV: CloudWatch's Logs Insights, Kibana, Grafana, Datadog, Splunk, Azure. A cell may hold many lines."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts import field_names
from logsleuth.layouts.order import in_order
from logsleuth.layouts.record import decoded, record_in
from logsleuth.layouts.rows import PlainRow, Row
from logsleuth.layouts.writer import Scalar, Writer, writer

_TEXTS = [name for name in field_names.TEXT if name not in ("event", "text", "body", "log", "msg")]
"""Columns that hold lines; the others may as well be words about a run in a table of numbers."""
_MOST_HELD = 32 << 20
"""Bytes of one row; what is longer is read as lines."""
_CELL = rb'(?:"(?:[^"]|"")*+"|[^"%(by)b\r\n][^%(by)b\r\n]*+|)'
_HEADER = re.compile(rb'\A(?:\xef\xbb\xbf)?(?P<cells>"?[@\w](?:[^\n]{0,4000}))\r?\n')


class _Table(NamedTuple):
    row: re.Pattern[bytes]
    by: bytes
    names: tuple[str, ...]
    text: int


def recognises(head: bytes) -> bool:
    """Whether the first line names columns for a text and for a time or a host, and a row with as many follows."""
    table = _table(head)
    if table is None:
        return False
    at = head.index(b"\n") + 1
    match = table.row.match(head, at)
    return match is not None and len(_cells(table, head, *match.span(1))) == len(table.names)


def unfolded(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    return in_order(_rows(chunks))


def _rows(chunks: Iterable[Chunk]) -> Iterator[Sequence[Row]]:
    data, offset, number, wanted = b"", 0, 1, 0
    table: _Table | None = None
    for chunk in chunks:
        if not data:
            offset, number = chunk.offset, chunk.line
        data += chunk.data
        if table is None:
            if b"\n" not in data:
                continue
            table = _table(data) or _Table(re.compile(rb"(?!)()"), b",", (), 0)
            end = data.index(b"\n") + 1
            yield [PlainRow(data[: end - 1].removesuffix(b"\r"), offset, number)]
            data, offset, number = data[end:], offset + end, number + 1
        if len(data) < wanted:
            continue
        rows, end = _of_table(table, data, offset, number, len(data) > _MOST_HELD)
        number, offset, data = number + data.count(b"\n", 0, end), offset + end, data[end:]
        wanted = 2 * len(data)
        yield rows
    if data and table is not None:
        yield _of_table(table, data, offset, number, True)[0]
    elif data:
        yield _lines(data, offset, number)


def _of_table(table: _Table, data: bytes, offset: int, number: int, is_last: bool) -> tuple[list[Row], int]:
    """The lines of the rows that are complete, and where those end."""
    rows: list[Row] = []
    at = 0
    while at < len(data):
        match = table.row.match(data, at)
        if match is None or (match.end() == len(data) and not match[0].endswith(b"\n") and not is_last):
            break
        rows += _of_row(table, data, match, offset, number)
        number, at = number + data.count(b"\n", at, match.end()), match.end()
    if is_last and at < len(data):
        rows += _lines(data[at:], offset + at, number)
        at = len(data)
    return rows, at


def _of_row(table: _Table, data: bytes, match: re.Match[bytes], offset: int, number: int) -> list[Row]:
    cells = _cells(table, data, *match.span(1))
    if len(cells) != len(table.names):
        return _lines(data[match.start() : match.end()], offset + match.start(), number)
    start, end = cells[table.text]
    number += data.count(b"\n", match.start(), start)
    told = _writer(table, data, cells)
    raw = data[start:end]
    text = raw.replace(b'""', b'"')
    if text[:1] == b"{" and (record := record_in(text)):
        inside = record.rows(told)
        return [PlainRow(row.text, offset + start, number, raw, leads=row.leads) for row in inside]
    label = told.label()
    rows: list[Row] = []
    lines = raw.split(b"\n")
    at = offset + start
    for place, line in enumerate(lines[:-1] if len(lines) > 1 and not lines[-1] else lines):
        text = label + line.replace(b'""', b'"').removesuffix(b"\r")
        rows.append(PlainRow(text, at, number + place, line, leads=not place))
        at += len(line) + 1
    return rows


def _writer(table: _Table, data: bytes, cells: list[tuple[int, int]]) -> Writer:
    fields: dict[str, Scalar] = {}
    for place, (name, (start, end)) in enumerate(zip(table.names, cells, strict=True)):
        if place == table.text:
            continue
        cell = data[start:end].replace(b'""', b'"')
        if name == "labels" and isinstance(labels := decoded(cell), dict):
            # Grafana: the labels of Loki's stream.
            fields.update((key.lower(), value) for key, value in labels.items() if isinstance(value, str))
        else:
            fields.setdefault(name, cell.decode("utf-8", "replace"))
    return writer(fields)


def _cells(table: _Table, data: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Where cells begin and end, without their quotes."""
    cells = []
    cell = re.compile(_CELL % {b"by": table.by})
    while match := cell.match(data, start, end):
        is_quoted = match[0][:1] == b'"'
        cells.append((match.start() + is_quoted, match.end() - is_quoted))
        start = match.end() + 1
        if start > end:
            break
    return cells


def _lines(data: bytes, offset: int, number: int) -> list[Row]:
    rows: list[Row] = []
    for place, line in enumerate(data.removesuffix(b"\n").split(b"\n")):
        rows.append(PlainRow(line.removesuffix(b"\r"), offset, number + place))
        offset += len(line) + 1
    return rows


def _table(head: bytes) -> _Table | None:
    header = _HEADER.match(head)
    if not header:
        return None
    for by in (b",", b"\t", b";"):
        names = tuple(_name(cell) for cell in header["cells"].split(by))
        text = next((names.index(name) for name in _TEXTS if name in names), None)
        if text is not None and len(names) > 1 and any(name in field_names.WRITER for name in names):
            cell = _CELL % {b"by": by}
            row = re.compile(rb"((?>%b)(?:%b(?>%b))*)(?:\r?\n|\Z)" % (cell, by, cell))
            return _Table(row, by, names, text)
    return None


def _name(cell: bytes) -> str:
    # Azure's portal: ``TimeGenerated [UTC]``.
    return cell.strip(b'" ').decode("utf-8", "replace").lower().removesuffix(" [utc]").removesuffix(" [local time]")
