"""With which files, and where in them, is a followed log begun?"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from logsleuth.ingest.encoding import SNIFFED, utf16_codec
from logsleuth.ingest.layers import head_of
from logsleuth.ingest.open import open_source
from logsleuth.model.origin import Source
from logsleuth.tailing.around import Around
from logsleuth.tailing.folders import parted, status_of
from logsleuth.tailing.generation import HEAD, Generation
from logsleuth.tailing.grown import Grown
from logsleuth.tailing.kin import is_named_after, known_again
from logsleuth.tailing.since import From, Since, StampOf, first_since, last_line

_BLOCK = 1 << 20


class Beginning(NamedTuple):
    files: list[Grown]
    """In the order in which they were written, the one that grows last."""
    lost: list[Generation]
    """What was read by the process before, and is nowhere."""
    is_old: bool
    """Whether nothing in it is as young as was asked for."""


def beginning(
    source: Source,
    around: Around,
    since: Since,
    stamp_of: StampOf | None = None,
    resume: Sequence[Generation] = (),
) -> Beginning:
    """The files of a source as they are there, and where their reading begins.

    Those of which ``resume`` tells are read from where they were read from before, wherever they lie now.
    """
    paths = [(piece.path, piece.format) for piece in source.files]
    starts: dict[str, int] = {}
    lost = []
    for generation in reversed(resume):
        path = known_again(generation, _candidates(paths, generation))
        if path is None:
            lost.append(generation)
        else:
            starts[path] = generation.start
            if path not in dict(paths):
                paths.insert(0, (path, "text"))
    files = [file for path, format_ in paths if (file := _file(path, format_, starts.get(path, 0), around))]
    for file in files[:-1]:
        file.ends = True
    if starts or since.kind is From.START or not files:
        return Beginning(files, lost[::-1], False)
    chosen, is_old = _cut_off(files, since, around.clock(), stamp_of)
    for file in files:
        if file not in chosen:
            _skip(file)
    return Beginning(chosen, lost[::-1], is_old)


def _candidates(paths: Sequence[tuple[str, str]], generation: Generation) -> list[str]:
    """The files that are read, and whatever beside the last one may have been a part of it."""
    live = paths[-1][0]
    folder, name = parted(live)
    try:
        beside = [str(path) for path in Path(folder or ".").iterdir() if is_named_after(path.name, name)]
    except OSError:
        beside = []
    return [path for path, _ in paths] + [path for path in (*beside, generation.path) if status_of(path)]


def _file(path: str, format_: str, start: int, around: Around) -> Grown | None:
    if (status := status_of(path)) is None:
        return None
    file = around.grown(path, status, min(start, status.st_size))
    file.format = format_
    if Path(path).is_symlink():
        file.target = str(Path(path).resolve())
    return file


def _cut_off(files: list[Grown], since: Since, now: float, stamp_of: StampOf | None) -> tuple[list[Grown], bool]:
    """The files that hold something young enough, the first of them from there on; the last one in any case."""
    last = files[-1]
    earliest = now - since.seconds
    young = [file for file in files if file.grew >= earliest] if since.kind is From.AGO else []
    try:
        if since.kind is From.NOW or not young:
            _begin_at(last, last_line(last.path, last.size))
            return [last], since.kind is From.AGO
        first = young[0]
        if stamp_of is not None and not first.is_packed:
            _begin_at(first, first_since(first.path, first.size, earliest, stamp_of))
        return files[files.index(first) :], False
    except OSError:
        return [last], False  # Whoever reads it will be told why that cannot be.


def _skip(file: Grown) -> None:
    try:
        with open_source(Source(file.path)) as stream:
            file.skip(head_of(stream, HEAD))
    except OSError:
        file.skip(b"")


def _begin_at(file: Grown, start: int) -> None:
    """UTF-16 is known by its start, so that it is read from there."""
    with Path(file.path).open("rb") as opened:
        if start and utf16_codec(opened.read(SNIFFED)) is None:
            file.read = file.start = start


@lru_cache(maxsize=4096)
def newlines_before(path: str, offset: int) -> int:
    """How many lines end in front of a place in a file, as far as it can be read."""
    lines = 0
    try:
        with Path(path).open("rb") as file:
            while offset and (block := file.read(min(offset, _BLOCK))):
                lines += block.count(b"\n")
                offset -= len(block)
    except OSError:
        pass
    return lines
