"""A live job: everything that is followed, read as far as it has come, and judged as if it ended here."""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from logsleuth.drivers.batch import concluded_with
from logsleuth.drivers.hub import Hub, Waiting
from logsleuth.drivers.keeping import Keeper
from logsleuth.drivers.overhearing import overheard
from logsleuth.drivers.reading import Reading, given_up, read_log, vocabulary_of
from logsleuth.drivers.remembered import Remembered, Whole
from logsleuth.drivers.sealing import stopping
from logsleuth.drivers.vitals import vitals_of
from logsleuth.engine.fold import State, merged
from logsleuth.engine.plan import plan
from logsleuth.engine.stalls import look_again
from logsleuth.ingest.chunks import Chunk
from logsleuth.ingest.discover import natural_key
from logsleuth.ingest.siblings import labels
from logsleuth.language.program import Program
from logsleuth.layouts.whole import LogReader
from logsleuth.model.analysis import Input
from logsleuth.model.before import NOTHING, Before
from logsleuth.model.origin import Log, Piece, Source
from logsleuth.model.present import Arrivals, Present
from logsleuth.model.snapshot import Snapshot
from logsleuth.tailing.tail import Pause, Tail
from logsleuth.tailing.watching import Watching
from logsleuth.tailing.whole import format_of

CHUNK_SIZE = 16 << 10
"""Bytes of a chunk. What does not fill one yet is read anew for each judgement, so it is less than elsewhere."""
TURN = 0.05
"""Seconds for which one log is read before others have their turn."""

Watches = Callable[[Pause], Watching]
"""Makes what tells which logs there are and which grew; it is given what their streams call to wait."""


class _Followed(NamedTuple):
    """A log, and how far it was read."""

    source: Source
    tail: Tail | None
    """None for one that cannot grow."""
    reader: LogReader
    waiting: Waiting[State]


class Judged(NamedTuple):
    """What a fork gives back."""

    snapshot: Snapshot
    read: dict[int, bytes]
    """Of logs what it has read, for those after it; see ``Remembered``."""
    counted: dict[int, dict[int, int]]
    """Of logs what it has counted; see ``Tail.counted``."""


class Following:
    """Reads what comes, and says what follows from it. Made for one thread, in which forks are made."""

    def __init__(
        self,
        program: Program,
        watches: Watches,
        notes: tuple[str, ...] = (),
        chunk_size: int = CHUNK_SIZE,
        keeper: Keeper | None = None,
    ) -> None:
        """``keeper`` is asked what is known of files that are gone, and given what may be gone one day."""
        self._program, self._plan = program, plan(program)
        self._vocabulary, self._keeper = vocabulary_of(program, self._plan), keeper
        self._hub = Hub()
        self._notes, self._chunk_size = notes, chunk_size
        self._logs: dict[int, _Followed] = {}
        """In the order in which they were found; their numbers are never given again."""
        self._tails: dict[Tail, int] = {}
        self._begun = 0
        self._unfinished: dict[int, None] = {}
        """Logs that have more to read, in the order in which they have their turns."""
        self._remembered = Remembered()
        self._turn_ends = 0.0
        self._is_cut_off = self._is_over = False
        self._ended = 0
        """How many files were read of the log that has its turn, where it stopped in front of another one."""
        self.is_urgent = False
        """Whether something came that rules speak of and that is no progress; whoever judges takes it back."""
        self.watching = watches(self._hub.pause)

    @property
    def is_behind(self) -> bool:
        """Whether more is there than was read."""
        return bool(self._unfinished)

    @property
    def can_be_judged(self) -> bool:
        """Whether nothing stands in the middle of what cannot grow: a fork would move its place in that file."""
        return all(self._logs[number].tail is not None for number in self._unfinished)

    @property
    def is_over(self) -> bool:
        """Whether nothing more can come."""
        return self.watching.all_ended and not self.is_behind

    def look(self, is_last: bool = False) -> bool:
        """Looks what has come, at the last look everywhere; returns whether there is something to read."""
        seen = self.watching.look(is_last)
        for tail in seen.joined:
            self._begin(tail.source, tail)
        for tail in seen.left:
            self._forget(self._tails.pop(tail))
        if seen.still_changed:
            self._keep_still()
        for tail in seen.news:
            number = self._tails[tail]
            self._unfinished.setdefault(number)
            self._remembered.stir(number)
        return self.is_behind

    def read(self, until: float) -> None:
        """Reads what there is, up to a moment of ``time.monotonic``; logs have their turns."""
        while self._unfinished and (now := time.monotonic()) < until:
            number = next(iter(self._unfinished))
            del self._unfinished[number]
            self._remembered.stir(number)
            self._turn_ends = min(now + TURN, until)
            self._is_cut_off = False
            self._ended = 0
            self._logs[number].waiting.go_on()
            if self._ended:
                self._seal(self._logs[number])
            if self._is_cut_off or self._ended:
                self._unfinished[number] = None

    def conclude(self, now: float | None, *, is_last: bool = False) -> Snapshot:
        """What would be said if the logs ended here; nothing can be read afterwards, so it is for a fork, or the end.

        ``now`` is the moment at which it is judged, in seconds since 1970; None where logs have ended, which then are
        judged as by whoever reads them at once. ``is_last`` says that nobody waits for more, though it may come.
        """
        return self._concluded(self._read_to_the_end(), now, is_last)

    def judge(self, now: float | None) -> Judged:
        """The same for a fork, without reading what is remembered; ``remember`` is to be told what it gives.
        ``judging`` is to be called where the fork was made."""
        wholes = self._read_to_the_end(self._remembered)
        read: dict[int, bytes] = {}
        # Where a wording is about to be given up, how one log is read depends on the others.
        for number in self._tails.values() if not self._vocabulary.is_strained else ():
            packed = self._remembered.packed(number, wholes[number], self._chunk_size)
            if packed is not None:
                read[number] = packed
        snapshot = self._concluded(wholes, now, is_last=False)
        return Judged(snapshot, read, {at: tail.counted() for tail, at in self._tails.items() if tail.counted()})

    def judging(self) -> None:
        """A fork was made that judges."""
        self._remembered.forked()

    def remember(self, judged: Judged) -> None:
        """What the last fork has read and counted, for the next ones."""
        self._remembered.take_in({number: packed for number, packed in judged.read.items() if number in self._logs})
        for tail, number in self._tails.items():
            tail.learn(judged.counted.get(number, {}))

    def _concluded(self, wholes: Mapping[int, Whole], now: float | None, is_last: bool) -> Snapshot:
        reading, arrivals = self._reading(wholes)
        present = None if now is None else Present(now, arrivals, is_last)
        reading = reading._replace(present=present)
        left_out = [Input(path, "none", problems=[problem]) for path, problem in self.watching.problems]
        kept = () if self._keeper is None else self._keeper.notes
        notes = (*self._notes, *self.watching.notes, *kept)
        analysis, judgements = concluded_with(self._program, self._plan, reading, None, left_out, notes)
        vitals = vitals_of(reading, judgements, present)
        again = None if present is None else look_again([judgement.roster for judgement in judgements], present)
        return Snapshot(time.time() if now is None else now, analysis, vitals, again)

    def close(self) -> None:
        """Lets go of all files."""
        self.watching.close()

    def _begin(self, source: Source, tail: Tail | None) -> None:
        number = self._begun
        self._begun += 1
        files, before, state = self._files(tail, number) if tail else (None, NOTHING, None)
        reader = LogReader(source, self._chunk_size, files, before)
        work = partial(read_log, number, reader, self._vocabulary, self._plan, (self._see,), state)
        self._logs[number] = _Followed(source, tail, reader, self._hub.begin(work))
        if tail is not None:
            self._tails[tail] = number
        self._unfinished[number] = None

    def _files(self, tail: Tail, number: int) -> tuple[Iterator[Source], Before, State | None]:
        """The files of a log, and what is known of those in front of them that are gone."""
        files = overheard(tail.files(), self._overhear)
        if self._keeper is None:
            return files, NOTHING, None
        sealed = self._keeper.earlier(tail, number).sealed
        files = stopping(files, self._has_ended, self._hub.pause)
        return (files, NOTHING, None) if sealed is None else (files, sealed.before, sealed.state)

    def _overhear(self, data: bytes) -> None:
        if not (self.is_urgent or self._is_over):
            hits = self._vocabulary.scanner.scan(data)
            self.is_urgent = any(literal not in self._vocabulary.dictionary.frequent for _, literal in hits)

    def _has_ended(self, ended: int) -> None:
        self._ended = ended

    def _seal(self, log: _Followed) -> None:
        assert self._keeper
        assert log.tail

        def kept(keeper: Keeper) -> str:
            self._is_over = True
            self._hub.declare_end()
            return keeper.keep(log.reader, log.waiting, lambda: _log(log, _whole(log)).pieces)

        self._keeper.seal(log.tail, self._ended, partial(kept, self._keeper))

    def _keep_still(self) -> None:
        """Reads what cannot grow and is new, and forgets what is not there any more or is another."""
        there = dict.fromkeys(self.watching.still)
        for number, log in list(self._logs.items()):
            if log.tail is None and there.pop(log.source, self) is self:
                self._forget(number)
        for source in there:
            self._begin(source, None)

    def _forget(self, number: int) -> None:
        del self._logs[number]
        self._unfinished.pop(number, None)
        self._remembered.stir(number)

    def _see(self, _number: int, _chunk: Chunk, _labelled: int) -> None:
        """Called by readers at each chunk: lets others have their turn, where theirs is over."""
        if not self._is_over and time.monotonic() >= self._turn_ends:
            self._is_cut_off = True
            self._hub.pause()

    def _read_to_the_end(self, remembered: Remembered | None = None) -> dict[int, Whole]:
        """Every log, read to its end, or as it is remembered."""
        self._is_over = True
        self._hub.declare_end()
        wholes: dict[int, Whole] = {}
        for number, log in self._logs.items():
            whole = remembered.whole(number) if remembered else None
            if whole is None:
                while not log.waiting.is_done:
                    log.waiting.go_on()
                whole = _whole(log)
            wholes[number] = whole
        return wholes

    def _reading(self, wholes: Mapping[int, Whole]) -> tuple[Reading, dict[int, Arrivals]]:
        """Everything, numbered as whoever reads it at once would number it; and when it came."""
        order = sorted(self._logs, key=lambda number: natural_key(self._logs[number].source.path))
        in_order = [(self._logs[number], wholes[number]) for number in order]
        numbers = {number: place for place, number in enumerate(order)}
        reading = Reading(
            merged(whole.state for _, whole in in_order).renumbered(numbers),
            [_log(*one) for one in in_order],
            [_inputs(*one) for one in in_order],
            dict(enumerate(labels([log.source for log, _ in in_order]))),
            tuple(given_up(self._vocabulary, "").values()),
            tuple(whole.encoding for _, whole in in_order),
        )
        return reading, {place: log.tail.arrivals for place, (log, _) in enumerate(in_order) if log.tail}


def _whole(log: _Followed) -> Whole:
    """A log that was read to its end."""
    return Whole(log.waiting.result, log.reader.pieces, log.reader.inputs, log.reader.encoding)


def _log(log: _Followed, whole: Whole) -> Log:
    """Its files under the names that they have now."""
    pieces = tuple(whole.pieces)
    if log.tail is not None:
        gone = len(log.reader.before.pieces)
        here = [_piece(log.tail, at, piece) for at, piece in enumerate(pieces[gone:])]
        pieces = (*pieces[:gone], *here)
    return Log(log.source.path, pieces)


def _piece(tail: Tail, at: int, piece: Piece) -> Piece:
    here = piece._replace(path=tail.current_path(at))
    if not (skipped := tail.skipped(at)):
        return here
    return here._replace(offset=piece.offset - skipped, skipped=partial(tail.skipped_lines, at))


def _inputs(log: _Followed, whole: Whole) -> list[Input]:
    if log.tail is not None:
        gone = len(log.reader.before.inputs)
        for at, of_file in enumerate(whole.inputs[gone:]):
            of_file.source = log.tail.current_path(at)
            of_file.format = format_of(of_file.source, of_file.format)
        if whole.inputs:
            whole.inputs[-1].problems += log.tail.problems
    return whole.inputs
