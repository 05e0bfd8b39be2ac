"""Is a series of many members that which merging them one by one makes?"""

import math
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from logsleuth.engine.series import Series, merged_series
from logsleuth.engine.series_together import together
from logsleuth.model.series import Point
from tests.engine.series import series

VALUES = st.sampled_from([1.0, 2.5, -0.0, 0.1, 1e300, math.nan, math.inf, 1e-310])
STEPS = st.one_of(st.integers(0, 12), st.integers(0, 40_000))


def told(source: int, values: Iterable[tuple[int, float]]) -> Series:
    return series(Point(step, value, source, at, at, None) for at, (step, value) in enumerate(values))


LONG = [told(9, ((step, step % 7) for step in range(0, 5000, 2))), told(8, ((step, 1.5) for step in range(2500)))]
"""Of more steps than there are buckets, so that several share one."""
MEMBERS = st.builds(
    lambda short, long: [*(told(source, values) for source, values in enumerate(short)), *long],
    st.lists(st.lists(st.tuples(STEPS, VALUES), max_size=12), max_size=4),
    st.sampled_from([[], [], LONG[:1], LONG]),
)


@given(MEMBERS)
def test_together_is_merged_one_by_one(parts: list[Series]) -> None:
    whole, merged = together(parts), merged_series(parts)
    assert whole == merged
    assert [bucket.sum for bucket in whole.buckets] == [bucket.sum for bucket in merged.buckets]
    assert list(whole.quotes.items()) == list(merged.quotes.items())


@given(MEMBERS)
def test_parts_stay_as_they_are(parts: list[Series]) -> None:
    before = [merged_series([part]) for part in parts]
    together(parts)
    assert parts == before
