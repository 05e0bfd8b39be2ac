"""What logrus, Go's slog and Grafana's own programs write: ``time=... level=error msg="..." err="..."``."""

import re
from collections.abc import Iterable, Iterator, Sequence

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts import field_names
from logsleuth.layouts.escapes import unescaped
from logsleuth.layouts.folds import Physical
from logsleuth.layouts.json_lines import whole_lines
from logsleuth.layouts.json_places import lines_of
from logsleuth.layouts.layout import lines_in
from logsleuth.layouts.logfmt_pairs import PAIR, pairs
from logsleuth.layouts.rows import PlainRow, Row, chunk_of
from logsleuth.layouts.writer import writer

_LINE = re.compile(
    rb'(?:time|ts|t|timestamp|level|lvl)=(?:"[^"\n]{0,60}"|[^\s"]{1,60}) (?=(?:[^\n]{0,2000}? )?(?:msg|message)=)'
)
_MESSAGE = ("msg", "message")
_SHARE = 0.8


def recognises(head: bytes) -> bool:
    lines = [line for line in whole_lines(head) if line.strip()]
    return bool(lines) and sum(_LINE.match(line) is not None for line in lines) >= _SHARE * len(lines)


def unfolded(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    for chunk in chunks:
        yield chunk_of([row for line in lines_in(chunk) for row in _rows(line)])


def _rows(line: Physical) -> Sequence[Row]:
    row = PlainRow(line.text, line.offset, line.number)
    if not _LINE.match(line.text):
        return [row]
    fields = dict(pairs(line.text))
    label = writer({name: value for name, value in fields.items() if name not in _MESSAGE}).label()
    rows: list[Row] = []
    for match in PAIR.finditer(line.text):
        name = match[1].decode().lower()
        if name in _MESSAGE or name in field_names.EXCEPTION:
            start, end = match.span(2)
            is_closed = match[2].endswith(b'"', 1)
            spans = lines_of(line.text, start, end + (not is_closed)) if match[2][:1] == b'"' else [(start, end)]
            for start, end in spans:
                text = line.text[start:end]
                rows.append(PlainRow(label + unescaped(text), line.offset + start, line.number, text, leads=not rows))
    return rows or [row]
