"""Stamps of all writers on one axis: what the clocks differ by is taken out."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from logsleuth.engine.anchors import Dials, anchors
from logsleuth.engine.calendar import Calendar
from logsleuth.engine.clock import NOMINAL, Clock
from logsleuth.engine.identity import Identity
from logsleuth.engine.skew import readings
from logsleuth.language.program import Program
from logsleuth.model.event import Occurrence
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import BARE, Stamp, Tag


class Instant(NamedTuple):
    """A stamp on the common axis, and the clock that it is of."""

    seconds: float
    clock: Clock


class Axis:
    """Places stamps, from all that a job's logs tell of its clocks."""

    def __init__(
        self,
        program: Program,
        occurrences: Sequence[Occurrence],
        sources: Mapping[int, SourceLife],
        identity: Identity,
        calendar: Calendar,
        attempt_of: Callable[[Occurrence], int | None],
    ) -> None:
        self.calendar = calendar
        self._dials = Dials(identity)
        shared = anchors(program, occurrences, identity, self._dials, calendar, attempt_of)
        stamps = {(o.source, o.tag, o.stamp.has_zone) for o in occurrences if o.stamp}
        for source, facts in sources.items():
            stamps |= {(source, tag, life.stamp.has_zone) for tag, life in facts.lives.items() if life.stamp}
        self._clocks, self.known = readings({self._dials.of(*stamp) for stamp in stamps}, shared)
        """``known``: every clock that some stamp was read from."""
        self._of_source: dict[int, set[int]] = defaultdict(set)
        for dial, clock in self._clocks.items():
            self._of_source[dial.source].add(clock.number)

    def has_one(self, source: int) -> bool:
        """Whether all stamps of a source are of one clock."""
        return len(self._of_source[source]) < 2

    def instant(self, source: int, tag: Tag, stamp: Stamp | None) -> Instant | None:
        """The moment of a stamp of a writer; None without one."""
        seconds = self.calendar.seconds(stamp)
        if seconds is None or stamp is None:
            return None
        clock = self._clocks.get(self._dials.of(source, tag, stamp.has_zone), NOMINAL)
        return Instant(seconds - clock.ahead, clock)

    def seconds_near(self, o: Occurrence) -> float | None:
        """The moment of an occurrence, or where it has no stamp that of the stamp before it."""
        instant = self.instant(o.source, o.tag, o.stamp or o.after)
        return instant.seconds if instant else None

    def span(self, sources: Mapping[int, SourceLife]) -> tuple[Instant, Instant] | None:
        """The first and the last moment that the sources show; None without a clock."""
        found = [
            instant
            for source, facts in sources.items()
            for stamp in (facts.first_stamp, facts.last_stamp)
            if (instant := self.instant(source, BARE, stamp)) is not None
        ]
        return (min(found), max(found)) if found else None
