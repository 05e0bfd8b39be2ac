"""Units of the rule language: how numbers with a unit are read and written.

Base units are bytes and seconds. Decimal and binary prefixes are told apart (1 GB is 10**9, 1 GiB is 2**30 bytes).
"""

import math
import re

BYTES = {
    "bytes": 1, "byte": 1, "B": 1,
    "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
}  # fmt: skip
SECONDS = {
    "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "secs": 1.0, "seconds": 1.0,
    "m": 60.0, "min": 60.0, "minutes": 60.0, "h": 3600.0, "hours": 3600.0, "d": 86400.0, "days": 86400.0,
}  # fmt: skip

_BYTES = re.compile(r"\s*([\d.]+)\s*([A-Za-z]*)\s*")
_DURATION = re.compile(r"(?<![\d.])([\d.]+)\s*(ns|us|ms|seconds|secs|sec|s|minutes|min|m|hours|h|days|d)(?![A-Za-z])")
_CLOCK = re.compile(r"\s*(?:(\d+)-)?(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?\s*")


def parse_bytes(text: str) -> float | None:
    """``1.50 GiB`` -> 1610612736.0; a bare number is bytes; None where the unit is unknown."""
    match = _BYTES.fullmatch(text)
    if not match:
        return None
    try:
        return float(match[1]) * BYTES[match[2] or "B"]
    except (KeyError, ValueError):
        return None


def parse_duration(text: str) -> float | None:
    """``600000ms``, ``1h 5m``, ``0:10:00`` or a bare number of seconds, in seconds; None where it is none of these."""
    try:
        if parts := _DURATION.findall(text):
            return sum(float(number) * SECONDS[unit] for number, unit in parts)
        if match := _CLOCK.fullmatch(text):
            days, *clock = match.groups()
            *hours, minutes, seconds = [float(part) for part in clock if part is not None]
            return float(days or 0) * 86400.0 + sum(hours) * 3600.0 + minutes * 60.0 + seconds
        return float(text)
    except ValueError:
        return None


def format_bytes(value: float) -> str:
    """``1610612736`` -> ``1.50 GiB``."""
    for unit in ("TiB", "GiB", "MiB", "KiB"):
        if abs(value) >= BYTES[unit]:
            return f"{value / BYTES[unit]:.2f} {unit}"
    return f"{value:.0f} bytes"


def format_duration(seconds: float) -> str:
    """``5400`` -> ``1 h 30 min``; ``0.25`` -> ``250 ms``."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 120 or not math.isfinite(seconds):
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 120:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"
