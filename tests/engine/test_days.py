"""On which day clocks that tell none were read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.engine.days import DAY, counted_days, day_among, day_beside

HOUR = 3600.0


def of(*hours: float) -> list[tuple[float, float]]:
    """A row of clocks by their hours."""
    return [(float(at), hour * HOUR) for at, hour in enumerate(hours)]


@pytest.mark.parametrize(
    ("hours", "counted"),
    [
        ((10, 11, 12), (10, 11, 12)), ((22, 23.9, 0.1, 1), (22, 23.9, 24.1, 25)),
        # A line that was flushed late, on either side of midnight.
        ((10, 9.99, 10.01), (10, 9.99, 10.01)), ((23.99, 0.01, 23.98, 0.02), (23.99, 24.01, 23.98, 24.02)),
        ((20, 4, 12, 20, 4), (20, 28, 36, 44, 52)), ((), ()),
    ],
)  # fmt: skip
def test_a_clock_goes_on_over_midnight(hours: tuple[float, ...], counted: tuple[float, ...]) -> None:
    assert [seconds / HOUR for _, seconds in counted_days(of(*hours))] == pytest.approx(counted)


@given(st.floats(0, 86_399), st.lists(st.floats(0, 11.9 * HOUR), max_size=20))
def test_days_are_counted_as_long_as_a_log_speaks_twice_a_day(start: float, gaps: list[float]) -> None:
    moments = [start]
    for gap in gaps:
        moments.append(moments[-1] + gap)
    counted = counted_days([(float(at), moment % DAY) for at, moment in enumerate(moments)])
    assert [seconds for _, seconds in counted] == pytest.approx(moments, abs=1e-5)


@pytest.mark.parametrize(
    ("hours", "dated", "days"),
    [
        # Between two stamps of the second day.
        ((10.0, 10.1), [(-1.0, DAY + 9.9 * HOUR), (5.0, DAY + 10.2 * HOUR)], 1),
        ((0.1,), [(-1.0, DAY + 23.9 * HOUR)], 2),
        # Lines of other writers that come late by minutes.
        ((10.0,), [(-1.0, DAY + 10.2 * HOUR)], 1),
        # Another zone, or no clock at all but a duration.
        ((10.0,), [(-1.0, DAY + 14 * HOUR)], None), ((0.2, 0.3), [(-1.0, 9 * HOUR), (0.5, 10 * HOUR)], None),
        # Right at first, but then stamps in the same log deny it.
        ((10.0, 20.0), [(-1.0, 10 * HOUR), (3.0, 11 * HOUR)], None),
        ((10.0,), [], None),
    ],
)  # fmt: skip
def test_stamps_beside_a_clock_tell_its_day(
    hours: tuple[float, ...], dated: list[tuple[float, float]], days: int | None
) -> None:
    shift = day_beside(of(*hours), dated)
    assert shift == (None if days is None else days * DAY)


@pytest.mark.parametrize(
    ("span", "others", "days"),
    [
        ((10, 12), [(24 + 10, 24 + 12)], 1), ((10, 11), [(24 + 10, 24 + 12)], 1), ((11, 12), [(24 + 10, 24 + 12)], 1),
        # At the time of another one or near it, but on one day only.
        ((11, 11.5), [(24 + 10, 24 + 12)], 1), ((14, 15), [(24 + 10, 24 + 12)], 1),
        # Days apart, or none can be told: half a day lies between, or the job ran for days.
        ((23, 23.5), [(24 + 10, 24 + 12)], None), ((13, 14), [(10, 60)], None),
        # The job ran for days, but its logs begin together.
        ((10, 13), [(10, 60)], 0), ((9, 12), [(10, 60)], 2), ((10, 12), [(10, 60)], None),
    ],
)  # fmt: skip
def test_the_time_of_other_logs_tells_the_day(
    span: tuple[float, float], others: list[tuple[float, float]], days: int | None
) -> None:
    shift = day_among((span[0] * HOUR, span[1] * HOUR), [(a * HOUR, b * HOUR) for a, b in others])
    assert shift == (None if days is None else days * DAY)
