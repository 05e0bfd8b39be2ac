"""Analyses logs that are there: reads all of them, then judges once."""

from collections.abc import Sequence
from os import PathLike, fspath

from logsleuth.diagnosis.diagnose import diagnose
from logsleuth.diagnosis.story import Storyteller, silent_ranks
from logsleuth.drivers.reading import Reading, read
from logsleuth.engine.conditions import Evaluator
from logsleuth.engine.judge import judge
from logsleuth.engine.plan import Plan, plan
from logsleuth.engine.roster import Roster
from logsleuth.engine.skew import ClockReading
from logsleuth.ingest.discover import discover
from logsleuth.language.library import load
from logsleuth.language.program import Program
from logsleuth.model.analysis import Analysis, Clock, Input, Job, Span, Verdict

_JOB = "job"


def analyze(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]], *, rules: Sequence[str] = (), local_rules: bool = True
) -> Analysis:
    """Reads the logs that the paths name and says what went wrong in them.

    ``paths`` are files, folders, patterns and ``-`` (or one of them), all of one job; ``rules`` further rule files or
    folders; ``local_rules`` says whether ``./rules`` is loaded too. What cannot be read is told in the result's
    inputs. Raises RulesError for bad rules.
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
    reading = read(found.sources, program, chosen, engine, chunk_size)
    inputs = [*reading.inputs, *(Input(path, "none", problems=[problem]) for path, problem in found.problems)]
    verdicts, job = judged(program, chosen, reading, [source.path for source in found.sources])
    return Analysis(tuple(verdicts), (job,), tuple(inputs), notes)


def judged(program: Program, chosen: Plan, reading: Reading, sources: list[str]) -> tuple[list[Verdict], Job]:
    """The verdicts on what was read, and the job as it shows."""
    roster = Roster(program, reading.state, reading.labels)
    evaluator = Evaluator(program, chosen, roster)
    findings = diagnose(judge(program, evaluator, roster), evaluator, roster)
    storyteller = Storyteller(roster, sources, _JOB)
    verdicts = [storyteller.tell(finding, number) for number, finding in enumerate(findings, 1)]
    return verdicts, _job(roster, sources)


def _job(roster: Roster, sources: list[str]) -> Job:
    return Job(
        id=_JOB,
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
