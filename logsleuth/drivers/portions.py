"""Reads a long file in portions, each by itself, so that several processes may read one file.

Where a file is cut depends on nothing but the file, and so does whether its portions can be put together; so the answer
is the same whoever reads which portion. What a portion would have to know of those in front of it is found out
afterwards: how many lines and attempts stand there, and which stamp was the last. Where that is not all (a block or a
table goes on over a border, numbers are counted by lines), the file is read in one go.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

from logsleuth.drivers.reading import Read, given_up
from logsleuth.engine.fold import Folder, State
from logsleuth.engine.plan import Plan
from logsleuth.engine.stretches import behind
from logsleuth.ingest.chunks import CHUNK_SIZE, Chunk
from logsleuth.ingest.encoding import utf16_codec
from logsleuth.layouts.layout import HEAD
from logsleuth.layouts.registry import LINES, laid_out
from logsleuth.layouts.whole import LogReader
from logsleuth.model.analysis import Input
from logsleuth.model.before import Before
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import ByteStream, Piece, Source, Stamp
from logsleuth.tokenize.census import SAMPLE, STRIDE, TAIL, Census
from logsleuth.tokenize.dictionary import Vocabulary
from logsleuth.tokenize.find import Find
from logsleuth.tokenize.framing import is_labelled
from logsleuth.tokenize.reader import SourceReader

PORTION = 32 << 20
"""Bytes of a portion: a multiple of all windows (``tokenize.frequent.WINDOW``), so that these begin anew with it."""
_LABELS = 8 << 10
"""Bytes from the start of a source that show whether a launcher labels its lines."""
_NEAR = 1 << 20
"""Bytes behind a border in which a line has to begin."""
_UNKNOWN = Stamp(float("-inf"), False, False)
"""The last stamp in front of a portion, while nobody knows it."""


class Portion(NamedTuple):
    """A stretch of whole lines of a file."""

    start: int
    end: int
    is_last: bool
    head: bytes
    """The sample of the file that shows how its lines are labelled."""


class PortionRead(NamedTuple):
    """What was read of a portion, as if nothing stood in front of it."""

    state: State
    of_input: Input
    segments: int
    """How many events that begin an attempt stand in it."""
    stamp: Stamp | None
    """The last one of an interesting line."""
    is_whole: bool
    """Whether it can be put together with the others."""


def portions_of(source: Source) -> tuple[Portion, ...]:
    """The portions of a source; none where it is short, or can only be read in one go."""
    if source.format != "text" or source.made or source.opener or source.pieces or source.layout not in (None, LINES):
        return ()
    try:
        if not Path(source.path).is_file():
            return ()
        with Path(source.path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size <= PORTION:
                return ()
            head = file.read(HEAD)
            if not _is_plain(head, source.layout):
                return ()
            starts = [0, *(start for at in range(PORTION, size, PORTION) if (start := _line_behind(file, at)))]
    except OSError:
        return ()
    starts = sorted({start for start in starts if start < size})
    return tuple(
        Portion(start, end, end == size, head[:_LABELS])
        for start, end in zip(starts, [*starts[1:], size], strict=True)
        if len(starts) > 1
    )


def _is_plain(head: bytes, layout: str | None) -> bool:
    """Whether the lines of a file that begins so are read as they stand."""
    if head.startswith(b"\0") or utf16_codec(head):
        return False
    return layout == LINES or laid_out([Chunk(head, 0, 1, False)], None)[0] == LINES


def _line_behind(file: BinaryIO, at: int) -> int:
    """Where the first line begins at or behind an offset; 0 where none does so nearby."""
    file.seek(at - 1)
    near = file.read(_NEAR).find(b"\n")
    return at + near if near >= 0 else 0


def read_portion(
    number: int,
    source: Source,
    portion: Portion,
    vocabulary: Vocabulary,
    plan: Plan,
    chunk_size: int | None = None,
    told: Callable[[int], None] | None = None,
) -> PortionRead:
    """Folds a portion of the source with this number; ``told`` takes how many bytes of it were read so far."""
    vocabulary.be_patient()
    folder = Folder(number, plan)
    before = Before(offset=portion.start, head=portion.head, stamp=_UNKNOWN)
    opener = _Stretch(source.path, portion.start, portion.end)
    stretch = source._replace(opener=opener, layout=LINES)
    reader = LogReader(stretch, CHUNK_SIZE if chunk_size is None else chunk_size, before=before)

    def sink(find: Find) -> None:
        reader.inputs[0].events += 1
        folder.add(find)

    labelled = is_labelled(portion.head)
    tokens = SourceReader(number, vocabulary, labelled, sink, folder.add_numbers, folder.add_rows, before)
    for chunk in reader:
        reader.told = tokens.feed(chunk)
        if told is not None:
            told(chunk.offset + len(chunk.data) - portion.start)
        if folder.counts_lines:
            break  # It will be read again, so that the rest of it is in vain.
    read = tokens.behind(reader.behind)
    tokens.finish(is_end=portion.is_last)
    state, of_input = folder.state(SourceLife()), reader.inputs[0]
    is_whole = (
        not (of_input.problems or reader.encoding or read.rows_of)
        and of_input.bytes == portion.end - portion.start
        and not folder.counts_lines
        and not (read.is_torn and not portion.is_last)
        and not given_up(vocabulary, source.path)
    )
    return PortionRead(state, of_input, read.segments, read.stamp, is_whole)


@dataclass
class Joined:
    """What was read of the portions of one source, put together from its start on as they come."""

    number: int
    source: Source
    portions: tuple[Portion, ...]
    is_whole: bool = True
    """Whether all portions so far can be put together."""
    _waiting: dict[int, PortionRead] = field(default_factory=dict)
    _state: State = field(default_factory=State)
    _input: Input = field(init=False)
    _lines: list[tuple[int, int]] = field(default_factory=list)
    """Where each portion begins, and how many lines stand in front of it."""
    _segments: int = 0
    _stamp: Stamp | None = None

    def __post_init__(self) -> None:
        self._input = Input(self.source.path, self.source.format)

    def add(self, place: int, read: PortionRead) -> None:
        """Takes what was read of the portion at this place."""
        self.is_whole = self.is_whole and read.is_whole
        self._waiting[place] = read
        while self.is_whole and (following := self._waiting.pop(len(self._lines), None)):
            self._join(following)

    @property
    def is_complete(self) -> bool:
        return len(self._lines) == len(self.portions)

    def _join(self, read: PortionRead) -> None:
        self._lines.append((self.portions[len(self._lines)].start, self._input.lines))
        self._state.merge(behind(read.state, self._segments, _UNKNOWN, self._stamp))
        self._input.bytes += read.of_input.bytes
        self._input.lines += read.of_input.lines
        self._input.events += read.of_input.events
        self._segments += read.segments
        self._stamp = self._stamp if read.stamp == _UNKNOWN else read.stamp

    def read(self) -> Read | None:
        """What was read of the source, once that is complete; None where it cannot be put together after all."""
        head = self.portions[0].head
        try:
            life = census_of(self.source, self.portions[-1].end, is_labelled(head))
        except OSError:  # It has gone meanwhile.
            self.is_whole = False
            return None
        self._state.sources[self.number] = life
        piece = Piece(self.source.path, 0, 0, counted_from=tuple(self._lines))
        return Read(self.number, self._state, (piece,), [self._input], "", {})


def census_of(source: Source, size: int, labelled: int) -> SourceLife:
    """What the census finds in a file of plain lines: it looks at samples only, so nothing else is read."""
    census = Census(labelled)
    with Path(source.path).open("rb") as file:
        for start, end in _sampled(size):
            file.seek(start)
            chunk = Chunk(file.read(end - start), start, 1, False)
            census.skip(start)
            for plain in laid_out([chunk], LINES)[1]:
                census.feed(plain)
    return census.finish()


def _sampled(size: int) -> Iterator[tuple[int, int]]:
    """The stretches of a file in which samples lie, in their order and apart from each other."""
    tail = max(size - TAIL, 0)
    for start in range(0, tail, STRIDE):
        if start + SAMPLE >= tail:
            tail = start
        else:
            yield start, start + SAMPLE
    yield tail, size


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Opens a part of a file."""

    path: str
    start: int
    end: int
    turn: tuple[int, ...] = ()
    once: bool = False

    @contextmanager
    def __call__(self) -> Iterator[ByteStream]:
        with Path(self.path).open("rb") as file:
            file.seek(self.start)
            yield _Limited(file, self.end - self.start)


class _Limited:
    def __init__(self, file: BinaryIO, left: int) -> None:
        self._file, self._left = file, left

    def read1(self, size: int, /) -> bytes:
        data = self._file.read(min(size, self._left))
        self._left -= len(data)
        return data
