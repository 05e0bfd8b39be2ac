"""Analyses logs that are there: reads all of them, then judges once."""

from collections.abc import Sequence
from itertools import chain
from os import PathLike, fspath

from logsleuth.diagnosis.diagnose import diagnose
from logsleuth.diagnosis.story import Storyteller, silent_ranks
from logsleuth.drivers.pieces import joined
from logsleuth.drivers.reading import Reading, read
from logsleuth.engine.conditions import Evaluator
from logsleuth.engine.copies import without_copies
from logsleuth.engine.jobs import Part, divided
from logsleuth.engine.judge import judge
from logsleuth.engine.plan import Plan, plan
from logsleuth.engine.roster import Roster
from logsleuth.engine.skew import ClockReading
from logsleuth.ingest.discover import discover
from logsleuth.language.library import load
from logsleuth.language.program import Program
from logsleuth.model.analysis import Analysis, Clock, Input, Job, Problem, Span, Verdict
from logsleuth.model.origin import Log


def analyze(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]], *, rules: Sequence[str] = (), local_rules: bool = True
) -> Analysis:
    """Reads the logs that the paths name and says what went wrong in them.

    ``paths`` are files, folders, patterns and ``-`` (or one of them), of one job or several; ``rules``
    further rule files or folders; ``local_rules`` says whether ``./rules`` is loaded too. What cannot be read is told
    in the result's inputs. Raises RulesError for bad rules.
    """
    library = load(rules, local_rules)
    given = [paths] if isinstance(paths, str | PathLike) else paths
    return analyze_with(library.program, [fspath(path) for path in given], notes=library.notes)


def analyze_with(
    program: Program,
    paths: Sequence[str],
    *,
    notes: tuple[str, ...] = (),
    engine: str | None = None,
    chunk_size: int | None = None,
) -> Analysis:
    """The same with a program that is loaded already; ``engine`` and ``chunk_size`` never change the result."""
    found = discover(paths)
    chosen = plan(program)
    reading = read(joined(found.sources), program, chosen, engine, chunk_size)
    left_out = [Input(path, "none", problems=[problem]) for path, problem in found.problems]
    return concluded(program, chosen, reading, left_out, notes)


def concluded(
    program: Program, chosen: Plan, reading: Reading, left_out: Sequence[Input] = (), notes: tuple[str, ...] = ()
) -> Analysis:
    """What follows from what was read; ``left_out`` are inputs of which nothing was."""
    sources = [log.path for log in reading.logs]
    whole = without_copies(reading.state, reading.labels, sources)
    for copy, original in whole.copies.items():
        for item in reading.inputs[copy]:
            item.problems.append(Problem(f"It repeats {sources[original]}, so it was counted once."))
    verdicts: list[Verdict] = []
    given_up: list[str] = []
    jobs: list[Job] = []
    for part in divided(whole.state, whole.labels, sources):
        of_part, job = judged(program, chosen, part, reading.logs, len(verdicts) + 1, given_up)
        verdicts += of_part
        jobs.append(job)
    return Analysis(
        tuple(verdicts),
        tuple(jobs),
        (*chain(*reading.inputs), *left_out),
        (*notes, *reading.notes, *dict.fromkeys(given_up)),
    )


def judged(
    program: Program, chosen: Plan, part: Part, logs: Sequence[Log], first: int = 1, notes: list[str] | None = None
) -> tuple[list[Verdict], Job]:
    """The verdicts on one job, numbered from ``first`` on, and the job as it shows; rules that were given up are added
    to ``notes``."""
    roster = Roster(program, part.state, part.labels)
    evaluator = Evaluator(program, chosen, roster)
    findings = diagnose(judge(program, evaluator, roster), evaluator, roster)
    if notes is not None:
        notes += evaluator.search.work.notes()
    storyteller = Storyteller(roster, logs, part.id)
    verdicts = [storyteller.tell(finding, number) for number, finding in enumerate(findings, first)]
    return verdicts, _job(roster, part, [log.path for log in logs])


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
