"""A log that is followed: its files one after another, each as a stream that waits where nothing more is there yet."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from logsleuth.model.analysis import Problem
from logsleuth.model.origin import ByteStream, Source
from logsleuth.model.present import Arrivals
from logsleuth.tailing.generation import Generation

Pause = Callable[[], bool]
"""Leaves until somebody thinks that there is more; False: the end was declared, nothing more is waited for."""


class Tail(ABC):
    """One log that grows: a file with those that it was rotated to, or a pipe.

    ``look`` finds out what there is; whoever reads ``files`` gets it, and is left waiting where there is no more.
    """

    def __init__(self, source: Source, pause: Pause) -> None:
        self.source = source
        """What it is called as a whole."""
        self.arrivals = Arrivals()
        """When its bytes came; offsets are those of whoever reads ``files`` as the pieces of one log."""
        self.problems: list[Problem] = []
        """What happened to it, each told once."""
        self.lost: list[Generation] = []
        """Files that were read before this process was started and are not there any more."""
        self.is_finished = False
        """Nothing can come any more."""
        self._pause = pause
        self._told: set[str] = set()
        self._counted: dict[int, int] = {}
        self._is_over = False
        self._base = 0

    @abstractmethod
    def files(self) -> Iterator[Source]:
        """Its files in the order in which they were written, as they come; to be taken once."""

    @abstractmethod
    def current_path(self, number: int) -> str:
        """Where the file lies now that ``files`` gave as number 0, 1, ...; its old name where it is nowhere."""

    @abstractmethod
    def look(self, now: float) -> None:
        """Finds out what has come since the last look; raises nothing."""

    @property
    @abstractmethod
    def has_news(self) -> bool:
        """Whether reading on would find something."""

    @property
    @abstractmethod
    def due(self) -> float:
        """When it is to be looked at again if nobody tells of it, in seconds since 1970."""

    @abstractmethod
    def close(self) -> None:
        """Lets go of its files."""

    def generations(self) -> list[Generation]:
        """What is needed to know its files again after a restart; none of a pipe."""
        return []

    def skipped(self, number: int) -> int:  # noqa: ARG002 - Of most there is nothing to say.
        """Bytes of the file of this number that stand in front of those that are read of it."""
        return 0

    def skipped_lines(self, number: int) -> int:  # noqa: ARG002
        """How many lines these are. They are counted when this is asked for first, at the speed of the disk."""
        return 0

    def counted(self) -> dict[int, int]:
        """What was counted of that, by the numbers of files."""
        return self._counted

    def learn(self, counted: Mapping[int, int]) -> None:
        """A fork of this process has counted that."""
        self._counted.update(counted)

    def stands_behind(self, offset: int) -> None:
        """Its first file begins at this offset of the log: what stood in front was read by another process, and is
        gone. To be called before anything is read."""
        self._base = offset

    def wait(self) -> bool:
        """Waits until there may be more; False where the end was declared."""
        self._is_over = self._is_over or not self._pause()
        return not self._is_over

    def tell(self, text: str, key: str | None = None) -> None:
        """Notes what happened to it, unless something of that kind was told already."""
        if (key or text) not in self._told:
            self._told.add(key or text)
            self.problems.append(Problem(text))


@dataclass(frozen=True, slots=True)
class Opening:
    """Opens a file of a log that is followed; see ``logsleuth.model.origin.Opener``."""

    stream: ByteStream
    turn: tuple[int, ...] = ()
    once: bool = True

    @contextmanager
    def __call__(self) -> Iterator[ByteStream]:
        yield self.stream
