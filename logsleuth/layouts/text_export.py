"""Lines that an export begins with a stamp and the name of their stream: ``aws logs tail``, logcli, Grafana's text.

A text of several lines has that in front of its first only; what follows is the same writer's.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts.folds import Physical
from logsleuth.layouts.json_lines import whole_lines
from logsleuth.layouts.layout import HEAD, lines_in
from logsleuth.layouts.logfmt_pairs import pairs
from logsleuth.layouts.order import in_order
from logsleuth.layouts.record import decoded
from logsleuth.layouts.rows import PlainRow, Row
from logsleuth.layouts.writer import UNKNOWN, Writer, stream_host, writer

_STAMP = rb"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:\d\d))"
_STAMPED = re.compile(_STAMP)
_AWS = re.compile(_STAMP + rb" ([A-Za-z0-9][\w.=#+@/\[\]$-]{2,400}) ")
_LABELS = rb'\{(?:[A-Za-z_]\w*="(?:[^"\\]|\\.)*+"(?:, ?)?)*+\}'
_LOGCLI = re.compile(_STAMP + rb" (" + _LABELS + rb") ?")
_GRAFANA = re.compile(_STAMP + rb"()\t")
_COMMON = re.compile(rb"Common labels: (\{[^\n]{0,8000}\})")
_SHARE = 0.5
"""Of the lines at the head: the others continue them."""


class _Form(NamedTuple):
    line: re.Pattern[bytes]
    label: str
    """What the second group is: the name of a stream, or labels."""


_FORMS = (_Form(_LOGCLI, "labels"), _Form(_GRAFANA, "labels"), _Form(_AWS, "stream"))


def recognises(head: bytes) -> bool:
    return _form(whole_lines(head)) is not None


def unfolded(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    return in_order(_rows(chunks))


def _form(lines: Sequence[bytes]) -> _Form | None:
    lines = [line for line in lines if line.strip()]
    if sum(_STAMPED.match(line) is not None for line in lines) < _SHARE * len(lines):
        return None
    has_labels = any(map(_COMMON.match, lines[:3]))
    for form in _FORMS:
        found = [match[2] for line in lines if (match := form.line.match(line))]
        if not found or len(found) < _SHARE * len(lines):
            continue
        if form.line is _AWS:
            # A word behind a stamp may be anything; the name of a stream tells a host.
            if all(stream_host(name.decode()) for name in set(found)):
                return form
        elif form.line is _LOGCLI or has_labels:
            return form
    return None


def _rows(chunks: Iterable[Chunk]) -> Iterator[Sequence[Row]]:
    form: _Form | None = None
    waiting: list[Physical] = []
    common, last, head = UNKNOWN, b"", b""

    def of(line: Physical) -> Row:
        nonlocal common, last
        if match := _COMMON.match(line.text):
            common = _of_labels(match[1])
        found = form.line.match(line.text) if form else None
        if not found:
            return PlainRow(last + line.text, line.offset, line.number, line.text, leads=not last)
        told = _of_stream(form.label, found[2]) if form else UNKNOWN
        last = common.around(told).around(Writer(stamp=found[1])).label()
        at = found.end()
        return PlainRow(last + line.text[at:], line.offset + at, line.number, line.text[at:])

    for chunk in chunks:
        lines = list(lines_in(chunk))
        if form is None:
            waiting += lines
            head += chunk.data[: HEAD - len(head)]
            if len(head) < HEAD:
                continue
            form, lines, waiting = _form(whole_lines(head)) or _FORMS[0], waiting, []
        yield [of(line) for line in lines]
    if waiting:
        form = _form(whole_lines(head)) or _FORMS[0]
        yield [of(line) for line in waiting]


def _of_stream(kind: str, name: bytes) -> Writer:
    if kind == "stream":
        return Writer(host=stream_host(name.decode("utf-8", "replace")))
    return _of_labels(name)


def _of_labels(labels: bytes) -> Writer:
    """logcli writes labels as Loki does, Grafana as JSON."""
    value = decoded(labels)
    if isinstance(value, dict):
        return writer({name.lower(): text for name, text in value.items() if isinstance(text, str)})
    return writer(dict(pairs(labels)))
