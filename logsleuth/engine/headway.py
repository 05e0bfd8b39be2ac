"""At what pace do the members of a live job go on, for how long has nothing come, and who has fallen behind?

All moments here are those of the clock of whoever follows: when a line came, or, of a line that nobody saw come, its
stamp, put where its source was written last. What a program keeps back in a buffer has not come.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import median

from logsleuth.engine.course import Course, Mark, course
from logsleuth.engine.pace import quiet
from logsleuth.engine.passing import passed
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.series_of_members import SeriesView
from logsleuth.engine.subject import Member
from logsleuth.language.program import Program, series_name
from logsleuth.language.syntax import Event
from logsleuth.model.series import Point

_MOST_MARKS = 200_000
"""Lines of one event that are looked at in a judgement."""
_LATEST, _LATEST_OF_MANY = 2048, 128
"""Of each member the latest so many of them, at most and at least."""
_RECENT = 256
"""Lines of each member that are compared with those of its peers."""
_FEW = 5
"""Lines in a row below which nothing is said of who is behind."""

OF_TIME = frozenset(("quiet", "waiting", "silence", "beat", "pause", "behind", "lag", "due"))
"""Functions of an event that ask how time goes by."""

Courses = Mapping[Member, Course]


class Headway:
    """Follows events that tell of progress; knows nothing unless the job is live."""

    def __init__(self, program: Program, roster: Roster) -> None:
        self._program, self._roster, self._present = program, roster, roster.present
        self._courses: dict[str, Courses] = {}
        self._tellers: dict[str, Counter[int]] = {}
        """Of an event how many members told of each step."""
        self._reached: dict[tuple[str, int], list[float]] = {}

    def is_of_job(self, event: str) -> bool:
        """Whether its lines concern the job, whoever writes them."""
        return self._program.events[event].about_job

    def ask(
        self,
        function: str,
        event: str,
        found: Sequence[Sighting],
        attempt: int,
        member: Member | None,
        further: Sequence[object] = (),
    ) -> float | None:
        """What a function of an event gives, of a member or of the job. ``found`` are its occurrences there,
        ``further`` what else the function is given."""
        if function == "quiet":
            return quiet(found, self._roster, attempt, further)
        if self._present is None or attempt != self._roster.last_attempt:
            return 0.0 if function in ("waiting", "silence", "behind") else None
        asked = self._asked(event, member)
        if function == "waiting":
            return self._waiting(event, found, asked)
        if function == "silence":
            return self._silence(event, found, asked)
        told = [x for one in asked if (x := self._of_course(function, event, one)) is not None]
        if function == "lag" and any(one.rank == 0 for one in asked):
            told = [max([x, *(least for least in further if isinstance(least, int | float))]) for x in told]
        return (max if function == "due" else median)(told) if told else None

    def _of_course(self, function: str, event: str, member: Member) -> float | None:
        own = self.courses(event)[member]
        if function == "beat":
            return own.beat
        if function == "pause":
            return None if own.beat is None else max(own.pause, own.held)
        if function == "due":
            return own.due if own.is_counted else None
        return self._behind(event, member) if function == "behind" else self._lag(event, member)

    def _asked(self, event: str, member: Member | None) -> list[Member]:
        courses = self.courses(event)
        return list(courses) if member is None else [member] if member in courses else []

    # How long it has been

    def _waiting(self, event: str, found: Sequence[Sighting], asked: Sequence[Member]) -> float | None:
        assert self._present
        marks = [self.courses(event)[one].marks[-1].moment for one in asked]
        came = [moment for line in found if (moment := self._came(line)) is not None]
        return max(self._present.now - max([*marks, *came]), 0.0) if marks or came else None

    def _silence(self, event: str, found: Sequence[Sighting], asked: Sequence[Member]) -> float | None:
        """Since when no source with such lines grew; none of those that can grow no more is silent."""
        assert self._present
        courses = self.courses(event)
        sources = {s.occurrence.source for s in found}.union(*(courses[one].sources for one in asked))
        if not sources or not sources <= self._present.arrivals.keys():
            return 0.0
        return min(passed(self._present, source) for source in sources)

    def _came(self, line: Sighting) -> float | None:
        o = line.occurrence
        return self._moment(o.source, o.offset, lambda: self._roster.calendar.seconds(o.stamp))

    def _moment(self, source: int, offset: int, stamp: Callable[[], float | None]) -> float | None:
        assert self._present
        arrivals = self._present.arrivals.get(source)
        came = arrivals.at(offset) if arrivals else None
        if came is not None:
            return came
        told, last = stamp(), self._roster.calendar.seconds(self._roster.sources[source].last_stamp)
        if told is None or last is None:
            return None
        return min(told - last + self._present.now - passed(self._present, source), self._present.now)

    # Who has fallen behind

    def _behind(self, event: str, member: Member) -> float | None:
        assert self._present
        own = self.courses(event)[member]
        is_known = own.is_counted and own.comes_singly and len(own.run) >= _FEW and self._keeps_step(event, own)
        since = self._passed_by(event, member, own.due) if is_known else None
        return 0.0 if since is None else max(self._present.now - since, 0.0)

    def _keeps_step(self, event: str, own: Course) -> bool:
        """Whether most peers told of the steps that a member told of last: where members share out the steps, none is
        behind another."""
        courses = self.courses(event)
        if event not in self._tellers:
            self._tellers[event] = Counter(step for one in courses.values() for step in {m.step for m in one.run})
        tellers, peers = self._tellers[event], len(courses) - 1
        shared = [mark for mark in own.run[-_FEW:] if tellers[mark.step] - 1 >= max(peers / 2, 1)]
        return 2 * len(shared) > _FEW

    def _lag(self, event: str, member: Member) -> float | None:
        own = self.courses(event)[member]
        if not own.is_counted or own.beat is None:
            return None
        longest = own.held
        for before, after in own.neighbours(_RECENT):
            since = self._passed_by(event, member, before.step + own.stride)
            if since is not None:
                longest = max(longest, after.moment - since)
        return longest

    def _passed_by(self, event: str, member: Member, step: int) -> float | None:
        """The moment at which most peers of a member had told of a step; None where they have not."""
        key = event, step
        courses = self.courses(event)
        if key not in self._reached:
            moments = (_reached(one, step) for one in courses.values())
            self._reached[key] = sorted(moment for moment in moments if moment is not None)
        everyone, own = self._reached[key], _reached(courses[member], step)
        most = (len(courses) - 1) // 2
        if own is not None and bisect_left(everyone, own) <= most:
            most += 1
        return everyone[most] if most < len(everyone) else None

    # What has come

    def courses(self, event: str) -> Courses:
        """How every member has come on so far in the last attempt, by the lines of the event."""
        if event not in self._courses:
            self._courses[event] = dict(self._followed(self._program.events[event]))
        return self._courses[event]

    def _followed(self, event: Event) -> Iterator[tuple[Member, Course]]:
        attempt = self._roster.last_attempt
        names = dict.fromkeys(series_name(event, clause) for clause in event.series)
        views: dict[Member, list[SeriesView]] = {}
        for name in names:
            for member, view in self._roster.series(name, attempt).items():
                views.setdefault(member, []).append(view)
        lines: dict[Member, list[Sighting]] = {}
        for sighting in self._roster.sightings_of(event.name, attempt):
            for member in sighting.subject.members:
                if member.is_process:
                    lines.setdefault(member, []).append(sighting)
        members = sorted({*views, *lines}, key=repr)
        size = max(min(_MOST_MARKS // max(len(members), 1), _LATEST), _LATEST_OF_MANY)
        for member in members:
            fullest = max(views.get(member, ()), key=_fullness, default=None)
            # The lines of a series are all of them, and its steps are those of the wording that knows most.
            told = self._of_lines(lines[member]) if fullest is None else self._of_series(fullest, size)
            marks = {(mark.source, mark.offset): mark for mark in told}
            if marks:
                writers = max(len(self._roster.sources[source].lives) for source, _ in marks)
                yield member, course(marks.values(), fullest is None or fullest.by_step, max(writers, 1))

    def _of_series(self, view: SeriesView, size: int) -> Iterator[Mark]:
        for bucket in view.buckets[-size:]:
            for point in dict.fromkeys((bucket.at, bucket.last)):
                if point and (mark := self._mark_of(point, view)):
                    yield mark

    def _mark_of(self, point: Point, view: SeriesView) -> Mark | None:
        return self._mark(point.source, point.offset, point.step, lambda: view.seconds(point.stamp))

    def _of_lines(self, found: Sequence[Sighting]) -> Iterator[Mark]:
        for sighting in found:
            o, step = sighting.occurrence, sighting.occurrence.fields.get("step")
            if isinstance(step, int):
                mark = self._mark(o.source, o.offset, step, partial(self._roster.calendar.seconds, o.stamp))
                if mark is not None:
                    yield mark

    def _mark(self, source: int, offset: int, step: int, stamp: Callable[[], float | None]) -> Mark | None:
        moment = self._moment(source, offset, stamp)
        return None if moment is None else Mark(moment, source, offset, step, self._is_watched(source, offset), stamp())

    def _is_watched(self, source: int, offset: int) -> bool:
        assert self._present
        arrivals = self._present.arrivals.get(source)
        return arrivals is not None and arrivals.at(offset) is not None


def _reached(one: Course, step: int) -> float | None:
    """When a member first told of a step, or of a later one, in the pass that it is in."""
    place = bisect_left(one.run, step, key=lambda mark: mark.step)
    return one.run[place].moment if place < len(one.run) else None


def _fullness(view: SeriesView) -> int:
    return sum(bucket.count for bucket in view.buckets)
