"""What a terminal shows of a live job: a pure function of what is known, of the time and of the size of the terminal.

The screen is made of blocks. Each says how many rows it needs and how many it would like; where there are not enough,
those that matter most get theirs first, and what is left out is counted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from logsleuth.model.analysis import CONFIDENCE_ORDER, SEVERITY_ORDER
from logsleuth.model.change import Change, Standing
from logsleuth.model.snapshot import Snapshot
from logsleuth.model.units import format_bytes
from logsleuth.model.vitals import JobVitals, Vitals
from logsleuth.report import live_job, phrasing
from logsleuth.report.live_job import age
from logsleuth.report.live_strip import Row, strip, tally, worst_first
from logsleuth.report.page import Span, Tone
from logsleuth.report.verdict import severity, tone, unnamed

NEW = 20.0
"""Seconds for which a change is set off."""
HOW_TO_END = "Ctrl-C ends this and prints the final report."
_BETWEEN = "   "
"""Stands between parts of a row."""
MOST_MEMBERS, MOST_JOBS, MOST_PROBLEMS = 4, 4, 3


class Scene(NamedTuple):
    """What is known when the screen is drawn."""

    now: float
    """Seconds since 1970."""
    snapshot: Snapshot | None = None
    """None as long as nothing was judged."""
    standing: Sequence[Standing] = ()
    """The verdicts that hold, in the order in which they were told."""
    changed: Mapping[str, float] = {}
    """When verdicts were told last, by their keys."""
    gone: Change | None = None
    """The last that was withdrawn or taken over."""
    pace: float | None = None
    """Lines a second that were read of late."""
    troubles: Sequence[str] = ()
    """What went wrong with the following itself, the latest last."""


class _Block(NamedTuple):
    weight: int
    """Blocks with small ones get their rows first."""
    least: int
    wants: int
    rows: Callable[[int], list[Row]]
    """Its rows, no more than so many."""


def screen(scene: Scene, width: int, height: int, unicode: bool = True) -> list[Row]:
    """The rows from the top, no more than ``height``; one that is wider than the terminal is for the caller to cut."""
    blocks = _blocks(scene, width, height, unicode)
    given = _shared_out(blocks, height)
    return [row for block, rows in zip(blocks, given, strict=True) if rows for row in block.rows(rows)[:rows]]


def _shared_out(blocks: Sequence[_Block], height: int) -> list[int]:
    given = [0] * len(blocks)
    order = sorted(range(len(blocks)), key=lambda number: blocks[number].weight)
    for number in order:
        if blocks[number].least <= height:
            given[number] = blocks[number].least
            height -= blocks[number].least
    for number in order:
        if given[number] or not blocks[number].least:
            more = min(blocks[number].wants - given[number], height)
            given[number] += more
            height -= more
    return given


def _blocks(scene: Scene, width: int, height: int, unicode: bool) -> list[_Block]:
    """In the order in which they stand on the screen."""
    vitals = scene.snapshot.vitals if scene.snapshot else Vitals()
    passed = max(scene.now - scene.snapshot.at, 0.0) if scene.snapshot else 0.0
    blocks = [*_job(vitals.jobs[0], passed, width, height, unicode)] if vitals.jobs else []
    if others := vitals.jobs[1:]:
        rows = [live_job.in_short(job) for job in others]
        blocks.append(_some(7, rows, MOST_JOBS, "other job"))
    blocks.append(_flowing(4, _read(scene, vitals, passed), width, 2))
    if problems := _problems(scene):
        blocks.append(_some(6, problems, MOST_PROBLEMS, "problem"))
    verdicts = _verdicts(scene, height)
    blocks += [_gap(10), verdicts, _gap(11)] if verdicts.wants else [_gap(10)]
    return [*blocks, _flowing(2, [(Span(HOW_TO_END, Tone.FAINT),)], width, 1)]


def _job(job: JobVitals, passed: float, width: int, height: int, unicode: bool) -> list[_Block]:
    most = max(height // 3, 1)
    parts = live_job.header(job, passed, unicode)
    blocks = [_flowing(0, parts, width, 3), _gap(12)]
    if not job.ranks:
        return blocks

    def cells(room: int) -> list[Row]:
        """The strip, and under it what its cells mean."""
        under = min(max(room - most, 1), 2) if room > 1 else 0
        drawn = strip(job.ranks, width, min(room - under, most), unicode, job.blamed_hosts)
        meant = _flowed(tally(job.ranks, drawn.each, unicode), width)
        return [*drawn.rows, *meant[: room - len(drawn.rows)]]

    blocks.append(_Block(3, 1, len(cells(most + 2)), cells))
    if wrong := worst_first(job.ranks):
        rows = [live_job.member(rank, passed, unicode) for rank in wrong]
        blocks.append(_some(9, rows, min(MOST_MEMBERS, most), "rank", least=0))
    return [*blocks, _gap(13)]


def _read(scene: Scene, vitals: Vitals, passed: float) -> list[Row]:
    if scene.snapshot is None:
        return [(Span("Nothing was judged yet."),)]
    if not vitals.lines:
        return [(Span("Nothing has been written yet."),), (Span(phrasing.count(vitals.sources, "log")),)]
    pace = f" ({scene.pace:,.0f} a second)" if scene.pace is not None else ""
    told = [
        phrasing.count(vitals.sources, "log"),
        f"{phrasing.count(vitals.lines, 'line')}{pace}",
        format_bytes(vitals.bytes),
        phrasing.count(vitals.events, "event"),
        f"judged {age(passed)} ago",
    ]
    return [(Span(word, Tone.FAINT),) for word in told]


def _problems(scene: Scene) -> list[Row]:
    inputs = scene.snapshot.analysis.inputs if scene.snapshot else ()
    told = [f"{one.source}: {problem.text}" for one in inputs for problem in one.problems]
    return [(Span(text, Tone.CAUTION),) for text in dict.fromkeys((*reversed(scene.troubles), *told))]


# Verdicts


def _verdicts(scene: Scene, height: int) -> _Block:
    standing = sorted(scene.standing, key=_badness)
    gone = [_gone(scene.gone, scene.now)] if scene.gone and scene.now - scene.gone.at < NEW else []
    if not standing:
        nothing = scene.snapshot is not None and scene.snapshot.vitals.lines
        rows = gone or ([(Span("Nothing wrong found so far.", Tone.STRONG),)] if nothing else [])
        return _Block(1, min(len(rows), 1), len(rows), lambda _: rows)

    def fitting(most: int) -> list[Row]:
        rest = max(most - len(gone), 1)
        each = 2 if 2 * len(standing) <= rest else 1
        shown = standing if each * len(standing) <= rest else standing[: max(rest - 1, 1)]
        rows = [row for one in shown for row in _verdict(one, scene)[:each]]
        if len(shown) < len(standing):
            if len(rows) < rest:
                rows.append((Span(f"and {len(standing) - len(shown):,} more", Tone.FAINT),))
            else:
                rows = [(Span(f"1 of {len(standing):,}: ", Tone.FAINT), *rows[0])]
        return [*rows, *gone]

    return _Block(1, 1, min(2 * len(standing) + len(gone), max(height // 2, 2)), fitting)


def _badness(standing: Standing) -> tuple[int, int, bool, int]:
    one = standing.verdict
    return one.status != "firm", -SEVERITY_ORDER[one.severity], one.role != "root", -CONFIDENCE_ORDER[one.confidence]


def _verdict(standing: Standing, scene: Scene) -> list[Row]:
    """What was found, and under it who, since when, and for how long it has been told."""
    one = standing.verdict
    changed = scene.changed.get(standing.key)
    is_new = changed is not None and scene.now - changed < NEW
    word = severity(one)
    lead = Span("NEW ", Tone.STRONG) if is_new else Span("")
    summary = Span(one.summary, Tone.STRONG if is_new else Tone.PLAIN)
    is_dated = one.since.earliest or one.since.latest
    told = [
        unnamed(one.culprits, one.summary),
        f"began {phrasing.since(replace(one.since, basis=''))}" if is_dated else "",
        f"told {age(scene.now - standing.told_at)} ago",
        one.rule,
    ]
    return [
        (lead, Span(f"{word.upper() if one.severity.fails and one.status == 'firm' else word}: ", tone(one)), summary),
        (Span("  " + "; ".join(text for text in told if text), Tone.FAINT),),
    ]


def _gone(change: Change, now: float) -> Row:
    return (Span(f"{change.kind.value} {age(now - change.at)} ago: {change.verdict.summary}", Tone.FAINT),)


# Blocks


def _gap(weight: int) -> _Block:
    return _Block(weight, 0, 1, lambda _: [()])


def _some(weight: int, rows: Sequence[Row], most: int, noun: str, least: int = 1) -> _Block:
    """As many rows as there is room for; the rest is counted."""

    def fitting(room: int) -> list[Row]:
        if len(rows) <= room:
            return list(rows)
        if room == 1:
            return [(Span(phrasing.count(len(rows), noun)),)]
        rest = len(rows) - room + 1
        return [*rows[: room - 1], (Span(f"and {rest:,} more", Tone.FAINT),)]

    return _Block(weight, least, min(len(rows), most), fitting)


def _flowing(weight: int, parts: Sequence[Row], width: int, most: int) -> _Block:
    """Parts in as many rows as they need; those that have no row are left out."""
    rows = _flowed(parts, width)
    return _Block(weight, min(1, len(rows)), min(len(rows), most), lambda _: rows)


def _flowed(parts: Sequence[Row], width: int) -> list[Row]:
    """Parts one behind the other, in the next row where one does not fit."""
    rows: list[Row] = []
    used = width
    for part in parts:
        needs = sum(len(span.text) for span in part)
        if used + len(_BETWEEN) + needs > width:
            rows.append(part)
            used = needs
        else:
            rows[-1] = (*rows[-1], Span(_BETWEEN), *part)
            used += len(_BETWEEN) + needs
    return rows
