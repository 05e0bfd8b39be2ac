"""What containerd and CRI-O write: ``2026-03-05T10:00:00.1Z stderr F text``, or ``P`` where the line goes on.

Lines that are whole are framing as any other (``tokenize/stamped.py``), so a chunk of them passes untouched. Parts are
joined, and a text that is a record is unfolded.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts.folds import Physical
from logsleuth.layouts.joining import Joining
from logsleuth.layouts.json_lines import whole_lines
from logsleuth.layouts.layout import lines_in
from logsleuth.layouts.record import record_in
from logsleuth.layouts.rows import PlainRow, Row, chunk_of
from logsleuth.layouts.writer import Writer

_LINE = re.compile(rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) (std(?:out|err)) ([FP])(?: |$)")
_ODD = re.compile(rb" std(?:out|err) (?:P|F \{\")")
_SHARE = 0.8


def recognises(head: bytes) -> bool:
    lines = [line for line in whole_lines(head) if line.strip()]
    return bool(lines) and sum(_LINE.match(line) is not None for line in lines) >= _SHARE * len(lines)


def unfolded(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    joining = Joining()
    for chunk in chunks:
        if joining.is_empty and not _ODD.search(chunk.data):
            yield chunk
        elif rows := [row for line in lines_in(chunk) for row in _rows(line, joining)]:
            yield chunk_of(rows)
    if held := joining.finish():
        yield chunk_of(held)


def _rows(line: Physical, joining: Joining) -> Sequence[Row]:
    row = PlainRow(line.text, line.offset, line.number)
    match = _LINE.match(line.text)
    if not match:
        return joining.other(row)
    stamp, stream, tag = match.groups()
    at = match.end()
    if tag == b"F" and joining.is_empty:
        if line.text[at : at + 2] == b'{"' and (record := record_in(line.text[at:], line.offset + at, line.number)):
            return record.rows(Writer(stamp=stamp))
        return (row,)
    if tag == b"P":
        # The line that comes out is a whole one.
        text = line.text[: match.start(3)] + b"F" + line.text[match.end(3) :]
        row = PlainRow(text, line.offset, line.number, line.text)
    return joining.part(stream, row, line.text[at:], tag == b"F")
