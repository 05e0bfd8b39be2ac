"""Whose numbers a series holds, in which attempt."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from operator import attrgetter

from logsleuth.engine.attempts import Attempts
from logsleuth.engine.bucket import Bucket
from logsleuth.engine.calendar import Calendar
from logsleuth.engine.identity import Identity
from logsleuth.engine.laid_by import LaidBy
from logsleuth.engine.series import Series, SeriesKey
from logsleuth.engine.series_in_order import InOrder, Sample
from logsleuth.engine.series_together import together
from logsleuth.engine.subject import Member, MemberKind, Subject, same
from logsleuth.language.program import Program
from logsleuth.language.syntax import Event
from logsleuth.model.event import FieldValue, Occurrence
from logsleuth.model.origin import BARE, Stamp, Tag
from logsleuth.model.series import Point

Seconds = Callable[[Stamp | None], float | None]


class SeriesView:
    """One series of one member in one attempt: what functions of rules take."""

    def __init__(self, series: Series, by_step: bool, seconds: Seconds) -> None:
        self.series = series
        self.by_step = by_step
        """False where its lines tell no step: a step is then a line."""
        self.seconds = seconds
        self._open = None if isinstance(series, LaidBy) else InOrder(series)
        self._size: int | None = None
        """How many of the buckets are seen; None for all."""

    @property
    def in_order(self) -> InOrder:
        """What is asked of the whole series; not to be held on to, for it is much."""
        if self._open is not None:
            return self._open
        assert isinstance(self.series, LaidBy)
        return self.series.in_order

    @property
    def buckets(self) -> list[Bucket]:
        """In the order of steps."""
        return self.in_order.buckets[: self._size]

    def samples(self, above: float | None = None) -> list[Sample]:
        """Those of all buckets, or of those that begin above a step."""
        ordered, size = self.in_order, self._size
        end = len(ordered.samples) if size is None else ordered.known[size - 1] if size else 0
        start = 0 if above is None else bisect_right(ordered.samples, above, hi=end, key=attrgetter("at"))
        return ordered.samples[start:end]

    @property
    def latest(self) -> Sample | None:
        """The last of its samples."""
        ordered, size = self.in_order, self._size
        end = len(ordered.samples) if size is None else ordered.known[size - 1] if size else 0
        return ordered.samples[end - 1] if end else None

    def before(self, step: int) -> "SeriesView":
        """What came before a step."""
        view = SeriesView(self.series, self.by_step, self.seconds)
        view._open = self._open
        view._size = bisect_left(self.in_order.lasts, step, hi=self._size)
        return view

    @property
    def points(self) -> Iterable[Point]:
        """The values that are kept, in the order of steps."""
        return self.in_order.points_of(self._size)

    def text(self, point: Point) -> str:
        """The line of a value; empty where it was not kept."""
        return self.series.text(point)


def points(view: SeriesView) -> Iterable[Point]:
    """The values that are kept (of each bucket the first, last, least, greatest and the first that is no finite
    number), in the order of steps: a rule can ask for them one by one, as for occurrences of an event."""
    return view.points


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
        self._whole: dict[tuple[str, int], SeriesView | None] = {}
        self._job_wide: dict[tuple[str, int], bool] = {}
        self._subjects: dict[tuple[object, ...], Subject] = {}
        self._attempt_of: dict[tuple[int, int, Tag], int] = {}
        """By source, offset and writer: a line tells numbers for several series."""

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

    def subjects(self) -> Iterator[tuple[Event, Subject]]:
        """Every event that feeds a series, and whom its lines concern: lines that nothing else may have looked at."""
        for parts in self._series.values():
            for key, series in parts:
                event = self._program.events[key.event]
                yield event, self._subject(event, key, series)

    def of_job(self, name: str, attempt: int) -> SeriesView | None:
        """The series of all members taken together; None where nobody prints it."""
        place = name, attempt
        if place not in self._whole:
            views = list(self.of(name, attempt).values())
            self._whole[place] = (
                SeriesView(together([view.series for view in views]), views[0].by_step, views[0].seconds)
                if len(views) > 1
                else next(iter(views), None)
            )
        return self._whole[place]

    def is_job_wide(self, name: str, attempt: int) -> bool:
        """Whether the members that print it may all be one: its numbers are then the job's and convict nobody."""
        place = name, attempt
        if place not in self._job_wide:
            members = self.of(name, attempt)
            # A monitor tells of every GPU by itself, even where there is one.
            self._job_wide[place] = not any(member.kind is MemberKind.GPU for member in members) and all(
                same(left, right) is not False for left, right in combinations(members, 2)
            )
        return self._job_wide[place]

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
            views[attempt][member] = SeriesView(together(kinds[by_step]), by_step, self._calendar.seconds)
        return views

    def _members(self, key: SeriesKey, series: Series) -> tuple[Member, ...]:
        subject = self._subject(self._program.events[key.event], key, series)
        return subject.members or self._identity.writer(key.source, key.tag).members

    def _subject(self, event: Event, key: SeriesKey, series: Series) -> Subject:
        lines = key.event, key.source, key.tag, key.about
        if lines not in self._subjects:
            # Whom a line concerns depends on no time, and reading one is dear.
            self._subjects[lines] = self._identity.subject(event, _occurrence(event, key, series.anywhere))
        return self._subjects[lines]

    def _by_attempt(self, key: SeriesKey, series: Series) -> dict[int, Series]:
        """A segment may last for several attempts, where the source does not say that they begin but its clock does."""
        whole = self._attempts.of_all(key.source, key.tag.host)
        if whole is not None:
            return {whole: series}
        event = self._program.events[key.event]
        parts: dict[int, Series] = {}
        for place, bucket in series.filled.items():
            attempt = self._attempt(event, key, bucket.at)
            parts.setdefault(attempt, Series(series.stride, {}, series.quotes)).filled[place] = bucket
        if isinstance(series, LaidBy):
            return {attempt: series.shelf.laid_by(part) for attempt, part in parts.items()}
        return parts

    def _attempt(self, event: Event, key: SeriesKey, point: Point) -> int:
        line = point.source, point.offset, key.tag
        if line not in self._attempt_of:
            self._attempt_of[line] = self._attempts.of(_occurrence(event, key, point))
        return self._attempt_of[line]


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
