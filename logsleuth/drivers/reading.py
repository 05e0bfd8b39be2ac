"""Reads sources into folded state: the part of an analysis that touches bytes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from logsleuth.engine.fold import Folder, State
from logsleuth.engine.plan import Plan
from logsleuth.ingest.chunks import CHUNK_SIZE, Chunk
from logsleuth.ingest.open import in_reading_order
from logsleuth.ingest.siblings import labels
from logsleuth.language.program import Program
from logsleuth.layouts.whole import LogReader
from logsleuth.model.analysis import Input
from logsleuth.model.origin import Log, PathLabel, Source
from logsleuth.model.present import Present
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

Watch = Callable[[int, Chunk, int], None]
"""Takes the chunks of all sources as they are read: the number of the source, the next chunk, and the kind of
labels that a launcher puts before the lines of the source (``tokenize.framing``); 0 for none."""
Follow = Callable[[Sequence[Source]], Watch]
"""Takes the sources that are about to be read, and gives what is to watch them."""


class Reading(NamedTuple):
    state: State
    logs: list[Log]
    inputs: list[list[Input]]
    """Of every log, one for each of its files."""
    labels: dict[int, PathLabel]
    notes: tuple[str, ...] = ()
    """What the reader of an analysis should know about the reading."""
    encodings: tuple[str, ...] = ()
    """Of every log the encoding that it was converted from; empty where it was not."""
    present: Present | None = None
    """The moment at which a live job is judged; None where the logs have ended."""


def read(
    sources: Sequence[Source],
    program: Program,
    plan: Plan,
    engine: str | None = None,
    chunk_size: int | None = None,
    vocabulary: Vocabulary | None = None,
    watches: Sequence[Watch] = (),
) -> Reading:
    """Folds all sources; a source that cannot be read to its end is told in its input and loses nobody else's result.

    ``engine`` names a scanner and ``chunk_size`` the bytes of a chunk; neither changes the result. ``vocabulary`` is
    that of the plan, where it was made before. ``watches`` see every chunk, and change nothing.
    """
    if vocabulary is None:
        vocabulary = vocabulary_of(program, plan, engine)
    state = State()
    readers: dict[int, LogReader] = {}
    notes: dict[str, str] = {}
    for index in in_reading_order(sources):
        source = sources[index]
        reader = LogReader(source, CHUNK_SIZE if chunk_size is None else chunk_size)
        state.merge(read_log(index, reader, vocabulary, plan, watches))
        readers[index] = reader
        for place, note in given_up(vocabulary, source.path).items():
            notes.setdefault(place, note)
    in_order = [reader for _, reader in sorted(readers.items())]
    return Reading(
        state,
        [Log(source.path, tuple(reader.pieces)) for source, reader in zip(sources, in_order, strict=True)],
        [reader.inputs for reader in in_order],
        dict(enumerate(labels(sources))),
        tuple(notes.values()),
        tuple(reader.encoding for reader in in_order),
    )


def vocabulary_of(program: Program, plan: Plan, engine: str | None = None) -> Vocabulary:
    """The vocabulary that reads what the plan asks for; ``engine`` names a scanner."""
    return Vocabulary(plan.events, program.events.values(), engine, plan.series)


def given_up(vocabulary: Vocabulary, path: str) -> dict[str, str]:
    """What is to be told of wordings that were given up when a log, or one before it, was read; by their places."""
    notes: dict[str, str] = {}
    for event, pattern in vocabulary.given_up():
        at, line = pattern.wording.at, pattern.given_up
        where = "" if line is None else f"{path}:{line.number}"
        notes.setdefault(f"{at.file}:{at.line}", _GIVEN_UP.format(event.name, at.file, at.line, where))
    return notes


def read_log(index: int, reader: LogReader, vocabulary: Vocabulary, plan: Plan, watches: Sequence[Watch] = ()) -> State:
    """Folds one source, which is known by its number."""
    folder = Folder(index, plan)

    def sink(find: Find) -> None:
        reader.input_at(find.place[0]).events += 1
        folder.add(find)

    begin = partial(_begin, index, vocabulary, folder, sink)
    begun: _Begun | None = None
    waiting: list[Chunk] = []
    for chunk in reader:
        if begun is None:
            # Whether lines carry a launcher's label shows in a sample, which must not depend on the size of chunks.
            if not waiting and not chunk.data.strip(b"\0"):
                continue  # A hole, as truncating a log under its writer leaves, may be of any size.
            waiting.append(chunk)
            if len(_written(waiting)) < _SAMPLE:
                continue
            begun = begin(waiting)
            _show(watches, index, waiting, begun)
            waiting.clear()
            continue
        begun.census.feed(chunk)
        reader.told = begun.tokens.feed(chunk)
        _show(watches, index, (chunk,), begun)
    if begun is None:
        begun = begin(waiting)
        _show(watches, index, waiting, begun)
    begun.tokens.finish()
    return folder.state(begun.census.finish())


class _Begun(NamedTuple):
    """What takes the chunks of a source."""

    tokens: SourceReader
    census: Census
    labelled: int


def _written(chunks: list[Chunk]) -> bytes:
    """The sample that the chunks hold, behind a hole that they may begin with."""
    first = chunks[0].data.lstrip(b"\0") if chunks else b""
    return b"".join([first, *(chunk.data for chunk in chunks[1:])])[:_SAMPLE]


def _begin(index: int, vocabulary: Vocabulary, folder: Folder, sink: Sink, chunks: list[Chunk]) -> _Begun:
    labelled = is_labelled(_written(chunks))
    tokens = SourceReader(index, vocabulary, labelled, sink, folder.add_numbers, folder.add_rows)
    census = Census(labelled)
    for chunk in chunks:
        census.feed(chunk)
        tokens.feed(chunk)
    return _Begun(tokens, census, labelled)


def _show(watches: Sequence[Watch], index: int, chunks: Sequence[Chunk], begun: _Begun) -> None:
    for chunk in chunks:
        for watch in watches:
            watch(index, chunk, begun.labelled)
