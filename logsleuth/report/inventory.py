"""What was found in logs, for people: the jobs, their gaps, what that means for an answer, and every source."""

from collections.abc import Sequence
from typing import TextIO

from logsleuth.model.analysis import Clock
from logsleuth.model.inventory import FoundJob, Gap, Inventory, Remark
from logsleuth.model.units import format_bytes, format_duration
from logsleuth.report import phrasing
from logsleuth.report.page import BLANK, LABEL_WIDTH, Line, Page, Tone, fact, prose, section
from logsleuth.report.page import Span as Text
from logsleuth.report.sources import compose_sources, from_to, length, span

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
    page += section("Sources", compose_sources(inventory.sources, len(inventory.jobs) > 1))
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
    page.append(fact("Time", span(job.span) or "no line tells one"))
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


def _clocks(clocks: Sequence[Clock]) -> list[str]:
    """The clocks that are off, and how many are not or cannot be compared."""
    if len(clocks) < 2:
        return []
    off = [c for c in clocks if c.uncertainty is not None and abs(c.offset) > max(c.uncertainty, LEAST_OFFSET)]
    told = [
        f"{clock.host or clock.source} is {format_duration(round(abs(clock.offset), 1))} "
        f"{'ahead of' if clock.offset > 0 else 'behind'} the others, give or take {length(clock.uncertainty or 0.0)} "
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


def _gaps(one: FoundJob, inventory: Inventory) -> list[str]:
    if one.job.span.started is None:
        return []
    told = [_gap(gap) for gap in one.gaps]
    if one.more_gaps:
        told.append(f"and {one.more_gaps:,} shorter ones")
    return told or [f"none longer than {length(inventory.shortest_gap)}"]


def _gap(gap: Gap) -> str:
    """``40 min without a line from rank 3, from 2026-11-30 10:40:00 to the end``."""
    if gap.ranks:
        who = phrasing.ranks(gap.ranks)
    elif gap.local_ranks:
        who = phrasing.ranks(gap.local_ranks, "local rank") + (f" on {phrasing.listed(gap.hosts)}" if gap.hosts else "")
    else:
        who = "anybody"
    when = f"{phrasing.instant(gap.after)} to the end" if gap.before is None else from_to(gap.after, gap.before)
    return f"{length(gap.seconds)} without a stamped line from {who}: {when}"


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


# What else there is


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
    return f"{read}; no rule was asked. Gaps shorter than {length(inventory.shortest_gap)} were not looked for."
