"""What is kept of a following while it goes on, so that another one can go on where it was ended."""

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from logsleuth.diagnosis.ledger import Ledger
from logsleuth.drivers.apart import Apart, ApartError
from logsleuth.drivers.hub import Waiting
from logsleuth.drivers.resuming import Earlier, earlier
from logsleuth.drivers.saved import Saved, SavedLog, Seal
from logsleuth.drivers.sealing import put_aside
from logsleuth.drivers.state_file import StateFile
from logsleuth.engine.fold import State
from logsleuth.engine.plan import fingerprint, plan
from logsleuth.language.program import Program
from logsleuth.layouts.whole import LogReader
from logsleuth.model.origin import Piece
from logsleuth.tailing.generation import Generation
from logsleuth.tailing.tail import Tail

NOTHING_EARLIER = Earlier(None)


class _Sealing(NamedTuple):
    """A part of a log that a fork puts aside."""

    path: str
    generations: int
    apart: Apart[str]


class Keeper:
    """Writes the state file, and knows what the one before it wrote."""

    def __init__(self, file: StateFile, fit: str, paths: Sequence[str]) -> None:
        """``fit`` is the fingerprint of the plan."""
        self._file, self._fit, self._paths = file, fit, tuple(paths)
        saved = file.saved
        self.run = uuid.uuid4().hex if saved is None else saved.run
        """Names this following and all that it goes on from."""
        self.is_resumed = saved is not None
        self._started = time.time() if saved is None else saved.started
        self._told = None if saved is None else saved.ledger
        self._before = {} if saved is None else {log.path: log for log in saved.logs}
        self._gone: dict[str, tuple[Generation, ...]] = {}
        """Of each log the files that were gone when this following began."""
        self._seals = {path: log.seals for path, log in self._before.items()}
        self._sealings: list[_Sealing] = []
        self.notes: list[str] = []
        """What is not known any more."""
        self._unread: set[str] = set()
        """Files whose words were lost before anybody kept them."""

    def ledger(self) -> Ledger:
        """What was told; raises LedgerError."""
        return Ledger() if self._told is None else Ledger.from_json(self._told)

    @property
    def resume(self) -> Mapping[str, Sequence[Generation]]:
        """The files of each log that were read before."""
        return {path: log.generations for path, log in self._before.items()}

    def earlier(self, tail: Tail, number: int) -> Earlier:
        """What is known of the files of a log that are gone; ``number`` is that of the log."""
        log = self._before.get(tail.source.path)
        if log is None:
            return NOTHING_EARLIER
        self._gone[log.path] = tuple(tail.lost)
        found = earlier(self._file, log, tail.lost, self._fit, number)
        if found.note is not None:
            self.notes.append(found.note)
            self._unread |= {log.path, *(generation.path for generation in tail.lost)}
        if found.sealed is not None:
            tail.stands_behind(found.sealed.before.offset)
        return found

    def seal(self, tail: Tail, ended: int, kept: Callable[[], str]) -> None:
        """Puts aside what was read of a log of which so many files have ended, and none of the next was read.

        ``kept`` does it in a fork, and gives the name under which it is kept.
        """
        path = tail.source.path
        generations = len(self._gone.get(path, ())) + ended
        try:
            self._sealings.append(_Sealing(path, generations, Apart(kept)))
        except OSError as error:
            self.notes.append(_not_kept(path, error.strerror or str(error)))

    def keep(self, reader: LogReader, waiting: Waiting[State], pieces: Callable[[], tuple[Piece, ...]]) -> str:
        """In a fork: puts aside what was read of a log, and gives the name under which it is kept; ``pieces`` are its
        files then, as they are cited."""
        return put_aside(reader, waiting, self._fit, self._file, pieces)

    def collect(self) -> bool:
        """Takes what forks have put aside since; returns whether there was something."""
        done = [one for one in self._sealings if one.apart.receive()]
        for one in done:
            self._sealings.remove(one)
            try:
                seal = Seal(one.generations, one.apart.result())
            except ApartError as error:
                self.notes.append(_not_kept(one.path, str(error)))
            else:
                self._seals[one.path] = (*self._seals.get(one.path, ()), seal)
        return bool(done)

    def unread(self, tails: Sequence[Tail]) -> set[str]:
        """Files that were read once and of which nothing is there or kept."""
        missing = [self._before[path] for path in self._before.keys() - {tail.source.path for tail in tails}]
        return self._unread | {path for log in missing for path in (log.path, *(one.path for one in log.generations))}

    @property
    def is_due(self) -> bool:
        """Whether it is time to save what nobody was told."""
        return self._file.is_due()

    def save(self, ledger: Ledger, tails: Sequence[Tail]) -> str | None:
        """Writes down what was told and how far was read; what went wrong, in a sentence, once."""
        logs = {tail.source.path: self._log(tail) for tail in tails}
        # A log that is not there may come back, and its verdicts stand as long as it does not.
        kept = tuple(log for log in {**self._before, **logs}.values() if log.generations)
        saved = Saved(self._fit, self._paths, self._started, self.run, ledger.to_json(), kept)
        return self._file.save(saved)

    def _log(self, tail: Tail) -> SavedLog:
        path = tail.source.path
        generations = (*self._gone.get(path, ()), *tail.generations())
        # The last seal is all that is needed where everything that it holds is gone.
        return SavedLog(path, generations, self._seals.get(path, ()))

    def close(self) -> None:
        """Ends what forks still do, and leaves the file to whoever comes next."""
        for one in self._sealings:
            one.apart.abandon()
        self._file.close()


def kept(path: Path, program: Program, paths: Sequence[str]) -> Keeper:
    """Takes a state file for what is followed; raises StateFileError."""
    return Keeper(StateFile.open(str(path)), fingerprint(program, plan(program)), paths)


def _not_kept(path: str, why: str) -> str:
    return (
        f"What was read of {path} could not be put aside: {why}. If its files are gone when it is gone on, it is lost."
    )
