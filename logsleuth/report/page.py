"""What a report says, line by line, before anybody knows how wide or colourful the paper is."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Tone(Enum):
    """How a piece of text is meant; the renderer chooses the looks. The words must say it without them."""

    PLAIN = "plain"
    STRONG = "strong"
    FAINT = "faint"
    ALARM = "alarm"
    CAUTION = "caution"
    CALM = "calm"


class Wrap(Enum):
    """How a line that is too long goes on in the next row."""

    PROSE = "prose"
    """Between words, in rows that are short enough to be read."""
    WORDS = "words"
    """Between words, over the whole width."""
    FULL = "full"
    """Anywhere, over the whole width: a line of a log is no prose."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text of one tone. It may hold anything that a log may hold."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the report, wrapped where the width asks for it."""

    spans: tuple[Span, ...] = ()
    lead: Span = Span("")
    """Stands before the first row; the rows after it are indented as far."""
    indent: int = 0
    """Columns of blank before everything."""
    most_rows: int | None = None
    """What would need more rows is cut."""
    wrap: Wrap = Wrap.PROSE


Page = list[Line]
BLANK = Line()
LABEL_WIDTH = 10
"""Columns of the labels at the left."""


def prose(text: str, *, lead: str = "", indent: int = 0, tone: Tone = Tone.PLAIN) -> Line:
    """A paragraph of one tone."""
    return Line((Span(text, tone),), Span(lead), indent)


def fact(label: str, text: str) -> Line:
    """``Who       rank 2 on node-7``."""
    return Line((Span(text),), Span(label.ljust(LABEL_WIDTH), Tone.STRONG))


def section(heading: str, lines: Iterable[Line]) -> Page:
    """The lines under a heading, a blank line before it; nothing where there are no lines."""
    body = list(lines)
    return [BLANK, prose(heading, tone=Tone.STRONG), *body] if body else []
