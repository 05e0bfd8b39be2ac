"""Tables: a header says which column is which, and what a row looks like follows from it."""

import re
from functools import cached_property
from typing import NamedTuple

from logsleuth.language.program import types_of_column
from logsleuth.language.syntax import Column, Event, Table
from logsleuth.language.template import NUMERIC, Hole, Part, Skip, parse_template
from logsleuth.model.event import FieldValue
from logsleuth.model.origin import Stamp
from logsleuth.model.units import BYTES
from logsleuth.tokenize.stamps import read
from logsleuth.tokenize.types import FIELD_TYPES

_NAME = re.compile(r"#?[A-Za-z_][\w.+/-]*(?: ?\[[^\]]{0,20}\])?")
"""A column's name, with its unit in brackets where it has one."""
_BLANK = b" \t\n\r\v\f\x1c\x1d\x1e\x1f"
_NO_LETTERS = b"0123456789.+/-"
_IN_NAMES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_" + _NO_LETTERS + bytes(range(128, 256))
_LONGEST_UNIT = 4 * 20 + 2
"""Bytes of a unit in its brackets."""
_UNIT = re.compile(r" ?\[[^\]]*\]$")
_MOST_COLUMNS = 200
_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_MISSING = r"\[[^\],\n]{1,40}\]|[Nn]/?[Aa][Nn]?|-|ERR!|\?+|Unknown Error"
"""What stands where a value is not known."""
_KEEPS_UNIT = frozenset(("bytes", "duration"))
_DAY = re.compile(rb"(\d{4})(\d\d)(\d\d) ")
_VALUE = re.compile(rf"({_NUMBER})[ \t]?([A-Za-z%/]*)")


class RowPattern:
    """The rows of a table whose header was seen: what ``LinePattern`` is to a wording."""

    def __init__(self, types: dict[str, str], expression: str, stamps: int) -> None:
        self.types, self.expression, self._stamps = types, expression, stamps

    def value(self, match: re.Match[bytes], name: str) -> FieldValue | None:
        """The typed value of one field; None where the cell holds none, or the header has no such column."""
        raw: bytes | None = match.groupdict().get(name)
        return None if raw is None else _value(raw.decode("utf-8", "replace").strip(), self.types[name])

    def fields(self, match: re.Match[bytes]) -> dict[str, FieldValue]:
        """The typed fields of a row; a cell without a value of its type gives none."""
        told = ((name, self.value(match, name)) for name in self.types)
        return {name: value for name, value in told if value is not None}

    def stamp(self, match: re.Match[bytes]) -> Stamp | None:
        """The time of the row, which may take several cells (a day and a clock)."""
        cells = [match[f"__stamp{number}"].strip() for number in range(self._stamps)]
        return read(_DAY.sub(rb"\1-\2-\3 ", b" ".join(cells))) if cells else None


class Header(NamedTuple):
    """A header as it was seen."""

    event: Event
    row: RowPattern


class TablePattern:
    """A table, ready to recognise its headers."""

    def __init__(self, event: Event, table: Table) -> None:
        self._event, self._separator = event, table.separator
        self._columns, self._needs = table.columns, table.needs

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {name: column for column in self._columns for name in column.names}

    def opened(self, message: str) -> tuple[int, Header] | None:
        """How many declared columns a header names, and its rows; None for a line that is no header of the table."""
        text = message.strip()
        cells = [cell.strip() for cell in text.split(self._separator)] if self._separator else _blank_cells(text)
        if not 0 < len(cells) <= _MOST_COLUMNS or not all(_NAME.fullmatch(cell) for cell in cells):
            return None
        columns = [self._by_name.get(cell) or self._by_name.get(_UNIT.sub("", cell)) for cell in cells]
        if not all(self._by_name[name] in columns for name in self._needs):
            return None
        types: dict[str, str] = {}
        for place, column in enumerate(columns):
            told = types_of_column(column) if column else {}
            if told.keys() & types.keys():
                columns[place] = None  # Another name of a column that was there already.
            else:
                types |= told
        keys = {field for _, field in self._event.about}
        if not any(kind in NUMERIC and name not in keys for name, kind in types.items()):
            return None
        row = RowPattern(types, self._rows(columns), sum(column is not None and column.is_stamp for column in columns))
        return sum(column is not None for column in columns), Header(self._event, row)

    def _rows(self, columns: list[Column | None]) -> str:
        """The regular expression of a row behind its label, to the end of the line."""
        any_cell = rf"[^{re.escape(self._separator)}\n]*+" if self._separator else r"\S++"
        gap = rf"[ \t]*{re.escape(self._separator)}[ \t]*" if self._separator else r"[ \t]++"
        cells, stamps = [], 0
        for column in columns:
            if column is None:
                cells.append(any_cell)
            elif column.is_stamp:
                cells.append(rf"(?P<__stamp{stamps}>{any_cell})")
                stamps += 1
            else:
                cells.append("".join(self._part(part, any_cell) for part in parse_template(column.cell)))
        return r"[ \t]*" + gap.join(cells) + r"[ \t\r]*$"

    def _part(self, part: Part, any_cell: str) -> str:
        match part:
            case Hole(name, kind) if kind in NUMERIC:
                # A unit behind the number, as ``97 %``; in columns that blanks divide it stands close to it.
                unit = r"(?: ?[A-Za-z%/]{1,6})?" if self._separator else r"[A-Za-z%/]{0,6}"
                unit = "" if kind == "int" else unit
                return rf"(?P<{name}>{_NUMBER}{unit}|{_MISSING})"
            case Hole(name):
                return rf"(?P<{name}>{any_cell})"
            case Skip():
                return any_cell
        return r"[ \t]+".join(re.escape(word) for word in re.split(r"[ \t]+", str(part)))


def may_end_header(line: bytes) -> bool:
    """Whether a line ends as a header does, with a name. Lines that speak of columns are many, and most of them end
    with a number: so they need not be peeled to know that they are none."""
    line = line.rstrip(_BLANK)
    if line.endswith(b"]"):
        opened = line.count(b"[", max(len(line) - _LONGEST_UNIT, 0))
        if opened != 1:
            return opened > 1
        line = line[: line.rindex(b"[")].rstrip(b" ")
    last = line[len(line.rstrip(_IN_NAMES)) :]
    return bool(last.strip(_NO_LETTERS))


def _blank_cells(text: str) -> list[str]:
    """The columns of a header that blanks divide; ``# gpu`` marks a header, and is the column ``gpu``."""
    cells = text.split()
    return cells[1:] if cells[:1] == ["#"] else cells


def _value(text: str, kind: str) -> FieldValue | None:
    if kind not in NUMERIC:
        return None if re.fullmatch(_MISSING, text) else FIELD_TYPES[kind].value(text)
    match = _VALUE.fullmatch(text)
    if not match:
        return None
    number, unit = match.groups()
    if kind == "mib" and unit in BYTES and unit != "MB":
        # ``MB`` is what tools write for MiB where there is no room for more.
        return FIELD_TYPES["bytes"].value(f"{number} {unit}")
    return FIELD_TYPES[kind].value(text if kind in _KEEPS_UNIT else number)
