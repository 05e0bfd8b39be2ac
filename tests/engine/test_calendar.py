"""Stamps on one axis."""

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.engine.calendar import Calendar
from logsleuth.model.origin import Stamp


def stamp(text: str, year: bool = True) -> Stamp:
    """A stamp; without a year it lies in 2000, as all those do."""
    moment = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return Stamp((moment if year else moment.replace(year=2000)).timestamp(), year, False)


def read(dated: list[str], text: str) -> str | None:
    """What a stamp without a year is taken for beside stamps with one."""
    calendar = Calendar([stamp(moment) for moment in dated])
    return calendar.text(calendar.seconds(stamp(text, year=False)))


@pytest.mark.parametrize(
    ("dated", "text", "expected"),
    [
        (["2024-05-01T10:00:00"], "2000-05-01T11:00:00", "2024-05-01T11:00:00.000"),
        (["2024-12-31T23:00:00"], "2000-01-01T00:30:00", "2025-01-01T00:30:00.000"),
        (["2025-01-01T00:30:00"], "2000-12-31T23:00:00", "2024-12-31T23:00:00.000"),
        (["2024-02-28T10:00:00"], "2000-02-29T10:00:00", "2024-02-29T10:00:00.000"),
        (["2023-02-28T10:00:00"], "2000-02-29T10:00:00", "2024-02-29T10:00:00.000"),
        (["2024-05-01T10:00:00", "2024-05-01T11:00:00", "1970-01-01T00:00:00"], "2000-05-01T11:00:00", "2024-05-01T11:00:00.000"),
        ([], "2000-05-01T11:00:00.125", "--05-01T11:00:00.125"),
    ],
)  # fmt: skip
def test_a_stamp_without_a_year_lies_near_those_that_have_one(dated: list[str], text: str, expected: str) -> None:
    assert read(dated, text) == expected


def test_a_stamp_with_a_year_stays_where_it_is() -> None:
    moment = stamp("2024-05-01T10:00:00")
    assert Calendar([stamp("2030-01-01T00:00:00")]).seconds(moment) == moment.seconds


def test_nothing_is_no_time() -> None:
    assert Calendar([]).seconds(None) is None
    assert Calendar([]).text(None) is None


@given(st.floats(allow_nan=True, allow_infinity=True), st.booleans())
def test_no_number_of_seconds_is_too_odd_to_be_written(seconds: float, year: bool) -> None:
    Calendar([stamp("2024-05-01T10:00:00")] if year else []).text(seconds)


@pytest.mark.parametrize("seconds", [math.inf, -math.inf, math.nan, 1e18, -1e18])
def test_what_no_calendar_has_is_no_time(seconds: float) -> None:
    assert Calendar([stamp("2024-05-01T10:00:00")]).text(seconds) is None


@given(st.integers(0, 365 * 86_400), st.integers(0, 365 * 86_400))
def test_stamps_of_one_day_keep_their_order(start: int, more: int) -> None:
    calendar = Calendar([stamp("2024-07-01T00:00:00")])
    base = stamp("2000-01-01T00:00:00").seconds
    first, second = (
        calendar.seconds(Stamp(base + offset, False, False))
        for offset in (start, start - start % 86_400 + more % 86_400)
    )
    assert first is not None
    assert second is not None
    assert (first < second) == (start < start - start % 86_400 + more % 86_400)


@pytest.mark.parametrize(
    ("days", "in_order"),
    [
        (["12-31", "01-01"], ["12-31", "01-01"]), (["11-20", "12-31", "02-29"], ["11-20", "12-31", "02-29"]),
        (["01-01", "03-01"], ["01-01", "03-01"]), (["02-01", "05-01", "08-01", "11-01"], ["02-01", "05-01", "08-01", "11-01"]),
    ],
)  # fmt: skip
def test_a_job_without_years_goes_on_over_new_year(days: list[str], in_order: list[str]) -> None:
    stamps = [stamp(f"2000-{day}T12:00:00", year=False) for day in days]
    calendar = Calendar(stamps)
    seconds = sorted(s for s in map(calendar.seconds, stamps) if s is not None)
    assert [calendar.text(s) for s in seconds] == [f"--{day}T12:00:00.000" for day in in_order]
    assert len(days) > 3 or seconds[-1] - seconds[0] < 183 * 86_400
