"""Which rows of tables are looked at?

A row has no text of its own that a scanner could find: it is known by the header that stands before it, and by the
label that both carry. Once a header was seen in a source, its rows are searched for behind it, until another header
follows under the same label or a long stretch holds none. A source without a header costs nothing.

A monitor writes a row of every device every few seconds, for days. So of the rows of one label and key (the device) no
more are looked at in every window than show how it went, spread evenly. Windows lie at fixed offsets, so that the
choice does not depend on how the source was cut into chunks.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from logsleuth.language.syntax import Event
from logsleuth.tokenize.dictionary import Dictionary
from logsleuth.tokenize.frequent import WINDOW
from logsleuth.tokenize.lines import hit_lines
from logsleuth.tokenize.names import may_be_host
from logsleuth.tokenize.stamps import NAMED, NUMERIC
from logsleuth.tokenize.tables import Header, RowPattern, may_end_header
from logsleuth.tokenize.view import Line, View

AT_FIRST = 256
"""Rows of one device that are looked at in the first window; a short log is seen whole."""
SPREAD = 24
"""The same in every later window."""
PATIENCE = 16
"""Windows without a row after which a table has ended."""
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
    number: int
    table: "_Table"


class _Table:
    """A header under one label."""

    def __init__(self, header: Header, is_stamped: bool) -> None:
        self.event, self.pattern = header
        self.key: str | int = next(
            (name for key, name in reversed(header.event.about) if key == "gpu" and name in header.row.types), 1
        )
        """The group of a row that tells the device; without such a column the label has to do."""
        self.is_stamped = is_stamped
        """Whether the label holds a time, so that it differs from row to row."""
        self.last = 0
        """The window of its header or its last row."""


class _Device:
    """The rows of one label and key in the window at hand."""

    __slots__ = ("kept", "level", "total")

    def __init__(self, total: int = 0) -> None:
        self.kept: list[_Seen] = []
        self.level = 1
        self.total = total

    def keep(self, row: _Seen, most: int) -> None:
        """Takes a row whose number is a multiple of the level; with too many of them every second one stays."""
        self.kept.append(row)
        while len(self.kept) > most:
            self.level *= 2
            self.kept = [row for row in self.kept if row.number % self.level == 0]


class TableRows:
    """Picks the rows to look at, for one source."""

    def __init__(self, dictionary: Dictionary, earlier: Iterable[tuple[bytes, bytes, int]] = ()) -> None:
        """``earlier`` is what ``counted`` was of a part of the source that stands in front."""
        self._dictionary = dictionary
        self._tables: dict[bytes, dict[bytes, _Table]] = {}
        """By the expression of a row with its label, then by label."""
        self._known: dict[bytes, _Table] = {}
        """The table that a header line opened last."""
        self._devices = {(label, device): _Device(total) for label, device, total in earlier}
        self._window = -1

    @property
    def counted(self) -> tuple[tuple[bytes, bytes, int], ...]:
        """How many rows were counted of each label and device."""
        return tuple((*key, device.total) for key, device in self._devices.items())

    @property
    def may_go_on(self) -> bool:
        """Whether more rows of a table may come."""
        return bool(self._tables)

    def pick(self, view: View, headers: Sequence[tuple[int, int]]) -> list[Row]:
        """Takes the hits of headers in a chunk (ascending); returns the rows of windows that are complete, in their
        order."""
        if not headers and not self._tables:
            return []
        out: list[Row] = []
        at = 0
        for start, end, found in hit_lines(view.text, headers):
            text = view.text[start:end]
            if not may_end_header(text):
                continue
            window = view.offset(start) // WINDOW
            if (known := self._known.get(text)) and self._is_open(known) and window - known.last <= PATIENCE:
                known.last = max(known.last, window)
                continue
            opened = self._opened(view.line(start, end), found)
            if opened:
                out += self._rows(view, at, start)
                self._open(text, *opened, window)
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

    def _open(self, text: bytes, header: Header, label: bytes, is_stamped: bool, window: int) -> None:
        table = _Table(header, is_stamped)
        table.last = window
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
        out: list[Row] = []
        while start < end and self._tables:
            window = view.offset(start) // WINDOW
            if window != self._window:
                out += self.finish()
                self._window = window
            border = min(view.first_behind((window + 1) * WINDOW), end)
            self._forget(window)
            for expression, tables in self._tables.items():
                self._take(view, expression, tables, start, border)
            start = border
        return out

    def _forget(self, window: int) -> None:
        """Tables that have ended."""
        for expression, tables in list(self._tables.items()):
            for label in [label for label, table in tables.items() if window - table.last > PATIENCE]:
                del tables[label]
            if not tables:
                del self._tables[expression]

    def _take(self, view: View, expression: bytes, tables: dict[bytes, _Table], start: int, end: int) -> None:
        """Takes the rows of one shape in a part of a window."""
        is_stamped = any(table.is_stamped for table in tables.values())
        devices, most = self._devices, SPREAD if self._window else AT_FIRST
        for match in _rows_like(expression, view.text, start, end):
            label = _name(match[1], is_stamped) if is_stamped else match[1]
            table = tables.get(label)
            if table is None:
                continue
            table.last = self._window
            key = (label, match[table.key])
            device = devices.get(key)
            if device is None:
                device = devices.setdefault(key if len(devices) < _KEYS else (b"", b""), _Device())
            if device.total % device.level == 0:
                device.keep(_Seen(view, match, device.total, table), most)
            device.total += 1


def _rows_like(expression: bytes, text: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """The lines that match, tried behind line feeds only: those are searched for faster than starts of lines."""
    row = re.compile(expression, re.MULTILINE)
    if first := row.match(text, start, end):
        yield first
    for found in re.compile(rb"\n" + expression, re.MULTILINE).finditer(text, start, end):
        if match := row.match(text, found.start() + 1, end):
            yield match


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
    if line.frame.tag.host is None and (bracket := _BRACKET.search(match[1])) and may_be_host(bracket[1].lower()):
        tag = line.frame.tag._replace(host=bracket[1].decode())
        line = line._replace(frame=line.frame._replace(tag=tag))
    if stamp := table.pattern.stamp(match):
        line = line._replace(frame=line.frame._replace(stamp=stamp))
    return Row(table.event, line, table.pattern, match, seen.number)
