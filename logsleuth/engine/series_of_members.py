"""Whose numbers a series holds, in which attempt."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from logsleuth.engine.attempts import Attempts
from logsleuth.engine.calendar import Calendar
from logsleuth.engine.identity import Identity
from logsleuth.engine.series import Bucket, Series, SeriesKey, merged_series
from logsleuth.engine.subject import Member, MemberKind, same
from logsleuth.language.program import Program
from logsleuth.language.syntax import Event
from logsleuth.model.event import FieldValue, Occurrence
from logsleuth.model.origin import BARE, Stamp, Tag
from logsleuth.model.series import Point

Seconds = Callable[[Stamp | None], float | None]


@dataclass(frozen=True, slots=True, eq=False)
class SeriesView:
    """One series of one member in one attempt: what functions of rules take."""

    series: Series
    by_step: bool
    """False where its lines tell no step: a step is then a line."""
    seconds: Seconds

    @property
    def buckets(self) -> list[Bucket]:
        """In the order of steps."""
        return self.series.buckets

    def before(self, step: int) -> "SeriesView":
        """What came before a step."""
        series = self.series
        filled = {place: bucket for place, bucket in series.filled.items() if bucket.points[-1].step < step}
        return SeriesView(Series(series.stride, filled, series.quotes), self.by_step, self.seconds)

    def text(self, point: Point) -> str:
        """The line of a value; empty where it was not kept."""
        return self.series.text(point)


def points(view: SeriesView) -> Iterator[Point]:
    """The values that are kept (of each bucket the first, last, least, greatest and the first that is no finite
    number), in the order of steps: a rule can ask for them one by one, as for occurrences of an event."""
    for bucket in view.buckets:
        yield from bucket.points


class SeriesOfMembers:
    """Finds the views of a series; each is made when it is first asked for."""

    def __init__(
        self,
        program: Program,
        series: dict[SeriesKey, Series],
        identity: Identity,
        attempts: Attempts,
        calendar: Calendar,
    ) -> None:
        self._program, self._identity, self._attempts = program, identity, attempts
        self._calendar = calendar
        self._series: dict[str, list[tuple[SeriesKey, Series]]] = defaultdict(list)
        for key, of_key in sorted(series.items(), key=lambda item: repr(item[0])):
            self._series[key.series].append((key, of_key))
        self._views: dict[str, dict[int, dict[Member, SeriesView]]] = {}

    def of(self, name: str, attempt: int) -> dict[Member, SeriesView]:
        """The series of every member that prints it in the attempt."""
        if name not in self._views:
            self._views[name] = self._viewed(name)
        return self._views[name].get(attempt, {})

    def tellers(self) -> Iterator[tuple[int, Member]]:
        """Every attempt and member of which there is some series."""
        for name in self._series:
            self.of(name, 0)
            yield from ((attempt, member) for attempt, views in self._views[name].items() for member in views)

    def is_job_wide(self, name: str, attempt: int) -> bool:
        """Whether the members that print it may all be one: its numbers are then the job's and convict nobody."""
        members = self.of(name, attempt)
        if any(member.kind is MemberKind.GPU for member in members):
            return False  # A monitor tells of every GPU by itself, even where there is one.
        return all(same(left, right) is not False for left, right in combinations(members, 2))

    def _viewed(self, name: str) -> dict[int, dict[Member, SeriesView]]:
        parts: dict[tuple[int, Member], dict[bool, list[Series]]] = defaultdict(lambda: defaultdict(list))
        for key, series in self._series.get(name, ()):
            members = self._members(key, series)
            for attempt, part in self._by_attempt(key, series).items():
                for member in members:
                    parts[attempt, member][key.by_step].append(part)
        views: dict[int, dict[Member, SeriesView]] = defaultdict(dict)
        for attempt, member in sorted(parts, key=repr):
            kinds = parts[attempt, member]
            # Lines that tell no step cannot be put among those that do.
            by_step = True in kinds
            views[attempt][member] = SeriesView(merged_series(kinds[by_step]), by_step, self._calendar.seconds)
        return views

    def _members(self, key: SeriesKey, series: Series) -> tuple[Member, ...]:
        event = self._program.events[key.event]
        subject = self._identity.subject(event, _occurrence(event, key, series.buckets[0].at))
        return subject.members or self._identity.writer(key.source, key.tag).members

    def _by_attempt(self, key: SeriesKey, series: Series) -> dict[int, Series]:
        """A segment may last for several attempts, where the source does not say that they begin but its clock does."""
        event = self._program.events[key.event]
        parts: dict[int, Series] = {}
        for place, bucket in series.filled.items():
            attempt = self._attempts.of(_occurrence(event, key, bucket.at))
            parts.setdefault(attempt, Series(series.stride, {}, series.quotes)).filled[place] = bucket
        return parts


def _occurrence(event: Event, key: SeriesKey, point: Point) -> Occurrence:
    """A value as an occurrence of the event that told it, as far as identity and attempt go."""
    fields = {field: value for (_, field), value in zip(event.about, key.about, strict=True)}
    known = {field: value for field, value in fields.items() if isinstance(value, str | int | float | tuple)}
    return occurrence_of(point, event.name, known, tag=key.tag, segment=key.segment)


def occurrence_of(
    point: Point, event: str, fields: dict[str, FieldValue], text: str = "", tag: Tag = BARE, segment: int = 0
) -> Occurrence:
    """A value of a series as an occurrence where it stands."""
    return Occurrence(
        event=event,
        source=point.source,
        offset=point.offset,
        line=point.line,
        end_offset=point.offset,
        tag=tag,
        stamp=point.stamp,
        after=None,
        segment=segment,
        level=None,
        exception=None,
        group=None,
        fields=fields,
        text=text,
    )
