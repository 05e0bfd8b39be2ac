"""What was read of a log, kept for the day when its files are gone: sealed, and opened again.

Made where a file of the log has ended and nothing of the next one was read: of the state as if the log ended there,
and of what reading on behind it must know. Another process then reads on as if it had read all of it.
"""

from typing import NamedTuple

from logsleuth.drivers.log_document import input_of, input_row, piece_of, piece_row
from logsleuth.engine.documented import (
    DocumentError,
    Json,
    entry,
    items,
    number_document,
    optional,
    part,
    text,
    truth,
    whole,
)
from logsleuth.engine.documented import number as real
from logsleuth.engine.fold import State
from logsleuth.engine.packed import packed, unpacked
from logsleuth.engine.state_document import state_document, state_of
from logsleuth.model.before import Before
from logsleuth.model.origin import Stamp

KIND = "sealed"


class Sealed(NamedTuple):
    """The part of one log that was read."""

    state: State
    """To be given to ``read_log`` as what is known ``earlier``."""
    before: Before
    """To be given to the log's reader."""


def sealed(state: State, behind: Before, fit: str) -> bytes:
    """The part of a log that was read, as bytes; to be called in a fork, for it reads the stamps of all numbers.

    ``state`` is what ``read_log`` returned for the log alone, from its start or behind an earlier part, when its reader
    found the end of a file and was told that nothing more comes; ``behind`` is that reader's ``behind`` afterwards, and
    ``fit`` the plan's fingerprint. What a block or a table says beyond that end is not in it, nor in what is read on.
    """
    document: dict[str, Json] = {"fit": fit, "state": state_document(state), "before": _before_document(behind)}
    return packed(KIND, document)


def opened(data: bytes, fit: str, source: int) -> Sealed:
    """The inverse, for a log that has this number now.

    Raises DocumentError where the bytes are damaged, or were sealed by another logsleuth or with other events or rules
    (``fit``), whose states cannot be judged together with those of this one.
    """
    document = unpacked(KIND, data)
    if text(entry(document, "fit")) != fit:
        raise DocumentError("it was read with other rules, or by another version")
    state, before = state_of(entry(document, "state")), _before(entry(document, "before"))
    if len(state.sources) != 1:
        raise DocumentError
    return Sealed(state.renumbered(dict.fromkeys(state.sources, source)), before)


def _before_document(before: Before) -> dict[str, Json]:
    stamp = before.stamp
    return {
        "pieces": [piece_row(piece) for piece in before.pieces],
        "inputs": [input_row(of) for of in before.inputs],
        "offset": before.offset,
        "lines": before.lines,
        "encoding": before.encoding,
        "head": before.head.decode("latin-1"),
        "segments": before.segments,
        "stamp": None if stamp is None else [number_document(stamp.seconds), stamp.has_year, stamp.has_zone],
        "lines_of": [[label.decode("latin-1"), number] for label, number in before.lines_of],
        "rows_of": [[label.decode("latin-1"), of.decode("latin-1"), number] for label, of, number in before.rows_of],
        "is_torn": before.is_torn,
    }


def _before(document: object) -> Before:
    return Before(
        pieces=tuple(map(piece_of, part(document, "pieces"))),
        inputs=tuple(map(input_of, part(document, "inputs"))),
        offset=whole(entry(document, "offset")),
        lines=whole(entry(document, "lines")),
        encoding=text(entry(document, "encoding")),
        head=_bytes(entry(document, "head")),
        segments=whole(entry(document, "segments")),
        stamp=optional(_stamp, entry(document, "stamp")),
        lines_of=tuple(_line_count(row) for row in part(document, "lines_of")),
        rows_of=tuple(_row_count(row) for row in part(document, "rows_of")),
        is_torn=truth(entry(document, "is_torn")),
    )


def _stamp(document: object) -> Stamp:
    seconds, has_year, has_zone = items(document, 3)
    return Stamp(real(seconds), truth(has_year), truth(has_zone))


def _line_count(document: object) -> tuple[bytes, int]:
    label, number = items(document, 2)
    return _bytes(label), whole(number)


def _row_count(document: object) -> tuple[bytes, bytes, int]:
    label, device, number = items(document, 3)
    return _bytes(label), _bytes(device), whole(number)


def _bytes(document: object) -> bytes:
    try:
        return text(document).encode("latin-1")
    except UnicodeEncodeError as error:
        raise DocumentError from error
