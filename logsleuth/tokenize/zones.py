"""What zone a stamp says that it is in: seconds east of Greenwich.

Of the names of zones only those are known that mean one offset wherever they are written. ``CST`` is China's and
Chicago's, ``IST`` India's, Israel's and Ireland's, ``BST`` London's and Dhaka's: a stamp with such a name says no zone.
"""

import re

_HOURS = {
    b"Z": 0, b"UTC": 0, b"GMT": 0, b"WEST": 1, b"CET": 1, b"CEST": 2, b"EET": 2, b"EEST": 3, b"MSK": 3, b"SGT": 8,
    b"HKT": 8, b"JST": 9, b"KST": 9, b"AEST": 10, b"AEDT": 11, b"NZST": 12, b"NZDT": 13, b"EST": -5, b"EDT": -4,
    b"MDT": -6, b"PST": -8, b"PDT": -7,
}  # fmt: skip
_NUMBER = re.compile(rb"([+-])(\d\d):?(\d\d)?")
_FARTHEST = 14 * 3600
"""Seconds; no place lies further east or west (Kiribati)."""

NAMES = rb"(?:UTC|GMT|WEST|CES?T|EES?T|MSK|SGT|HKT|[JK]ST|AE[SD]T|NZ[SD]T|[EP][SD]T|MDT)"
"""Those names, but for ``Z``, for use inside patterns of stamps."""


def east(zone: bytes | None) -> int | None:
    """Seconds east of Greenwich of ``Z``, ``UTC``, ``CET``, ``+08:00``, ``-0500`` or ``+01``; None where it says
    nothing, or what no zone has."""
    text = zone.strip(b" ()[]") if zone else b""
    if text in _HOURS:
        return _HOURS[text] * 3600
    match = _NUMBER.fullmatch(text)
    if not match:
        return None
    seconds = int(match[2]) * 3600 + int(match[3] or 0) * 60
    if seconds > _FARTHEST or int(match[3] or 0) > 59:
        return None
    return -seconds if match[1] == b"-" else seconds
