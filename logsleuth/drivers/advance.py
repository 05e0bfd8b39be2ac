"""How far has the training come, how fast does it go, and what do its numbers say?"""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from logsleuth.drivers.signs import Ages
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.series_of_members import SeriesView
from logsleuth.engine.subject import Member
from logsleuth.model.event import Occurrence
from logsleuth.model.origin import BARE
from logsleuth.model.series import Point

STEP = "train.step"
LOSS = "train.loss"
MEMORIES = (
    ("train.memory_allocated", "allocated"),
    ("train.memory_reserved", "reserved"),
    ("gpu.memory_used", "in use"),
    ("train.memory_peak", "peak"),
)
"""Series that tell memory, the one that is asked first before the others, and what each counts."""
LATE = 120.0
"""Seconds: what counts as of late."""
FEW, MANY = 5, 64
"""Steps that count as of late however long they took, and at most."""
LOSSES = 32

_OF = re.compile(
    r"(?:step|iter(?:ation)?|update)s?[\"']?[\s:=#\[]{0,12}(\d{1,12})\s*(?:/|of)\s*(\d{1,12})(?!\d)", re.IGNORECASE
)
"""How lines tell a step and the last one, of which the wordings of events read only the first."""


class Mark(NamedTuple):
    """A line that tells a step."""

    step: int
    total: int | None
    line: Point | Occurrence

    def age(self, ages: Ages) -> float | None:
        """Seconds since it was written."""
        return ages.of(self.line, self.line.tag if isinstance(self.line, Occurrence) else BARE)


class Pace(NamedTuple):
    """What the last steps took."""

    speed: float | None
    """Steps a second."""
    gap: float | None
    """Seconds from one line that tells a step to the next, as a rule..."""
    longest: float | None
    """... and at most."""


NO_PACE = Pace(None, None, None)


class Advance:
    """The steps and numbers of one attempt, by members."""

    def __init__(self, roster: Roster, attempt: int, steps: Sequence[Sighting]) -> None:
        """``steps`` are the occurrences of ``STEP`` in the attempt."""
        self._roster, self._attempt = roster, attempt
        # What a trainer tells of a step stands in one line mostly, so one series is as good as all of them.
        series = (name for name, use in roster.seen if use is None)
        names = sorted(name for name in series if name.startswith("train.") and roster.series(name, attempt))
        self._names = sorted(names, key=lambda name: name != LOSS)
        self._sightings: dict[Member, list[Sighting]] = {}
        for sighting in steps:
            for member in sighting.subject.members:
                self._sightings.setdefault(member, []).append(sighting)
        self.has_begun = bool(self._sightings) or bool(self._names)
        """Whether any line told of training, if only that it began."""
        self.last: dict[Member, Mark] = {}
        """The furthest step of each member that tells any."""
        for member in {**self._sightings, **{m: None for name in self._names for m in roster.series(name, attempt)}}:
            if mark := self._last(member):
                self.last[member] = mark

    @property
    def leader(self) -> Member | None:
        """The member that is furthest; of several the first."""
        return max(self.last, key=lambda member: self.last[member].step, default=None)

    def _view(self, member: Member) -> SeriesView | None:
        views = (self._roster.series(name, self._attempt).get(member) for name in self._names)
        return next((view for view in views if view is not None and view.by_step), None)

    def _last(self, member: Member) -> Mark | None:
        told = max(_told(self._sightings.get(member, ())), key=lambda mark: mark.step, default=None)
        if told is not None and told.total is None:
            told = told._replace(total=_total(told))
        view = self._view(member)
        if view is None:
            return told
        point = _last_point(view)
        if told is not None and told.step >= point.step:
            return told
        return Mark(point.step, told.total if told else None, point)

    def marks(self, member: Member) -> list[Mark]:
        """The last lines of a member that tell steps, one for each step, in the order of steps."""
        by_step = {mark.step: mark for mark in _told(self._sightings.get(member, ()))}
        if view := self._view(member):
            points = (point for bucket in view.buckets[-MANY:] for point in bucket.points)
            by_step |= {point.step: Mark(point.step, None, point) for point in points}
        return [by_step[step] for step in sorted(by_step)[-MANY:]]

    def pace(self, member: Member, ages: Ages) -> Pace:
        """What the last steps of a member took: by their stamps, else by when they came."""
        marks = self.marks(member)
        by_stamp = [(mark.step, _age_by_stamp(mark, ages)) for mark in marks]
        by_arrival = [(mark.step, ages.since_it_came(mark.line.source, mark.line.offset)) for mark in marks]
        for told in (by_stamp, by_arrival):
            known = [(step, -age) for step, age in told if age is not None]
            if len(known) > 1 and known[-1][1] > known[0][1]:
                return _pace(known)
        return NO_PACE

    def losses(self) -> list[float]:
        """The last losses of the member that is furthest with them, in their order."""
        views = [view for view in self._roster.series(LOSS, self._attempt).values() if view.series.filled]
        if not views:
            return []
        view = max(views, key=lambda view: view.by_step and max(view.series.filled) * view.series.stride)
        return [bucket.points[-1].value for bucket in view.buckets[-LOSSES:]]

    def memory(self) -> tuple[float, str] | None:
        """The memory of the member that uses most, and what it counts."""
        for name, counts in MEMORIES:
            views = self._roster.series(name, self._attempt).values()
            if known := [value for view in views if math.isfinite(value := _last_point(view).value)]:
                return max(known), counts
        return None

    def step_seconds(self, member: Member) -> float | None:
        """What a step takes, as the member itself tells."""
        view = self._roster.series("train.step_seconds", self._attempt).get(member)
        value = _last_point(view).value if view else 0.0
        return value if math.isfinite(value) and value > 0 else None


def _last_point(view: SeriesView) -> Point:
    """The value of the furthest step; of the last stretch of steps the first that was no number, where it came last."""
    filled = view.series.filled
    return filled[max(filled)].points[-1]


def _told(sightings: Sequence[Sighting]) -> Iterator[Mark]:
    """The steps that occurrences tell; a bar tells how far a loop is, which counts as steps where nothing else does."""
    for first, second in (("step", "total"), ("done", "todo")):
        marks = []
        for sighting in sightings:
            fields = sighting.occurrence.fields
            step, total = fields.get(first), fields.get(second)
            if isinstance(step, int):
                marks.append(Mark(step, total if isinstance(total, int) else None, sighting.occurrence))
        if marks:
            yield from marks
            return


def _total(mark: Mark) -> int | None:
    """The last step that is to come, where it stands right behind the step in its line."""
    text = mark.line.text if isinstance(mark.line, Occurrence) else ""
    return next((int(of[2]) for of in _OF.finditer(text) if int(of[1]) == mark.step <= int(of[2])), None)


def _age_by_stamp(mark: Mark, ages: Ages) -> float | None:
    tag = mark.line.tag if isinstance(mark.line, Occurrence) else BARE
    return ages.by_stamp(mark.line.source, tag, mark.line.stamp)


def _pace(known: Sequence[tuple[int, float]]) -> Pace:
    """Of steps and their moments: over the last minutes, but over some steps however long they took."""
    late = [place for place, (_, at) in enumerate(known) if at >= known[-1][1] - LATE]
    start = min(late[0], max(len(known) - FEW, 0))
    while start and known[start][1] >= known[-1][1]:
        start -= 1
    took = known[-1][1] - known[start][1]
    gaps = [after - before for (_, before), (_, after) in pairwise(known)]
    speed = (known[-1][0] - known[start][0]) / took if took > 0 else None
    return Pace(speed, median(gaps), max(gaps))
