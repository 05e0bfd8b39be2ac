"""Which attempt of the job an occurrence belongs to.

A launcher that restarts its workers says so; what follows in the same source belongs to the next attempt. A folder
name may tell the attempt of a whole source. Sources that tell nothing are placed by the clock, else into the last
attempt.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from logsleuth.engine.calendar import Calendar
from logsleuth.language.program import Program
from logsleuth.language.syntax import Event
from logsleuth.model.event import Occurrence
from logsleuth.model.origin import PathLabel


class _Mark(NamedTuple):
    offset: int
    attempt: int
    seconds: float | None


class Attempts:
    """Places occurrences into attempts, counted from 0."""

    def __init__(
        self, program: Program, occurrences: Iterable[Occurrence], labels: dict[int, PathLabel], calendar: Calendar
    ) -> None:
        self._labels, self._calendar = labels, calendar
        told: dict[int, list[tuple[int, int | None, Occurrence]]] = defaultdict(list)
        for occurrence in occurrences:
            event = program.events[occurrence.event]
            if event.marks_attempt:
                told[occurrence.source].append((occurrence.offset, _number(event, occurrence), occurrence))
        self._marks = {source: self._numbered(marks) for source, marks in told.items()}
        self._offsets = {source: [mark.offset for mark in marks] for source, marks in self._marks.items()}
        self._timeline = sorted(
            {
                (mark.seconds, mark.attempt)
                for marks in self._marks.values()
                for mark in marks
                if mark.seconds is not None
            }
        )
        numbers = {mark.attempt for marks in self._marks.values() for mark in marks}
        numbers |= {label.attempt for label in labels.values() if label.attempt is not None}
        self.last = max(numbers, default=0)

    def _numbered(self, marks: list[tuple[int, int | None, Occurrence]]) -> list[_Mark]:
        """A mark with a number sets the count; one without a number says that another attempt begins."""
        out, current = [], 0
        for offset, number, occurrence in sorted(marks, key=lambda mark: mark[0]):
            current = number if number is not None else current + 1
            out.append(_Mark(offset, current, self._calendar.seconds(occurrence.stamp or occurrence.after)))
        return out

    def tells(self, occurrence: Occurrence) -> bool:
        """Whether the occurrence's source itself tells its attempts."""
        return self._labels[occurrence.source].attempt is not None or bool(self._marks.get(occurrence.source))

    def of(self, occurrence: Occurrence) -> int:
        """The attempt that the occurrence belongs to."""
        label = self._labels[occurrence.source].attempt
        if label is not None:
            return label
        marks = self._marks.get(occurrence.source)
        if marks:
            place = bisect_right(self._offsets[occurrence.source], occurrence.offset)
            if place and marks[place - 1].offset == occurrence.offset and _begins_next(marks, place - 1):
                place -= 1  # The line that ends an attempt belongs to the attempt that it ends.
            return marks[place - 1].attempt if place else 0
        seconds = self._calendar.seconds(occurrence.stamp or occurrence.after)
        if seconds is None or not self._timeline:
            return self.last
        place = bisect_right(self._timeline, (seconds, self.last + 1))
        return self._timeline[place - 1][1] if place else 0


def _number(event: Event, occurrence: Occurrence) -> int | None:
    for key, value in event.states:
        if key == "attempt":
            number = occurrence.fields.get(value) if isinstance(value, str) else value
            return number if isinstance(number, int) and 0 <= number < 1_000_000 else None
    return None


def _begins_next(marks: list[_Mark], place: int) -> bool:
    before = marks[place - 1].attempt if place else 0
    return marks[place].attempt == before + 1
