"""Reads sources into folded state: the part of an analysis that touches bytes."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from logsleuth.engine.fold import Folder, State
from logsleuth.engine.plan import Plan
from logsleuth.ingest.chunks import CHUNK_SIZE, Chunk
from logsleuth.ingest.labels import label
from logsleuth.ingest.open import in_reading_order
from logsleuth.language.program import Program
from logsleuth.layouts.whole import LogReader
from logsleuth.model.analysis import Input
from logsleuth.model.origin import Log, PathLabel, Source
from logsleuth.tokenize.census import Census
from logsleuth.tokenize.dictionary import Vocabulary
from logsleuth.tokenize.find import Find
from logsleuth.tokenize.framing import is_labelled
from logsleuth.tokenize.reader import Sink, SourceReader

_SAMPLE = 8 << 10
_GIVEN_UP = (
    "A wording of {} ({}:{}) was given up at {}, which kept it busy for too long; lines like it are not in this answer "
    "from there on. Rewrite it so that its repetitions keep what they have taken (logsleuth explain LS250)."
)


class Reading(NamedTuple):
    state: State
    logs: list[Log]
    inputs: list[list[Input]]
    """Of every log, one for each of its files."""
    labels: dict[int, PathLabel]
    notes: tuple[str, ...] = ()
    """What the reader of an analysis should know about the reading."""


def read(
    sources: Sequence[Source],
    program: Program,
    plan: Plan,
    engine: str | None = None,
    chunk_size: int | None = None,
    vocabulary: Vocabulary | None = None,
) -> Reading:
    """Folds all sources; a source that cannot be read to its end is told in its input and loses nobody else's result.

    ``engine`` names a scanner and ``chunk_size`` the bytes of a chunk; neither changes the result. ``vocabulary`` is
    that of the plan, where it was made before.
    """
    if vocabulary is None:
        vocabulary = Vocabulary(plan.events, program.events.values(), engine, plan.series)
    state = State()
    logs: dict[int, Log] = {}
    inputs: dict[int, list[Input]] = {}
    given_up: dict[str, str] = {}
    for index in in_reading_order(sources):
        source = sources[index]
        reader = LogReader(source, CHUNK_SIZE if chunk_size is None else chunk_size)
        state.merge(_read_source(index, reader, vocabulary, plan))
        logs[index] = Log(source.path, tuple(reader.pieces))
        for event, pattern in vocabulary.given_up():
            at, line = pattern.wording.at, pattern.given_up
            where = "" if line is None else f"{source.path}:{line.number}"
            given_up.setdefault(f"{at.file}:{at.line}", _GIVEN_UP.format(event.name, at.file, at.line, where))
        inputs[index] = reader.inputs
    return Reading(
        state,
        [log for _, log in sorted(logs.items())],
        [of_log for _, of_log in sorted(inputs.items())],
        {index: source.label or label(source.path) for index, source in enumerate(sources)},
        tuple(given_up.values()),
    )


def _read_source(index: int, reader: LogReader, vocabulary: Vocabulary, plan: Plan) -> State:
    """Folds one source."""
    folder = Folder(index, plan)

    def sink(find: Find) -> None:
        reader.input_at(find.place[0]).events += 1
        folder.add(find)

    begin = partial(_begin, index, vocabulary, folder, sink)
    tokens: SourceReader | None = None
    census: Census | None = None
    waiting: list[Chunk] = []
    for chunk in reader:
        if tokens is None or census is None:
            # Whether lines carry a launcher's label shows in a sample, which must not depend on the size of chunks.
            waiting.append(chunk)
            if sum(len(c.data) for c in waiting) < _SAMPLE:
                continue
            tokens, census = begin(waiting)
            waiting.clear()
            continue
        census.feed(chunk)
        reader.told = tokens.feed(chunk)
    if tokens is None or census is None:
        tokens, census = begin(waiting)
    tokens.finish()
    return folder.state(census.finish())


def _begin(
    index: int, vocabulary: Vocabulary, folder: Folder, sink: Sink, chunks: list[Chunk]
) -> tuple[SourceReader, Census]:
    sample = b"".join(chunk.data for chunk in chunks)[:_SAMPLE]
    labelled = is_labelled(sample)
    tokens = SourceReader(index, vocabulary, labelled, sink, folder.add_numbers, folder.add_rows)
    census = Census(labelled)
    for chunk in chunks:
        census.feed(chunk)
        tokens.feed(chunk)
    return tokens, census
