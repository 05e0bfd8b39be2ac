"""What is told of a job as a whole, of all that is known of its members?"""

from collections.abc import Sequence

from logsleuth.diagnosis.story import silent_ranks
from logsleuth.engine.roster import Roster
from logsleuth.engine.skew import ClockReading
from logsleuth.model.analysis import Clock, Job, Span
from logsleuth.model.origin import Log


def job_of(roster: Roster, name: str, logs: Sequence[Log]) -> Job:
    """The job of this name; ``logs`` are all that were read, by the numbers of their sources."""
    return Job(
        id=name,
        size=roster.size,
        size_is_stated=roster.size_is_stated,
        seen_ranks=roster.seen_ranks,
        silent_ranks=silent_ranks(roster),
        hosts=roster.hosts,
        attempts=roster.last_attempt + 1,
        span=_span(roster),
        clocks=tuple(_clock(reading, logs) for reading in roster.axis.known),
    )


def _span(roster: Roster) -> Span:
    """From the first to the last stamp, both as the clock of the first shows it."""
    if roster.span is None:
        return Span(None, None)
    first, last = roster.span
    return Span(*(roster.calendar.text(instant.seconds + first.clock.ahead) for instant in (first, last)))


def _clock(reading: ClockReading, logs: Sequence[Log]) -> Clock:
    is_known = reading.anchors > 0
    return Clock(
        host=reading.host or None,
        source=None if reading.source is None else logs[reading.source].path,
        offset=round(reading.clock.ahead, 3),
        uncertainty=round(reading.clock.uncertainty, 3) if is_known else None,
        anchors=reading.anchors,
    )
