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


def sightings_of_series(roster: Roster, name: str, attempt: int) -> list[Sighting]:
    """The values that are kept of a series, each about the member that printed it; about the job where only one did."""
    event = Event(name, f"A value of the series {name}.", Place("", 0, 0))
    is_job_wide = roster.series_is_job_wide(name, attempt)
    return [
        _sighting(roster, event, JOB if is_job_wide else _subject(roster, member), view, point, attempt)
        for member, view in roster.series(name, attempt).items()
        for point in points(view)
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
