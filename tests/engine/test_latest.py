"""What is kept of many values tells whether any comes after a line, as asking each of them does."""

import math

from hypothesis import given
from hypothesis import strategies as st

from logsleuth.engine.clock import NOMINAL, Clock, Moment, seems_after
from logsleuth.engine.latest import Latest
from logsleuth.model.origin import BARE, Tag

SECONDS = st.one_of(st.none(), st.integers(0, 12).map(float))
SOURCES, OFFSETS = st.integers(0, 2), st.integers(0, 6)
CLOCKS = st.sampled_from([NOMINAL, Clock(3, 0.0, 1.5)])


def moment(source: int, offset: int, seconds: float | None, writer: Tag = BARE, clock: Clock = NOMINAL) -> Moment:
    low, high = (-math.inf, math.inf) if seconds is None else (seconds, seconds)
    return Moment(low, high, source, offset, offset, writer, seconds is not None, clock, clock)


@given(
    st.lists(st.builds(moment, SOURCES, OFFSETS, SECONDS), max_size=8),
    st.builds(moment, SOURCES, OFFSETS, SECONDS, st.sampled_from([BARE, Tag(rank=1)]), CLOCKS),
)
def test_any_after_is_asking_each(values: list[Moment], line: Moment) -> None:
    assert Latest(values).any_after(line) == any(seems_after(value, line) for value in values)
