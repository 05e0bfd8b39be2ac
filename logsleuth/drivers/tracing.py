"""Traces rules over logs: an analysis that remembers why its rules fired, and why the others did not."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from logsleuth.diagnosis.fate import Fates
from logsleuth.diagnosis.why_not import why_not
from logsleuth.drivers.batch import Judgement, concluded_with, judged
from logsleuth.drivers.hints import NO_HINTS, Hints, found
from logsleuth.drivers.reading import Follow, Reading, Reads, read, vocabulary_of
from logsleuth.drivers.shared_reading import read_shared
from logsleuth.engine.citation import Citation
from logsleuth.engine.conditions import Evaluator
from logsleuth.engine.fold import State
from logsleuth.engine.jobs import ONLY, Part
from logsleuth.engine.nearest import Wide
from logsleuth.engine.plan import Plan, plan, widened
from logsleuth.engine.roster import Roster
from logsleuth.engine.trace import Tracer, Watch, traced
from logsleuth.language.program import Program
from logsleuth.language.syntax import Rule
from logsleuth.language.walk import references
from logsleuth.model.analysis import Analysis, Input, Verdict
from logsleuth.model.origin import PathLabel, Source
from logsleuth.model.present import Present
from logsleuth.model.trace import Judged, NearLine, Trace
from logsleuth.tokenize.near_lines import near_lines


class Traced(NamedTuple):
    analysis: Analysis
    traces: tuple[Trace, ...]
    """Of each rule, in the order in which they were asked for."""


def trace(
    program: Program,
    paths: Sequence[str],
    rules: Sequence[Rule],
    *,
    notes: tuple[str, ...] = (),
    near: bool = True,
    hints: Hints = NO_HINTS,
    follow: Follow | None = None,
    jobs: int = 1,
    reads: Reads | None = None,
) -> Traced:
    """Analyses the logs that the paths name and traces rules over them.

    With ``near``, logs are read once more for lines that nearly are events of which there are none. ``hints``,
    ``jobs`` and ``reads`` are those of an analysis.
    """
    there = found(paths, hints)
    sources = there.sources
    scene = _Scene(program, rules)
    if reads is None:
        vocabulary = vocabulary_of(program, scene.wide)
        reading = read_shared(sources, vocabulary, scene.wide, jobs, follow=follow)
    else:
        reading = reads(sources, program, scene.wide)
    left_out = [Input(path, "none", problems=[problem]) for path, problem in there.problems]
    narrow = reading._replace(state=reading.state.under(scene.chosen))
    analysis, judgements = concluded_with(program, scene.chosen, narrow, scene.watch, left_out, (*notes, *there.notes))
    lines = scene.near(sources, reading) if near else {}
    return Traced(analysis, scene.traces(judgements, reading, lines))


def ask_why_not(
    program: Program,
    paths: Sequence[str],
    causes: Sequence[str],
    notes: tuple[str, ...] = (),
    hints: Hints = NO_HINTS,
    follow: Follow | None = None,
    jobs: int = 1,
    reads: Reads | None = None,
) -> Analysis:
    """The analysis of the logs that the paths name, with the reasons why these causes are not its answer."""
    rules = [rule for _, rule in sorted(program.rules.items()) if rule.cause in causes]
    analysis, traces = trace(
        program, paths, rules, notes=notes, near=False, hints=hints, follow=follow, jobs=jobs, reads=reads
    )
    asked = tuple(why_not(cause, traces, analysis) for cause in dict.fromkeys(causes))
    return replace(analysis, why_not=asked)


def trace_sources(
    program: Program,
    sources: Sequence[Source],
    labels: dict[int, PathLabel],
    rules: Sequence[Rule],
    present: Callable[[State], Present | None] = lambda _: None,
) -> tuple[list[Verdict], tuple[Trace, ...]]:
    """The same of sources that are of one job, whose writers ``labels`` tell; ``present`` gives the moment at which it
    is judged while it is live, from what was read."""
    scene = _Scene(program, rules)
    reading = read(sources, program, scene.wide)
    reading = reading._replace(labels={**reading.labels, **labels}, present=present(reading.state))
    part = Part(ONLY, reading.state.under(scene.chosen), reading.labels)
    judgement = judged(program, scene.chosen, part, reading.logs, 1, scene.watch, reading.present)
    return judgement.verdicts, scene.traces([judgement], reading, scene.near(sources, reading))


class _Scene:
    """Rules that are traced, and what has to be kept for that."""

    def __init__(self, program: Program, rules: Sequence[Rule]) -> None:
        self._program, self._rules = program, rules
        self.chosen: Plan = plan(program)
        self._events = {reference.event for rule in rules for reference in references(rule)}
        self.wide = widened(self.chosen, self._events)

    @property
    def watch(self) -> Callable[[Roster], Evaluator]:
        """Makes evaluators that remember what they are asked of the rules."""
        return lambda roster: Watch(self._program, self.chosen, roster, self._rules)

    def near(self, sources: Sequence[Source], reading: Reading) -> dict[str, tuple[NearLine, ...]]:
        """Lines that nearly are events of which there are none."""
        seen = {key.event for key in reading.state.kept}
        missing = [self._program.events[name] for name in sorted(self._events - seen) if name in self._program.events]
        return near_lines(missing, sources, reading.logs)

    def traces(
        self, judgements: Sequence[Judgement], reading: Reading, near: dict[str, tuple[NearLine, ...]]
    ) -> tuple[Trace, ...]:
        """The traces of all rules over all jobs."""
        tellers = [self._teller(judgement, reading, near) for judgement in judgements]
        return tuple(traced(rule, [one for tell in tellers for one in tell(rule)]) for rule in self._rules)

    def _teller(
        self, judgement: Judgement, reading: Reading, near: dict[str, tuple[NearLine, ...]]
    ) -> Callable[[Rule], list[Judged]]:
        """Traces a rule over one job."""
        part, watch = judgement.part, judgement.evaluator
        assert isinstance(watch, Watch)
        roster = Roster(self._program, reading.state.of(part.state.sources), part.labels, reading.present)
        wide = Wide(Evaluator(self._program, self.wide, roster), roster, near)
        citation = Citation(judgement.roster, reading.logs)
        fates = Fates(judgement.diagnosis, [verdict.id for verdict in judgement.verdicts], citation)

        def tell(rule: Rule) -> list[Judged]:
            tracer = Tracer(self._program, rule, watch, judgement.roster, wide, citation)
            return tracer.trace(judgement.cases, fates.of, part.id)

        return tell
