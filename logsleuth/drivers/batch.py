"""Analyses logs that are there: reads all of them, then judges once."""

from collections.abc import Callable, Sequence
from itertools import chain
from os import PathLike, fspath
from typing import NamedTuple

from logsleuth.diagnosis.diagnose import Diagnosis, diagnose
from logsleuth.diagnosis.story import Storyteller, silent_ranks
from logsleuth.drivers.pieces import joined
from logsleuth.drivers.reading import Reading, read
from logsleuth.engine.case import Case
from logsleuth.engine.conditions import Evaluator
from logsleuth.engine.copies import without_copies
from logsleuth.engine.jobs import Part, divided
from logsleuth.engine.judge import judge
from logsleuth.engine.plan import Plan, plan
from logsleuth.engine.roster import Roster
from logsleuth.engine.skew import ClockReading
from logsleuth.language.library import load
from logsleuth.language.program import Program
from logsleuth.layouts.said import Said, with_layouts
from logsleuth.model.analysis import Analysis, Clock, Input, Job, Problem, Span, Verdict
from logsleuth.model.origin import Log
from logsleuth.recorder.discovery import discovered


class Judgement(NamedTuple):
    """What was concluded of one job, and from what."""

    part: Part
    roster: Roster
    evaluator: Evaluator
    cases: list[Case]
    diagnosis: Diagnosis
    verdicts: list[Verdict]
    """Of each finding that is told, in their order."""
    job: Job
    given_up: list[str]
    """What of the rules was too much work to judge."""


def analyze(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    rules: Sequence[str] = (),
    local_rules: bool = True,
    source_format: Sequence[Said] = (),
) -> Analysis:
    """Reads the logs that the paths name and says what went wrong in them.

    ``paths`` are files, folders, patterns and ``-`` (or one of them), of one job or several; ``rules``
    further rule files or folders; ``local_rules`` says whether ``./rules`` is loaded too; ``source_format`` how
    records lie in logs whose text does not tell (``logsleuth.layouts.said``). What cannot be read is told
    in the result's inputs. Raises RulesError for bad rules.
    """
    library = load(rules, local_rules)
    given = [paths] if isinstance(paths, str | PathLike) else paths
    return analyze_with(
        library.program, [fspath(path) for path in given], notes=library.notes, source_format=source_format
    )


def analyze_with(
    program: Program,
    paths: Sequence[str],
    *,
    notes: tuple[str, ...] = (),
    engine: str | None = None,
    chunk_size: int | None = None,
    source_format: Sequence[Said] = (),
) -> Analysis:
    """The same with a program that is loaded already; ``engine`` and ``chunk_size`` never change the result."""
    found = discovered(paths)
    chosen = plan(program)
    reading = read(joined(with_layouts(found.sources, source_format)), program, chosen, engine, chunk_size)
    left_out = [Input(path, "none", problems=[problem]) for path, problem in found.problems]
    return concluded(program, chosen, reading, left_out, notes)


def concluded(
    program: Program, chosen: Plan, reading: Reading, left_out: Sequence[Input] = (), notes: tuple[str, ...] = ()
) -> Analysis:
    """What follows from what was read; ``left_out`` are inputs of which nothing was."""
    return concluded_with(program, chosen, reading, None, left_out, notes)[0]


def concluded_with(
    program: Program,
    chosen: Plan,
    reading: Reading,
    evaluates: Callable[[Roster], Evaluator] | None,
    left_out: Sequence[Input] = (),
    notes: tuple[str, ...] = (),
) -> tuple[Analysis, list[Judgement]]:
    """The same with what was concluded of each job; ``evaluates`` makes the evaluators."""
    sources = [log.path for log in reading.logs]
    whole = without_copies(reading.state, reading.labels, sources)
    for copy, original in whole.copies.items():
        for item in reading.inputs[copy]:
            item.problems.append(Problem(f"It repeats {sources[original]}, so it was counted once."))
    judgements: list[Judgement] = []
    for part in divided(whole.state, whole.labels, sources):
        first = 1 + sum(len(judgement.verdicts) for judgement in judgements)
        judgements.append(judged(program, chosen, part, reading.logs, first, evaluates))
    verdicts = tuple(chain.from_iterable(judgement.verdicts for judgement in judgements))
    jobs = tuple(judgement.job for judgement in judgements)
    given_up = dict.fromkeys(note for judgement in judgements for note in judgement.given_up)
    inputs = (*chain(*reading.inputs), *left_out)
    return Analysis(verdicts, jobs, inputs, (*notes, *reading.notes, *given_up)), judgements


def judged(
    program: Program,
    chosen: Plan,
    part: Part,
    logs: Sequence[Log],
    first: int = 1,
    evaluates: Callable[[Roster], Evaluator] | None = None,
) -> Judgement:
    """The verdicts on one job, numbered from ``first`` on, and what they rest on; ``evaluates`` makes the evaluator."""
    roster = Roster(program, part.state, part.labels)
    evaluator = Evaluator(program, chosen, roster) if evaluates is None else evaluates(roster)
    cases = judge(program, evaluator, roster)
    diagnosis = diagnose(cases, evaluator, roster)
    storyteller = Storyteller(roster, logs, part.id)
    verdicts = [storyteller.tell(finding, number) for number, finding in enumerate(diagnosis.told, first)]
    job = _job(roster, part, [log.path for log in logs])
    return Judgement(part, roster, evaluator, cases, diagnosis, verdicts, job, evaluator.search.work.notes())


def _job(roster: Roster, part: Part, sources: list[str]) -> Job:
    return Job(
        id=part.id,
        size=roster.size,
        size_is_stated=roster.size_is_stated,
        seen_ranks=roster.seen_ranks,
        silent_ranks=silent_ranks(roster),
        hosts=roster.hosts,
        attempts=roster.last_attempt + 1,
        span=_span(roster),
        clocks=tuple(_clock(reading, sources) for reading in roster.axis.known),
    )


def _span(roster: Roster) -> Span:
    """From the first to the last stamp, both as the clock of the first shows it."""
    if roster.span is None:
        return Span(None, None)
    first, last = roster.span
    return Span(*(roster.calendar.text(instant.seconds + first.clock.ahead) for instant in (first, last)))


def _clock(reading: ClockReading, sources: list[str]) -> Clock:
    is_known = reading.anchors > 0
    return Clock(
        host=reading.host or None,
        source=None if reading.source is None else sources[reading.source],
        offset=round(reading.clock.ahead, 3),
        uncertainty=round(reading.clock.uncertainty, 3) if is_known else None,
        anchors=reading.anchors,
    )
