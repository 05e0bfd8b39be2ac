"""When something was said or began, and which of two things certainly came first."""

from typing import NamedTuple

from logsleuth.model.origin import Tag

SKEW = 2.0
"""Seconds by which clocks of different writers may differ before their order counts as certain: agents stamp with a
resolution of one second, and an agent notices an exit only at its next poll."""


class Moment(NamedTuple):
    """An instant between two bounds, by the clock (seconds) and by position in a source."""

    low: float
    high: float
    source: int
    low_offset: int
    high_offset: int
    writer: Tag
    resolution: bool
    """True where a stamp gives the time."""


def certainly_after(late: Moment, early: Moment) -> bool:
    """Whether ``late`` came after ``early`` beyond doubt.

    Position decides only between lines of one writer: lines of several writers reach a shared file out of order.
    """
    if late.source == early.source and late.writer == early.writer:
        return late.low_offset > early.high_offset
    return late.low > early.high + SKEW


def seems_after(late: Moment, early: Moment) -> bool:
    """Whether ``late`` came after ``early`` as far as one can see: by the clock, else by position in one source."""
    if late.source == early.source and not (late.resolution and early.resolution):
        return late.low_offset > early.high_offset
    return certainly_after(late, early)
