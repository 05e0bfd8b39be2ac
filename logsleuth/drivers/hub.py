"""Readers that wait for more, all in one thread.

A log that is followed is read by the code that reads any other: from its start to its end, pulling bytes. Where there
are none yet, its reader is left where it stands and taken up again there; each has a stack of its own for that
(greenlet). In a fork of the process all of them can be told that nothing more comes, and finish as if it were so,
while the readers of the process itself stay where they are.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from greenlet import getcurrent, greenlet

T = TypeVar("T")


class Hub:
    """Where control is while no reader runs. To be made, and used, in one and the same greenlet."""

    def __init__(self) -> None:
        self._here = getcurrent()
        self._is_over = False

    def begin(self, work: Callable[[], T]) -> "Waiting[T]":
        """Work that may call ``pause``; it runs when it is taken up for the first time."""
        return Waiting(self._here, work)

    def pause(self) -> bool:
        """Called by work: leaves it until it is taken up again. False where it is told then that nothing more comes."""
        self._here.switch()
        return not self._is_over

    def declare_end(self) -> None:
        """From now on nothing more comes: all work that is taken up goes on to its end."""
        self._is_over = True


class Waiting(Generic[T]):
    """Work that was begun, and where it stands."""

    def __init__(self, hub: greenlet, work: Callable[[], T]) -> None:
        self._results: list[T] = []
        self._greenlet = greenlet(lambda: self._results.append(work()), hub)

    @property
    def is_done(self) -> bool:
        return bool(self._results)

    @property
    def result(self) -> T:
        """What the work has returned; only where it is done."""
        return self._results[0]

    def go_on(self) -> None:
        """Takes the work up, until it pauses or is done. Raises what it raises."""
        if not self._greenlet.dead:
            self._greenlet.switch()
