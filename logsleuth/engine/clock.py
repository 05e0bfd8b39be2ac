"""When something was said or began, and which of two things certainly came first."""

import math
from collections.abc import Hashable
from typing import NamedTuple

from logsleuth.model.origin import Tag

SKEW = 2.0
"""Seconds by which stamps may differ before their order counts as certain, whatever clock they are of: agents stamp
with a resolution of one second, and an agent notices an exit only at its next poll. It is also what clocks of which
nothing else is known may differ by."""

LOCK_STEP = 2
"""Training steps by which one rank may be ahead of another: a step ends when all have exchanged their gradients, but a
rank may tell of it before or after."""


class Clock(NamedTuple):
    """What a stamp was read from, against the axis on which all are compared."""

    number: int
    """Stamps with equal numbers are of one clock."""
    ahead: float
    """Seconds that were taken off its stamps; what the log says is the moment plus this."""
    uncertainty: float
    """Seconds by which ``ahead`` may be wrong, as far as the logs show it."""
    is_doubted: bool = False
    """Whether the logs show that it differs from others, but not by how much."""
    is_of_another_zone: bool = False
    """Whether it is because it says no zone, and lies outside of the time of those that do."""


NOMINAL = Clock(-1, 0.0, 0.0)
"""A clock that is right, as far as anybody knows."""


class Progress(NamedTuple):
    """Where the training stood when something was said, as the same writer tells in the lines around it."""

    loop: Hashable
    """The attempt and the kind of line that counts the steps: numbers of different loops say nothing of each other."""
    passed: float
    """The last step that was told before."""
    coming: float
    """The next step that was told after."""


class Moment(NamedTuple):
    """An instant between two bounds, by the clock (seconds on the common axis) and by position in a source."""

    low: float
    high: float
    source: int
    low_offset: int
    high_offset: int
    writer: Tag
    resolution: bool
    """True where a stamp gives the time."""
    low_clock: Clock = NOMINAL
    high_clock: Clock = NOMINAL
    progress: Progress | None = None

    @property
    def as_written(self) -> tuple[float, float]:
        """Both bounds as one clock showed them: that of the upper one where there is one, so that stamps are found as
        they stand in the log."""
        clock = self.high_clock if math.isfinite(self.high) else self.low_clock
        return self.low + clock.ahead, self.high + clock.ahead


def certainly_after(late: Moment, early: Moment) -> bool:
    """Whether ``late`` came after ``early`` beyond doubt: by position, by training steps, else by the clock.

    Position decides only between lines of one writer: lines of several writers reach a shared file out of order.
    """
    if late.source == early.source and late.writer == early.writer:
        return late.low_offset > early.high_offset and not _contradicts(late, early)
    if late.progress is not None and early.progress is not None and late.progress.loop == early.progress.loop:
        if _steps_lie_between(early.progress, late.progress):
            return True
        if _steps_lie_between(late.progress, early.progress):
            return False
    return late.low > early.high + margin(late.low_clock, early.high_clock)


def _contradicts(late: Moment, early: Moment) -> bool:
    """Whether stamps deny the order of two lines. Lines that name no writer may be of several, whose buffers were
    flushed late, or a clock was set back between them."""
    has_clock = late.resolution and early.resolution and late.writer.is_bare
    return has_clock and late.high + margin(late.high_clock, early.low_clock) < early.low


def seems_after(late: Moment, early: Moment) -> bool:
    """Whether ``late`` came after ``early`` as far as one can see: by the clock, else by position in one source."""
    is_of_one = late.source == early.source and late.writer == early.writer
    if is_of_one or (late.source == early.source and not (late.resolution and early.resolution)):
        return late.low_offset > early.high_offset
    return certainly_after(late, early)


def margin(one: Clock, other: Clock) -> float:
    """Seconds by which readings of two clocks must differ for their order to be certain."""
    return SKEW if one.number == other.number else SKEW + one.uncertainty + other.uncertainty


def _steps_lie_between(early: Progress, late: Progress) -> bool:
    return late.passed >= early.coming + LOCK_STEP
