"""Documents as Markdown."""

import re
from collections.abc import Callable, Iterator

from logsleuth.authoring.document import (
    Block,
    Code,
    Document,
    Items,
    Name,
    Paragraph,
    Section,
    Topic,
    Verbatim,
    Word,
    Words,
)

_MARKS = re.compile(r"[\\*<\[\]`|]|(?<!\w)_|_(?!\w)")

LinkTo = Callable[[str], str]
"""Where a page tells of a rule, an event or a cause: a path, or nothing where none does."""


def to_markdown(told: Document, link_to: LinkTo) -> str:
    """A page with a heading of the first level; ends with a newline."""
    parts = [f"# {told.title}", *_blocks(told.lead, link_to)]
    for section in told.sections:
        parts += section_parts(section, link_to)
    return "\n\n".join(parts) + "\n"


def section_parts(section: Section, link_to: LinkTo) -> Iterator[str]:
    """The heading and the blocks of a section."""
    yield f"{'#' * section.level} {words(section.heading, link_to)}"
    yield from _blocks(section.blocks, link_to)


def _blocks(blocks: tuple[Block, ...], link_to: LinkTo) -> Iterator[str]:
    for block in blocks:
        match block:
            case Paragraph():
                yield words(block.words, link_to)
            case Items():
                lead = "1." if block.is_numbered else "-"
                yield "\n".join(f"{lead} {words(item, link_to)}" for item in block.items)
            case Verbatim():
                fence = "`" * max(3, _longest_run(block.text) + 1)
                yield f"{fence}{block.language}\n{visible(block.text)}\n{fence}"


def words(told: Words, link_to: LinkTo) -> str:
    """A sentence in Markdown."""
    return "".join(_word(word, link_to) for word in told)


def _word(word: Word, link_to: LinkTo) -> str:
    match word:
        case Code():
            return code(word.text)
        case Name():
            return f"*{escaped(word.text)}*"
        case Topic():
            target = link_to(word.name)
            return f"[{code(word.name)}]({target})" if target else code(word.name)
        case _ if word.startswith("https://"):
            return f"<{word}>"
        case _:
            return escaped(word)


def code(text: str) -> str:
    """Text in back-quotes, however many it holds itself."""
    text = visible(text)
    ticks = "`" * (_longest_run(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def escaped(text: str) -> str:
    """Text that Markdown does not take for marks of its own."""
    return _MARKS.sub(lambda mark: "\\" + mark[0], text)


def visible(text: str) -> str:
    """Control characters (colours of a log) spelled out."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
