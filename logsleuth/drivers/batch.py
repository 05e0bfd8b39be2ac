"""Analyses logs that are there: reads all of them, then judges once."""

from collections.abc import Callable, Sequence
from itertools import chain
from os import PathLike, fspath
from typing import NamedTuple

from logsleuth.diagnosis.absorbed import absorbed
from logsleuth.diagnosis.diagnose import Diagnosis, diagnose
from logsleuth.diagnosis.story import Storyteller
from logsleuth.drivers.hints import NO_HINTS, Hints, found
from logsleuth.drivers.job import job_of
from logsleuth.drivers.parts import parts_of
from logsleuth.drivers.reading import Follow, Reading, Reads, vocabulary_of
from logsleuth.drivers.shared_reading import read_shared
from logsleuth.engine.case import Case
from logsleuth.engine.conditions import Evaluator
from logsleuth.engine.jobs import Part
from logsleuth.engine.judge import judge
from logsleuth.engine.plan import Plan, plan
from logsleuth.engine.roster import Roster
from logsleuth.language.library import load
from logsleuth.language.program import Program
from logsleuth.model.analysis import Analysis, Input, Job, Verdict
from logsleuth.model.origin import Log
from logsleuth.model.present import Present
from logsleuth.tokenize.dictionary import Vocabulary


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
    hints: Hints = NO_HINTS,
    follow: Follow | None = None,
    jobs: int = 1,
    reads: Reads | None = None,
) -> Analysis:
    """Reads the logs that the paths name and says what went wrong in them.

    ``paths`` are files, folders, patterns and ``-`` (or one of them), of one job or several; ``rules``
    further rule files or folders; ``local_rules`` says whether ``./rules`` is loaded too; ``hints`` what is known of
    the logs that they do not tell; ``follow`` is told how the reading goes on. ``jobs`` is how many processes
    may read beside this one, which never changes the result; with 1 none is begun. ``reads`` reads in place of all of
    them, and tells ``follow`` nothing. What cannot be read is told in the result's inputs. Raises RulesError for bad
    rules.
    """
    library = load(rules, local_rules)
    given = [paths] if isinstance(paths, str | PathLike) else paths
    named = [fspath(path) for path in given]
    return analyze_with(library.program, named, notes=library.notes, hints=hints, follow=follow, jobs=jobs, reads=reads)


def analyze_with(
    program: Program,
    paths: Sequence[str],
    *,
    notes: tuple[str, ...] = (),
    engine: str | None = None,
    chunk_size: int | None = None,
    hints: Hints = NO_HINTS,
    follow: Follow | None = None,
    vocabulary: Vocabulary | None = None,
    jobs: int = 1,
    reads: Reads | None = None,
) -> Analysis:
    """The same with a program that is loaded already; ``engine``, ``chunk_size`` and ``jobs`` never change the result.

    ``vocabulary`` is that of the program, for whoever analyses many small logs one after another.
    """
    there = found(paths, hints)
    chosen = plan(program)
    if reads is None:
        if vocabulary is None:
            vocabulary = vocabulary_of(program, chosen, engine)
        reading = read_shared(there.sources, vocabulary, chosen, jobs, chunk_size, follow)
    else:
        reading = reads(there.sources, program, chosen)
    left_out = [Input(path, "none", problems=[problem]) for path, problem in there.problems]
    return concluded(program, chosen, reading, left_out, (*notes, *there.notes))


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
    judgements: list[Judgement] = []
    for part in parts_of(reading).jobs:
        first = 1 + sum(len(judgement.verdicts) for judgement in judgements)
        judgements.append(judged(program, chosen, part, reading.logs, first, evaluates, reading.present))
    verdicts = tuple(chain.from_iterable(judgement.verdicts for judgement in judgements))
    jobs = tuple(judgement.job for judgement in judgements)
    given_up = dict.fromkeys(note for judgement in judgements for note in judgement.given_up)
    inputs = (*chain(*reading.inputs), *left_out)
    within = tuple(one for judgement in judgements for one in absorbed(judgement.diagnosis, judgement.verdicts))
    return Analysis(verdicts, jobs, inputs, (*notes, *reading.notes, *given_up), absorbed=within), judgements


def judged(
    program: Program,
    chosen: Plan,
    part: Part,
    logs: Sequence[Log],
    first: int = 1,
    evaluates: Callable[[Roster], Evaluator] | None = None,
    present: Present | None = None,
) -> Judgement:
    """The verdicts on one job, numbered from ``first`` on, and what they rest on; ``evaluates`` makes the evaluator,
    ``present`` is the moment of a job that is live."""
    roster = Roster(program, part.state, part.labels, present)
    evaluator = Evaluator(program, chosen, roster) if evaluates is None else evaluates(roster)
    cases = judge(program, evaluator, roster)
    diagnosis = diagnose(cases, evaluator, roster)
    storyteller = Storyteller(roster, logs, part.id)
    verdicts = [storyteller.tell(finding, number) for number, finding in enumerate(diagnosis.told, first)]
    job = job_of(roster, part.id, logs)
    return Judgement(part, roster, evaluator, cases, diagnosis, verdicts, job, evaluator.search.work.notes())
