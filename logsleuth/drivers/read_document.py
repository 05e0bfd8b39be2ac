"""What was read of sources, as bytes, and back: what a process that reads sends to the one that judges."""

from collections.abc import Iterable, Iterator

from logsleuth.drivers.log_document import input_of, input_row, piece_of, piece_row
from logsleuth.drivers.reading import Read
from logsleuth.engine.documented import Json, items, text, whole
from logsleuth.engine.packed import packed, unpacked
from logsleuth.engine.state_document import state_document, state_of

KIND = "read"


def packed_reads(reads: Iterable[Read]) -> bytes:
    """What was read of each source, which the bytes tell completely."""
    return packed(KIND, [_row(of) for of in reads])


def unpacked_reads(data: bytes) -> Iterator[Read]:
    """The inverse, one after the other; raises DocumentError where the bytes are not what ``packed_reads`` made."""
    return map(_read, items(unpacked(KIND, data)))


def _row(of: Read) -> list[Json]:
    given_up: list[Json] = [[place, note] for place, note in of.given_up.items()]
    return [
        of.number,
        state_document(of.state),
        [piece_row(piece) for piece in of.pieces],
        [input_row(one) for one in of.inputs],
        of.encoding,
        given_up,
    ]


def _read(document: object) -> Read:
    number, state, pieces, inputs, encoding, given_up = items(document, 6)
    return Read(
        whole(number),
        state_of(state),
        tuple(map(piece_of, items(pieces))),
        list(map(input_of, items(inputs))),
        text(encoding),
        dict(map(_note, items(given_up))),
    )


def _note(document: object) -> tuple[str, str]:
    place, note = items(document, 2)
    return text(place), text(note)
