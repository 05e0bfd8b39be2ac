"""Which lines say the same as one that was looked at, with other numbers?

A program writes its lines of progress with one format string. Lines whose text is equal but for numbers, and whose
numbers have forms that were seen before (``1.5``, ``2.1e-05``), therefore have the same writer and the same fields, so
that one regular expression can read the numbers of all of them. Which parts vary is learned from lines that mean the
same: a number that never varied is text like any other, so the rank in a header stays what it is.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise, repeat
from typing import NamedTuple

LONGEST = 4096
"""Bytes of a line that may be learned."""
_MOST_NUMBERS = 200
"""Numbers in it."""

_NUMBER = re.compile(rb"( {0,40})((?:(?<=[ :=(\[,|'\"])[-+])?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?)")
_digits = re.compile(r"\d+")

Span = tuple[int, int]
_Mark = tuple[int, int]
"""A place in a cut text: the number of the piece, and bytes into it."""


class Cut(NamedTuple):
    """A line cut into text, blanks, number, text, blanks, number, ..., text."""

    pieces: tuple[bytes, ...]

    @property
    def text(self) -> tuple[bytes, ...]:
        """What lines of one shape share."""
        return self.pieces[::3]


def cut(line: bytes) -> Cut | None:
    """A line in pieces; None for one that is too long to be learned."""
    if len(line) > LONGEST:
        return None
    pieces = tuple(_NUMBER.split(line))
    return Cut(pieces) if 1 < len(pieces) <= 3 * _MOST_NUMBERS else None


def marks_of(line: Cut, spans: Sequence[Span]) -> tuple[tuple[_Mark, _Mark], ...] | None:
    """Where in the pieces these parts of a line begin and end; None where one begins or ends inside a number, or where
    parts overlap."""
    marks: dict[int, _Mark] = {}
    offset = 0
    for number, piece in enumerate(line.pieces):
        if number % 3 == 0:
            marks |= {offset + at: (number, at) for at in range(len(piece))}
        elif piece:
            marks[offset] = number, 0
        offset += len(piece)
    marks[offset] = len(line.pieces), 0
    if any(after[0] < before[1] for before, after in pairwise(sorted(set(spans)))):
        return None
    found = [(marks[start], marks[end]) for start, end in spans if start < end and start in marks and end in marks]
    return tuple(found) if len(found) == len(spans) else None


class Shape:
    """Lines with the same text and known forms of numbers."""

    def __init__(self, line: Cut, marks: Sequence[tuple[_Mark, _Mark]]) -> None:
        self._text = line.text
        self._varying: list[bytes | frozenset[str]] = [piece for n, piece in enumerate(line.pieces) if n % 3]
        """Blanks and number in turn: the one that all lines had, or the patterns of their forms."""
        self._marks = sorted(set(marks))
        self._compiled: re.Pattern[str] | None = None

    def widen(self, line: Cut) -> bool:
        """Takes in a line that has the same text and means the same; returns whether that changed anything."""
        before = list(self._varying)
        for place, piece in enumerate(piece for n, piece in enumerate(line.pieces) if n % 3):
            known = self._varying[place]
            if isinstance(known, frozenset):
                self._varying[place] = known | {_form(piece)}
            elif known != piece:
                self._varying[place] = frozenset((_form(known), _form(piece)))
        if before == self._varying:
            return False
        self._compiled = None
        return True

    @property
    def pattern(self) -> re.Pattern[str]:
        """Matches the whole of such a line; its groups are the marked parts, in their order. Bytes are characters."""
        if self._compiled is None:
            self._compiled = re.compile(self.source, re.ASCII)
        return self._compiled

    @property
    def groups(self) -> int:
        """How many parts are marked."""
        return len(self._marks)

    def group(self, mark: tuple[_Mark, _Mark]) -> int:
        """The number of the group that holds a marked part."""
        return self._marks.index(mark)

    @property
    def source(self) -> str:
        """The text of the pattern."""
        starts, ends = {start for start, _ in self._marks}, {end for _, end in self._marks}
        out: list[str] = []
        for number in range(len(self._text) * 3 - 2):
            if number % 3:
                out += _borders((number, 0), starts, ends)
                varying = self._varying[number // 3 * 2 + number % 3 - 1]
                out.append(_either(varying) if isinstance(varying, frozenset) else _escaped(varying))
                continue
            text, done = self._text[number // 3], 0
            for at in sorted({at for piece, at in starts | ends if piece == number}):
                out.append(_escaped(text[done:at]))
                out += _borders((number, at), starts, ends)
                done = at
            out.append(_escaped(text[done:]))
        out += _borders((len(self._text) * 3 - 2, 0), starts, ends)
        return "".join(out)


class Shapes:
    """Several shapes as one pattern, because most lines have one of many."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self._match = re.compile("|".join(shape.source for shape in shapes), re.ASCII).fullmatch
        self._of_group: list[int] = [-1]
        """Which shape each group is of."""
        self._texts: list[Callable[[re.Match[str]], tuple[str, ...]]] = []
        for number, shape in enumerate(shapes):
            first = len(self._of_group)
            self._of_group += [number] * shape.groups
            self._texts.append(partial(_texts, range(first, first + shape.groups)))

    def matches(
        self, text: str, starts: Sequence[int], ends: Sequence[int]
    ) -> tuple[list[int], list[tuple[str, ...] | None]]:
        """Of each of these parts of a text, the number of the first shape that it has (-1 for none), and what its
        marked parts say."""
        of_group, texts = self._of_group, self._texts
        matches = list(map(self._match, repeat(text), starts, ends))
        numbers = [of_group[match.lastindex or 0] if match else -1 for match in matches]
        return numbers, [texts[at](match) if match else None for at, match in zip(numbers, matches, strict=True)]


def _texts(groups: range, match: re.Match[str]) -> tuple[str, ...]:
    return match.groups()[groups.start - 1 : groups.stop - 1]


def _borders(mark: _Mark, starts: set[_Mark], ends: set[_Mark]) -> list[str]:
    return [")"] * (mark in ends) + ["("] * (mark in starts)


def _escaped(text: bytes) -> str:
    return re.escape(text.decode("latin-1"))


def _form(piece: bytes) -> str:
    """The pattern of blanks (none, one, several: wordings tell them apart) or of a number."""
    if not piece.strip(b" "):
        return ("", " ", "  ++")[min(len(piece), 2)]
    return _digits.sub(r"\\d++", _escaped(piece))


def _either(forms: frozenset[str]) -> str:
    if len(forms) == 1:
        return next(iter(forms))
    return "(?>" + "|".join(sorted(forms, key=lambda form: (-len(form), form))) + ")"
