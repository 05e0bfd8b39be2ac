"""How long ago was something written, and when did each member of a job last show a sign of life?

Two clocks may tell. The one of whoever follows a log says when its bytes came; where nobody saw them come, stamps say
how far a line lies behind the newest of the job.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from logsleuth.engine.jobs import Part
from logsleuth.engine.roster import Roster
from logsleuth.engine.subject import Member
from logsleuth.model.life import SourceLife
from logsleuth.model.origin import BARE, Stamp, Tag
from logsleuth.model.present import Present


class Written(Protocol):
    """A line: an occurrence, or a value of a series."""

    @property
    def source(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def stamp(self) -> Stamp | None: ...


class Ages:
    """Seconds from when things were written to now. Without a present, now is the newest stamp of the job."""

    def __init__(self, roster: Roster, part: Part, present: Present | None) -> None:
        self._roster, self._present = roster, present
        self._behind = 0.0
        """Seconds since anything of the job came: by so much is the newest stamp old."""
        if present is not None:
            known = (present.arrivals[source].last for source in part.state.sources if source in present.arrivals)
            self._behind = max(present.now - max((at for at in known if at is not None), default=present.now), 0.0)

    def of(self, line: Written, tag: Tag = BARE) -> float | None:
        """Of a line; None where no clock tells."""
        came = self.since_it_came(line.source, line.offset)
        return self.by_stamp(line.source, tag, line.stamp) if came is None else came

    def since_it_came(self, source: int, offset: int) -> float | None:
        """Of a byte of a source that somebody saw come; None of others."""
        if self._present is None or source not in self._present.arrivals:
            return None
        came = self._present.arrivals[source].at(offset)
        return None if came is None else max(self._present.now - came, 0.0)

    def since_it_grew(self, source: int) -> float | None:
        """Of the last byte of a source; None where it is not followed, or empty."""
        if self._present is None or source not in self._present.arrivals:
            return None
        last = self._present.arrivals[source].last
        return None if last is None else max(self._present.now - last, 0.0)

    def by_stamp(self, source: int, tag: Tag, stamp: Stamp | None) -> float | None:
        """Of what a writer stamped; None without a stamp that tells a day."""
        instant = self._roster.axis.instant(source, tag, stamp)
        end = self._roster.end
        return None if instant is None or end is None else max(end - instant.seconds, 0.0) + self._behind


class Sign(NamedTuple):
    member: Member
    age: float
    """Seconds."""


def signs_of_life(roster: Roster, part: Part, ages: Ages) -> dict[Member, float]:
    """The age of the last line of each member of whom one is known, where a clock tells it."""
    latest: dict[Member, float] = {}
    for source, facts in part.state.sources.items():
        for member, age in _signs(source, facts, roster, ages):
            latest[member] = min(age, latest.get(member, age))
    return latest


def _signs(source: int, facts: SourceLife, roster: Roster, ages: Ages) -> Iterator[Sign]:
    """Whatever is written into a source of one writer is a sign of it; in others only its own lines are."""
    writers = {tag: roster.identity.writer(source, tag).members for tag in list(facts.lives) or [BARE]}
    grew = ages.since_it_grew(source)
    if grew is not None and len(set(writers.values())) == 1:
        yield from (Sign(member, grew) for member in next(iter(writers.values())))
        return
    for tag, life in facts.lives.items():
        came = ages.since_it_came(source, life.last)
        age = ages.by_stamp(source, tag, life.stamp) if came is None else came
        if age is not None:
            yield from (Sign(member, age) for member in writers[tag])
