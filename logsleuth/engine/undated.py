"""When lines were written that tell no day: clocks without one, and kernels that count from when they were started.

A clock without a day goes on over midnight as its source does. Which day the source begins on is told by stamps in it
that have one, else by the time that the other logs of the job span; where no log tells a day, by that of the longest.
Where nothing tells, a line has no time at all. For kernels see ``boots``.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from logsleuth.engine.boots import kernel_times
from logsleuth.engine.calendar import Calendar
from logsleuth.engine.days import DAY, Row, Span, counted_days, day_among, day_beside
from logsleuth.engine.fold import Kept, State
from logsleuth.model.event import Occurrence
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import NOWHERE, PathLabel, Stamp

_SOME_DAY = 400 * DAY
"""Behind ``NOWHERE``: where the clocks of a job are placed of which no log tells a day."""
_END = float("inf")
_Seen = list[tuple[float, Stamp]]
"""Stamps of a source and where they stand, in its order."""
Readings = dict[tuple[float, float], Stamp | None]
"""What the stamps of a source are taken for, by their place and their seconds."""


class Placed(NamedTuple):
    """A state in which all stamps can be compared."""

    state: State
    sources: frozenset[int]
    """Those of which stamps were placed: their lines may be some seconds off."""


def placed(state: State, labels: Mapping[int, PathLabel]) -> Placed:
    """The state with every stamp that has no day replaced by one that has, or by none."""
    seen = {source: _of_samples(life) for source, life in state.sources.items()}
    occurrences = {(o.event, o.source, o.offset, o.end_offset): o for k in state.kept.values() for o in k.occurrences}
    for o in occurrences.values():
        pairs = ((o.offset, o.stamp), (_before(o), o.after))
        seen.setdefault(o.source, []).extend((at, stamp) for at, stamp in pairs if stamp)
    vague = frozenset(source for source, row in seen.items() if any(stamp.seconds < 0 for _, stamp in row))
    if not vague:
        return Placed(state, vague)
    for row in seen.values():
        row.sort()
    readings = _clocks(seen, vague)
    for source, times in kernel_times(occurrences.values(), labels).items():
        counts = [(at, stamp.seconds) for at, stamp in seen[source]]
        readings.setdefault(source, {}).update(((at, s), told) for at, s in counts if (told := times(s)))
    return Placed(_replaced(state, {source: readings.get(source, {}) for source in vague}), vague)


def _before(o: Occurrence) -> float:
    return o.offset - 0.5


def _of_samples(life: SourceLife) -> _Seen:
    row: list[tuple[float, Stamp | None]] = [(life.first_stamp_at, life.first_stamp), (_END, life.last_stamp)]
    row += [(one.last, one.stamp) for one in life.lives.values()]
    row += life.undated
    return [(at, stamp) for at, stamp in row if stamp]


# Clocks without a day


def _clocks(seen: Mapping[int, _Seen], vague: Iterable[int]) -> dict[int, Readings]:
    """What the clocks without a day of each source are taken for."""
    calendar = Calendar(stamp for row in seen.values() for _, stamp in row)
    dated = {source: _dated(row, calendar) for source, row in seen.items()}
    spans = {source: _reach(row) for source, row in dated.items() if row}
    raw = {source: [(at, s.seconds) for at, s in seen[source] if NOWHERE <= s.seconds < 0] for source in vague}
    rows = {source: counted_days(row) for source, row in raw.items() if row}
    if rows and not spans:
        first, last = max((_reach(rows[source]) for source in sorted(rows)), key=lambda reach: reach[1] - reach[0])
        spans[-1] = first + _SOME_DAY, last + _SOME_DAY
    out: dict[int, Readings] = {}
    for source, row in rows.items():
        beside = dated[source]
        shift = day_beside(row, beside) if beside else day_among(_reach(row), list(spans.values()))
        if shift is not None:
            stamps = [Stamp(seconds + shift, calendar.has_years, False) for _, seconds in row]
            out[source] = dict(zip(raw[source], stamps, strict=True))
    return out


def _dated(row: _Seen, calendar: Calendar) -> Row:
    return [(at, seconds) for at, stamp in row if (seconds := calendar.seconds(stamp)) is not None]


def _reach(row: Row) -> Span:
    return min(seconds for _, seconds in row), max(seconds for _, seconds in row)


# The state


def _replaced(state: State, readings: Mapping[int, Readings]) -> State:
    def read(source: int, at: float, stamp: Stamp | None) -> Stamp | None:
        return stamp if stamp is None or stamp.seconds >= 0 else readings[source].get((at, stamp.seconds))

    def at_end(source: int, at: float, stamp: Stamp | None) -> Stamp | None:
        # When a host was started says nothing of when its job was.
        return None if stamp is not None and stamp.seconds < NOWHERE else read(source, at, stamp)

    def dated(o: Occurrence) -> Occurrence:
        if all(stamp is None or stamp.seconds >= 0 for stamp in (o.stamp, o.after)):
            return o
        return o._replace(stamp=read(o.source, o.offset, o.stamp), after=read(o.source, _before(o), o.after))

    kept = dict(state.kept)
    for key, k in state.kept.items():
        if key.source in readings:
            # The earliest are mostly the latest too.
            moved = {id(o): dated(o) for o in (*k.earliest, *k.latest)}
            earliest, latest = ([moved[id(o)] for o in of] for of in (k.earliest, k.latest))
            kept[key] = Kept(k.count, earliest, latest, k.repeats)
    sources = dict(state.sources)
    for source in readings.keys() & sources.keys():
        life = sources[source]
        sources[source] = SourceLife(
            at_end(source, life.first_stamp_at, life.first_stamp),
            life.first_stamp_at,
            at_end(source, _END, life.last_stamp),
            {tag: one._replace(stamp=read(source, one.last, one.stamp)) for tag, one in life.lives.items()},
            life.content,
            life.endings,
        )
    return State(kept, sources, state.series)
