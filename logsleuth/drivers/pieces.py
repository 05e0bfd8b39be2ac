"""Which logs were cut into several files, and in which order those were written: names propose, stamps decide."""

import os
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from logsleuth.ingest.chunks import Chunk
from logsleuth.ingest.discover import natural_key
from logsleuth.ingest.labels import label
from logsleuth.ingest.layers import head_of
from logsleuth.ingest.open import in_reading_order, is_read_again, open_source
from logsleuth.ingest.pieces import Pieces, pieces_by_name
from logsleuth.layouts.registry import LINES, laid_out
from logsleuth.model.origin import BARE, Source, Tag
from logsleuth.tokenize.framing import REACH, frame, is_labelled

_LOOKED_AT = 64 << 10
"""Bytes at either end of a file."""
_SAMPLE = 8 << 10
"""Bytes that show whether lines carry labels."""
_PATIENCE = 128
"""Lines in a row that tell of no new writer, behind which no more are looked at: a log may be cut into thousands."""
_may_be_stamped = re.compile(rb"\d\d:\d\d|\d{6}").search
_SLACK = 2.0
"""Seconds that lines of several writers may stand out of order in one log."""

_YEAR = 366 * 86400.0
"""Seconds of the year in which stamps without one are placed."""

_Span = tuple[float, float]
_Stamps = dict[tuple[bool, bool, Tag | None], _Span]
"""The first and the last stamp at the ends of a file, of each kind (with a year or not, with a zone or not: only those
of one kind can be compared) and label, since writers in one log may have several clocks; and of all labels together."""


def joined(sources: Sequence[Source]) -> list[Source]:
    """The sources, in natural order, with the pieces of each log as one.

    Pieces are put in the order that their names tell, or the other way round where their stamps say so. Files that were
    written at the same time are no pieces of one log, whatever they are called, and where names alone do not say that
    they are, only stamps that follow each other do.
    """
    # A pipe can be read only once.
    proposed = [pieces for pieces in pieces_by_name(sources) if all(map(is_read_again, pieces.files))]
    files = [file for pieces in proposed for file in pieces.files]
    stamps = {files[place].path: _stamps(files[place]) for place in in_reading_order(files)}
    logs = [log for pieces in proposed if (log := _log(pieces, stamps)) is not None]
    taken = {piece.path for log in logs for piece in log.pieces}
    apart = (source for source in sources if source.path not in taken)
    return sorted([*logs, *apart], key=lambda source: natural_key(source.path)) if logs else list(sources)


def _log(pieces: Pieces, told: dict[str, _Stamps]) -> Source | None:
    """The log that the files are pieces of, or None where they are none; ``told`` are the stamps of each path."""
    files = [(file, told[file.path]) for file in pieces.files]
    stamped = [stamps for _, stamps in files if stamps]
    if sum(_rise(a, b) for a, b in pairwise(stamped)) < 0:
        files.reverse()
        stamped.reverse()
    labels = {file.label for file in pieces.files}
    if len(labels) > 1:
        return None  # The user says that they are of several writers.
    known = labels.pop()
    tag = (known or label(pieces.log)).tag
    # The pieces of a log that names its writer cannot be the logs of several.
    if tag._replace(host=None) == BARE:
        if any(_overlap(a, b) for a, b in pairwise(stamped)):
            return None
        if not pieces.is_said and not all(_comparable(a, b) for (_, a), (_, b) in pairwise(files)):
            return None
    return Source(pieces.log, "text", tuple(file for file, _ in files), label=known)


def _rise(earlier: _Stamps, later: _Stamps) -> int:
    """1 where the stamps say that the files were written in this order, -1 where in the other, else 0."""
    rises = sum((b > a) - (b < a) for a, b in _comparable(earlier, later))
    return (rises > 0) - (rises < 0)


def _overlap(earlier: _Stamps, later: _Stamps) -> bool:
    """Whether the second file begins before the first has ended."""
    return any(b[0] < a[1] - _SLACK for a, b in _comparable(earlier, later))


def _comparable(left: _Stamps, right: _Stamps) -> list[tuple[_Span, _Span]]:
    """What the same writers stamped in both files; where these have none in common, what anybody did."""
    shared = left.keys() & right.keys()
    of_writers = [key for key in shared if key[2] is not None]
    return [
        (left[key], right[key] if key[0] else _over_new_year(left[key], right[key])) for key in of_writers or shared
    ]


def _over_new_year(span: _Span, other: _Span) -> _Span:
    """The other span in the year that brings it closest; both have none of their own."""
    years = round((span[0] - other[0]) / _YEAR)
    return other[0] + years * _YEAR, other[1] + years * _YEAR


def _stamps(file: Source) -> _Stamps:
    """What the ends of a file tell; of a packed one only the start is looked at. Empty where it cannot be read."""
    try:
        head, tail = _ends(file)
    except OSError:
        return {}
    head, tail = _unfolded(file, head, tail)
    labelled = is_labelled(head[:_SAMPLE])
    lines = [line for line in (*head.splitlines(), *tail.splitlines()) if _may_be_stamped(line, 0, REACH)]
    forth = _met(lines, labelled)
    back = {key: (first, last) for key, (last, first) in _met(reversed(lines), labelled).items()}
    return {key: (forth.get(key, span)[0], back.get(key, span)[1]) for key, span in {**forth, **back}.items()}


def _met(lines: Iterable[bytes], labelled: int) -> _Stamps:
    """The first and the last stamp of each kind and label in the order of the lines, as long as new ones turn up."""
    found: _Stamps = {}
    patience = _PATIENCE
    for line in lines:
        if not patience:
            break
        patience -= 1
        framed = frame(line, labelled)
        if (stamp := framed.stamp) and stamp.seconds >= 0:
            for writer in (framed.tag, None):
                key = stamp.has_year, stamp.has_zone, writer
                if key not in found:
                    patience = _PATIENCE
                first, _ = found.get(key, (stamp.seconds, 0.0))
                found[key] = first, stamp.seconds
    return found


def _unfolded(file: Source, head: bytes, tail: bytes) -> tuple[bytes, bytes]:
    """The ends of a file with their records unfolded, where they are records."""
    name, chunks = laid_out([Chunk(head, 0, 1, False)] if head else [], file.layout)
    if name == LINES:
        return head, tail
    # The tail begins within a line.
    tail = tail[tail.find(b"\n") + 1 :]
    _, behind = laid_out([Chunk(tail, 0, 1, False)] if tail else [], name)
    return b"".join(chunk.data for chunk in chunks), b"".join(chunk.data for chunk in behind)


def _ends(file: Source) -> tuple[bytes, bytes]:
    if file.format != "text" or file.opener:
        with open_source(file) as stream:
            return head_of(stream, _LOOKED_AT), b""
    with Path(file.path).open("rb") as plain:
        head = plain.read(_LOOKED_AT)
        size = plain.seek(0, os.SEEK_END)
        plain.seek(max(size - _LOOKED_AT, len(head)))
        return head, plain.read()
