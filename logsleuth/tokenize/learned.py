"""What the lines of a source that feed series look like, as far as it was learned from those that were looked at."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from logsleuth.language.syntax import Event
from logsleuth.model.event import FieldValue
from logsleuth.model.origin import Frame, Tag
from logsleuth.tokenize.framing import REACH, frame
from logsleuth.tokenize.patterns import FieldPlace, LinePattern
from logsleuth.tokenize.shapes import Shape, Shapes, cut, marks_of
from logsleuth.tokenize.types import FIELD_TYPES
from logsleuth.tokenize.view import Line

MOST = 64
"""Shapes of a source; beyond it, what was learned is forgotten at the next window."""
_WAITING = 256
"""Lines that are remembered until a second one means the same."""
_BEHIND = 64
"""Bytes of a message that the framing in front of it may depend on."""
_MANY = 512
"""Lines for which it is worth it to make one pattern of all shapes."""
_WRITERS = 4096
"""Writers of one shape that are told apart by labels."""

Names = Callable[[Event], tuple[str, ...]]
"""The fields of an event that series need."""


class Told(NamedTuple):
    """An event that a line feeds series for."""

    event: Event
    matches: tuple[tuple[LinePattern, re.Match[bytes]], ...]


class Column(NamedTuple):
    """Where a shape tells a field."""

    name: str
    type: str
    group: int

    def values(self, texts: Sequence[str]) -> list[FieldValue | None]:
        """The typed values of texts (whose characters are bytes)."""
        value = FIELD_TYPES[self.type].value
        if self.type in ("float", "s"):
            try:
                return list(map(float, texts))
            except ValueError:
                pass  # quoted, or with commas between thousands
        elif self.type == "int" and max(map(len, texts), default=0) <= _DIGITS:
            return list(map(int, texts))
        known = {text: value(text.encode("latin-1").decode("utf-8", "replace")) for text in set(texts)}
        return [known[text] for text in texts]


_DIGITS = 18
"""Characters of a number that certainly fits a counter."""


class Feeding(NamedTuple):
    """The fields that a shape tells of one event."""

    event: Event
    columns: tuple[Column, ...]


class Writer(NamedTuple):
    """Who writes lines of a shape behind some label."""

    tag: Tag
    head: int
    """Bytes of the line that tell its stamp; 0 where there is none."""


@dataclass(slots=True, eq=False)
class Learned:
    """A shape and what it tells."""

    shape: Shape
    feeds: tuple[Feeding, ...]
    quiet: frozenset[int]
    """Literals that such a line holds for the sake of events that it turned out not to be."""
    writers: dict[bytes, Writer] = field(default_factory=dict)

    def writer(self, label: bytes, line: bytes, labelled: int) -> Writer:
        """Who writes lines that begin with this label, by the first of them."""
        known = self.writers.get(label)
        if known is None:
            known = _writer(line, frame(line, labelled), labelled)
            if len(self.writers) < _WRITERS:
                self.writers[label] = known
        return known


class Lessons:
    """The shapes of one source."""

    def __init__(self, names: Names, labelled: int) -> None:
        self._names, self._labelled = names, labelled
        self.shapes: list[Learned] = []
        self._known: dict[object, Learned] = {}
        self._waiting: dict[object, Shape] = {}
        self._together: Shapes | None = None
        self._is_settled = False
        """Whether nothing was learned since the shapes were last asked for together."""

    def together(self, lines: int) -> Shapes | None:
        """All shapes as one, where that is worth its making for so many lines."""
        if not self._is_settled:
            self._together, self._is_settled = None, True
        elif self._together is None and len(self.shapes) > 1 and lines >= _MANY:
            self._together = Shapes([learned.shape for learned in self.shapes])
        return self._together

    def forget_if_full(self) -> None:
        """Begins anew where there are too many."""
        if len(self.shapes) >= MOST or len(self._waiting) >= _WAITING:
            self._waiting.clear()
            if len(self.shapes) >= MOST:
                self.shapes.clear()
                self._known.clear()
                self._is_settled = False

    def learn(self, label: bytes, line: Line, told: Sequence[Told], quiet: frozenset[int]) -> Learned | None:
        """Takes in a line that was looked at; returns a shape that now fits more lines than before."""
        text = cut(line.text[len(label) :])
        if text is None or not told:
            return None
        fields = [
            (one.event, name, *found) for one in told for name in self._names(one.event) if (found := _found(one, name))
        ]
        shift = len(label)
        marks = marks_of(text, [(start - shift, end - shift) for *_, start, end in fields])
        if marks is None or not fields:
            return None
        meaning = tuple(
            (event.name, name, kind, mark) for (event, name, kind, *_), mark in zip(fields, marks, strict=True)
        )
        key = (label, line.frame.tag, text.text, meaning, quiet)
        known = self._known.get(key)
        if known is not None:
            if not known.shape.widen(text):
                return None
            self._is_settled = False
            return known
        shape = self._waiting.get(key)
        if shape is None:
            if len(self._waiting) < _WAITING:
                self._waiting[key] = Shape(text, marks)
            return None
        shape.widen(text)
        if len(self.shapes) >= MOST:
            return None
        del self._waiting[key]
        feeds: dict[str, tuple[Event, list[Column]]] = {}
        for (event, name, kind, *_), mark in zip(fields, marks, strict=True):
            feeds.setdefault(event.name, (event, []))[1].append(Column(name, kind, shape.group(mark)))
        learned = Learned(shape, tuple(Feeding(event, tuple(columns)) for event, columns in feeds.values()), quiet)
        learned.writers[label] = _writer(line.text, line.frame, self._labelled)
        self._known[key] = learned
        self.shapes.append(learned)
        self._is_settled = False
        return learned


def _found(told: Told, name: str) -> FieldPlace | None:
    """Type and place of a field in a line."""
    for pattern, match in told.matches:
        place = pattern.place(match, name)
        if place is not None and pattern.value(match, name) is not None:
            return place
    return None


def _writer(line: bytes, framed: Frame, labelled: int) -> Writer:
    if framed.stamp is None:
        return Writer(framed.tag, 0)
    for head in (framed.start + _BEHIND, REACH):
        if frame(line[:head], labelled).stamp == framed.stamp:
            return Writer(framed.tag, head)
    return Writer(framed.tag, len(line))
