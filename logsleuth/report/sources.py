"""The sources that were found, for people: one by one where they are few, else those that are alike together."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from logsleuth.model.analysis import Span
from logsleuth.model.inventory import FoundSource, Writers
from logsleuth.model.units import format_bytes, format_duration
from logsleuth.report import phrasing
from logsleuth.report.page import Line, Page, Tone, prose
from logsleuth.report.page import Span as Text

MOST_SOURCES = 24
"""That are told one by one, or kinds of them; a document has all."""
_NUMBER = re.compile(r"\d+")


def compose_sources(sources: Sequence[FoundSource], of_several_jobs: bool) -> Page:
    """What is told of the sources."""
    groups = [[source] for source in sources] if len(sources) <= MOST_SOURCES else _alike(sources)
    page: Page = []
    for group in groups[:MOST_SOURCES]:
        page += _source(group[0], of_several_jobs) if len(group) == 1 else _group(group, of_several_jobs)
    if more := sum(map(len, groups[MOST_SOURCES:])):
        page.append(prose(f"and {phrasing.count(more, 'more source')} (--format json tells all)", indent=2))
    return page


def _alike(sources: Sequence[FoundSource]) -> list[list[FoundSource]]:
    """The sources whose names differ in numbers only and that are of one kind and job, together; those about which
    there is something to say by themselves."""
    groups: dict[object, list[FoundSource]] = {}
    for source in sources:
        is_odd = bool(source.problems) or not source.lines
        name = source.source if is_odd else _NUMBER.sub("*", source.source)
        key = (name, is_odd, source.format, source.layout, source.framing, source.encoding, source.jobs)
        groups.setdefault(key, []).append(source)
    return list(groups.values())


def _group(group: Sequence[FoundSource], of_several_jobs: bool) -> Page:
    first = group[0]
    starts = [source.span.started for source in group if source.span.started]
    ends = [source.span.ended for source in group if source.span.ended]
    pattern = _pattern([source.source for source in group])
    whole = Writers(
        *(tuple(sorted(set(chain.from_iterable(getattr(s.writers, name) for s in group)))) for name in _WRITERS)
    )
    rows = [
        f"{_who(whole)}; {_kind(first)}",
        f"{_size(group)}, in each {_least_to_most(source.lines for source in group)} lines",
        _when(Span(min(starts, default=None), max(ends, default=None)), group, of_several_jobs),
    ]
    return _told(f"{pattern} ({phrasing.count(len(group), 'source')})", rows)


_WRITERS = ("ranks", "local_ranks", "hosts", "tasks", "processes")


def _pattern(paths: Sequence[str]) -> str:
    """What the paths have in common, with ``*`` for numbers that differ."""
    rows = [re.split(r"(\d+)", path) for path in paths]
    return "".join(parts[0] if len(set(parts)) == 1 else "*" for parts in zip(*rows, strict=True))


def _least_to_most(numbers: Iterable[int]) -> str:
    known = set(numbers)
    least, most = min(known), max(known)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _source(source: FoundSource, of_several_jobs: bool) -> Page:
    rows = [
        f"{_who(source.writers)}; {_kind(source)}",
        _size([source]),
        _when(source.span, [source], of_several_jobs),
    ]
    if source.gaps:
        gap = source.gaps[0]
        at = f", lines {gap.lines[0]:,} and {gap.lines[1]:,}" if gap.lines else ""
        rows.append(f"longest gap {length(gap.seconds)}: {from_to(gap.after, gap.before or gap.after)}{at}")
    return _told(source.source, [*rows, *(problem.text for problem in source.problems)])


def _told(name: str, rows: Iterable[str]) -> Page:
    return [Line((Text(name),), indent=2), *(prose(row, indent=4, tone=Tone.FAINT) for row in rows if row)]


def _kind(source: FoundSource) -> str:
    layout = [source.layout] if source.layout != "lines" else []
    return ", ".join([source.format, *layout, *source.framing])


def _size(group: Sequence[FoundSource]) -> str:
    """``13.70 KiB, 231 lines, ascii``."""
    pieces = sum(len(source.pieces) for source in group)
    told = [
        format_bytes(sum(source.bytes for source in group)),
        phrasing.count(sum(source.lines for source in group), "line")
        + (f" in {phrasing.count(pieces, 'piece')}" if pieces else ""),
        group[0].encoding,
    ]
    return ", ".join(part for part in told if part)


def _when(told: Span, group: Sequence[FoundSource], of_several_jobs: bool) -> str:
    """``2026-03-14 09:01:00.000 to 10:20:01.000; attempts 0-2; job 4711``."""
    first = group[0]
    timeless = "no line tells a time" if first.lines and first.copy_of is None else ""
    parts = [span(told) or timeless]
    if attempts := sorted({attempt for source in group for attempt in source.attempts}):
        parts.append(phrasing.ranks(attempts, "attempt"))
    if of_several_jobs and first.jobs:
        parts.append(f"job{'' if len(first.jobs) == 1 else 's'} {phrasing.listed(first.jobs)}")
    return "; ".join(part for part in parts if part)


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


def span(told: Span) -> str:
    """From the first to the last time; empty where none is known."""
    if told.started is None or told.ended is None:
        return ""
    return from_to(told.started, told.ended)


def from_to(first: str, last: str) -> str:
    """``2026-11-30 10:00:00.000 to 11:20:03.120``."""
    start, end = phrasing.instant(first), phrasing.instant(last)
    day, _, clock = end.rpartition(" ")
    if start == end:
        return start
    return f"{start} to {clock if day and start.startswith(day + ' ') else end}"


def length(seconds: float) -> str:
    """``30 min 30 s``; below a minute with its fractions."""
    return format_duration(seconds if seconds < 60 else round(seconds))
