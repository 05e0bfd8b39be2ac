"""What is said of a simulated job at a moment of its life: only what could be seen by then, on a virtual clock."""

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from logsleuth.drivers.batch import concluded, judged
from logsleuth.drivers.reading import Reading, read
from logsleuth.engine.jobs import ONLY, Part
from logsleuth.engine.plan import Plan, plan
from logsleuth.language.program import Program
from logsleuth.model.analysis import Analysis, Verdict
from logsleuth.model.origin import Source
from logsleuth.model.present import Arrivals, Present
from logsleuth.tokenize.dictionary import Vocabulary
from tests.simulation.live.job import START, Job, Write


class Watcher:
    """Judges simulated jobs by the rules of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._plan: Plan = plan(program)
        self._last: tuple[Job, int, Reading] | None = None
        self._vocabulary = Vocabulary(self._plan.events, program.events.values(), series=self._plan.series)

    def analysis(self, job: Job, moment: float | None, since: float = START) -> Analysis:
        """All that is said of the job at a moment; without one that of its whole logs, read after the fact."""
        until = job.writes[-1].moment if moment is None else moment
        reading, present = self._seen(job, until, since)
        return concluded(self.program, self._plan, reading._replace(present=None if moment is None else present))

    def says(self, job: Job, moment: float, since: float = START) -> list[Verdict]:
        """The firm verdicts of somebody who follows the job from ``since`` on."""
        reading, present = self._seen(job, moment, since)
        part = Part(ONLY, reading.state, reading.labels)
        verdicts = judged(self.program, self._plan, part, reading.logs, present=present).verdicts
        told = [v for v in verdicts if v.status == "firm" and v.role == "root"]
        return [v for v in told if v.severity.fails or v.cause == "hang"]

    def _seen(self, job: Job, moment: float, since: float) -> tuple[Reading, Present]:
        seen = job.writes[: bisect_right(job.writes, moment, key=attrgetter("moment"))]
        ranks = sorted({write.rank for write in seen})
        reading = self._reading(job, seen, ranks)
        return reading, Present(moment, {n: _arrivals(seen, rank, since) for n, rank in enumerate(ranks)})

    def _reading(self, job: Job, seen: Sequence[Write], ranks: Sequence[int]) -> Reading:
        """What was written by then, read; where nothing came since it was read last, it is not read anew."""
        if self._last is None or self._last[0] is not job or self._last[1] != len(seen):
            texts: dict[int, list[bytes]] = {rank: [] for rank in ranks}
            for write in seen:
                texts[write.rank].append(write.data)
            sources = [Source(f"job/rank_{rank}.log", made=b"".join(texts[rank])) for rank in ranks]
            self._last = job, len(seen), read(sources, self.program, self._plan, vocabulary=self._vocabulary)
        return self._last[2]


def _arrivals(seen: Sequence[Write], rank: int, since: float) -> Arrivals:
    arrivals, end = Arrivals(), 0
    own = [write for write in seen if write.rank == rank]
    before = [write for write in own if write.moment <= since]
    if before:
        end = sum(len(write.data) for write in before)
        arrivals.begin(end, before[-1].moment)
    for write in own:
        if since < write.moment:
            end += len(write.data)
            arrivals.note(end, write.moment)
    return arrivals
