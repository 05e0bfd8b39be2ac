"""From when on are logs read that were there before?"""

import re
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import BinaryIO, NamedTuple

StampOf = Callable[[bytes], float | None]
"""When a line was written, in seconds since 1970; None where it does not tell."""

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smhdw])")
_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_NEAR = 64 << 10
"""Bytes within which lines are looked at one by one."""
_PATIENCE = 1 << 20
"""Bytes that are searched for a stamped line; where none is in them, nothing is known of that place."""


class SinceError(ValueError):
    """What was said is no such moment; ``str()`` says what could be."""


class From(Enum):
    START = "start"
    NOW = "now"
    AGO = "ago"


class Since(NamedTuple):
    """From when on logs are read."""

    kind: From
    seconds: float = 0.0
    """Before now, where it is a duration."""

    @classmethod
    def parse(cls, text: str) -> "Since":
        """``start``, ``now`` or a duration (``10m``, ``2h``, ``1.5d``); raises SinceError for anything else."""
        if text in (From.START.value, From.NOW.value):
            return cls(From(text))
        if match := _DURATION.fullmatch(text.strip()):
            return cls(From.AGO, float(match[1]) * _SECONDS[match[2]])
        raise SinceError(
            f"{text!r} is no moment to begin at: say start, now, or for how long back, as in 30s, 10m, 2h or 1d"
        )


START = Since(From.START)


def last_line(path: str, size: int) -> int:
    """Where the unfinished line at the end of a file begins: its end where the last line is finished, or where the
    unfinished one is very long. Raises OSError."""
    with Path(path).open("rb") as file:
        begin = max(size - _NEAR, 0)
        file.seek(begin)
        end = file.read(size - begin).rfind(b"\n") + 1
    return begin + end if end or not begin else size


def first_since(path: str, size: int, earliest: float, stamp_of: StampOf) -> int:
    """Where the first line begins that was stamped at this moment (seconds since 1970) or later, by halving: lines are
    taken to be in order. 0 where no line has a stamp; behind the last stamped line where all are older. Raises OSError.
    """
    with Path(path).open("rb") as file:
        low, high = 0, size
        while high - low > _NEAR:
            middle = (low + high) // 2
            met = _stamped(file, middle, high, stamp_of)
            if met is None or met[1] >= earliest:
                high = middle
            else:
                low = met[0]
        behind = low
        file.seek(low)
        while (at := file.tell()) < size and (line := file.readline(size - at)):
            stamp = stamp_of(line)
            if stamp is not None and stamp >= earliest:
                return at
            behind = file.tell() if stamp is not None else behind
            if at > high + _PATIENCE:
                break
        return behind


def _stamped(file: BinaryIO, begin: int, end: int, stamp_of: StampOf) -> tuple[int, float] | None:
    """The first line behind a place that tells when it was written: where it begins, and when."""
    file.seek(begin)
    file.readline(_PATIENCE)
    while (at := file.tell()) < min(end, begin + _PATIENCE):
        line = file.readline(_PATIENCE)
        if (stamp := stamp_of(line)) is not None:
            return at, stamp
        if not line:
            break
    return None
