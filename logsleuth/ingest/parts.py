"""Several logs in one file, one behind the other under headings: ``tail -n +1 *``, ``head``, ``tail -f a b``.

Each part is a log by itself, as if it lay there under its name: two ranks are two writers.
"""

import mmap
import re
from pathlib import Path

from logsleuth.ingest.labels import label
from logsleuth.model.origin import Extent, Source

_HEADING = re.compile(rb"==> (\S(?:[^\n<]{0,1000}\S)?) <==\r?\n")
_STANDARD_INPUT = b"standard input"


def parted(source: Source) -> list[Source]:
    """The parts of a source in the order of their first headings; the source itself where it does not begin with a
    heading, or cannot be looked at before it is read."""
    if source.format != "text" or source.made or source.extent:
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
    return Source(f"{source.path}!{shown}", "text", extent=Extent(source.path, tuple(ranges)), label=label(shown))
