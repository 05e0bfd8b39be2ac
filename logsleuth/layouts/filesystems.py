"""``df``: what room file systems have."""

import re
from collections.abc import Iterable

from logsleuth.layouts.report import Said, evened

_INODES = re.compile(rb"(?i)\bi-?n(?:od|\xc5\x93ud|\xc3\xb3d)|\bIUse|\biused\b")
_UNIT = re.compile(rb"\b(\d+)([KMG]?)-?(?:[Bb]l|\xe3\x83\x96)")
"""``1K-blocks``, ``1024-blocks``, ``1K-Blöcke``, ``blocs de 1K`` is not among them."""
_ROW = re.compile(rb"(?:.*\s)?\d[\d.,]*[KMGTPEi]*\s+\S+\s+\S+\s+(?:\d+%|-)\s+/")
_DEVICE_ALONE = re.compile(rb"\S+\s*$")


class FileSystems:
    """Rows behind ``df -h: ``, ``df in 1K: `` (a number of KiB) or ``df -i: ``; a device whose name took a line of its
    own stands in front of its row again."""

    def __init__(self) -> None:
        self._name = b""
        self._device = b""

    def read(self, line: bytes) -> Iterable[Said] | None:
        if not self._name:
            self._name = _named(line)
            return (Said(self._name + b"columns " + evened(line)),)
        if not line.strip():
            return (Said(line),)
        if _ROW.match(line):
            device, self._device = self._device if line[:1].isspace() else b"", b""
            return (Said(self._name + device + evened(line)),)
        if _DEVICE_ALONE.match(line) and not line[:1].isspace():
            self._device = line.strip() + b" "
            return (Said(self._name + line.strip()),)
        return (Said(line),) if line.startswith(b"df: ") else None


def _named(header: bytes) -> bytes:
    if _INODES.search(header):
        return b"df -i: "
    match = _UNIT.search(header)
    if match is None:
        return b"df -h: "
    return b"df in 1K: " if match[1] + match[2] in (b"1K", b"1024") else b"df in " + match[1] + match[2] + b": "
