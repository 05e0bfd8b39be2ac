"""Forks that do tasks, a few at a time, and what became of each task."""

import select
from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from logsleuth.drivers.forks import Failed, Fork, Told

T = TypeVar("T")
_AHEAD = 2
"""Tasks that a fork has at a time, so that it need not wait for the next one."""
_BETWEEN = 0.1
"""Seconds between two looks at how far forks are."""
_NO_MEMORY = "ran out of memory"


class Crew(Generic[T]):
    """Forks at work on tasks, which are numbers."""

    def __init__(
        self,
        work: Callable[[int, Told], T],
        tasks: Iterable[int],
        done: Callable[[int, T], None],
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """``done`` takes the result of each task, ``progress`` how far one is."""
        self._work, self._done, self._progress = work, done, progress
        self._left = deque(tasks)
        self._forks: list[Fork[T]] = []
        self.lost: dict[int, str] = {}
        """The tasks on which a fork failed, and what happened, in the words of a sentence's end."""

    def begin(self, forks: int) -> None:
        """Starts so many; as few as can be started."""
        for _ in range(forks):
            if not self._start():
                break

    def _start(self) -> bool:
        try:
            fork = Fork(self._work, self._forks)
        except OSError:
            return False
        self._forks.append(fork)
        self._occupy(fork)
        return True

    def add(self, task: int) -> None:
        """One more task, the next to be begun."""
        self._left.appendleft(task)

    def drop(self, is_vain: Callable[[int], bool]) -> None:
        """Tasks that need not be begun any more."""
        self._left = deque(task for task in self._left if not is_vain(task))

    def finish(self) -> None:
        """Waits until all is done."""
        while self._forks or self._left:
            if self._forks or self._start():
                self.attend(_BETWEEN if self._progress else None)
            else:  # No process can be begun any more.
                self._do(self._left.popleft())

    def _do(self, task: int) -> None:
        """Does a task here."""
        self._done(task, self._work(task, lambda _: None))

    def attend(self, timeout: float | None = 0) -> None:
        """Takes what has come, for so many seconds at most until something comes, and hands out what is left."""
        by_descriptor = {fork.descriptor: fork for fork in self._forks}
        for descriptor in select.select(list(by_descriptor), [], [], timeout)[0]:
            self._take(by_descriptor[descriptor])
        if self._progress is not None:
            for fork in self._forks:
                task, done = fork.at
                if task in fork.waiting:
                    self._progress(task, done)

    def _take(self, fork: Fork[T]) -> None:
        results, lives = fork.receive()
        for task, result in results:
            if not isinstance(result, Failed):
                self._done(task, result)
            elif result.is_memory:
                self.lost[task] = _NO_MEMORY
            else:
                self._do(task)  # What was wrong shows here as if it had been done here at once.
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

    def _occupy(self, fork: Fork[T]) -> None:
        while self._left and len(fork.waiting) < _AHEAD:
            fork.give(self._left.popleft())
        if not fork.waiting:
            self._forks.remove(fork)
            fork.end()

    def kill(self) -> None:
        """Ends forks that are still at work."""
        while self._forks:
            self._forks.pop().kill()
