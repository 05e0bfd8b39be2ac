"""What is looked up of many occurrences tells which come after one, as asking each of them does."""

import math

from hypothesis import example, given
from hypothesis import strategies as st

from logsleuth.engine.after import After
from logsleuth.engine.clock import NOMINAL, Clock, Moment, Progress, seems_after
from logsleuth.engine.roster import Sighting
from logsleuth.engine.sequence import within
from logsleuth.engine.subject import JOB
from logsleuth.engine.values import time_of
from logsleuth.language import syntax as s
from logsleuth.model.event import Occurrence
from logsleuth.model.origin import BARE, Tag

EVENT = s.Event("x", "", s.Place("", 0, 0))
SECONDS = st.integers(0, 12).map(float)
BOUNDS = st.one_of(
    st.just((-math.inf, math.inf)),
    SECONDS.map(lambda at: (at, at)),
    st.tuples(SECONDS, SECONDS).map(lambda both: (min(both), max(both))),
)
PROGRESS = st.one_of(
    st.none(),
    st.builds(
        Progress, st.sampled_from("ab"), st.sampled_from([-math.inf, 1, 4, 8]), st.sampled_from([2, 5, 9, math.inf])
    ),
)


@st.composite
def moments(draw: st.DrawFn) -> Moment:
    low, high = draw(BOUNDS)
    start, end = sorted(draw(st.tuples(st.integers(0, 6), st.integers(0, 6))))
    clock = draw(st.sampled_from([NOMINAL, Clock(3, 0.0, 1.5), Clock(4, 0.0, 0.5)]))
    source, writer = draw(st.integers(0, 2)), draw(st.sampled_from([BARE, Tag(rank=1), Tag(rank=2)]))
    has_stamp = math.isfinite(high) and draw(st.booleans())
    return Moment(low, high, source, start, end, writer, has_stamp, clock, clock, draw(PROGRESS))


def sighting(began: Moment) -> Sighting:
    place = began.source, began.low_offset, 1, began.high_offset
    return Sighting(
        Occurrence("x", *place, began.writer, None, None, 0, None, None, None, {}, ""), EVENT, JOB, 0, began
    )


EXACTLY_NINE = Moment(9.0, 9.0, 1, 0, 0, BARE, False, NOMINAL, NOMINAL, None)
UP_TO_SIX = Moment(0.0, 6.0, 0, 0, 0, BARE, False, NOMINAL, NOMINAL, None)


@given(st.lists(moments(), max_size=10), moments(), st.integers(0, 8))
@example([EXACTLY_NINE], UP_TO_SIX, 3)
def test_what_comes_after_is_found_as_by_asking_each(others: list[Moment], line: Moment, span: int) -> None:
    found, first = [sighting(moment) for moment in others], sighting(line)
    order = After(found)
    after = [one for one in found if seems_after(one.began, line)]
    assert order.has_any(line) == bool(after)
    assert order.earliest(line) is min(after, key=time_of, default=None)
    within_span = s.Value(float(span), "seconds")
    until = order.until(line, float(span))
    assert until == [one for one in after if one in until]
    assert all(within(first, one, within_span) is False for one in after if one not in until)
