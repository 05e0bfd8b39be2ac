"""Folded state as a document for JSON, and back: what one process has read, for another one to judge.

It holds no more of the logs than the lines that are evidence, and says by its version how it is to be read.
"""

from logsleuth.engine.documented import (
    DocumentError,
    Json,
    Known,
    Mentioned,
    chosen,
    entry,
    items,
    part,
    text,
    value,
    value_document,
    whole,
)
from logsleuth.engine.fold import Kept, Key, State
from logsleuth.engine.occurrence_document import WrittenOccurrences, occurrences
from logsleuth.engine.series_document import WrittenSeries, series_of
from logsleuth.model.event import Occurrence
from logsleuth.model.life import Life, SourceLife

VERSION = 1


def state_document(state: State) -> dict[str, Json]:
    """The state as JSON knows it: lists, texts, and finite numbers."""
    mentioned = Mentioned()
    written, numbers = WrittenOccurrences(mentioned), WrittenSeries(mentioned)
    kept: list[Json] = [_kept_row(key, of, mentioned, written) for key, of in state.kept.items()]
    lives: list[Json] = [[source, *_life_row(life, mentioned)] for source, life in state.sources.items()]
    series: list[Json] = [numbers.row(key, of) for key, of in state.series.items()]
    return {
        "version": VERSION,
        "kept": kept,
        "occurrences": written.document(),
        "sources": lives,
        "series": series,
        "lines": numbers.lines(),
        **mentioned.document(),
    }


def state_of(document: object) -> State:
    """The state that ``state_document`` made the document of; raises DocumentError where it is none, or not all."""
    version = entry(document, "version")
    if version != VERSION:
        raise DocumentError(f"it is of format {version!r:.20}, and this logsleuth reads format {VERSION}")
    known = Known(document)
    held = occurrences(part(document, "occurrences"), known)
    return State(
        dict(_kept(row, held, known) for row in part(document, "kept")),
        dict(_life(row, known) for row in part(document, "sources")),
        series_of(part(document, "series"), entry(document, "lines"), known),
    )


def _kept_row(key: Key, kept: Kept, mentioned: Mentioned, written: WrittenOccurrences) -> list[Json]:
    earliest: list[Json] = [written.number(o) for o in kept.earliest]
    latest: list[Json] = [written.number(o) for o in kept.latest]
    return [
        mentioned.texts.number(key.event),
        key.use,
        key.source,
        mentioned.tags.number(key.tag),
        [value_document(subject) for subject in key.about],
        key.segment,
        kept.count,
        kept.repeats,
        earliest,
        None if latest == earliest else latest,
    ]


def _kept(document: object, held: list[Occurrence], known: Known) -> tuple[Key, Kept]:
    event, use, source, tag, about, segment, count, repeats, earliest, latest = items(document, 10)
    key = Key(
        chosen(known.texts, event),
        whole(use),
        whole(source),
        chosen(known.tags, tag),
        tuple(map(value, items(about))),
        whole(segment),
    )
    first = [chosen(held, at) for at in items(earliest)]
    last = list(first) if latest is None else [chosen(held, at) for at in items(latest)]
    return key, Kept(whole(count), first, last, whole(repeats))


def _life_row(life: SourceLife, mentioned: Mentioned) -> list[Json]:
    lives: list[Json] = [
        [mentioned.tags.number(tag), one.first, one.last, mentioned.stamp(one.stamp)] for tag, one in life.lives.items()
    ]
    endings: list[Json] = [*sorted(life.endings)]
    return [
        mentioned.stamp(life.first_stamp),
        life.first_stamp_at,
        mentioned.stamp(life.last_stamp),
        lives,
        life.content,
        endings,
        [[offset, mentioned.stamp(stamp)] for offset, stamp in life.undated],
    ]


def _life(document: object, known: Known) -> tuple[int, SourceLife]:
    source, first, first_at, last, lives, content, endings, undated = items(document, 8)
    life = SourceLife(
        chosen(known.stamps, first),
        whole(first_at),
        chosen(known.stamps, last),
        {},
        text(content),
        frozenset(map(whole, items(endings))),
    )
    for row in items(lives):
        tag, begins, ends, stamp = items(row, 4)
        life.lives[chosen(known.tags, tag)] = Life(whole(begins), whole(ends), chosen(known.stamps, stamp))
    for row in items(undated):
        offset, at = items(row, 2)
        stamp_there = chosen(known.stamps, at)
        if stamp_there is None:
            raise DocumentError
        life.undated += ((whole(offset), stamp_there),)
    return whole(source), life
