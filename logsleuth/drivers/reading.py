"""Reads sources into folded state: the part of an analysis that touches bytes."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import IO, NamedTuple

from logsleuth.engine.fold import Folder, State, lines_told
from logsleuth.engine.laid_by import Means, Shelf
from logsleuth.engine.plan import Plan
from logsleuth.ingest.chunks import CHUNK_SIZE, Chunk
from logsleuth.ingest.open import in_reading_order
from logsleuth.ingest.siblings import labels
from logsleuth.language.program import Program
from logsleuth.layouts.whole import LogReader
from logsleuth.model.analysis import Input
from logsleuth.model.before import Before
from logsleuth.model.origin import Log, PathLabel, Piece, Source
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

_ALSO = " In other logs it was given up too ({:,})."

Watch = Callable[[int, Chunk, int], None]
"""Takes the chunks of all sources as they are read: the number of the source, the next chunk, and the kind of
labels that a launcher puts before the lines of the source (``tokenize.framing``); 0 for none."""
Progress = Callable[[int, int | None], None]
"""Takes the number of a source and how many bytes of it were read so far; None when it is done."""
Follow = Callable[[Sequence[Source]], Progress]
"""Takes the sources that are about to be read, and gives what is told how far they are."""


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


class Read(NamedTuple):
    """What was read of one source; complete by itself, so that another process may have read it."""

    number: int
    """That of the source among all."""
    state: State
    pieces: tuple[Piece, ...]
    inputs: list[Input]
    encoding: str
    given_up: dict[str, str]
    """See ``given_up``."""


Reads = Callable[[Sequence[Source], Program, Plan], Reading]
"""Reads all sources, wherever it does."""


def read(
    sources: Sequence[Source],
    program: Program,
    plan: Plan,
    engine: str | None = None,
    chunk_size: int | None = None,
    vocabulary: Vocabulary | None = None,
    watches: Sequence[Watch] = (),
    follow: Follow | None = None,
) -> Reading:
    """Folds all sources; a source that cannot be read to its end is told in its input and loses nobody else's result.

    ``engine`` names a scanner and ``chunk_size`` the bytes of a chunk; neither changes the result. ``vocabulary`` is
    that of the plan, where it was made before. ``watches`` see every chunk, and change nothing. Several processes do
    the same in ``shared_reading``.
    """
    if vocabulary is None:
        vocabulary = vocabulary_of(program, plan, engine)
    progress = None if follow is None else follow(sources)

    def parts() -> Iterator[Read]:
        for number in in_reading_order(sources):
            told = None if progress is None else partial(progress, number)
            yield read_source(number, sources[number], vocabulary, plan, chunk_size, watches, told)
            if progress is not None:
                progress(number, None)

    return put_together(sources, parts())


def read_source(
    number: int,
    source: Source,
    vocabulary: Vocabulary,
    plan: Plan,
    chunk_size: int | None = None,
    watches: Sequence[Watch] = (),
    told: Callable[[int], None] | None = None,
) -> Read:
    """Folds one source, which is known by its number; see ``read``. ``told`` takes how many bytes were read so far.

    Wordings have all their patience again, so that what is read does not depend on what was read before.
    """
    vocabulary.be_patient()
    reader = LogReader(source, CHUNK_SIZE if chunk_size is None else chunk_size)
    if told is not None:
        watches = (*watches, lambda _index, chunk, _labelled: told(chunk.offset + len(chunk.data)))
    state = read_log(number, reader, vocabulary, plan, watches)
    notes = given_up(vocabulary, source.path)
    return Read(number, state, tuple(reader.pieces), reader.inputs, reader.encoding, notes)


def _nameless() -> IO[bytes]:
    import tempfile  # Most analyses never need it.

    return tempfile.TemporaryFile(prefix="logsleuth-", buffering=0)


MEANS = Means(partial(pickle.dumps, protocol=pickle.HIGHEST_PROTOCOL), pickle.loads, _nameless)
"""What series are laid by with: bytes that this process wrote itself."""


class Together:
    """Puts together what is read of all sources. Of each there is one part, in any order; it is merged when it comes,
    and then let go of."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._state, self._shelf = State(), Shelf(MEANS)
        self._by_number: dict[int, Read] = {}

    def add(self, part: Read) -> None:
        """Takes what was read of one source."""
        self._state.merge(part.state)
        self._shelf.admit(self._state.series, part.state.series)
        self._by_number[part.number] = part._replace(state=State())

    @property
    def reading(self) -> Reading:
        """What was read of all."""
        notes: dict[str, list[str]] = {}
        for number in in_reading_order(self._sources):
            for place, note in self._by_number[number].given_up.items():
                notes.setdefault(place, []).append(note)
        in_order = [part for _, part in sorted(self._by_number.items())]
        return Reading(
            self._state,
            [Log(source.path, part.pieces) for source, part in zip(self._sources, in_order, strict=True)],
            [part.inputs for part in in_order],
            dict(enumerate(labels(self._sources))),
            tuple(told[0] + (_ALSO.format(len(told) - 1) if told[1:] else "") for told in notes.values()),
            tuple(part.encoding for part in in_order),
        )


def put_together(sources: Sequence[Source], reads: Iterable[Read]) -> Reading:
    """The reading of all sources, as ``Together`` makes it."""
    together = Together(sources)
    for part in reads:
        together.add(part)
    return together.reading


def vocabulary_of(program: Program, plan: Plan, engine: str | None = None) -> Vocabulary:
    """The vocabulary that reads what the plan asks for; ``engine`` names a scanner."""
    return Vocabulary(plan.events, program.shelf, engine, plan.series)


def given_up(vocabulary: Vocabulary, path: str) -> dict[str, str]:
    """What is to be told of wordings that were given up when a log was read; by their places."""
    notes: dict[str, str] = {}
    for event, pattern in vocabulary.given_up():
        at, line = pattern.wording.at, pattern.given_up
        where = "" if line is None else f"{path}:{line.number}"
        notes.setdefault(f"{at.file}:{at.line}", _GIVEN_UP.format(event.name, at.file, at.line, where))
    return notes


def read_log(
    index: int,
    reader: LogReader,
    vocabulary: Vocabulary,
    plan: Plan,
    watches: Sequence[Watch] = (),
    earlier: State | None = None,
) -> State:
    """Folds one source, which is known by its number; tells the reader what somebody must know who reads on behind it.

    ``earlier`` is the state of what stands in front of it and was read before (``reader.before``), under the same
    number; the result holds both.
    """
    folder = Folder(index, plan, None if earlier is None else lines_told(earlier))

    def sink(find: Find) -> None:
        reader.input_at(find.place[0]).events += 1
        folder.add(find)

    begin = partial(_begin, index, reader.before, vocabulary, folder, sink)
    begun: _Begun | None = None
    waiting: list[Chunk] = []
    for chunk in reader:
        if begun is None:
            # Whether lines carry a launcher's label shows in a sample, which must not depend on the size of chunks.
            if not waiting and not chunk.data.strip(b"\0"):
                continue  # A hole, as truncating a log under its writer leaves, may be of any size.
            waiting.append(chunk)
            if len(_written(reader.before, waiting)) < _SAMPLE:
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
    reader.behind = begun.tokens.behind(reader.behind._replace(head=begun.head))
    begun.tokens.finish()
    state = folder.state(begun.census.finish())
    if earlier is not None:
        state.merge(earlier)
    return state


class _Begun(NamedTuple):
    """What takes the chunks of a source."""

    tokens: SourceReader
    census: Census
    labelled: int
    head: bytes


def _written(before: Before, chunks: list[Chunk]) -> bytes:
    """The sample that the chunks hold, behind a hole that they may begin with, and what stood in front of them."""
    first = chunks[0].data.lstrip(b"\0") if chunks else b""
    return b"".join([before.head, first, *(chunk.data for chunk in chunks[1:])])[:_SAMPLE]


def _begin(
    index: int, before: Before, vocabulary: Vocabulary, folder: Folder, sink: Sink, chunks: list[Chunk]
) -> _Begun:
    head = _written(before, chunks)
    labelled = is_labelled(head)
    tokens = SourceReader(index, vocabulary, labelled, sink, folder.add_numbers, folder.add_rows, before)
    census = Census(labelled)
    for chunk in chunks:
        census.feed(chunk)
        tokens.feed(chunk)
    return _Begun(tokens, census, labelled, head)


def _show(watches: Sequence[Watch], index: int, chunks: Sequence[Chunk], begun: _Begun) -> None:
    for chunk in chunks:
        for watch in watches:
            watch(index, chunk, begun.labelled)
