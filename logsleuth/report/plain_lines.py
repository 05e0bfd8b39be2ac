"""Tells what happens to a live job in plain lines, where no terminal can show a view that changes."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

from logsleuth.model.analysis import Verdict
from logsleuth.model.change import Change
from logsleuth.model.listener import Listener
from logsleuth.model.snapshot import Snapshot
from logsleuth.model.vitals import JobVitals
from logsleuth.report import phrasing
from logsleuth.report.changes import change_lines, standing_line, state_line, utc
from logsleuth.report.json_lines import STATE_EVERY
from logsleuth.report.outlet import Outlet
from logsleuth.report.printable import printable


class PlainLines(Listener):
    """Writes what changes, and the state of a job where it becomes another; the final report is for others to write."""

    def __init__(
        self,
        stream: TextIO,
        *,
        prefix: str = "",
        state_every: float = STATE_EVERY,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``prefix`` stands in front of every line: where others write too, it says whose it is."""
        self.outlet = Outlet(stream)
        self._prefix = prefix
        self._every, self._clock = state_every, clock
        self._states: dict[str, tuple[float, object]] = {}
        """Of each job when its state was told, and what it was."""

    @property
    def is_gone(self) -> bool:
        return self.outlet.is_broken

    def begin(
        self, paths: Sequence[str], standing: Iterable[tuple[str, Verdict]] = (), *, is_resumed: bool = False
    ) -> None:
        """Says what is followed, and what was told before a restart."""
        now = self._clock()
        again = "going on with" if is_resumed else "following"
        self._write([f"{utc(now)} {again} {phrasing.listed(paths)}"])
        self._write(standing_line(now, key, verdict) for key, verdict in standing)

    def heard(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:
        """The job was judged."""
        for change in changes:
            self._write(change_lines(change, snapshot.analysis))
        if not self.outlet.is_behind:
            self._tell_states(snapshot)

    def trouble(self, text: str) -> None:
        """Something is wrong with the following itself."""
        self._write([f"{utc(self._clock())} note: {text}"])

    def ended(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:
        """The last judgement."""
        for change in changes:
            self._write(change_lines(change, snapshot.analysis))

    async def close(self, patience: float) -> None:
        """Waits until all lines have left, for so many seconds at most."""
        await self.outlet.close(patience)

    def _tell_states(self, snapshot: Snapshot) -> None:
        states: dict[str, tuple[float, object]] = {}
        for job in snapshot.vitals.jobs:
            now = _what_counts(job)
            last = self._states.get(job.job)
            if last is None or (last[1] != now and not 0 <= snapshot.at - last[0] < self._every):
                self._write([state_line(snapshot.at, job)])
                last = (snapshot.at, now)
            states[job.job] = last
        self._states = states

    def _write(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.outlet.write(f"{self._prefix}{printable(line, self.outlet.encoding)}\n")


def _what_counts(job: JobVitals) -> object:
    """What of a state a reader wants to hear of: not every step."""
    return job.state, job.attempt, [one.name for one in job.ranks if one.state in ("silent", "blamed")]
