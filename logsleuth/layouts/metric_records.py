"""Metrics as JSON: one object a line, or the list in the ``trainer_state.json`` of transformers."""

import json
import re
from collections.abc import Iterable

from logsleuth.layouts import field_names
from logsleuth.layouts.folds import Physical, Unfolded
from logsleuth.layouts.metrics import is_metrics, lines_of
from logsleuth.layouts.record import record_in

_TEXTS = frozenset(("msg", "message", "event", "log", "text", "MESSAGE", "textPayload", "exc_info", "@message", "line"))
"""Of records that tell what somebody wrote, not what was measured."""
_SEEN = 3
"""Lines that have to be rows of metrics."""
_HISTORY = re.compile(rb'\{[ \t\r]*+\n(?:[ \t]++[^\n]{0,500}+\n){0,200}?[ \t]++"log_history": \[\s*+\{')
_LONGEST = 1 << 20
"""Bytes of an entry; what is longer is none."""


def are_lines(head: bytes) -> bool:
    """Whether every line at the start is an object of metrics."""
    if not head.startswith(b"{"):
        return False
    lines = [line for line in head.split(b"\n")[: _SEEN + 1] if line.strip()][:_SEEN]
    rows = [_object(line) for line in lines]
    return bool(rows) and all(row is not None and not _TEXTS & row.keys() for row in rows) and _told(rows)


def is_history(head: bytes) -> bool:
    """Whether a document has a ``log_history``."""
    return head.startswith(b"{") and _HISTORY.match(head) is not None


def _told(rows: list[dict[str, object] | None]) -> bool:
    return any(row is not None and is_metrics(list(row)) for row in rows)


def _object(line: bytes) -> dict[str, object] | None:
    if not line.startswith(b"{") or len(line) > _LONGEST:
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


class MetricLines:
    """A line of its own for each object; everything else stands as it is."""

    def feed(self, line: Physical) -> Iterable[Unfolded]:
        row = _object(line.text)
        if row is None:
            return [Unfolded(line.text, line)]
        if not row.keys().isdisjoint(_TEXTS):
            return _of_record(line)
        found = [Unfolded(text, line) for text in lines_of(row)]
        if not found or any(field in field_names.EXCEPTION for field in map(str.lower, row)):
            found.append(Unfolded(line.text, line))
        return found

    def finish(self) -> Iterable[Unfolded]:
        return ()


class History:
    """A line for each entry of ``log_history``, which stands where its loss does.

    Entries are written one key a line (``json.dumps(indent=2)``), and hold no objects.
    """

    def __init__(self) -> None:
        self._entry: list[Physical] | None = None
        """The lines of the entry that is open."""
        self._length = 0
        self._is_inside = False

    def feed(self, line: Physical) -> Iterable[Unfolded]:
        text = line.text.strip()
        if text not in (b"", b"{", b"}") and line.text[:1] not in b" \t":
            # No part of the document, whose lines are indented: it ends where a log goes on in the same file.
            return [Unfolded(line.text, line)]
        if not self._is_inside:
            self._is_inside = text.endswith(b'"log_history": [')
        elif text == b"{":
            self._entry, self._length = [], 0
        elif text in (b"}", b"},") and self._entry is not None:
            entry, self._entry = self._entry, None
            return _entry(entry)
        elif text.startswith(b"]"):
            self._is_inside = False
        elif self._entry is not None and self._length < _LONGEST:
            self._entry.append(line)
            self._length += len(text)
        return ()

    def finish(self) -> Iterable[Unfolded]:
        return ()


def _of_record(line: Physical) -> list[Unfolded]:
    """What somebody wrote, between the metrics."""
    record = record_in(line.text)
    if record is None:
        return [Unfolded(line.text, line)]
    found = []
    for row in record.rows():
        at, _, cited = row.place()
        found.append(Unfolded(row.text, line, at, at + len(cited)))
    return found


def _entry(lines: list[Physical]) -> list[Unfolded]:
    row = _object(b"{" + b" ".join(line.text for line in lines) + b"}")
    if not row:
        return []
    place = next((line for line in lines if b'loss"' in line.text), lines[0])
    return [Unfolded(text, place) for text in lines_of(row)]
