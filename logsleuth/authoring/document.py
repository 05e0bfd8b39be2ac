"""What is told of a rule or an event, before anybody knows whether it becomes a page or rows of a terminal."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Code(NamedTuple):
    """Text of the language or of a log, as it stands there."""

    text: str


class Name(NamedTuple):
    """A name that a rule gives to what it found, or what stands there in a text with holes."""

    text: str


class Topic(NamedTuple):
    """A rule, an event or a cause, by its name; a page may link to it."""

    name: str


Word = str | Code | Name | Topic
Words = tuple[Word, ...]
"""A sentence or a part of one."""


class Paragraph(NamedTuple):
    words: Words


class Items(NamedTuple):
    items: tuple[Words, ...]
    is_numbered: bool = False


class Verbatim(NamedTuple):
    """Lines of a log, or of a rule file (``language`` is then ``sleuth``)."""

    text: str
    language: str = "text"


Block = Paragraph | Items | Verbatim


class Section(NamedTuple):
    """Blocks under a heading; of the document's second level, or below another section."""

    heading: Words
    blocks: tuple[Block, ...]
    level: int = 2


class Document(NamedTuple):
    title: str
    """The name of the rule or event."""
    lead: tuple[Block, ...]
    sections: tuple[Section, ...]
    """Those that have something to say."""


def document(title: str, lead: Iterable[Block], sections: Iterable[Section]) -> Document:
    """A document without its empty sections."""
    return Document(title, tuple(lead), tuple(section for section in sections if section.blocks))


def items(told: Iterable[Words], *, is_numbered: bool = False) -> tuple[Block, ...]:
    """A list of what is told; no block where it is nothing."""
    found = tuple(told)
    return (Items(found, is_numbered),) if found else ()


def paragraph(*words: Word) -> Paragraph:
    """A paragraph of these words."""
    return Paragraph(words)


def joined(parts: Sequence[Words], between: str = ", ", last: str = "") -> Words:
    """``a, b and c``; ``last`` stands before the last of them, if given."""
    words: list[Word] = []
    for number, part in enumerate(parts):
        if number:
            words.append(last if last and number == len(parts) - 1 else between)
        words += part
    return tuple(words)


def topics(names: Sequence[str]) -> Words:
    """``a, b and c``."""
    return joined([(Topic(name),) for name in names], ", ", " and ")


def plain(words: Words) -> str:
    """The words without their marks."""
    return "".join(word if isinstance(word, str) else word[0] for word in words)
