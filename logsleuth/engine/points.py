"""The values of a series as occurrences, so that rules can ask for them one by one."""

import math
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property

from logsleuth.engine.clock import Moment
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.series_of_members import SeriesView, occurrence_of
from logsleuth.engine.subject import JOB, Member, Subject
from logsleuth.language.syntax import Event, Place
from logsleuth.model.event import FieldValue, Occurrence
from logsleuth.model.origin import BARE
from logsleuth.model.series import Point

KEPT = 32
"""Of a series that is asked for without a filter the first and the last so many values of each member are told, as of
any event."""


class Column:
    """The values that are kept of a series of one member, in the order of steps."""

    def __init__(self, roster: Roster, event: Event, subject: Subject, view: SeriesView, attempt: int) -> None:
        self.event, self.subject, self.attempt = event, subject, attempt
        self._is_asked = bool(subject.members) or len(roster.series(event.name, attempt)) == 1
        self._roster, self._view = roster, view
        self._sightings: dict[int, Sighting] = {}

    def __len__(self) -> int:
        return len(self.points)

    @property
    def points(self) -> list[Point]:
        return self._view.in_order.points

    @property
    def values(self) -> list[float]:
        return self._view.in_order.values

    @property
    def steps(self) -> list[int]:
        return self._view.in_order.steps

    @cached_property
    def odd(self) -> list[int]:
        """The places of values that are no finite numbers."""
        values = self.values
        return (
            [] if all(map(math.isfinite, values)) else [at for at, one in enumerate(values) if not math.isfinite(one)]
        )

    @cached_property
    def levels(self) -> tuple[float, float] | None:
        """The least and the greatest of the samples that functions of ``value`` look at; None where these are not those
        of the member alone, or where there is none."""
        levels = [sample.value for sample in self._view.samples()]
        return (min(levels), max(levels)) if levels and self._is_asked else None

    @cached_property
    def texts(self) -> dict[int, str]:
        """The lines that were kept, by the places of their values, in their order."""
        kept: dict[int, str] = {}
        ordered = self._view.in_order
        for quoted, text in ordered.series.quotes.items():
            at = bisect_left(ordered.steps, quoted.step)
            while at < len(ordered.points) and ordered.steps[at] == quoted.step:
                if ordered.points[at] == quoted and text:
                    kept[at] = text
                at += 1
        return {at: kept[at] for at in sorted(kept)}

    def sightings(self, places: Iterable[int]) -> list[Sighting]:
        """Several of them."""
        known = self._sightings
        return [known.get(at) or self.sighting(at) for at in places]

    def sighting(self, at: int) -> Sighting:
        """A value as an occurrence: one object, whoever asks."""
        found = self._sightings.get(at)
        if found is None:
            found = self._sightings[at] = _ValueSeen(self, at)
        return found

    def read(self, at: int) -> tuple[Occurrence, Moment]:
        """A value where it stands, and when it was written."""
        point, fields = self.points[at], self.fields(at)
        occurrence = occurrence_of(point, self.event.name, fields, self.texts.get(at, ""))
        seconds = self._roster.calendar.seconds(occurrence.stamp)
        low, high = (-math.inf, math.inf) if seconds is None else (seconds, seconds)
        return occurrence, Moment(low, high, point.source, point.offset, point.offset, BARE, seconds is not None)

    def fields(self, at: int) -> dict[str, FieldValue]:
        point = self.points[at]
        return {"value": point.value, "step": point.step}


_set = object.__setattr__
"""Sightings are frozen for everybody else."""


class _ValueSeen(Sighting):
    """A value as an occurrence. When it was written is read when somebody asks: of most that pass some filter nobody
    does."""

    __slots__ = ("_at", "_column", "_read")
    _column: Column
    _at: int
    _read: tuple[Occurrence, Moment] | None

    def __init__(self, column: Column, at: int) -> None:
        _set(self, "_column", column)
        _set(self, "_at", at)
        _set(self, "_read", None)

    @property
    def event(self) -> Event:
        return self._column.event

    @property
    def subject(self) -> Subject:
        return self._column.subject

    @property
    def attempt(self) -> int:
        return self._column.attempt

    @property
    def group(self) -> None:
        return None

    @property
    def occurrence(self) -> Occurrence:
        return self._known[0]

    @property
    def began(self) -> Moment:
        return self._known[1]

    @property
    def fields(self) -> dict[str, FieldValue]:
        return self._column.fields(self._at)

    @property
    def _known(self) -> tuple[Occurrence, Moment]:
        read = self._read
        if read is None:
            read = self._column.read(self._at)
            _set(self, "_read", read)
        return read


def columns_of_series(roster: Roster, name: str, attempt: int) -> list[Column]:
    """The values that are kept of a series, of each member that printed it; about the job where only one did."""
    event = Event(name, f"A value of the series {name}.", Place("", 0, 0))
    is_job_wide = roster.series_is_job_wide(name, attempt)
    return [
        Column(roster, event, JOB if is_job_wide else _subject(roster, member), view, attempt)
        for member, view in roster.series(name, attempt).items()
    ]


def _subject(roster: Roster, member: Member) -> Subject:
    return Subject((member,), roster.host_of(member), None)
