"""Which of two things came first."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.engine.clock import LOCK_STEP, SKEW, Clock, Moment, Progress, certainly_after, margin, seems_after
from logsleuth.model.origin import Tag

ONE, TWO = Tag(rank=1), Tag(rank=2)


def moment(
    low: float = -math.inf, high: float | None = None, source: int = 0, offset: int = 0, writer: Tag = ONE
) -> Moment:
    """An instant; without a time it has only its place."""
    return Moment(low, math.inf if high is None else high, source, offset, offset, writer, high is not None)


def test_lines_of_one_writer_are_ordered_by_position() -> None:
    assert certainly_after(moment(offset=10), moment(offset=5))
    assert not certainly_after(moment(offset=5), moment(offset=10))
    assert certainly_after(moment(1, 1, offset=10), moment(9, 9, offset=5))


def test_lines_of_different_writers_in_one_source_are_not() -> None:
    assert not certainly_after(moment(offset=10, writer=TWO), moment(offset=5))
    assert seems_after(moment(offset=10, writer=TWO), moment(offset=5))
    assert not seems_after(moment(offset=5, writer=TWO), moment(offset=10))


@pytest.mark.parametrize(("apart", "expected"), [(SKEW + 0.5, True), (SKEW, False), (0, False), (-5, False)])
@pytest.mark.parametrize(("source", "writer"), [(0, TWO), (1, ONE), (1, TWO)])
def test_clocks_of_different_writers_may_differ(apart: float, expected: bool, source: int, writer: Tag) -> None:
    late, early = moment(100 + apart, 100 + apart, source, 5, writer), moment(100, 100, 0, 10)
    assert certainly_after(late, early) is expected
    assert seems_after(late, early) is expected


def test_two_seconds_are_within_what_clocks_differ() -> None:
    assert not certainly_after(moment(101.9, 101.9, source=1), moment(100, 100))
    assert certainly_after(moment(102.1, 102.1, source=1), moment(100, 100))


def test_intervals_that_overlap_have_no_order() -> None:
    assert not certainly_after(moment(10, 100, source=1), moment(5, 20))
    assert certainly_after(moment(30, 100, source=1), moment(5, 20))
    assert not certainly_after(moment(30, 100, source=1), moment(5))


def test_without_a_clock_different_sources_have_no_order() -> None:
    assert not certainly_after(moment(source=1, offset=10), moment(offset=5))
    assert not seems_after(moment(source=1, offset=10), moment(offset=5))


def test_moments_of_two_clocks_are_apart_only_beyond_what_both_may_be_wrong_by() -> None:
    sure, vague = Clock(1, 100.0, 0.5), Clock(2, 0.0, 30.0)
    early = moment(100, 100)._replace(high_clock=sure)
    assert margin(sure, vague) == SKEW + 30.5
    assert certainly_after(moment(133, 133, source=1)._replace(low_clock=vague), early)
    assert not certainly_after(moment(132, 132, source=1)._replace(low_clock=vague), early)
    assert certainly_after(moment(102.1, 102.1, source=1)._replace(low_clock=sure), early)


def test_bounds_are_written_as_the_clock_of_the_line_shows_them() -> None:
    ahead, behind = Clock(1, 60.0, 0.5), Clock(2, -60.0, 0.5)
    told = moment(100, 200)._replace(low_clock=ahead, high_clock=behind)
    untold = told._replace(high=math.inf)
    assert [told.as_written, untold.as_written] == [(40.0, 140.0), (160.0, math.inf)]


@pytest.mark.parametrize(
    ("passed", "coming", "expected"),
    [(120, 100, True), (100 + LOCK_STEP, 100, True), (99 + LOCK_STEP, 100, False), (99, 100, False), (120, math.inf, False), (-math.inf, 100, False)],
)  # fmt: skip
def test_steps_order_what_no_clock_does(passed: float, coming: float, expected: bool) -> None:
    late = moment(source=1)._replace(progress=Progress("loop", passed, math.inf))
    early = moment()._replace(progress=Progress("loop", -math.inf, coming))
    assert certainly_after(late, early) is seems_after(late, early) is expected
    assert not certainly_after(early, late)
    other = early._replace(progress=Progress("another loop", -math.inf, coming))
    assert not certainly_after(late, other)


def test_steps_are_believed_before_clocks() -> None:
    late = moment(100, 100, source=1)._replace(progress=Progress("loop", 120, 121))
    early = moment(500, 500)._replace(progress=Progress("loop", 99, 100))
    assert certainly_after(late, early)
    assert not certainly_after(early, late)


CLOCKS = st.builds(Clock, st.integers(0, 2), st.just(0.0), st.floats(0, 20))
PROGRESS = st.none() | st.builds(
    lambda loop, passed, more: Progress(loop, passed, passed + more),
    st.integers(0, 1), st.integers(0, 20), st.integers(1, 5),
)  # fmt: skip
MOMENTS = st.builds(
    lambda low, length, source, offset, writer, told, clock, progress: Moment(
        low if told else -math.inf, low + length if told else math.inf, source, offset, offset, writer, told,
        clock, clock, progress,
    ),
    st.floats(0, 100), st.floats(0, 50), st.integers(0, 1), st.integers(0, 20), st.sampled_from([ONE, TWO]), st.booleans(),
    CLOCKS, PROGRESS,
)  # fmt: skip


@given(MOMENTS, MOMENTS)
def test_nothing_is_after_what_is_after_it(one: Moment, two: Moment) -> None:
    assert not (certainly_after(one, two) and certainly_after(two, one))
    assert not (seems_after(one, two) and seems_after(two, one))
    assert not certainly_after(one, one)
