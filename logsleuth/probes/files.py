"""Reads what the kernel tells in files of /proc and /sys."""

from collections.abc import Iterable
from pathlib import Path

from logsleuth.probes.kinds import Files
from logsleuth.probes.output import ABSENT, REFUSED, Answer

_MOST_FILES = 4096
_MOST_OF_ONE = 64 << 10
"""Bytes."""


def read(asks: Files) -> Answer:
    """What the files hold; a single one as it stands, else each line behind the path of its file."""
    paths = [path for pattern in asks.patterns for path in _matches(pattern)]
    if len(asks.patterns) == 1 and paths == list(asks.patterns):
        try:
            with Path(paths[0]).open("rb") as stream:
                return Answer("0", stream.read(_MOST_OF_ONE))
        except OSError as error:
            return Answer(REFUSED, f"{paths[0]}: {error.strerror}\n".encode())
    return labelled(paths[:_MOST_FILES])


def labelled(paths: Iterable[str]) -> Answer:
    """``PATH: LINE`` for each line of files that are there; what cannot be read says so in its line."""
    lines: list[str] = []
    is_read = False
    for path in paths:
        try:
            with Path(path).open("rb") as stream:
                text = stream.read(_MOST_OF_ONE).decode("utf-8", "replace")
        except FileNotFoundError:
            continue
        except OSError as error:
            lines.append(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}")
            continue
        is_read = True
        lines += [f"{path}: {line}" for line in text.splitlines() or [""]]
    if not lines:
        return Answer(ABSENT, b"")
    return Answer("0" if is_read else REFUSED, "".join(f"{line}\n" for line in lines).encode())


def _matches(pattern: str) -> list[str]:
    return sorted(str(path) for path in Path("/").glob(pattern.lstrip("/")))
