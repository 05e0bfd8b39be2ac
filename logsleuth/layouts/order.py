"""Exports that begin with the newest record are read from their end: tracebacks have an order, and so have causes.

Grafana, Kibana, logcli and Logs Insights show the newest first. Records of such a source are turned round, each whole.
Offsets then count in the order of reading (``Turned``), until evidence is cited.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts.rows import Row, chunk_of
from logsleuth.model.label import CLOCK, OPENS
from logsleuth.model.origin import Turned

_ASKED = 200
"""Records at the head whose stamps are looked at."""
_FEW = 2
"""Stamps that must fall for a source to be turned round."""
_SHARE = 0.2
"""Stamps that may rise for each that falls: lists of several streams, one behind the other."""
_MOST_ASKED = 4 << 20
"""Bytes of lines in which those records are looked for."""
_MOST_TURNED, _MOST_ROWS = 32 << 20, 1 << 16
"""Bytes and lines that are turned round at once; the parts of a longer source stay in their order. An export of as many
records as services give at once is shorter; of short records the objects weigh more than their bytes."""
_A_CHUNK = 1 << 20


class _TurnedRow:
    """A row that counts as standing somewhere else."""

    __slots__ = ("_row", "_shift", "begins", "leads", "text")

    def __init__(self, row: Row, shift: int) -> None:
        self.text, self.leads, self._row, self._shift = row.text, row.leads, row, shift
        self.begins = row.begins + shift

    def place(self) -> tuple[int, int, bytes]:
        offset, number, cited = self._row.place()
        return offset + self._shift, number, cited


def in_order(rows: Iterable[Sequence[Row]]) -> Iterator[Chunk]:
    """The chunks of the rows of a source, oldest first; rows come in any portions."""
    source = iter(rows)
    head: list[Row] = []
    leading = size = 0
    for some in source:
        head += some
        leading += sum(row.leads for row in some)
        size += sum(len(row.text) for row in some)
        if leading > _ASKED or size > _MOST_ASKED:
            break
    if _falls(head):
        yield from _turned(head, source)
        return
    if head:
        yield chunk_of(head)
    for some in source:
        if some:
            yield chunk_of(some)


def _falls(rows: Sequence[Row]) -> bool:
    """Whether the stamps of each writer fall from record to record."""
    last: dict[bytes, bytes] = {}
    falling = rising = 0
    for row in _asked(rows):
        writer, stamp = _told(row.text)
        if not stamp:
            continue
        before = last.get(writer, stamp)
        falling += stamp < before
        rising += stamp > before
        last[writer] = stamp
    return falling >= _FEW and rising <= _SHARE * falling


def _asked(rows: Iterable[Row]) -> Iterator[Row]:
    """The first lines of records at the head, as many whatever the portions were in which they came."""
    leading = size = 0
    for row in rows:
        if leading == _ASKED or size > _MOST_ASKED:
            return
        size += len(row.text)
        if row.leads:
            leading += 1
            yield row


def _told(text: bytes) -> tuple[bytes, bytes]:
    """The writer and the stamp in the label of a line; of two stamps that are written alike the later is greater."""
    if text[:1] != OPENS or text.count(CLOCK) < 2:
        return b"", b""
    writer, stamp, _ = text.split(CLOCK, 2)
    return writer, stamp.rstrip(b"Z")


def _turned(head: list[Row], source: Iterator[Sequence[Row]]) -> Iterator[Chunk]:
    rows: list[Row] = []
    size = 0
    for some in chain([head], source):
        for row in some:
            is_full = size > _MOST_TURNED or len(rows) >= _MOST_ROWS
            if rows and is_full and (row.leads or size > 2 * _MOST_TURNED or len(rows) >= 2 * _MOST_ROWS):
                yield from _block(rows)
                rows, size = [], 0
            rows.append(row)
            size += len(row.text)
    if rows:
        yield from _block(rows)


def _block(rows: list[Row]) -> Iterator[Chunk]:
    records: list[list[Row]] = []
    for row in rows:
        if row.leads or not records:
            records.append([])
        records[-1].append(row)
    starts = [record[0].begins for record in records]
    last, _, cited = rows[-1].place()
    end = last + len(cited) + 1
    turned = Turned(array("q"), array("q"))
    ready: list[Row] = []
    size = 0
    for record, start, behind in zip(reversed(records), reversed(starts), [end, *reversed(starts[1:])], strict=True):
        begins = starts[0] + end - behind
        turned.starts.append(begins)
        turned.shifts.append(begins - start)
        ready += [_TurnedRow(row, begins - start) for row in record]
        size += sum(len(row.text) for row in record)
        if size > _A_CHUNK:
            yield chunk_of(ready, turned)
            turned, ready, size = Turned(array("q"), array("q")), [], 0
    if ready:
        yield chunk_of(ready, turned)
