"""The files of a log, and what was read of them, as documents for JSON, and back."""

from array import array

from logsleuth.engine.documented import DocumentError, Json, items, optional, text, truth, whole
from logsleuth.model.analysis import Input, Problem
from logsleuth.model.origin import Piece, Turned


def piece_row(piece: Piece) -> list[Json]:
    """A file as a part of a log; lines in front of it have been counted."""
    turned = piece.turned
    return [piece.path, piece.offset, piece.lines, turned and [list(turned.starts), list(turned.shifts)]]


def piece_of(document: object) -> Piece:
    """The inverse; raises DocumentError."""
    path, offset, lines, turned = items(document, 4)
    return Piece(text(path), whole(offset), whole(lines), optional(_turned, turned))


def _turned(document: object) -> Turned:
    starts, shifts = items(document, 2)
    try:
        return Turned(array("q", map(whole, items(starts))), array("q", map(whole, items(shifts))))
    except OverflowError as error:
        raise DocumentError from error


def input_row(of: Input) -> list[Json]:
    """What was read of a file."""
    problems: list[Json] = [[problem.text, problem.fatal] for problem in of.problems]
    return [of.source, of.format, of.bytes, of.lines, of.events, problems, of.layout]


def input_of(document: object) -> Input:
    """The inverse; raises DocumentError."""
    source, format_, size, lines, events, problems, layout = items(document, 7)
    told = [items(problem, 2) for problem in items(problems)]
    return Input(
        text(source),
        text(format_),
        whole(size),
        whole(lines),
        whole(events),
        [Problem(text(why), truth(fatal)) for why, fatal in told],
        text(layout),
    )
