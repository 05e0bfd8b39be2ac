"""Which files are pieces of one log, by their names: what rotation and splitting make of ``rank_3.log``."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from logsleuth.model.origin import Source

_LOG = r"(?:[^/\\]+\.(?:log|out|err|txt|csv|jsonl|ndjson)|syslog|messages|dmesg)"
_FOLDERS = r"(?s:.*[/\\])?"
_NUMBERED = re.compile(rf"({_FOLDERS}{_LOG})\.(\d{{1,3}})(?:\.(?:gz|zst|bz2|xz))?", re.IGNORECASE)
"""``rank_3.log.2``: logrotate, Python's RotatingFileHandler. More digits are those of a process or a job."""
_DATED = re.compile(
    rf"({_FOLDERS}{_LOG})[.-](\d{{4}}-?\d\d-?\d\d(?:[T_.-]\d\d(?:[:.-]?\d\d){{0,2}})?)(?:\.(?:gz|zst|bz2|xz))?",
    re.IGNORECASE,
)
"""``rank_3.log.2026-11-30``, ``rank_3.log-20261130``: logrotate's dateext, TimedRotatingFileHandler, the kubelet."""
_PART_BEHIND = re.compile(rf"({_FOLDERS}{_LOG})[._-]part[._-]?(\d{{1,6}})(?:\.(?:gz|zst|bz2|xz))?", re.IGNORECASE)
_PART_INSIDE = re.compile(
    rf"({_FOLDERS}[^/\\]+?)[._-]part[._-]?(\d{{1,6}})(\.(?:log|out|err|txt|csv|jsonl|ndjson))(?:\.(?:gz|zst|bz2|xz))?",
    re.IGNORECASE,
)


class Pieces(NamedTuple):
    """Files that are pieces of one log as far as names tell."""

    log: str
    """Path that the log has, or would have, as a whole."""
    files: tuple[Source, ...]
    """In the order in which their names say that they were written."""
    is_said: bool
    """Whether the names leave no doubt: one of them says ``part``, or the log itself lies beside its numbered pieces.
    ``train.log.0`` and ``train.log.1`` may as well be two ranks."""


class _Name(NamedTuple):
    log: str
    kind: str
    place: tuple[int, ...]


def pieces_by_name(sources: Iterable[Source]) -> list[Pieces]:
    """The logs that lie there in two pieces or more.

    Numbers and dates rise from the oldest piece to the newest; but where the log itself lies beside its pieces it is
    the newest, and the piece with the highest number the oldest. Names that say two things about one log say nothing.
    """
    whole = {source.path: source for source in sources}
    found: dict[str, dict[_Name, Source]] = defaultdict(dict)
    unclear: set[str] = set()
    for path, source in whole.items():
        if name := _name(path):
            if name in found[name.log]:
                unclear.add(name.log)  # ``x.log.1`` beside ``x.log.1.gz``.
            found[name.log][name] = source
    return [
        pieces
        for log, named in found.items()
        if log not in unclear and (pieces := _ordered(log, named, whole.get(log))) is not None
    ]


def is_named_as_piece(path: str) -> bool:
    """Whether a file's name says that it is a piece of a log that goes on in another one."""
    return _name(path) is not None


def _ordered(log: str, named: dict[_Name, Source], itself: Source | None) -> Pieces | None:
    kinds = {name.kind for name in named}
    if len(kinds) > 1 or (itself and kinds == {"part"}):
        return None
    files = [named[name] for name in sorted(named, key=lambda name: name.place)]
    if itself:
        files = [*(reversed(files) if kinds == {"number"} else files), itself]
    return Pieces(log, tuple(files), itself is not None or kinds == {"part"}) if len(files) > 1 else None


def _name(path: str) -> _Name | None:
    if match := _PART_BEHIND.fullmatch(path):
        return _Name(match[1], "part", (int(match[2]),))
    if match := _PART_INSIDE.fullmatch(path):
        return _Name(match[1] + match[3], "part", (int(match[2]),))
    if match := _NUMBERED.fullmatch(path):
        return _Name(match[1], "number", (int(match[2]),))
    if match := _DATED.fullmatch(path):
        digits = re.sub(r"\D", "", match[2])
        return _Name(match[1], "date", (int(digits.ljust(14, "0")),))
    return None
