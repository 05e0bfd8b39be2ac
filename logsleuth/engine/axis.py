"""Stamps of all writers on one axis: what the clocks differ by is taken out."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from logsleuth.engine.anchors import Dial, Dials, anchors
from logsleuth.engine.calendar import Calendar
from logsleuth.engine.clock import NOMINAL, Clock
from logsleuth.engine.identity import Identity
from logsleuth.engine.set_back import set_back
from logsleuth.engine.skew import readings
from logsleuth.engine.zone_doubts import Shown
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
        shown = self._shown(occurrences, sources)
        self._clocks, self.known = readings(shown, shared, shown, self._fallen(occurrences))
        """``known``: every clock that some stamp was read from."""
        self._of_writer: dict[tuple[int, Tag, bool], Clock] = {}
        """The clocks that stamps were read from, by who wrote them."""
        self._of_source: dict[int, set[int]] = defaultdict(set)
        for dial, clock in self._clocks.items():
            self._of_source[dial.source].add(clock.number)

    def _shown(self, occurrences: Sequence[Occurrence], sources: Mapping[int, SourceLife]) -> dict[Dial, Shown]:
        """What every dial shows first and last."""
        seen = [(o.source, o.tag, o.stamp) for o in occurrences]
        for source, facts in sources.items():
            seen += [(source, tag, life.stamp) for tag, life in facts.lives.items()]
            # By whom the first line is cannot be told here: by somebody who shows stamps of its kind.
            tags = {(tag, life.stamp.has_zone) for tag, life in facts.lives.items() if life.stamp}
            first = facts.first_stamp
            seen += [(source, tag, first) for tag, is_zoned in tags if first and first.has_zone is is_zoned]
        out: dict[Dial, Shown] = {}
        for source, tag, stamp in seen:
            seconds = self.calendar.seconds(stamp)
            if stamp is not None and seconds is not None:
                dial = self._dials.of(source, tag, stamp.has_zone)
                known = out.get(dial, Shown(seconds, seconds))
                out[dial] = Shown(min(known.first, seconds), max(known.last, seconds))
        return out

    def _fallen(self, occurrences: Sequence[Occurrence]) -> dict[Dial, float]:
        told: dict[tuple[int, Tag, Dial], list[tuple[int, float]]] = defaultdict(list)
        for o in occurrences:
            seconds = self.calendar.seconds(o.stamp)
            if o.stamp is not None and seconds is not None:
                told[o.source, o.tag, self._dials.of(o.source, o.tag, o.stamp.has_zone)].append((o.offset, seconds))
        return set_back(told)

    def has_one(self, source: int) -> bool:
        """Whether all stamps of a source are of one clock."""
        return len(self._of_source[source]) < 2

    def instant(self, source: int, tag: Tag, stamp: Stamp | None) -> Instant | None:
        """The moment of a stamp of a writer; None without one."""
        seconds = self.calendar.seconds(stamp)
        if seconds is None or stamp is None:
            return None
        place = source, tag, stamp.has_zone
        clock = self._of_writer.get(place)
        if clock is None:
            clock = self._of_writer[place] = self._clocks.get(self._dials.of(*place), NOMINAL)
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
