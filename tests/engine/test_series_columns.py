"""A series that went through columns is the one that it was."""

import copyreg
import math
import pickle
from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from logsleuth.engine.series import Series
from logsleuth.engine.series_columns import in_columns
from logsleuth.model.origin import Stamp
from logsleuth.model.series import Point

NUMBERS = st.floats(allow_nan=False) | st.just(math.nan) | st.integers(-(2**60), 2**60)
STAMPS = st.none() | st.builds(Stamp, st.floats(0, 2e9), st.booleans(), st.booleans())


@given(st.lists(st.tuples(st.integers(-(2**62), 2**62) | st.integers(0, 30), NUMBERS, STAMPS)))
def test_a_series_stays_what_it_is(values: list[tuple[int, float, Stamp | None]]) -> None:
    series = Series()
    for at, (step, value, stamp) in enumerate(values):
        series.add(Point(step, value, 3, 100 * at, at, stamp), f"line {at}")
    series = series.trimmed()
    written = BytesIO()
    pickler = pickle.Pickler(written)
    pickler.dispatch_table = {**copyreg.dispatch_table, Series: in_columns}
    pickler.dump(series)
    again = pickle.loads(written.getvalue())
    assert repr(again) == repr(series)
    assert list(again.filled) == list(series.filled)
    for series_again in (again, series):
        series_again.add(Point(1, 2.0, 3, 10**6, 10**4, None), "one more")
    assert repr(again) == repr(series)
