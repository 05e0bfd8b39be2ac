"""Follows logs step by step as the real driver does, without waiting: readers in greenlets, and a clock that is told."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from logsleuth.drivers.hints import found
from logsleuth.drivers.hub import Hub, Waiting
from logsleuth.tailing.generation import Generation
from logsleuth.tailing.mounts import Mounts
from logsleuth.tailing.since import START, Since
from logsleuth.tailing.tail import Tail
from logsleuth.tailing.watching import Look, Watching

STEP = 6.0
"""Seconds from look to look: whatever is only polled is due each time."""
LOCAL = Mounts([b"1 0 8:1 / / rw - ext4 /dev/sda rw"])
"""A file system of which notification tells, wherever the tests run."""


class Follower:
    """Everything that was read, by log and file."""

    def __init__(
        self,
        *paths: Path | str,
        is_notified: bool = True,
        since: Since = START,
        stamp_of: Callable[[bytes], float | None] | None = None,
        resume: Mapping[str, Sequence[Generation]] | None = None,
        descriptors: int | None = None,
        leave_out: Sequence[Path] = (),
    ) -> None:
        self.hub = Hub()
        self.now = time.time()
        self.watching = Watching(
            [str(path) for path in paths],
            found,
            self.hub.pause,
            since,
            lambda: self.now,
            stamp_of=stamp_of,
            resume=resume,
            is_notified=is_notified,
            mounts=LOCAL,
            descriptors=descriptors,
            leave_out=[str(folder) for folder in leave_out],
        )
        self.read: dict[Tail, list[bytearray]] = {}
        self._work: dict[Tail, Waiting[None]] = {}

    def look(self, step: float = STEP, is_last: bool = False) -> Look:
        """One look, and all that it found is read."""
        self.now += step
        seen = self.watching.look(is_last)
        for tail in seen.joined:
            self.read[tail] = []
            self._work[tail] = self.hub.begin(partial(self._take, tail))
            self._work[tail].go_on()
        for tail in seen.left:
            del self.read[tail], self._work[tail]
        for tail in seen.news:
            self._work[tail].go_on()
        return seen

    def end(self) -> None:
        """The last look, and everybody is told that nothing more comes."""
        self.look(is_last=True)
        self.hub.declare_end()
        for work in self._work.values():
            while not work.is_done:
                work.go_on()
        self.watching.close()

    def _take(self, tail: Tail) -> None:
        for source in tail.files():
            self.read[tail].append(bytearray())
            assert source.opener is not None
            with source.opener() as stream:
                while data := stream.read1(1 << 16):
                    self.read[tail][-1] += data

    @property
    def works(self) -> list[Waiting[None]]:
        """Those who read."""
        return list(self._work.values())

    @property
    def logs(self) -> dict[str, list[bytes]]:
        """What was read of each log, file by file; of those in which nothing was, nothing."""
        return {tail.source.path: [bytes(part) for part in parts] for tail, parts in self.read.items()}

    def tail(self, path: Path | str) -> Tail:
        return next(tail for tail in self.read if tail.source.path == str(path))

    def text(self, path: Path | str) -> bytes:
        """All that was read of a log."""
        return b"".join(self.logs[str(path)])

    def told(self, path: Path | str) -> str:
        """What was told of it."""
        return " ".join(problem.text for problem in self.tail(path).problems)
