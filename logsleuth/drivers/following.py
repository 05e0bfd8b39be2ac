"""A live job: everything that is followed, read as far as it has come, and judged as if it ended here."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from logsleuth.drivers.batch import concluded_with
from logsleuth.drivers.hub import Hub, Waiting
from logsleuth.drivers.reading import Reading, given_up, read_log, vocabulary_of
from logsleuth.drivers.remembered import Remembered, Whole
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
from logsleuth.model.origin import Log, Source
from logsleuth.model.present import Arrivals, Present
from logsleuth.model.snapshot import Snapshot
from logsleuth.tailing.tail import Pause, Tail
from logsleuth.tailing.watching import Watching

CHUNK_SIZE = 64 << 10
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


class Following:
    """Reads what comes, and says what follows from it. Made for one thread, in which forks are made."""

    def __init__(
        self, program: Program, watches: Watches, notes: tuple[str, ...] = (), chunk_size: int = CHUNK_SIZE
    ) -> None:
        self._program, self._plan = program, plan(program)
        self._vocabulary = vocabulary_of(program, self._plan)
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
        self.bytes = 0
        """Of text that was read, in chunks."""
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
            self._logs[number].waiting.go_on()
            if self._is_cut_off:
                self._unfinished[number] = None

    def conclude(self, now: float | None) -> Snapshot:
        """What would be said if the logs ended here; nothing can be read afterwards, so it is for a fork, or the end.

        ``now`` is the moment at which it is judged, in seconds since 1970; None where logs have ended, which then are
        judged as by whoever reads them at once.
        """
        return self._concluded(self._read_to_the_end(), now)

    def judge(self, now: float | None) -> tuple[Snapshot, dict[int, bytes]]:
        """The same for a fork, without reading what is remembered; ``remember`` is to be told what it gives besides.
        ``judging`` is to be called where the fork was made."""
        wholes = self._read_to_the_end(self._remembered)
        read: dict[int, bytes] = {}
        # Where a wording is about to be given up, how one log is read depends on the others.
        for number in self._tails.values() if not self._vocabulary.is_strained else ():
            packed = self._remembered.packed(number, wholes[number], self._chunk_size)
            if packed is not None:
                read[number] = packed
        return self._concluded(wholes, now), read

    def judging(self) -> None:
        """A fork was made that judges."""
        self._remembered.forked()

    def remember(self, read: Mapping[int, bytes]) -> None:
        """What the last fork has read, for the next ones."""
        self._remembered.take_in({number: packed for number, packed in read.items() if number in self._logs})

    def _concluded(self, wholes: Mapping[int, Whole], now: float | None) -> Snapshot:
        reading, arrivals = self._reading(wholes)
        present = None if now is None else Present(now, arrivals)
        reading = reading._replace(present=present)
        left_out = [Input(path, "none", problems=[problem]) for path, problem in self.watching.problems]
        notes = (*self._notes, *self.watching.notes)
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
        reader = LogReader(source, self._chunk_size, tail.files() if tail else None)
        work = partial(read_log, number, reader, self._vocabulary, self._plan, (self._see,))
        self._logs[number] = _Followed(source, tail, reader, self._hub.begin(work))
        if tail is not None:
            self._tails[tail] = number
        self._unfinished[number] = None

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

    def _see(self, _number: int, chunk: Chunk, _labelled: int) -> None:
        """Called by readers at each chunk: lets others have their turn, where theirs is over."""
        self.bytes += len(chunk.data)
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
                whole = Whole(log.waiting.result, log.reader.pieces, log.reader.inputs, log.reader.encoding)
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


def _log(log: _Followed, whole: Whole) -> Log:
    """Its files under the names that they have now."""
    pieces = tuple(whole.pieces)
    if log.tail is not None:
        pieces = tuple(piece._replace(path=log.tail.current_path(at)) for at, piece in enumerate(pieces))
    return Log(log.source.path, pieces)


def _inputs(log: _Followed, whole: Whole) -> list[Input]:
    if log.tail is not None:
        for at, of_file in enumerate(whole.inputs):
            of_file.source = log.tail.current_path(at)
        if whole.inputs:
            whole.inputs[-1].problems += log.tail.problems
    return whole.inputs
