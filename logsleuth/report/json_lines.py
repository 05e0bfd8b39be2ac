"""Tells what happens to a live job as JSON, a line at a time: ``--follow --format jsonl``."""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

from logsleuth.model.analysis import Analysis, Verdict
from logsleuth.model.change import Change
from logsleuth.model.snapshot import Snapshot
from logsleuth.report import change_document as documents
from logsleuth.report.document import Json
from logsleuth.report.outlet import Outlet

STATE_EVERY = 10.0
"""Seconds between two lines on the state of one job, at least."""

_COUNT = re.compile(r"\d[\d,.]*")


class JsonLines:
    """Writes a line for whatever is new. What it writes never waits for its reader (see ``Outlet``)."""

    def __init__(
        self,
        stream: TextIO,
        exit_status: Callable[[Analysis], int],
        *,
        state_every: float = STATE_EVERY,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``exit_status`` tells with which status the program ends after an analysis."""
        self.outlet = Outlet(stream)
        self._exit_status, self._every, self._clock = exit_status, state_every, clock
        self._states: dict[str, tuple[float, Json]] = {}
        """Of each job when its last line was written, and what it said."""
        self._problems: dict[tuple[str, str], bool] = {}
        """Those of the last judgement and all that were told, and whether they were."""

    def begin(
        self, paths: Sequence[str], standing: Iterable[tuple[str, Verdict]] = (), *, is_resumed: bool = False
    ) -> None:
        """The first line: what is followed, and what was told before a restart."""
        self._write(documents.started(self._clock(), paths, standing, is_resumed))

    def heard(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:
        """The job was judged."""
        self._tell(snapshot, changes, is_final=False)

    def trouble(self, text: str) -> None:
        """Something is wrong with the following itself."""
        self._write(documents.trouble(self._clock(), text))

    def ended(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:
        """The last judgement."""
        self._tell(snapshot, changes, is_final=True)
        analysis = snapshot.analysis
        self._write(documents.ended(snapshot.at, self._exit_status(analysis), analysis))

    async def close(self, patience: float) -> None:
        """Waits until all lines have left, for so many seconds at most."""
        await self.outlet.close(patience)

    def _tell(self, snapshot: Snapshot, changes: Sequence[Change], *, is_final: bool) -> None:
        for change in changes:
            self._write(documents.change_document(change))
        self._tell_problems(snapshot, is_final)
        if is_final or not self.outlet.is_behind:
            self._tell_states(snapshot, is_final)

    def _tell_problems(self, snapshot: Snapshot, is_final: bool) -> None:
        """Those that two judgements found: of a log that is just being written much is only half there."""
        found: dict[tuple[str, str], bool] = {}
        for source in snapshot.analysis.inputs:
            for problem in source.problems:
                key = (source.source, _COUNT.sub("#", problem.text))
                is_told = self._problems.get(key, False)
                if not is_told and (is_final or key in self._problems):
                    self._write(documents.input_problem(snapshot.at, source.source, problem))
                    is_told = True
                found[key] = is_told
        told = {key: True for key, is_told in self._problems.items() if is_told}
        self._problems = told | found

    def _tell_states(self, snapshot: Snapshot, is_final: bool) -> None:
        vitals = snapshot.vitals
        states: dict[str, tuple[float, Json]] = {}
        for job in vitals.jobs:
            document = documents.state(snapshot.at, job, vitals)
            said = {key: value for key, value in document.items() if key != "at"}
            last = self._states.get(job.job)
            is_new = last is None or last[1] != said
            if is_new and (is_final or last is None or not 0 <= snapshot.at - last[0] < self._every):
                self._write(document)
                last = (snapshot.at, said)
            if last is not None:
                states[job.job] = last
        self._states = states

    def _write(self, document: Json) -> None:
        self.outlet.write(documents.line(document))
