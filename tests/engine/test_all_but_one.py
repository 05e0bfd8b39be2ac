"""What values come to without one of them is what the others come to by themselves."""

import statistics

from hypothesis import given
from hypothesis import strategies as st

from logsleuth.engine.aggregates import is_far, mode
from logsleuth.engine.all_but_one import AllButOne, of_peers

VALUES = st.lists(
    st.integers(-3, 3) | st.booleans() | st.floats(-9, 9) | st.sampled_from((0.1, 1e9, 2**60, "idle", float("nan"))),
    min_size=1,
    max_size=12,
)


@given(VALUES, st.data())
def test_values_without_one_come_to_what_the_others_do(values: list[object], data: st.DataObject) -> None:
    but = data.draw(st.none() | st.integers(0, len(values) - 1))
    left = [value for at, value in enumerate(values) if at != but]
    numbers = [value for value in left if isinstance(value, int | float)]
    known = AllButOne(values)
    assert known.count(but) == len(left)
    assert known.count_of_numbers(but) == len(numbers)
    asked = [of_peers(name, known, but, 3) for name in ("peers.mode", "peers.max", "peers.median")]
    if len(left) < 2:
        assert asked == [None] * 3
        return
    told = [mode(left), *((max(numbers), statistics.median(numbers)) if numbers else (None, None))]
    assert repr(asked) == repr(told)


@given(VALUES, st.floats(-20, 20), st.sampled_from((0.5, 1.0, 5.0)), st.data())
def test_what_is_far_from_the_others(values: list[object], own: float, factor: float, data: st.DataObject) -> None:
    but = data.draw(st.none() | st.integers(0, len(values) - 1))
    numbers = [v for at, v in enumerate(values) if at != but and isinstance(v, int | float)]
    if len(numbers) > 1:
        assert AllButOne(values).is_far(own, but, factor) == is_far(own, numbers, factor)
