"""``nvidia-smi topo -m``: how far each GPU and each network card is from each other one."""

import re
from collections.abc import Iterable

from logsleuth.layouts.report import Said, evened

_NAME = b"nvidia-smi topo: "
_COLOURS = re.compile(rb"\x1b\[[\d;]*m")
_CELL = re.compile(rb"\S(?:\S| (?=\S))*")
"""Columns are tabs apart, or blanks where they went through a terminal; a name may hold one (``CPU Affinity``)."""
_DEVICE = re.compile(rb"(?:GPU|NIC|HCA)\d+$|(?:mlx|bnxt|irdma|rocep|efa|hfi)\S*$")
_LINK = re.compile(rb"(?:NV\d+|PIX|PXB|PXN|PHB|NODE|SYS|SOC|X|OK|C2C)$")
_LEGEND = re.compile(rb"\s*(?:Legend:|NIC Legend:|(?:X|SYS|NODE|PHB|PXB|PIX|PSB|SOC|NV#)\s+= |NIC\d+: )")


class Matrix:
    """Makes a line of each cell: ``nvidia-smi topo: GPU0 to NIC1: SYS``."""

    def __init__(self) -> None:
        self._columns: list[bytes] = []

    def read(self, line: bytes) -> Iterable[Said] | None:
        plain = _COLOURS.sub(lambda code: b" " * len(code[0]), line)
        if not plain.strip():
            return (Said(line),)
        cells = list(_CELL.finditer(plain))
        names = [cell[0] for cell in cells]
        if not self._columns and plain[:1].isspace() and _DEVICE.match(names[0]):
            self._columns = names
            return (Said(_NAME + b"columns " + evened(plain)),)
        if _DEVICE.match(names[0]) and len(names) > 1 and _LINK.match(names[1]):
            return self._row(cells)
        return (Said(_NAME + evened(plain)),) if _LEGEND.match(plain) else None

    def _row(self, cells: list[re.Match[bytes]]) -> Iterable[Said]:
        """Cells behind the links (affinities) may be empty, so which they are is known of the links only."""
        row = cells[0][0]
        yield Said(_NAME + b"row " + row, cells[0].start(), cells[0].end())
        for place, cell in enumerate(cells[1:]):
            column = self._columns[place] if place < len(self._columns) else b""
            if _DEVICE.match(column) and _LINK.match(cell[0]):
                said = row + b" to " + column + b": " + cell[0]
            else:
                said = row + b" beside: " + cell[0]
            yield Said(_NAME + said, cell.start(), cell.end())
