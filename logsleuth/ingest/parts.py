"""Several logs in one file, one behind the other under headings: ``tail -n +1 *``, ``head``, ``tail -f a b``.

Each part is a log by itself, as if it lay there under its name: two ranks are two writers.
"""

import io
import mmap
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from logsleuth.ingest.labels import label
from logsleuth.model.origin import ByteStream, Source

_HEADING = re.compile(rb"==> (\S(?:[^\n<]{0,1000}\S)?) <==\r?\n")
_STANDARD_INPUT = b"standard input"


def parted(source: Source) -> list[Source]:
    """The parts of a source in the order of their first headings; the source itself where it does not begin with a
    heading, or cannot be looked at before it is read."""
    if source.format != "text" or source.made or source.opener:
        return [source]
    try:
        path = Path(source.path)
        if not path.is_file():
            return [source]
        with path.open("rb") as file:
            if file.read(4) != b"==> ":
                return [source]
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
                parts = _ranges(text)
    except (OSError, ValueError):
        return [source]
    if not parts or parts.keys() == {_STANDARD_INPUT}:
        return [source]
    return [_source(source, name, ranges) for name, ranges in parts.items()]


def _ranges(text: mmap.mmap) -> dict[bytes, list[tuple[int, int]]]:
    """Where the text of each name stands."""
    parts: dict[bytes, list[tuple[int, int]]] = {}
    heading = _HEADING.match(text)
    while heading:
        # Headings but for the first have a blank line in front.
        following, at = None, heading.end() - 1
        while following is None and (at := text.find(b"\n==> ", at)) >= 0:
            following, at = _HEADING.match(text, at + 1), at + 1
        end = len(text) if following is None else following.start() - 1
        if text[end - 1 : end + 1] == b"\r\n":
            end -= 1
        parts.setdefault(heading[1], []).append((heading.end(), max(end, heading.end())))
        heading = following
    return parts


def _source(source: Source, name: bytes, ranges: list[tuple[int, int]]) -> Source:
    shown = name.decode("utf-8", "replace")
    return Source(f"{source.path}!{shown}", "text", label=label(shown), opener=PartOpener(source.path, tuple(ranges)))


@dataclass(frozen=True, slots=True)
class PartOpener:
    """Opens the stretches of a file that hold a part, one behind the other; see ``logsleuth.model.origin.Opener``."""

    path: str
    ranges: tuple[tuple[int, int], ...]
    """First byte, and the one behind the last, of each stretch."""
    turn: tuple[int, ...] = ()
    once: bool = False

    @contextmanager
    def __call__(self) -> Iterator[ByteStream]:
        with Path(self.path).open("rb") as file:
            yield _Stretches(file, self.ranges)


class _Stretches:
    def __init__(self, file: io.BufferedReader, ranges: tuple[tuple[int, int], ...]) -> None:
        self._file = file
        self._ranges = iter(ranges)
        self._at = self._end = 0

    def read1(self, size: int, /) -> bytes:
        while self._at >= self._end:
            stretch = next(self._ranges, None)
            if stretch is None:
                return b""
            self._at, self._end = stretch
            self._file.seek(self._at)
        data = self._file.read1(min(size, self._end - self._at))
        self._at = self._at + len(data) if data else self._end
        return data
