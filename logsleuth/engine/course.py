"""How one member has come on so far: when its lines of progress came, and what that tells of its pace."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise
from operator import attrgetter
from statistics import median
from typing import NamedTuple

_FEW = 4
"""Gaps below which there is no pace, and moments below which nobody knows how lines come."""
_BURST = 3
"""Lines that come at one moment and were kept back together, if they fill a good part of a buffer."""
_RECENT = 512
"""Lines, the latest, whose coming is looked at: of earlier ones it is remembered less exactly."""
_BUFFER = 8192
"""Bytes that a program keeps back at most where its output is no terminal: the buffer of C's and Python's streams."""


class Mark(NamedTuple):
    """A line of progress."""

    moment: float
    """Seconds since 1970, when it came."""
    source: int
    offset: int
    step: int
    is_watched: bool
    """Whether somebody saw it come; else the moment is that of its stamp."""
    told: float | None
    """The time that it tells, as it is written, in seconds."""


class _Batch(NamedTuple):
    """Lines that came at one moment."""

    first: Mark
    last: Mark


class Course(NamedTuple):
    """What the lines of one member tell together."""

    marks: list[Mark]
    """As they came."""
    run: list[Mark]
    """Those of the pass that it is in: behind the last at which the count of steps fell."""
    is_counted: bool
    """Whether lines tell steps, so that those of members can be compared."""
    stride: int
    """Steps from one line to the next."""
    beat: float | None
    """Seconds from one line to the next, as a rule; None of too few."""
    pause: float
    """Seconds: the longest that was between two lines, beyond what lines between them that are not kept explain."""
    held: float
    """Seconds for which lines may be kept back: the longest gap behind which several came at once, or as long as a
    buffer takes to fill while it is not known how they come."""

    @property
    def due(self) -> int:
        """The step of its next line."""
        return self.marks[-1].step + self.stride

    @property
    def comes_singly(self) -> bool:
        """Whether its last line is the last that it wrote, as far as can be seen: where lines are kept back, members
        seem to be at different steps that are at one."""
        return self.beat is not None and self.held <= _FEW * self.beat

    @property
    def sources(self) -> set[int]:
        return {mark.source for mark in self.marks}

    def neighbours(self, most: int) -> Iterator[tuple[Mark, Mark]]:
        """Of the latest lines of the pass those that follow each other, none between them."""
        for before, after in pairwise(self.run[-most:]):
            if after.step - before.step <= self.stride:
                yield before, after


def course(marks: Iterable[Mark], is_counted: bool, writers: int = 1) -> Course:
    """The course of one member; ``writers`` write in its source."""
    ordered = sorted(marks, key=lambda mark: (mark.moment, mark.source, mark.offset))
    stride = _stride(ordered)
    batches = [_batch(list(group)) for _, group in groupby(ordered, key=attrgetter("moment"))]
    # What lines tell is finer than when they came, where several come at once.
    by_stamps = all(mark.told is not None for mark in ordered)
    beat = _beat(ordered, stride, _told) if by_stamps else _beat(ordered, stride, attrgetter("moment"))
    pause = max((_excess(a.last, b.first, stride, beat or 0.0) for a, b in pairwise(batches)), default=0.0)
    return Course(ordered, _run(ordered), is_counted, stride, beat, pause, _held(batches, stride, beat, writers))


def _told(mark: Mark) -> float:
    return mark.told or 0.0


def _beat(marks: list[Mark], stride: int, at: Callable[[Mark], float]) -> float | None:
    lasts = [list(group)[-1] for _, group in groupby(marks, key=at)]
    gaps = [
        (at(after) - at(before)) / _lines(before, after, stride)
        for before, after in pairwise(lasts)
        if after.step > before.step
    ]
    return median(gaps) if len(gaps) >= _FEW else None


def _batch(marks: list[Mark]) -> _Batch:
    return _Batch(marks[0], marks[-1])


def _stride(marks: list[Mark]) -> int:
    """What neighbours differ by: some lines between two that are kept may not be."""
    rises = sorted(rise for a, b in pairwise(marks) if (rise := b.step - a.step) > 0)
    return rises[len(rises) // 4] if rises else 1


def _lines(before: Mark, after: Mark, stride: int) -> int:
    return max(round((after.step - before.step) / stride), 1)


def _excess(before: Mark, after: Mark, stride: int, beat: float) -> float:
    return after.moment - before.moment - (_lines(before, after, stride) - 1) * beat


def _run(marks: list[Mark]) -> list[Mark]:
    start = next((at for at in range(len(marks) - 1, 0, -1) if marks[at].step < marks[at - 1].step), 0)
    return marks[start:]


def _held(batches: list[_Batch], stride: int, beat: float | None, writers: int) -> float:
    recent = batches[-1].last.step - _RECENT * stride
    held = max(
        (
            after.first.moment - before.last.moment
            for before, after in pairwise(batches)
            if after.first.step > recent and _is_burst(after, stride)
        ),
        default=0.0,
    )
    if sum(batch.last.is_watched for batch in batches) > _FEW or beat is None:
        return held
    first, last = batches[0].first, batches[-1].last
    lines = _lines(first, last, stride)
    written = last.offset - first.offset if first.source == last.source else 0
    return max(held, _BUFFER * writers * lines * beat / written) if written > 0 else held


def _is_burst(batch: _Batch, stride: int) -> bool:
    written = batch.last.offset - batch.first.offset if batch.last.source == batch.first.source else 0
    return written >= _BUFFER // 4 and 1 + _lines(batch.first, batch.last, stride) >= _BURST
