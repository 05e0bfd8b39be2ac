"""Reads sources, several at a time: forks of the process share them, and what each read is put together in the end.

Which process reads a source, or a portion of a long one, changes nothing of what is read of it. What can be opened only
once, or in turns (pipes, members of archives, URLs), the process reads itself in the meantime.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from logsleuth.drivers.cores import may_fork
from logsleuth.drivers.crew import Crew
from logsleuth.drivers.forks import Told
from logsleuth.drivers.portions import Joined, PortionRead, portions_of, read_portion
from logsleuth.drivers.reading import Follow, Read, Reading, Together, read_source
from logsleuth.engine.fold import State
from logsleuth.engine.plan import Plan
from logsleuth.ingest.open import in_reading_order
from logsleuth.model.analysis import Input, Problem
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import Piece, Source
from logsleuth.tokenize.dictionary import Vocabulary

ENOUGH_BYTES, ENOUGH_LOGS = 16 << 20, 300
"""So much is shared, or so many; less is read before forks have begun."""
_PACKED = 8
"""Times that a packed log is about as long as its file."""
_LOST = (
    "It could not be read: the process that read it {}, and so did a second one that read nothing else. Most often "
    "that is for want of memory: let this one use more of it."
)


def read_shared(
    sources: Sequence[Source],
    vocabulary: Vocabulary,
    plan: Plan,
    jobs: int = 1,
    chunk_size: int | None = None,
    follow: Follow | None = None,
) -> Reading:
    """What is read of all sources, by up to ``jobs`` processes beside this one.

    A source on which a process dies is read once more, by one that has nothing else to do; where that one dies too, the
    source's input says so, and all others count.
    """
    shared = _Shared(sources, vocabulary, plan, chunk_size, follow)
    beside = shared.tasks_of_others(jobs)
    if not beside:
        shared.read_here(range(len(shared.tasks)))
        return shared.together.reading
    crew = Crew(shared.work, beside, shared.take, shared.progress)
    shared.crew = crew
    try:
        others = set(beside)
        own = [task for task in range(len(shared.tasks)) if task not in others and not shared.is_vain(task)]
        crew.begin(min(max(jobs - bool(own), 1), len(beside)))
        shared.read_here(own, crew.attend)
        crew.finish()
    finally:
        crew.kill()
    shared.read_lost(crew.lost)
    return shared.together.reading


class _Task(NamedTuple):
    """A source, or the portion of one at a place."""

    number: int
    place: int | None = None


class _Shared:
    """What is to be read, and what was."""

    def __init__(
        self,
        sources: Sequence[Source],
        vocabulary: Vocabulary,
        plan: Plan,
        chunk_size: int | None,
        follow: Follow | None,
    ) -> None:
        self._sources, self._vocabulary, self._plan, self._chunk_size = sources, vocabulary, plan, chunk_size
        self._told = None if follow is None else follow(sources)
        self._joined: dict[int, Joined] = {}
        self._done_of: dict[int, dict[int | None, int]] = {}
        """Of each source how many bytes of its portions were read."""
        self.tasks: list[_Task] = []
        """Sources in the order in which they are opened at least cost; a source by itself behind its portions, for it
        is read in one go where these cannot be put together."""
        self._in_one_go: dict[int, int] = {}
        """Of each source with portions the task that reads it as a whole."""
        for number in in_reading_order(sources):
            if portions := portions_of(sources[number]):
                self._joined[number] = Joined(number, sources[number], portions)
                self.tasks += [_Task(number, place) for place in range(len(portions))]
                self._in_one_go[number] = len(self.tasks)
            self.tasks.append(_Task(number))
        self.together = Together(sources)
        self.crew: Crew[Read | PortionRead] | None = None

    def tasks_of_others(self, jobs: int) -> list[int]:
        """What forks should read, the most first; nothing where they are not worth their start."""
        if jobs < 2 or not may_fork():
            return []
        weights = {}
        for at, (number, place) in enumerate(self.tasks):
            weight = self._weight(number, place)
            if weight is not None and self._in_one_go.get(number) != at:
                weights[at] = weight
        if len(weights) < 2 or (sum(weights.values()) < ENOUGH_BYTES and len(weights) < ENOUGH_LOGS):
            return []
        return sorted(weights, key=lambda at: (-weights[at], at))

    def _weight(self, number: int, place: int | None) -> int | None:
        if place is not None:
            portions = self._joined[number].portions
            return portions[0].end - portions[0].start  # All alike, so that they come in their order.
        return _weight(self._sources[number])

    def work(self, task: int, told: Told) -> Read | PortionRead:
        """Does a task, in whichever process."""
        number, place = self.tasks[task]
        source = self._sources[number]
        if place is None:
            return read_source(number, source, self._vocabulary, self._plan, self._chunk_size, told=told)
        portion = self._joined[number].portions[place]
        return read_portion(number, source, portion, self._vocabulary, self._plan, self._chunk_size, told)

    def read_here(self, tasks: Sequence[int], meanwhile: Callable[[], None] = lambda: None) -> None:
        """Does tasks one after another, as far as they are not done or in vain."""
        for task in tasks:
            if self.is_vain(task):
                continue

            def told(done: int, at: int = task) -> None:
                if self.progress is not None:
                    self.progress(at, done)
                meanwhile()

            self.take(task, self.work(task, told))

    def is_vain(self, task: int) -> bool:
        """Whether the result of a task is not needed (any more)."""
        number, place = self.tasks[task]
        if number not in self._joined:
            return False
        return self._joined[number].is_whole is (place is None)

    def take(self, task: int, result: Read | PortionRead) -> None:
        """Takes the result of a task."""
        number, place = self.tasks[task]
        if isinstance(result, Read):
            self._finished(result)
            return
        if self.is_vain(task) or place is None:
            return
        joined = self._joined[number]
        joined.add(place, result)
        if joined.is_complete and (read := joined.read()) is not None:
            self._finished(read)
        if self.is_vain(task):  # They cannot be put together.
            self._done_of.pop(number, None)
            if self.crew is not None:
                self.crew.drop(self.is_vain)
                self.crew.add(self._in_one_go[number])

    def _finished(self, read: Read) -> None:
        self.together.add(read)
        if self._told is not None:
            self._told(read.number, None)

    @property
    def progress(self) -> Callable[[int, int], None] | None:
        """What is told how far a task is; None where nobody wants to know."""
        return None if self._told is None else self._progress

    def _progress(self, task: int, done: int) -> None:
        number, place = self.tasks[task]
        of = self._done_of.setdefault(number, {})
        of[place] = done
        if self._told is not None:
            self._told(number, sum(of.values()))

    def read_lost(self, lost: dict[int, str]) -> None:
        """Does tasks once more on which a fork failed, each by one that has only this to do."""
        again = [task for task in sorted(lost) if not self.is_vain(task)]
        while again:
            task = again.pop(0)
            self.crew = crew = Crew(self.work, [task], self.take, self.progress)
            try:
                crew.finish()
            finally:
                crew.kill()
            for at, how in crew.lost.items():
                number = self.tasks[at].number
                again = [other for other in again if self.tasks[other].number != number]
                self._finished(_unread(number, self._sources[number], how))


def _weight(source: Source) -> int | None:
    """About how many bytes there are to read; None where only this process should open the source."""
    if source.made or any(file.opener for file in source.files):
        return None
    paths = [Path(file.path) for file in source.files]
    try:
        if not all(path.is_file() for path in paths):
            return None
        sizes = [path.stat().st_size for path in paths]
    except OSError:
        return None
    return sum(size * (1 if file.format == "text" else _PACKED) for size, file in zip(sizes, source.files, strict=True))


def _unread(number: int, source: Source, how: str) -> Read:
    problem = Problem(_LOST.format(how), fatal=True)
    pieces = tuple(Piece(file.path, 0, 0) for file in source.files)
    inputs = [Input(file.path, file.format, problems=[problem]) for file in source.files]
    return Read(number, State(sources={number: SourceLife()}), pieces, inputs, "", {})
