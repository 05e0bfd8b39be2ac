"""Which rows of tables are looked at?

A row has no text of its own that a scanner could find: it is known by the header that stands before it, and by the
label that both carry. Once a header was seen in a source, its rows are searched for behind it, until another header
follows under the same label or a long stretch holds none. A source without a header costs nothing.

A monitor writes a row of every device every few seconds, for days. So of the rows of one label and key (the device) no
more are looked at in every window than show how it went, spread evenly. Windows lie at fixed offsets, so that the
choice does not depend on how the source was cut into chunks.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from logsleuth.language.syntax import Event
from logsleuth.tokenize.dictionary import Dictionary
from logsleuth.tokenize.frequent import WINDOW
from logsleuth.tokenize.launchers import is_host
from logsleuth.tokenize.lines import hit_lines
from logsleuth.tokenize.stamps import NAMED, NUMERIC
from logsleuth.tokenize.tables import Header, RowPattern
from logsleuth.tokenize.view import Line, View

AT_FIRST = 256
"""Rows of one device that are looked at in the first window; a short log is seen whole."""
SPREAD = 64
"""The same in every later window."""
PATIENCE = 16 << 20
"""Bytes without a row after which a table has ended."""
_KEYS = 4096
"""Devices that are told apart in a source; rows of more count together."""
_TABLES = 256
"""Headers of different labels that are remembered in a source."""
_DIGITS = re.compile(rb"\d+")
_BRACKET = re.compile(rb"\[([\w.-]{1,253})\]:? ")
"""A name that scripts write in front of what a monitor says; in front of other lines it may be anything."""
_STAMP = re.compile(rb"%b|%b" % (NUMERIC, NAMED))


class Row(NamedTuple):
    """A row to look at."""

    event: Event
    line: Line
    pattern: RowPattern
    match: re.Match[bytes]
    number: int
    """How many rows of its device stand before it."""


class _Seen(NamedTuple):
    """A row that may yet be left out."""

    view: View
    match: re.Match[bytes]
    offset: int
    number: int
    table: "_Table"


class _Table:
    """A header under one label."""

    def __init__(self, header: Header, is_stamped: bool) -> None:
        self.event, self.pattern = header
        self.key = next(
            (name for key, name in reversed(header.event.about) if key == "gpu" and name in header.row.types), ""
        )
        self.is_stamped = is_stamped
        """Whether the label holds a time, so that it differs from row to row."""
        self.last = 0
        """Where its header or its last row begins."""


class _Device:
    """The rows of one label and key in the window at hand."""

    __slots__ = ("kept", "level", "total")

    def __init__(self) -> None:
        self.kept: list[_Seen] = []
        self.level = 1
        self.total = 0

    def take(self, row: _Seen, most: int) -> None:
        self.total += 1
        if row.number % self.level:
            return
        self.kept.append(row)
        while len(self.kept) > most:
            self.level *= 2
            self.kept = [row for row in self.kept if row.number % self.level == 0]


class TableRows:
    """Picks the rows to look at, for one source."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._tables: dict[bytes, dict[bytes, _Table]] = {}
        """By the expression of a row with its label, then by label."""
        self._known: dict[bytes, _Table] = {}
        """The table that a header line opened last."""
        self._devices: dict[tuple[bytes, bytes], _Device] = {}
        self._window = -1

    def pick(self, view: View, headers: Sequence[tuple[int, int]]) -> list[Row]:
        """Takes the hits of headers in a chunk (ascending); returns the rows of windows that are complete, in their
        order."""
        if not headers and not self._tables:
            return []
        out: list[Row] = []
        at = 0
        for start, end, found in hit_lines(view.text, headers):
            text, offset = view.text[start:end], view.offset(start)
            if (known := self._known.get(text)) and self._is_open(known) and offset - known.last <= PATIENCE:
                known.last = max(known.last, offset)
                continue
            opened = self._opened(view.line(start, end), found)
            if opened:
                out += self._rows(view, at, start)
                self._open(text, *opened, offset)
                at = view.behind(end)
        return out + self._rows(view, at, len(view.text))

    def finish(self) -> list[Row]:
        """The rows of the window that is not complete, of which no more will come."""
        seen = [row for device in self._devices.values() for row in device.kept]
        for device in self._devices.values():
            device.kept, device.level = [], 1
        return sorted(map(_row, seen), key=lambda row: row.line.offset)

    # Headers

    def _is_open(self, table: _Table) -> bool:
        return any(table in tables.values() for tables in self._tables.values())

    def _opened(self, line: Line, literals: tuple[int, ...]) -> tuple[Header, bytes, bool] | None:
        """The header that a line is, its label, and whether the label holds a time."""
        start = line.frame.start
        if bracket := _BRACKET.match(line.text, start):
            start = bracket.end()
        message = line.text[start:].decode("utf-8", "replace")
        patterns = (pattern for literal in literals for pattern in self._dictionary.tables.get(literal, ()))
        found = [opened for pattern in patterns if (opened := pattern.opened(message))]
        if not found:
            return None
        # The table that knows most of its columns; of equals the first by name.
        _, header = min(found, key=lambda item: (-item[0], item[1].event.name))
        return header, line.text[:start], line.frame.stamp is not None

    def _open(self, text: bytes, header: Header, label: bytes, is_stamped: bool, offset: int) -> None:
        table = _Table(header, is_stamped)
        table.last = offset
        name = _name(label, is_stamped)
        for expression in list(self._tables):
            self._tables[expression].pop(name, None)
            if not self._tables[expression]:
                del self._tables[expression]
        if sum(map(len, self._tables.values())) >= _TABLES:
            return
        anchored = rb"^(" + _any_of(label) + rb")" + table.pattern.expression.encode()
        self._tables.setdefault(anchored, {})[name] = table
        if not is_stamped:
            self._known[text] = table

    # Rows

    def _rows(self, view: View, start: int, end: int) -> list[Row]:
        """Takes the rows of a part of the text; returns those of windows that are complete."""
        if start >= end or not self._tables:
            return []
        found = [row for expression in list(self._tables) for row in self._found(view, expression, start, end)]
        if len(self._tables) > 1:
            found.sort(key=lambda row: row.offset)
        out: list[Row] = []
        for row in found:
            window = row.offset // WINDOW
            if window != self._window:
                out += self.finish()
                self._window = window
            self._take(row)
        return out

    def _found(self, view: View, expression: bytes, start: int, end: int) -> Iterator[_Seen]:
        tables = self._tables[expression]
        offset = view.offset(start)
        for label in [label for label, table in tables.items() if offset - table.last > PATIENCE]:
            del tables[label]
        if not tables:
            del self._tables[expression]
            return
        is_stamped = any(table.is_stamped for table in tables.values())
        for match in re.compile(expression, re.MULTILINE).finditer(view.text, start, end):
            label = _name(match[1], is_stamped)
            table = tables.get(label)
            if table is None:
                continue
            offset = view.offset(match.start())
            if offset - table.last > PATIENCE:
                del tables[label]
                continue
            table.last = offset
            yield _Seen(view, match, offset, 0, table)

    def _take(self, row: _Seen) -> None:
        table = row.table
        key = (_name(row.match[1], table.is_stamped), row.match[table.key] if table.key else b"")
        device = self._devices.get(key)
        if device is None:
            if len(self._devices) >= _KEYS:
                key = (b"", b"")
            device = self._devices.setdefault(key, _Device())
        device.take(row._replace(number=device.total), SPREAD if self._window else AT_FIRST)


def _name(label: bytes, is_stamped: bool) -> bytes:
    """What of a label stays the same from row to row."""
    return _STAMP.sub(b"", label) if is_stamped else label


def _any_of(label: bytes) -> bytes:
    """The label of a header as an expression for those of its rows: numbers differ, and with them their width."""
    parts = _DIGITS.split(label.strip(b" \t"))
    trailing = label[len(label.rstrip(b" \t")) :]
    return rb"[ \t]*" + rb"\d+".join(map(re.escape, parts)) + re.escape(trailing) if label else b""


def _row(seen: _Seen) -> Row:
    match, table = seen.match, seen.table
    line = seen.view.row(match.start(), match.end(), len(match[1]))
    if line.frame.tag.host is None and (bracket := _BRACKET.search(match[1])) and is_host(bracket[1].lower()):
        tag = line.frame.tag._replace(host=bracket[1].decode())
        line = line._replace(frame=line.frame._replace(tag=tag))
    if stamp := table.pattern.stamp(match):
        line = line._replace(frame=line.frame._replace(stamp=stamp))
    return Row(table.event, line, table.pattern, match, seen.number)
