"""What was found in logs, for people: the jobs, their gaps, what that means for an answer, and every source."""

from collections.abc import Sequence
from typing import TextIO

from logsleuth.model.analysis import Clock, Span
from logsleuth.model.inventory import FoundJob, FoundSource, Gap, Inventory, Remark, Writers
from logsleuth.model.units import format_bytes, format_duration
from logsleuth.report import phrasing
from logsleuth.report.page import BLANK, LABEL_WIDTH, Line, Page, Tone, fact, prose, section
from logsleuth.report.page import Span as Text

MOST_SOURCES = 24
"""That are told one by one; a document has all."""
MOST_CLOCKS = 12
MOST_REPEATS = 6
MOST_UNREAD = 12
LEAST_OFFSET = 1.0
"""Seconds; clocks that differ by less are as good as equal."""


def render(inventory: Inventory, stream: TextIO) -> str:
    """The report as text for ``stream``: with its width, its colours and its encoding."""
    from logsleuth.report.terminal import draw  # It loads rich, which costs a start more than all else.

    return draw(compose(inventory), stream)


def compose(inventory: Inventory) -> Page:
    """What the report says, line by line."""
    if not inventory.was_anything_read:
        return _nothing(inventory)
    page: Page = []
    for number, job in enumerate(inventory.jobs):
        page += [BLANK] if number else []
        page += _job(job, inventory)
    page += section(
        "What this means for an answer",
        [prose(_about(remark, inventory), lead="- ", indent=2) for remark in inventory.remarks],
    )
    page += section("Sources", _sources(inventory))
    page += section("Not read", _unread(inventory))
    page += section("Worth knowing", [prose(note, lead="- ", indent=2) for note in inventory.notes])
    return [*page, BLANK, prose(_footer(inventory), tone=Tone.FAINT)]


def _nothing(inventory: Inventory) -> Page:
    if not inventory.sources and not inventory.unread:
        return [prose("There is nothing to read: the paths hold no files. Give log files or folders that hold some.")]
    sources = [source for source in inventory.sources if source.problems]
    lines = [
        prose(f"{source.source}: {problem.text}", lead="- ", indent=2)
        for source in sources
        for problem in source.problems
    ]
    return [prose("Nothing could be read, so nothing was found."), *lines, *_unread(inventory)]


def _about(remark: Remark, inventory: Inventory) -> str:
    if not remark.sources:
        return remark.text
    written = {source.source for source in inventory.sources if source.lines and source.copy_of is None}
    is_of_all = len(written) > 1 and written <= set(remark.sources)
    return f"{'all logs' if is_of_all else phrasing.listed(remark.sources)}: {remark.text}"


# A job


def _job(one: FoundJob, inventory: Inventory) -> Page:
    job = one.job
    size = phrasing.count(job.size, "rank")
    if job.size:
        opening = f"Job {job.id}: {size if job.size_is_stated else f'at least {size}'}"
    else:
        opening = f"Job {job.id}: no rank is named"
    sources = [source for source in inventory.sources if job.id in source.jobs]
    page = [prose(f"{opening}, in {phrasing.count(len(sources), 'source')}", tone=Tone.STRONG), BLANK]
    if job.seen_ranks:
        seen = f"{phrasing.numbers(job.seen_ranks)} seen"
        page.append(fact("Ranks", f"{seen}; {_silent(job.silent_ranks)}" if job.silent_ranks else seen))
    page.append(fact("Hosts", phrasing.listed(job.hosts, 12) if job.hosts else "none is named"))
    page.append(fact("Time", _span(job.span) or "no line tells one"))
    page.append(fact("Attempts", str(job.attempts)))
    page += _labelled("Clocks", _clocks(job.clocks))
    page += _labelled("Gaps", _gaps(one, inventory))
    return [*page, *_labelled("Twice", _repeats(one, inventory))]


def _silent(ranks: Sequence[int]) -> str:
    return f"no line is known to be from {phrasing.ranks(ranks)}"


def _labelled(label: str, texts: Sequence[str]) -> Page:
    """The label before the first text, the others beneath it."""
    return [
        Line((Text(text),), Text((label if not number else "").ljust(LABEL_WIDTH), Tone.STRONG))
        for number, text in enumerate(texts)
    ]


def _span(span: Span) -> str:
    if span.started is None or span.ended is None:
        return ""
    return _from_to(span.started, span.ended)


def _from_to(first: str, last: str) -> str:
    """``2026-11-30 10:00:00.000 to 11:20:03.120``."""
    start, end = phrasing.instant(first), phrasing.instant(last)
    day, _, clock = end.rpartition(" ")
    if start == end:
        return start
    return f"{start} to {clock if day and start.startswith(day + ' ') else end}"


def _clocks(clocks: Sequence[Clock]) -> list[str]:
    """The clocks that are off, and how many are not or cannot be compared."""
    if len(clocks) < 2:
        return []
    off = [c for c in clocks if c.uncertainty is not None and abs(c.offset) > max(c.uncertainty, LEAST_OFFSET)]
    told = [
        f"{clock.host or clock.source} is {format_duration(round(abs(clock.offset), 1))} "
        f"{'ahead of' if clock.offset > 0 else 'behind'} the others, give or take {_length(clock.uncertainty or 0.0)} "
        f"({phrasing.count(clock.anchors, 'shared moment')})"
        for clock in off[:MOST_CLOCKS]
    ]
    if len(off) > MOST_CLOCKS:
        told.append(f"and {len(off) - MOST_CLOCKS:,} more are off")
    unknown = sum(clock.uncertainty is None for clock in clocks)
    if alike := len(clocks) - len(off) - unknown:
        told.append(f"{phrasing.count(alike, 'clock')} {'agrees' if alike == 1 else 'agree'} to within a second or so")
    if unknown:
        told.append(f"{phrasing.count(unknown, 'clock')} cannot be compared: no moments are shared")
    return told


def _length(seconds: float) -> str:
    return format_duration(seconds if seconds < 60 else round(seconds))


def _gaps(one: FoundJob, inventory: Inventory) -> list[str]:
    if one.job.span.started is None:
        return []
    told = [_gap(gap) for gap in one.gaps]
    if one.more_gaps:
        told.append(f"and {one.more_gaps:,} shorter ones")
    return told or [f"none longer than {_length(inventory.shortest_gap)}"]


def _gap(gap: Gap) -> str:
    """``40 min without a line from rank 3, from 2026-11-30 10:40:00 to the end``."""
    if gap.ranks:
        who = phrasing.ranks(gap.ranks)
    elif gap.local_ranks:
        who = phrasing.ranks(gap.local_ranks, "local rank") + (f" on {phrasing.listed(gap.hosts)}" if gap.hosts else "")
    else:
        who = "anybody"
    when = f"{phrasing.instant(gap.after)} to the end" if gap.before is None else _from_to(gap.after, gap.before)
    return f"{_length(gap.seconds)} without a stamped line from {who}: {when}"


def _repeats(one: FoundJob, inventory: Inventory) -> list[str]:
    told = [
        f"{source.source} repeats {source.copy_of} and is not counted"
        for source in inventory.sources
        if source.copy_of is not None
        and any(s.source == source.copy_of and one.job.id in s.jobs for s in inventory.sources)
    ]
    told += [
        f"{phrasing.count(repeat.lines, 'line')} of {repeat.source} {'stands' if repeat.lines == 1 else 'stand'} in "
        f"{repeat.other} too, and {'counts' if repeat.lines == 1 else 'count'} once"
        for repeat in one.repeats
    ]
    more = len(told) - MOST_REPEATS
    return [*told[:MOST_REPEATS], f"and {more:,} more pairs of sources"] if more > 0 else told


# Sources


def _sources(inventory: Inventory) -> Page:
    page: Page = []
    for source in inventory.sources[:MOST_SOURCES]:
        page += _source(source, len(inventory.jobs) > 1)
    if (more := len(inventory.sources) - MOST_SOURCES) > 0:
        page.append(prose(f"and {phrasing.count(more, 'more source')} (--format json tells all)", indent=2))
    return page


def _source(source: FoundSource, of_several_jobs: bool) -> Page:
    kind = [source.format, *([source.layout] if source.layout != "lines" else []), *source.framing]
    pieces = f" in {phrasing.count(len(source.pieces), 'piece')}" if source.pieces else ""
    size = (
        f"{format_bytes(source.bytes)}, {phrasing.count(source.lines, 'line')}{pieces}"
        f"{f', {source.encoding}' if source.encoding else ''}"
    )
    when = _span(source.span) or ("no line tells a time" if source.lines and source.copy_of is None else "")
    if source.attempts and when:
        when += f"; attempt{'' if len(source.attempts) == 1 else 's'} {phrasing.numbers(source.attempts)}"
    if of_several_jobs and source.jobs:
        when += f"{'; ' if when else ''}job{'' if len(source.jobs) == 1 else 's'} {phrasing.listed(source.jobs)}"
    rows = [f"{_who(source.writers)}; {', '.join(kind)}", size, when]
    if source.gaps:
        gap = source.gaps[0]
        at = f", lines {gap.lines[0]:,} and {gap.lines[1]:,}" if gap.lines else ""
        rows.append(f"longest gap {_length(gap.seconds)}: {_from_to(gap.after, gap.before or gap.after)}{at}")
    rows += [problem.text for problem in source.problems]
    return [Line((Text(source.source),), indent=2), *(prose(row, indent=4, tone=Tone.FAINT) for row in rows if row)]


def _who(writers: Writers) -> str:
    """``rank 2 on node-7``, ``task 3``, ``writer not known``."""
    told = [
        phrasing.ranks(numbers, noun)
        for numbers, noun in ((writers.ranks, "rank"), (writers.local_ranks, "local rank"), (writers.tasks, "task"))
        if numbers
    ]
    if not told and writers.processes:
        told.append(f"process{'' if len(writers.processes) == 1 else 'es'} {phrasing.numbers(writers.processes)}")
    who = " and ".join(told)
    if writers.hosts:
        hosts = phrasing.listed(writers.hosts)
        return f"{who} on {hosts}" if who else f"{'host' if len(writers.hosts) == 1 else 'hosts'} {hosts}"
    return who or "writer not known"


def _unread(inventory: Inventory) -> Page:
    lines = [prose(f"{one.path}: {one.problem.text}", lead="- ", indent=2) for one in inventory.unread[:MOST_UNREAD]]
    if (more := len(inventory.unread) - MOST_UNREAD) > 0:
        lines.append(prose(f"and {more:,} more", lead="- ", indent=2))
    return lines


def _footer(inventory: Inventory) -> str:
    sources = inventory.sources
    total = sum(source.bytes for source in sources)
    lines = sum(source.lines for source in sources)
    read = f"{phrasing.count(len(sources), 'source')}, {phrasing.count(lines, 'line')}, {format_bytes(total)}"
    return f"{read}; no rule was asked. Gaps shorter than {_length(inventory.shortest_gap)} were not looked for."
