"""Cites occurrences: the lines of the logs that tell of them."""

from collections.abc import Iterator, Sequence

from logsleuth.engine.roster import Roster, Sighting
from logsleuth.model.analysis import Evidence
from logsleuth.model.origin import Log

_LINES_OF_A_BLOCK = 2


class Citation:
    """Cites the occurrences of one job."""

    def __init__(self, roster: Roster, logs: Sequence[Log]) -> None:
        self._calendar, self._logs = roster.calendar, logs

    def lines(self, sighting: Sighting) -> Iterator[Evidence]:
        """The lines that tell it; none for a value of a series whose line was not kept."""
        o = sighting.occurrence
        # The first line of a block mostly only opens it; what it says stands in those that carry its fields.
        for line, offset, text in list(o.told[:_LINES_OF_A_BLOCK]) or [(o.line, o.offset, o.text)]:
            if text:
                yield self._evidence(sighting, line, offset, text)

    def line(self, sighting: Sighting) -> Evidence:
        """The line that tells it, without its text where that was not kept."""
        o = sighting.occurrence
        return next(self.lines(sighting), None) or self._evidence(sighting, o.line, o.offset, o.text)

    def _evidence(self, sighting: Sighting, line: int, offset: int, text: str) -> Evidence:
        o = sighting.occurrence
        ranks = [member.rank for member in sighting.subject.members]
        rank = ranks[0] if len(ranks) == 1 else None
        time = self._calendar.text(self._calendar.seconds(o.stamp))
        return Evidence(*self._logs[o.source].place(line, offset), rank, sighting.subject.host, time, text)
