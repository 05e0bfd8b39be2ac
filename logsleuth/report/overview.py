"""What a report says beside the verdicts: what was looked at, and what could not be seen."""

from collections.abc import Sequence

from logsleuth.model.analysis import Analysis, Input, Job
from logsleuth.model.units import format_bytes, format_duration
from logsleuth.report import phrasing
from logsleuth.report.page import BLANK, Page, Tone, prose, section

LEAST_OFFSET = 1.0
"""Seconds; clocks that differ by less are as good as equal."""
MOST_PROBLEMS = 6
"""Kinds of problems that are told before the inputs with others are counted."""


def nothing_wrong(analysis: Analysis) -> Page:
    """The opening where no verdict says that something went wrong."""
    if not any(source.lines for source in analysis.inputs):
        return [prose("These logs are empty, so nothing can be said.", tone=Tone.STRONG)]
    lines = [prose(f"Nothing wrong found in {_reading(analysis)}.", tone=Tone.STRONG)]
    if not any(source.events for source in analysis.inputs):
        lines.append(
            prose("No line was of a kind that the rules know: if these are not the job's logs, this says little.")
        )
    elif any(job.silent_ranks for job in analysis.jobs) or any(is_unreadable(source) for source in analysis.inputs):
        lines.append(prose("This holds for what could be read; a log that is missing may still hold a failure."))
    return lines


def nothing_read(analysis: Analysis) -> Page:
    """The whole report where ``was_anything_read`` is false."""
    if not analysis.inputs:
        return [prose("There is nothing to read: the paths hold no files. Give log files or folders that hold some.")]
    opening = f"None of the {phrasing.count(len(analysis.inputs), 'input')} could be read, so nothing can be said."
    if len(analysis.inputs) == 1:
        opening = "The input could not be read, so nothing can be said."
    return [prose(opening), *_problems(analysis.inputs)]


def untold(analysis: Analysis, unknowns: Sequence[str]) -> Page:
    """What these logs could not tell: about the answer, about ranks without a line, about inputs with problems."""
    lines = [prose(text, lead="- ", indent=2) for text in unknowns]
    for job in analysis.jobs:
        named = f" of job {job.id}" if len(analysis.jobs) > 1 else ""
        if job.silent_ranks:
            silent = phrasing.ranks(job.silent_ranks)
            text = f"no line in these logs is known to be from {silent} (of {_size(job)}{named})"
            lines.append(prose(text, lead="- ", indent=2))
        elif not job.seen_ranks:
            lines.append(prose(f"no line{named} names the rank that wrote it", lead="- ", indent=2))
    lines += _problems(analysis.inputs)
    lines += [prose(note, lead="- ", indent=2) for note in analysis.notes]
    return section("What these logs cannot tell", lines)


def footer(analysis: Analysis) -> Page:
    """One line: ``4 logs, 12,345 lines, 1.20 MiB; hosts node-7 and node-9; ranks 0-3 of 4 seen``.

    Under it the clocks that are wrong.
    """
    total = sum(source.bytes for source in analysis.inputs)
    parts = [f"{_reading(analysis)}, {format_bytes(total)}"]
    if hosts := list(dict.fromkeys(host for job in analysis.jobs for host in job.hosts)):
        parts.append(f"{'host' if len(hosts) == 1 else 'hosts'} {phrasing.listed(hosts)}")
    if len(analysis.jobs) > 1:
        parts.append(
            "jobs "
            + phrasing.listed([f"{job.id}{f' ({_seen(job)})' if job.seen_ranks else ''}" for job in analysis.jobs])
        )
    else:
        parts += [_seen(job) for job in analysis.jobs if job.seen_ranks]
    clocks = [prose(text, tone=Tone.FAINT) for job in analysis.jobs for text in _clocks(job)]
    return [BLANK, prose("; ".join(parts), tone=Tone.FAINT), *clocks]


def _clocks(job: Job) -> list[str]:
    """``the clock of node-8 is 12.4 s ahead of the others``, where that is more than a second and than is uncertain."""
    told: dict[str, list[str]] = {}
    for clock in job.clocks:
        off = abs(clock.offset)
        if clock.uncertainty is not None and off > max(clock.uncertainty, LEAST_OFFSET):
            difference = f"{format_duration(round(off, 1))} {'ahead of' if clock.offset > 0 else 'behind'} the others"
            told.setdefault(difference, []).append(clock.source or clock.host or "")
    return [
        f"the clock{'' if len(names) == 1 else 's'} of {phrasing.listed(names)} "
        f"{'is' if len(names) == 1 else 'are'} {difference}"
        for difference, names in told.items()
    ]


def was_anything_read(analysis: Analysis) -> bool:
    """False where there was no input, or none that could be read: then there is no answer."""
    return not all(is_unreadable(source) for source in analysis.inputs)


def is_unreadable(source: Input) -> bool:
    """True where nothing of the input could be read."""
    return any(problem.fatal for problem in source.problems)


def _reading(analysis: Analysis) -> str:
    """``12,345 lines of 4 logs``."""
    read = [source for source in analysis.inputs if not is_unreadable(source)]
    logs = phrasing.count(len(read), "log")
    if len(read) < len(analysis.inputs):
        logs = f"{len(read):,} of {phrasing.count(len(analysis.inputs), 'log')}"
    return f"{phrasing.count(sum(source.lines for source in read), 'line')} of {logs}"


def _seen(job: Job) -> str:
    return f"{phrasing.ranks(job.seen_ranks)} of {_size(job)} seen"


def _size(job: Job) -> str:
    return f"{job.size:,}" if job.size_is_stated else f"at least {job.size:,}"


def _problems(inputs: Sequence[Input]) -> Page:
    """The inputs with problems, those that could not be read first, those with equal problems together."""
    alike: dict[str, list[Input]] = {}
    for source in sorted((source for source in inputs if source.problems), key=lambda one: not is_unreadable(one)):
        alike.setdefault("; ".join(problem.text for problem in source.problems), []).append(source)
    groups = list(alike.items())
    lines = [
        prose(f"{phrasing.listed([source.source for source in sources])}: {text}", lead="- ", indent=2)
        for text, sources in groups[:MOST_PROBLEMS]
    ]
    if rest := [source for _, sources in groups[MOST_PROBLEMS:] for source in sources]:
        unread = sum(is_unreadable(source) for source in rest)
        detail = f", {unread:,} of them unreadable" if unread else ""
        lines.append(prose(f"and {phrasing.count(len(rest), 'more input')} with problems{detail}", lead="- ", indent=2))
    return lines
