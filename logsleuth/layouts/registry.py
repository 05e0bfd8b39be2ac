"""Which layouts there are, and which one a source has."""

from collections.abc import Iterable, Iterator
from itertools import chain

from logsleuth.ingest.chunks import Chunk
from logsleuth.layouts.layout import HEAD, Layout, unfolded

LINES = "lines"
"""The name of having none: records are lines as they stand."""

LAYOUTS: tuple[Layout, ...] = ()
"""In the order in which they are tried."""


def names() -> list[str]:
    """What a user may call a layout, ``lines`` included."""
    return [LINES, *(layout.name for layout in LAYOUTS)]


def laid_out(chunks: Iterable[Chunk], name: str | None) -> tuple[str, Iterator[Chunk]]:
    """The name of the layout that the chunks of a source have, and the chunks with records unfolded.

    ``name`` is what a user says that it is; None leaves that to the head of its text. What is recognised does not
    depend on the size of chunks.
    """
    source = iter(chunks)
    waiting: list[Chunk] = []
    if name is None:
        name, waiting = _recognised(source)
    layout = next((layout for layout in LAYOUTS if layout.name == name), None)
    rest = chain(waiting, source)
    return (LINES, rest) if layout is None else (layout.name, unfolded(rest, layout.unfolder()))


def _recognised(chunks: Iterator[Chunk]) -> tuple[str, list[Chunk]]:
    """The layout's name, and the chunks that were taken to see it."""
    waiting: list[Chunk] = []
    length = 0
    for chunk in chunks:
        waiting.append(chunk)
        length += len(chunk.data)
        if length >= HEAD:
            break
    head = b"".join(chunk.data for chunk in waiting)[:HEAD]
    return next((layout.name for layout in LAYOUTS if layout.recognises(head)), LINES), waiting
