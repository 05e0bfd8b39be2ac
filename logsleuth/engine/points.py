"""The values of a series as occurrences, so that rules can ask for them one by one."""

import math
from bisect import bisect_left
from functools import cached_property

from logsleuth.engine.clock import Moment
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.series_of_members import SeriesView, occurrence_of, points
from logsleuth.engine.subject import JOB, Member, Subject
from logsleuth.language.syntax import Event, Place
from logsleuth.model.event import FieldValue
from logsleuth.model.origin import BARE
from logsleuth.model.series import Point

KEPT = 32
"""Of a series that is asked for without a filter the first and the last so many values of each member are told, as of
any event."""


class Column:
    """The values that are kept of a series of one member, in the order of steps."""

    def __init__(self, roster: Roster, event: Event, subject: Subject, view: SeriesView, attempt: int) -> None:
        self.subject = subject
        self.points = list(points(view))
        self.values = [point.value for point in self.points]
        self._roster, self._event, self._view, self._attempt = roster, event, view, attempt
        self._sightings: dict[int, Sighting] = {}

    def __len__(self) -> int:
        return len(self.points)

    @cached_property
    def steps(self) -> list[int]:
        return [point.step for point in self.points]

    @cached_property
    def odd(self) -> list[int]:
        """The places of values that are no finite numbers."""
        if all(map(math.isfinite, self.values)):
            return []
        return [at for at, value in enumerate(self.values) if not math.isfinite(value)]

    @cached_property
    def texts(self) -> dict[int, str]:
        """The lines that were kept, by the places of their values, in their order."""
        kept: dict[int, str] = {}
        for quoted, text in self._view.series.quotes.items():
            at = bisect_left(self.steps, quoted.step)
            while at < len(self.points) and self.steps[at] == quoted.step:
                if self.points[at] == quoted and text:
                    kept[at] = text
                at += 1
        return {at: kept[at] for at in sorted(kept)}

    def sighting(self, at: int) -> Sighting:
        """A value as an occurrence: one object, whoever asks."""
        found = self._sightings.get(at)
        if found is None:
            found = self._sightings[at] = self._seen(self.points[at], self.texts.get(at, ""))
        return found

    def _seen(self, point: Point, text: str) -> Sighting:
        fields: dict[str, FieldValue] = {"value": point.value, "step": point.step}
        occurrence = occurrence_of(point, self._event.name, fields, text)
        seconds = self._roster.calendar.seconds(occurrence.stamp)
        low, high = (-math.inf, math.inf) if seconds is None else (seconds, seconds)
        moment = Moment(low, high, point.source, point.offset, point.offset, BARE, seconds is not None)
        return Sighting(occurrence, self._event, self.subject, self._attempt, moment)


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
