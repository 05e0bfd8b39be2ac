"""Which attempt of the job an occurrence belongs to.

A launcher that restarts its workers says so; what follows in the same source belongs to the next attempt. A folder
name may tell the attempt of a whole source. Sources that tell nothing are placed by the clock, else into the last
attempt.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from logsleuth.language.program import Program
from logsleuth.language.syntax import Event
from logsleuth.model.event import Occurrence
from logsleuth.model.origin import PathLabel, Tag


class _Mark(NamedTuple):
    occurrence: Occurrence
    attempt: int


_Place = tuple[int, str | None]
"""A source, and a host whose lines stand in it."""


class Marks:
    """What sources tell of attempts, counted from 0: by their names, and by lines that begin one."""

    def __init__(self, program: Program, occurrences: Iterable[Occurrence], labels: dict[int, PathLabel]) -> None:
        self._labels = labels
        told: dict[_Place, list[tuple[int, int | None, Occurrence]]] = defaultdict(list)
        for occurrence in occurrences:
            event = program.events[occurrence.event]
            if event.marks_attempt:
                for place in {(occurrence.source, None), (occurrence.source, occurrence.tag.host)}:
                    told[place].append((occurrence.offset, _number(event, occurrence), occurrence))
        self.marks = {place: _numbered(marks) for place, marks in told.items()}
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
        label = self._labels[occurrence.source].attempt
        if label is not None:
            return label
        of_host = (occurrence.source, occurrence.tag.host)
        place = of_host if of_host in self.marks else (occurrence.source, None)
        marks = self.marks.get(place)
        if marks:
            offsets = self._offsets[place]
            count = bisect_right(offsets, occurrence.offset)
            if count and offsets[count - 1] == occurrence.offset and _begins_next(marks, count - 1):
                count -= 1  # The line that ends an attempt belongs to the attempt that it ends.
            return marks[count - 1].attempt if count else 0
        return None if self.last else 0


class Attempts:
    """Places all occurrences into attempts; ``seconds`` gives the moment of one, or None."""

    def __init__(self, marks: Marks, seconds: Callable[[Occurrence], float | None]) -> None:
        self._marks, self._seconds = marks, seconds
        self.last = marks.last
        timed = {(seconds(mark.occurrence), mark.attempt) for row in marks.marks.values() for mark in row}
        self._timeline = sorted((moment, attempt) for moment, attempt in timed if moment is not None)

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


def _numbered(marks: list[tuple[int, int | None, Occurrence]]) -> list[_Mark]:
    """A mark with a number sets the count; one without a number says that another attempt begins.

    Several agents may speak in one source, and each of them tells of the same restart. Where the agent then tells the
    number of the attempt, that line begins it: what workers write before are the last words of the attempt before.
    """
    out: list[_Mark] = []
    counts: dict[Tag, int] = defaultdict(int)
    current = 0
    ordered = sorted(marks, key=lambda mark: mark[0])
    for place, (_, number, occurrence) in enumerate(ordered):
        following = next((other for other in ordered[place + 1 :] if other[2].tag == occurrence.tag), None)
        if number is None and following and following[1] is not None and following[1] > counts[occurrence.tag]:
            continue
        counts[occurrence.tag] = counts[occurrence.tag] + 1 if number is None else number
        current = max(current, counts[occurrence.tag]) if number is None else number
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
