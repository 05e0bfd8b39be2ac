"""Which attempt of the job an occurrence belongs to.

A launcher that restarts its workers says so; what follows in the same source belongs to the next attempt, and so does
what follows where the whole job was launched again into the same log. A folder name may tell the attempt of a whole
source. Sources that tell nothing are placed by the clock, else into the last attempt.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from logsleuth.engine.runs import Runs
from logsleuth.language.program import Program
from logsleuth.language.syntax import Event
from logsleuth.model.event import Occurrence
from logsleuth.model.origin import PathLabel, Tag


class _Mark(NamedTuple):
    occurrence: Occurrence
    attempt: int


class _Sign(NamedTuple):
    """A line that may begin an attempt."""

    offset: int
    number: int | None
    """The attempt's, where the line tells it."""
    is_run: bool
    """Whether it begins another run of the job, in which the launcher counts attempts anew."""
    occurrence: Occurrence


_Place = tuple[int, str | None]
"""A source, and a host whose lines stand in it."""


class Marks:
    """What sources tell of attempts, counted from 0: by their names, and by lines that begin one."""

    def __init__(self, program: Program, occurrences: Iterable[Occurrence], labels: dict[int, PathLabel]) -> None:
        self._labels = labels
        told: dict[_Place, list[_Sign]] = defaultdict(list)
        occurrences = list(occurrences)
        for occurrence in occurrences:
            event = program.events[occurrence.event]
            if event.marks_attempt:
                sign = _Sign(occurrence.offset, _number(event, occurrence), event.begins_run, occurrence)
                for place in {(occurrence.source, None), (occurrence.source, occurrence.tag.host)}:
                    told[place].append(sign)
        runs = Runs(program, occurrences)
        numbered = {place: _numbered(_confirmed(place, signs, runs)) for place, signs in told.items()}
        self.marks = {place: marks for place, marks in numbered.items() if marks}
        """By source, and by the host in it whose agent speaks: agents do not restart their workers at the same line."""
        self._offsets = {place: [mark.occurrence.offset for mark in marks] for place, marks in self.marks.items()}
        numbers = {mark.attempt for marks in self.marks.values() for mark in marks}
        numbers |= {label.attempt for label in labels.values() if label.attempt is not None}
        self.last = max(numbers, default=0)

    def tells(self, occurrence: Occurrence) -> bool:
        """Whether the occurrence's source itself tells its attempts."""
        return self.of(occurrence) is not None

    def of(self, occurrence: Occurrence) -> int | None:
        """The attempt that the occurrence belongs to; None where its source does not tell."""
        return self.at(occurrence.source, occurrence.tag.host, occurrence.offset)

    def at(self, source: int, host: str | None, offset: int) -> int | None:
        """The attempt of what stands at an offset of a source, in a line of a host; None where the source does not
        tell."""
        label = self._labels[source].attempt
        if label is not None:
            return label
        place = (source, host) if (source, host) in self.marks else (source, None)
        marks = self.marks.get(place)
        if marks:
            offsets = self._offsets[place]
            count = bisect_right(offsets, offset)
            if count and offsets[count - 1] == offset and _begins_next(marks, count - 1):
                count -= 1  # The line that ends an attempt belongs to the attempt that it ends.
            return marks[count - 1].attempt if count else 0
        return None if self.last else 0

    def have_one(self, source: int, host: str | None) -> bool:
        """Whether lines of a host in a source are all of one attempt, or none of them tells its own."""
        is_labelled = self._labels[source].attempt is not None
        return is_labelled or not ((source, host) in self.marks or (source, None) in self.marks)


class Attempts:
    """Places all occurrences into attempts; ``seconds`` gives the moment of one, or None."""

    def __init__(self, marks: Marks, seconds: Callable[[Occurrence], float | None]) -> None:
        self._marks, self._seconds = marks, seconds
        self.last = marks.last
        timed = {(seconds(mark.occurrence), mark.attempt) for row in marks.marks.values() for mark in row}
        self._timeline = sorted((moment, attempt) for moment, attempt in timed if moment is not None)

    def of_all(self, source: int, host: str | None) -> int | None:
        """The attempt of all lines of a host in a source, where none of them has to be looked at."""
        if not self._marks.have_one(source, host):
            return None
        told = self._marks.at(source, host, 0)
        return self.last if told is None and not self._timeline else told

    def told(self, occurrence: Occurrence) -> int | None:
        """The attempt of an occurrence whose source tells it."""
        return self._marks.of(occurrence)

    def of(self, occurrence: Occurrence) -> int:
        """The attempt that the occurrence belongs to."""
        told = self._marks.of(occurrence)
        if told is not None:
            return told
        seconds = self._seconds(occurrence)
        if seconds is None or not self._timeline:
            return self.last
        place = bisect_right(self._timeline, (seconds, self.last + 1))
        return self._timeline[place - 1][1] if place else 0


def _confirmed(place: _Place, signs: list[_Sign], runs: Runs) -> list[_Sign]:
    """The signs in the order of lines, without the banners that begin no other run."""
    ordered = sorted(signs, key=lambda sign: sign.offset)
    begun = runs.begin(*place, [sign.offset for sign in ordered if sign.is_run])
    return [sign for sign in ordered if not sign.is_run or sign.offset in begun]


def _numbered(signs: list[_Sign]) -> list[_Mark]:
    """A mark with a number sets the count; one without a number says that another attempt begins.

    Several agents may speak in one source, and each of them tells of the same restart. Where the agent then tells the
    number of the attempt, that line begins it: what workers write before are the last words of the attempt before.
    """
    out: list[_Mark] = []
    counts: dict[Tag, int] = defaultdict(int)
    current = base = 0
    for place, (_, number, is_run, occurrence) in enumerate(signs):
        if is_run:
            current = base = max([current, *counts.values()]) + 1
            counts.clear()
            out.append(_Mark(occurrence, current))
            continue
        following = next((other for other in signs[place + 1 :] if other.occurrence.tag == occurrence.tag), None)
        told = following.number if following else None
        if number is None and told is not None and base + told > counts.get(occurrence.tag, base):
            continue
        count = counts.get(occurrence.tag, base) + 1 if number is None else base + number
        counts[occurrence.tag] = count
        current = max(current, count) if number is None else count
        out.append(_Mark(occurrence, current))
    return out


def _number(event: Event, occurrence: Occurrence) -> int | None:
    for key, value in event.states:
        if key == "attempt":
            number = occurrence.fields.get(value) if isinstance(value, str) else value
            return number if isinstance(number, int) and 0 <= number < 1_000_000 else None
    return None


def _begins_next(marks: list[_Mark], place: int) -> bool:
    before = marks[place - 1].attempt if place else 0
    return marks[place].attempt == before + 1
