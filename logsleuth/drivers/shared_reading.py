"""Reads sources, several at a time: forks of the process share them, and what each read is put together in the end.

Which process reads a source changes nothing of what is read of it. What can be opened only once, or in turns (pipes,
members of archives, URLs), the process reads itself in the meantime.
"""

import select
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from logsleuth.drivers.cores import may_fork
from logsleuth.drivers.forks import Failed, Fork, Told
from logsleuth.drivers.reading import Follow, Progress, Read, read_source
from logsleuth.engine.fold import State
from logsleuth.engine.plan import Plan
from logsleuth.ingest.open import in_reading_order
from logsleuth.model.analysis import Input, Problem
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import Piece, Source
from logsleuth.tokenize.dictionary import Vocabulary

ENOUGH_BYTES, ENOUGH_LOGS = 16 << 20, 300
"""So much is shared, or so many; less is read before forks have begun."""
_AHEAD = 2
"""Tasks that a fork has at a time, so that it need not wait for the next one."""
_PACKED = 8
"""Times that a packed log is about as long as its file."""
_BETWEEN = 0.1
"""Seconds between two looks at how far forks are."""
_LOST = (
    "It could not be read: the process that read it {}, and so did a second one that read nothing else. Most often "
    "that is for want of memory: let this one use more of it."
)
_NO_MEMORY = "ran out of memory"


def read_shared(
    sources: Sequence[Source],
    vocabulary: Vocabulary,
    plan: Plan,
    jobs: int = 1,
    chunk_size: int | None = None,
    follow: Follow | None = None,
) -> list[Read]:
    """What is read of every source, by up to ``jobs`` processes beside this one; see ``reading.put_together``.

    A source on which a process dies is read once more, by one that has nothing else to do; where that one dies too, the
    source's input says so, and all others count.
    """
    progress = None if follow is None else follow(sources)

    def reads(number: int, told: Told | None = None) -> Read:
        return read_source(number, sources[number], vocabulary, plan, chunk_size, told=told)

    order = in_reading_order(sources)
    shared = _shared(sources, jobs)
    if not shared:
        return [_followed(reads, number, progress) for number in order]
    crew = _Crew(reads, shared, progress)
    try:
        own = [number for number in order if number not in crew.tasks]
        crew.begin(min(max(jobs - bool(own), 1), len(shared)))
        for number in own:
            crew.done.append(_followed(reads, number, progress, crew.attend))
        crew.finish()
        return [*crew.done, *_once_more(sources, reads, crew.lost, progress)]
    finally:
        crew.kill()


def _shared(sources: Sequence[Source], jobs: int) -> list[int]:
    """The sources that forks should read, the largest first; none where forks are not worth their start."""
    if jobs < 2 or not may_fork():
        return []
    weights = {number: weight for number, source in enumerate(sources) if (weight := _weight(source)) is not None}
    if len(weights) < 2 or (sum(weights.values()) < ENOUGH_BYTES and len(weights) < ENOUGH_LOGS):
        return []
    return sorted(weights, key=lambda number: (-weights[number], number))


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


def _followed(
    reads: Callable[[int, Told | None], Read],
    number: int,
    progress: Progress | None,
    meanwhile: Callable[[], None] | None = None,
) -> Read:
    """Reads a source here."""

    def told(done: int) -> None:
        if progress is not None:
            progress(number, done)
        if meanwhile is not None:
            meanwhile()

    read = reads(number, told if progress is not None or meanwhile is not None else None)
    if progress is not None:
        progress(number, None)
    return read


class _Crew:
    """Forks that read sources, and what they have read."""

    def __init__(
        self, reads: Callable[[int, Told], Read], tasks: Iterable[int], progress: Progress | None = None
    ) -> None:
        self._reads, self._progress = reads, progress
        self.tasks = frozenset(tasks)
        self._left = deque(tasks)
        self._forks: list[Fork[Read]] = []
        self.done: list[Read] = []
        self.lost: dict[int, str] = {}
        """The sources on which a fork failed, and what happened, in the words of a sentence's end."""

    def begin(self, forks: int) -> None:
        """Starts so many; as few as can be started."""
        for _ in range(forks):
            if not self._start():
                break

    def _start(self) -> bool:
        try:
            fork = Fork(self._reads, self._forks)
        except OSError:
            return False
        self._forks.append(fork)
        self._occupy(fork)
        return True

    def finish(self) -> None:
        """Waits until all is read."""
        while self._forks or self._left:
            if self._forks or self._start():
                self.attend(_BETWEEN if self._progress else None)
            else:  # No process can be begun any more.
                self._read(self._left.popleft())

    def _read(self, task: int) -> None:
        """Reads a source here."""
        self.done.append(self._reads(task, lambda _: None))

    def attend(self, timeout: float | None = 0) -> None:
        """Takes what has come, for so many seconds at most until something comes, and hands out what is left."""
        by_descriptor = {fork.descriptor: fork for fork in self._forks}
        for descriptor in select.select(list(by_descriptor), [], [], timeout)[0]:
            self._take(by_descriptor[descriptor])
        if self._progress is not None:
            for task, done in (fork.at for fork in self._forks if fork.waiting):
                if task in self.tasks:
                    self._progress(task, done)

    def _take(self, fork: Fork[Read]) -> None:
        results, lives = fork.receive()
        for task, result in results:
            if not isinstance(result, Failed):
                self.done.append(result)
            elif result.is_memory:
                self.lost[task] = _NO_MEMORY
            else:
                self._read(task)  # What was wrong shows here as if it had been read here at once.
            if self._progress is not None:
                self._progress(task, None)
        if lives:
            self._occupy(fork)
            return
        self._forks.remove(fork)
        waiting, how = list(fork.waiting), fork.end()
        if waiting:
            self.lost[waiting[0]] = how
            self._left.extendleft(reversed(waiting[1:]))
            if self._left:
                self._start()

    def _occupy(self, fork: Fork[Read]) -> None:
        while self._left and len(fork.waiting) < _AHEAD:
            fork.give(self._left.popleft())
        if not fork.waiting:
            self._forks.remove(fork)
            fork.end()

    def kill(self) -> None:
        """Ends forks that are still at work."""
        while self._forks:
            self._forks.pop().kill()


def _once_more(
    sources: Sequence[Source], reads: Callable[[int, Told], Read], lost: Iterable[int], progress: Progress | None
) -> Iterable[Read]:
    """What is read of sources on which a fork failed, each by one that has only this to do."""
    for number in sorted(lost):
        crew = _Crew(reads, [number], progress)
        try:
            crew.finish()
        finally:
            crew.kill()
        yield from crew.done
        for how in crew.lost.values():
            yield _unread(number, sources[number], how)


def _unread(number: int, source: Source, how: str) -> Read:
    problem = Problem(_LOST.format(how), fatal=True)
    pieces = tuple(Piece(file.path, 0, 0) for file in source.files)
    inputs = [Input(file.path, file.format, problems=[problem]) for file in source.files]
    return Read(number, State(sources={number: SourceLife()}), pieces, inputs, "", {})
