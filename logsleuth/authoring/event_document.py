"""What an event means, which lines tell it and what it reads of them, in words."""

from collections.abc import Iterator

from logsleuth.authoring.document import (
    Block,
    Code,
    Document,
    Section,
    Verbatim,
    Words,
    document,
    items,
    paragraph,
    topics,
)
from logsleuth.authoring.index import Index
from logsleuth.language import syntax as s
from logsleuth.language.program import series_name

WITNESSES = {
    "device": "a GPU or its driver says so",
    "kernel": "the kernel says so",
    "scheduler": "the scheduler says so",
    "launcher": "the launcher says so",
    "process": "the process itself says so",
    "peer": "another process says so",
    "watchdog": "a watchdog says so",
}
_KINDS = {
    "bytes": "an amount of memory", "mib": "an amount of memory", "gib": "an amount of memory", "ms": "a time",
    "s": "a time", "duration": "a time", "percent": "a share", "int": "a number", "float": "a number",
    "count": "a number", "hex": "a number", "moment": "a date", "ranks": "ranks",
}  # fmt: skip
_MOST_SAMPLES = 6
_MOST_READERS = 24


def event_document(event: s.Event, index: Index) -> Document:
    """All that a person may want to know of an event; where it stands is told elsewhere."""
    return document(
        event.name,
        event_blocks(event, index),
        [
            Section(("Its wordings",), tuple(_wordings(event))),
            Section(("Its samples",), tuple(Verbatim(sample.text.strip("\n")) for sample in event.samples)),
        ],
    )


def event_blocks(event: s.Event, index: Index) -> list[Block]:
    """What it means, what it tells, and who reads it."""
    fields = index.program.fields(event.name)
    told: list[Words] = [(f"Who says so: {WITNESSES[event.witness]}.",)]
    if fields:
        named = [f"{name} ({_KINDS.get(kind, 'a text')})" for name, kind in sorted(fields.items())]
        told.append(("Fields: ", ", ".join(named), "."))
    if event.series:
        told.append(("Series: ", ", ".join(series_name(event, clause) for clause in event.series), "."))
    if event.about_job:
        told.append(("It concerns the job as a whole.",))
    elif event.about:
        told.append((f"Whom it concerns stands in the line: {', '.join(key for key, _ in event.about)}.",))
    readers = index.readers(event.name)
    if readers:
        more = len(readers) - _MOST_READERS
        told.append(("Rules that read it: ", *topics(readers[:_MOST_READERS]), f" and {more} more" if more > 0 else ""))
    return [paragraph(" ".join(event.doc.split())), *items(told)]


def few_samples(event: s.Event) -> Iterator[Block]:
    """The first samples of an event, and how many there are besides."""
    texts = [sample.text.strip("\n") for sample in event.samples]
    if texts:
        yield Verbatim("\n".join(texts[:_MOST_SAMPLES]))
    if len(texts) > _MOST_SAMPLES:
        yield paragraph(f"And {len(texts) - _MOST_SAMPLES} more wordings or samples.")


def _wordings(event: s.Event) -> Iterator[Block]:
    lines = [(Code(wording.text),) for wording in event.wordings]
    yield from items(lines)
    for block in event.blocks:
        yield paragraph(f"A block of several lines, within {block.within} lines of one writer:")
        yield from items(_block(block))
    for table in event.tables:
        names = ", ".join(column.names[0] for column in table.columns)
        yield paragraph(f"Rows of a table with the columns {names}.")


def _block(block: s.Block) -> Iterator[Words]:
    for item in block.items:
        if item.wording is None:
            yield ("the lines that are indented deeper",)
        else:
            yield (Code(item.wording.text), *((" (may be missing)",) if item.optional else ()))
