"""What does a program say of logs? For many small logs, read one after another."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from logsleuth.drivers.batch import judged
from logsleuth.drivers.reading import read
from logsleuth.engine.jobs import ONLY, Part
from logsleuth.engine.plan import Plan, plan
from logsleuth.language.program import Program
from logsleuth.model.analysis import Verdict
from logsleuth.model.origin import PathLabel, Source
from logsleuth.testing.present import present_of
from logsleuth.tokenize.dictionary import Vocabulary


class Verdicts:
    """The verdicts of one program. What it looks for is worked out once, which takes longer than to read a few lines.

    Each answer is what it would be if it were the first: nothing of what was read before is remembered.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._vocabulary: Vocabulary | None = None

    @cached_property
    def _plan(self) -> Plan:
        return plan(self.program)

    def of(self, sources: Sequence[Source], labels: Mapping[int, PathLabel], now: float | None = None) -> list[Verdict]:
        """The verdicts on the sources, all of one job; ``labels`` stand in for what file names tell of writers. ``now``
        is the moment at which they are given while the logs are written; None where these have ended."""
        if self._vocabulary is None or self._vocabulary.is_strained:
            self._vocabulary = Vocabulary(self._plan.events, self.program.shelf, series=self._plan.series)
        reading = read(sources, self.program, self._plan, vocabulary=self._vocabulary)
        part = Part(ONLY, reading.state, {**reading.labels, **labels})
        present = present_of(reading.state, now)
        return judged(self.program, self._plan, part, reading.logs, present=present).verdicts
