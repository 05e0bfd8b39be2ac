"""Reads sources into folded state: the part of an analysis that touches bytes."""

from collections.abc import Sequence
from typing import NamedTuple

from logsleuth.engine.fold import Folder, State
from logsleuth.engine.plan import Plan
from logsleuth.ingest.chunks import Chunk, Reader
from logsleuth.ingest.labels import label
from logsleuth.ingest.open import open_source
from logsleuth.language.program import Program
from logsleuth.model.analysis import Input
from logsleuth.model.origin import PathLabel, Source
from logsleuth.tokenize.census import Census
from logsleuth.tokenize.dictionary import Vocabulary
from logsleuth.tokenize.framing import is_labelled
from logsleuth.tokenize.reader import SourceReader

_SAMPLE = 8 << 10


class Reading(NamedTuple):
    state: State
    inputs: list[Input]
    labels: dict[int, PathLabel]


def read(
    sources: Sequence[Source], program: Program, plan: Plan, engine: str | None = None, chunk_size: int | None = None
) -> Reading:
    """Folds all sources; a source that cannot be read to its end is told in its input and loses nobody else's result.

    ``engine`` names a scanner and ``chunk_size`` the bytes of a chunk; neither changes the result.
    """
    vocabulary = Vocabulary(plan.events, program.events.values(), engine, plan.series)
    state = State()
    inputs: list[Input] = []
    for index, source in enumerate(sources):
        stream = open_source(source)
        reader = Reader(stream) if chunk_size is None else Reader(stream, size=chunk_size)
        read_state, events = _read_source(index, reader, vocabulary, plan)
        state.merge(read_state)
        inputs.append(Input(source.path, source.format, reader.bytes, reader.lines, events, list(reader.problems)))
    return Reading(state, inputs, {index: label(source.path) for index, source in enumerate(sources)})


def _read_source(index: int, reader: Reader, vocabulary: Vocabulary, plan: Plan) -> tuple[State, int]:
    """Folds one source; returns its state and how many events were found in it."""
    folder = Folder(index, plan)
    tokens: SourceReader | None = None
    census: Census | None = None
    waiting: list[Chunk] = []
    for chunk in reader:
        if tokens is None or census is None:
            # Whether lines carry a launcher's label shows in a sample, which must not depend on the size of chunks.
            waiting.append(chunk)
            if sum(len(c.data) for c in waiting) < _SAMPLE:
                continue
            tokens, census = _begin(index, waiting, vocabulary, folder)
            waiting.clear()
            continue
        census.feed(chunk)
        reader.told = tokens.feed(chunk)
    if tokens is None or census is None:
        tokens, census = _begin(index, waiting, vocabulary, folder)
    tokens.finish()
    return folder.state(census.finish()), tokens.events


def _begin(index: int, chunks: list[Chunk], vocabulary: Vocabulary, folder: Folder) -> tuple[SourceReader, Census]:
    sample = b"".join(chunk.data for chunk in chunks)[:_SAMPLE]
    labelled = is_labelled(sample)
    tokens = SourceReader(index, vocabulary, labelled, folder.add, folder.add_numbers)
    census = Census(labelled)
    for chunk in chunks:
        census.feed(chunk)
        tokens.feed(chunk)
    return tokens, census
