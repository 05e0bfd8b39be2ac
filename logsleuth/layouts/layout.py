"""What a layout is: how records lie in the text of a source, and what makes lines of them."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts.folds import Physical, Unfolded, unfolded_chunk

HEAD = 64 << 10
"""Bytes from the start of a source by which its layout is recognised."""


class Unfolder(Protocol):
    """Makes lines of the records of one source, once, from its first line to its last."""

    def feed(self, line: Physical) -> Iterable[Unfolded]:
        """Takes the next line; gives lines of it and of those before it, in the order in which they begin."""

    def finish(self) -> Iterable[Unfolded]:
        """What was held back, at the end of the source."""


Unfold = Callable[[Iterable[Chunk]], Iterator[Chunk]]
"""Takes the chunks of a source and gives chunks of the lines that its records hold."""


class Layout(NamedTuple):
    """How records lie in the text of a source."""

    name: str
    """As in ``Input.layout`` and ``--source-format``."""
    about: str
    """Whose records these are, for people."""
    recognises: Callable[[bytes], bool]
    """Whether the head of a source (``HEAD`` bytes, or all of a shorter one) shows this layout. No plain log does."""
    unfold: Unfold
    has_lengths: bool = False
    """Whether numbers stand in it as bytes. It then takes labels of ours out of texts by itself, since no byte may be
    changed before it is read."""


def unfolded(chunks: Iterable[Chunk], unfolder: Unfolder) -> Iterator[Chunk]:
    """The chunks of a source as chunks of the lines that its records hold.

    A line that is torn because it is longer than a chunk may be is fed piece by piece, as lines.
    """
    for chunk in chunks:
        if made := unfolded_chunk(line for physical in lines_in(chunk) for line in unfolder.feed(physical)):
            yield made
    if made := unfolded_chunk(unfolder.finish()):
        yield made


def by_line(unfolder: Callable[[], Unfolder]) -> Unfold:
    """Unfolds line by line; ``unfolder`` is made anew for each source."""
    return lambda chunks: unfolded(chunks, unfolder())


def lines_in(chunk: Chunk) -> Iterator[Physical]:
    """The lines of a chunk of a source, without what ends them."""
    start, number, data = 0, chunk.line, chunk.data
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        yield Physical(data[start:end].removesuffix(b"\r"), chunk.offset + start, number)
        start, number = end + 1, number + 1
