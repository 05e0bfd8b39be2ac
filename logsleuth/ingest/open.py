"""How a source is opened: file, pipe, standard input or member of an archive, packed or not, as one kind of stream."""

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from logsleuth.ingest.kinds import kind_of
from logsleuth.ingest.layers import Recorded
from logsleuth.ingest.unpack import unpacked
from logsleuth.model.origin import ByteStream, Source


@contextmanager
def open_source(source: Source) -> Iterator[ByteStream]:
    """The unpacked bytes of a source, or the lines that were made of it, for a ``with`` statement; standard input
    (``-``) stays open behind it.

    How it is packed is recognised by its first bytes, as a pipe cannot be looked at before it is opened. Raises OSError
    where the source cannot be opened, and its stream does where it cannot be read on.
    """
    if source.made:
        yield io.BytesIO(source.made)
        return
    with source.opener() if source.opener else stored(source.path) as stream:
        if source.opener is None and not Path(source.path).is_file():
            yield unpacked(_no_archive(stream))
        else:
            yield unpacked(stream)


def _no_archive(stream: ByteStream) -> ByteStream:
    """A pipe that is one of several, of which none was looked at before."""
    recorded = Recorded(stream)
    if archive := kind_of(recorded, "").archive:
        raise OSError(
            f"it is a {archive} archive, which is read from a pipe only where that is the only one; save it as a file"
        )
    return recorded.again()


@contextmanager
def stored(path: str) -> Iterator[io.BufferedReader]:
    """The bytes of a file, a pipe or standard input as they are."""
    with standard_input() if path == "-" else Path(path).open("rb") as stream:
        yield stream


def is_read_again(source: Source) -> bool:
    """Whether a source can be opened more than once, as a pipe cannot."""
    if source.made:
        return True
    return not source.opener.once if source.opener else Path(source.path).is_file()


def in_reading_order(sources: Sequence[Source]) -> list[int]:
    """The places of the sources in the order in which they are opened at least cost; it changes no result.

    The members of a packed archive come one after the other, so that it is unpacked once for all of them.
    """
    turns = {place: turn for place, source in enumerate(sources) if (turn := _turn(source))}
    return [
        *(place for place in range(len(sources)) if place not in turns),
        *sorted(turns, key=lambda place: (turns[place], place)),
    ]


def _turn(source: Source) -> tuple[int, ...]:
    return max((file.opener.turn for file in source.files if file.opener), default=())


@contextmanager
def standard_input() -> Iterator[io.BufferedReader]:
    if sys.stdin is None:
        raise OSError("this process has no standard input")
    # A reader of our own, because what replaces sys.stdin (a test runner, an embedding program) need not offer read1().
    stream: io.BufferedReader = io.BufferedReader(cast(io.RawIOBase, sys.stdin.buffer))
    try:
        yield stream
    finally:
        stream.detach()
