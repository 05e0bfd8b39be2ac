"""Buckets of a series: bounded, and the same in whatever order they come together."""

import math
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.engine import series as module
from logsleuth.engine.bucket import Bucket
from logsleuth.engine.column import QUOTED
from logsleuth.engine.series import Series, merged_series
from logsleuth.model.series import Point
from tests.engine.series import point, series

VALUES = st.one_of(st.floats(allow_nan=False), st.sampled_from([math.nan, math.inf, 0.1, 0.2, 0.3]))
POINTS = st.lists(
    st.builds(
        lambda step, value, offset: Point(step, value, offset % 3, offset, 1, None),
        st.integers(-20, 5000),
        VALUES,
        st.integers(0, 10**6),
    ),
    max_size=60,
    unique_by=lambda p: (p.source, p.offset),
)


@pytest.fixture(autouse=True, scope="module")
def _few_buckets() -> object:
    """Eight buckets, so that a test of a few points doubles the stride."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BUCKETS", 8)
        yield


@given(POINTS, st.randoms(use_true_random=False))
def test_the_order_of_points_changes_nothing(points: list[Point], chance: Random) -> None:
    shuffled = list(points)
    chance.shuffle(shuffled)
    assert series(points) == series(shuffled)


class Lines(NamedTuple):
    told: list[Point]

    def point(self, at: int, step: int, value: float) -> Point:
        return self.told[at]._replace(step=step, value=value)

    def points(self, lines: Sequence[int], steps: Sequence[int], values: Sequence[float]) -> list[Point]:
        return list(map(self.point, lines, steps, values))

    def text(self, at: int) -> str:
        return f"line {self.told[at].line}"


@given(POINTS, POINTS)
def test_many_values_at_once_are_the_same_as_one_by_one(earlier: list[Point], points: list[Point]) -> None:
    ordered = sorted(points, key=lambda p: (p.source, p.offset))
    source = [p._replace(source=0, offset=at) for at, p in enumerate(ordered)]
    at_once = series(earlier)
    if source:
        at_once.add_all([p.step for p in source], [p.value for p in source], Lines(source))
    one_by_one = series(earlier)
    for each in source:
        one_by_one.add(each, f"line {each.line}")
    assert at_once.trimmed() == one_by_one.trimmed()


@given(POINTS, POINTS, POINTS)
def test_merging_is_commutative_and_associative(a: list[Point], b: list[Point], c: list[Point]) -> None:
    left = merged_series([merged_series([series(a), series(b)]), series(c)])
    right = merged_series([series(c), merged_series([series(b), series(a)])])
    assert left == right


@given(POINTS, st.integers(0, 60))
def test_parts_merge_to_the_whole(points: list[Point], cut: int) -> None:
    assert merged_series([series(points[:cut]), series(points[cut:])]) == merged_series([series(points)])


@given(POINTS)
def test_the_stride_is_the_smallest_that_fits(points: list[Point]) -> None:
    stride = series(points).stride
    steps = [p.step for p in points]
    assert len({step // stride for step in steps}) <= 8
    assert stride == 1 or len({step // (stride // 2) for step in steps}) > 8


@given(POINTS)
def test_buckets_hold_all_values(points: list[Point]) -> None:
    finite = [p.value for p in points if math.isfinite(p.value)]
    buckets = series(points).buckets
    assert sum(bucket.count for bucket in buckets) == len(finite)
    assert min((b.low.value for b in buckets if b.low), default=None) == min(finite, default=None)
    assert max((b.high.value for b in buckets if b.high), default=None) == max(finite, default=None)
    assert any(b.odd for b in buckets) == (len(finite) < len(points))


def test_a_merge_leaves_its_parts_as_they_are() -> None:
    part = series([point(1, 1.0)])
    whole = Series()
    whole.merge(part)
    whole.merge(series([point(1, 2.0)]))
    assert part == series([point(1, 1.0)])


def test_a_bucket_tells_where_its_extremes_stand() -> None:
    values = {0: 3.0, 1: math.nan, 2: 1.0, 3: 9.0, 4: math.inf, 5: 2.0}
    whole = Bucket.of(point(0, values[0]))
    for step in range(1, 6):
        whole = whole.merged(Bucket.of(point(step, values[step])))
    kept = (whole.first, whole.last, whole.low, whole.high, whole.odd)
    assert [p.step for p in kept if p] == [0, 5, 2, 3, 1]
    assert (whole.count, whole.mean) == (4, 3.75)
    assert [p.step for p in whole.points] == [0, 1, 2, 3, 5]


def test_a_bucket_of_nothing_finite_has_no_mean() -> None:
    bucket = Bucket.of(point(4, math.inf))
    assert bucket.mean is None
    assert bucket.at.step == 4


def test_sums_are_exact() -> None:
    whole = Bucket.of(point(0, 1e300))
    for step, value in enumerate((1.0, -1e300), 1):
        whole = whole.merged(Bucket.of(point(step, value)))
    assert whole.sum == 1.0


def test_lines_are_kept_of_the_values_that_stand_out() -> None:
    values = [float(100 + n % 50) for n in range(2000)]
    values[700], values[900], values[1000] = 9999.0, 1.0, math.nan
    folded = series(point(n, v) for n, v in enumerate(values))
    for step in (0, 700, 900, 1000, 1999):
        assert folded.text(point(step, values[step])) == f"line {step + 1}"
    assert len(folded.quotes) <= 2 * QUOTED + 3
