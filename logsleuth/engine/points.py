"""The values of a series as occurrences, so that rules can ask for them one by one."""

import math

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


class Told:
    """A value of a series; an occurrence is made of it where somebody asks for more than the number."""

    __slots__ = ("_sighting", "attempt", "event", "point", "roster", "subject", "view")

    def __init__(
        self, roster: Roster, event: Event, subject: Subject, view: SeriesView, point: Point, attempt: int
    ) -> None:
        self.roster, self.event, self.subject, self.attempt = roster, event, subject, attempt
        self.view, self.point = view, point
        self._sighting: Sighting | None = None

    @property
    def sighting(self) -> Sighting:
        """The value as an occurrence: one object, whoever asks."""
        if self._sighting is None:
            self._sighting = _sighting(self.roster, self.event, self.subject, self.view, self.point, self.attempt)
        return self._sighting

    @property
    def text(self) -> str:
        """Its line, where that was kept."""
        return self.view.text(self.point)


def values_of_series(roster: Roster, name: str, attempt: int) -> list[list[Told]]:
    """The values that are kept of a series, of each member that printed it; about the job where only one did."""
    event = Event(name, f"A value of the series {name}.", Place("", 0, 0))
    is_job_wide = roster.series_is_job_wide(name, attempt)
    return [
        [Told(roster, event, subject, view, point, attempt) for point in points(view)]
        for member, view in roster.series(name, attempt).items()
        for subject in [JOB if is_job_wide else _subject(roster, member)]
    ]


def _subject(roster: Roster, member: Member) -> Subject:
    return Subject((member,), roster.host_of(member), None)


def _sighting(roster: Roster, event: Event, subject: Subject, view: SeriesView, point: Point, attempt: int) -> Sighting:
    fields: dict[str, FieldValue] = {"value": point.value, "step": point.step}
    occurrence = occurrence_of(point, event.name, fields, view.text(point))
    seconds = roster.calendar.seconds(occurrence.stamp)
    low, high = (-math.inf, math.inf) if seconds is None else (seconds, seconds)
    moment = Moment(low, high, point.source, point.offset, point.offset, BARE, seconds is not None)
    return Sighting(occurrence, event, subject, attempt, moment)
