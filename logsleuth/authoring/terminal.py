"""Documents as rows of a terminal."""

from collections.abc import Iterator

from logsleuth.authoring.document import Block, Code, Document, Items, Name, Paragraph, Topic, Verbatim, Word, Words
from logsleuth.report.page import BLANK, Line, Page, Span, Tone, Wrap, prose, section


def to_page(told: Document, kind: str, place: str) -> Page:
    """The document below a line that names it; ``kind`` is ``rule`` or ``event``, ``place`` where it stands."""
    title = Line((Span(told.title, Tone.STRONG), Span(f"  {kind}, {place}", Tone.FAINT)), wrap=Wrap.WORDS)
    page = [title, *_lines(told.lead)]
    for part in told.sections:
        heading = "".join(span.text for span in spans(part.heading))
        page += section(heading, _lines(part.blocks))
    return page


def spans(words: Words) -> tuple[Span, ...]:
    """Words in the tones of a terminal."""
    return tuple(_span(word) for word in words)


def _span(word: Word) -> Span:
    match word:
        case Code():
            # What is one word is told apart by its colour, or needs no mark.
            return Span(f"`{word.text}`" if " " in word.text else word.text, Tone.CALM)
        case Topic():
            return Span(word.name, Tone.CALM)
        case Name():
            return Span(word.text, Tone.STRONG)
        case _:
            return Span(word)


def _lines(blocks: tuple[Block, ...]) -> Iterator[Line]:
    """Paragraphs and lists, with a blank line where one of them does not introduce the next."""
    for number, block in enumerate(blocks):
        if number and isinstance(block, Paragraph) and not isinstance(blocks[number - 1], Paragraph):
            yield BLANK
        match block:
            case Paragraph():
                yield Line(spans(block.words))
            case Items():
                for place, item in enumerate(block.items, 1):
                    lead = f"{place}. " if block.is_numbered else "- "
                    yield Line(spans(item), Span(lead), indent=2)
            case Verbatim():
                for row in block.text.split("\n"):
                    yield Line((Span(row),), indent=4, wrap=Wrap.FULL) if row else prose("")
