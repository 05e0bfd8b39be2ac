"""Time stamps of every producer that the facts name, and what no calendar has."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.model.origin import Stamp
from logsleuth.tokenize.stamps import find, read, read_epoch, read_glog, with_year

MOMENTS = st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(2199, 12, 30)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)


def seconds(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> float:
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp()


NOON = seconds(2024, 1, 5, 10, 0, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"2024-01-05 10:00:00", Stamp(NOON, True, False)),
        (b"2024-01-05 10:00:00,123", Stamp(NOON + 0.123, True, False)),
        (b"2024-01-05T10:00:00.123456789Z", Stamp(NOON + 0.123456789, True, True)),
        (b"2024-01-05T10:00:00", Stamp(NOON, True, False)),
        (b"2024-01-05T18:00:00+08:00", Stamp(NOON, True, True)),
        (b"2024-01-05T05:00:00-0500", Stamp(NOON, True, True)),
        (b"2024-01-05 10:00:00 +0000", Stamp(NOON, True, True)),
        (b"2024-01-05 10:00:00 UTC", Stamp(NOON, True, True)),
        (b"2024/01/05 10:00:00", Stamp(NOON, True, False)),
        (b"2024-01-05_10:00:00", Stamp(NOON, True, False)),
        (b"01/05/2024 10:00:00", Stamp(NOON, True, False)),
        (b"24-01-05 10:00:00.5", Stamp(NOON + 0.5, True, False)),
        (b"Fri Jan  5 10:00:00 2024", Stamp(NOON, True, False)),
        (b"Jan 05 2024 10:00:00", Stamp(NOON, True, False)),
        (b"12/21 01:39:51", Stamp(seconds(2000, 12, 21, 1, 39, 51), False, False)),
        (b"01-05 10:00:00", Stamp(seconds(2000, 1, 5, 10, 0, 0), False, False)),
        (b"Jan  5 10:00:00", Stamp(seconds(2000, 1, 5, 10, 0, 0), False, False)),
        (b"Feb 29 10:00:00", Stamp(seconds(2000, 2, 29, 10, 0, 0), False, False)),
    ],
)
def test_reads_every_shape(text: bytes, expected: Stamp) -> None:
    stamp = read(text)
    assert stamp is not None
    assert stamp.seconds == pytest.approx(expected.seconds, abs=1e-6)
    assert stamp[1:] == expected[1:]


@pytest.mark.parametrize(
    "text",
    [
        b"2024-13-05 10:00:00",
        b"2023-02-29 10:00:00",
        b"2024-01-05 24:00:00",
        b"2024-01-05 10:60:00",
        b"0000-01-05 10:00:00",
        b"9999-12-31 23:59:59",
        b"31/12/2024 10:00:00",
        b"Feb 30 10:00:00",
        b"",
        b"10:00:00",
        b"2024-01-05",
        b"2024-01-05 10:00:00 and more",
    ],
)
def test_a_stamp_that_no_calendar_has_is_none(text: bytes) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    ("day_and_clock", "expected"),
    [
        (b"1130 00:17:10", seconds(2000, 11, 30, 0, 17, 10)),
        (b"709 17:05:38", seconds(2000, 7, 9, 17, 5, 38)),
        (b"20240105 10:00:00", NOON),
    ],
)
def test_reads_glog(day_and_clock: bytes, expected: float) -> None:
    stamp = read_glog(day_and_clock, b".162555850")
    assert stamp is not None
    assert stamp.seconds == pytest.approx(expected + 0.16255585, abs=1e-6)
    assert stamp.has_year == day_and_clock.startswith(b"2024")


@pytest.mark.parametrize("day_and_clock", [b"1399 00:00:00", b"030 00:00:00", b"1130 25:00:00", b"1131 00:00:00"])
def test_an_impossible_glog_stamp_is_none(day_and_clock: bytes) -> None:
    assert read_glog(day_and_clock, b".1") is None


def test_seconds_since_boot_are_no_time_of_day() -> None:
    assert read_epoch(b"81234.567890") is None
    assert read_epoch(b"1704448800.500000") == Stamp(NOON + 0.5, True, True)


def test_finds_a_stamp_within_a_text() -> None:
    assert find(b"<2024-01-05 10:00:00.250> ") == Stamp(NOON + 0.25, True, False)
    assert find(b"10:00:00 ") is None


@pytest.mark.parametrize(
    ("yearless", "like", "expected"),
    [
        ((2000, 1, 5), (2024, 1, 5), (2024, 1, 5)),
        ((2000, 12, 31), (2024, 1, 1), (2023, 12, 31)),
        ((2000, 1, 1), (2024, 12, 31), (2025, 1, 1)),
        ((2000, 2, 29), (2024, 3, 1), (2024, 2, 29)),
    ],
)
def test_a_stamp_without_a_year_takes_the_nearest(
    yearless: tuple[int, int, int], like: tuple[int, int, int], expected: tuple[int, int, int]
) -> None:
    stamp = with_year(Stamp(seconds(*yearless, 3), False, False), Stamp(seconds(*like, 12), True, True))
    assert stamp == Stamp(seconds(*expected, 3), True, False)


def test_a_year_that_cannot_be_found_is_not_invented() -> None:
    leap_day = Stamp(seconds(2000, 2, 29), False, False)
    assert with_year(leap_day, Stamp(seconds(2022, 3, 1), True, False)) == leap_day
    assert with_year(leap_day, Stamp(seconds(2000, 3, 1), False, False)) == leap_day


@settings(deadline=None)
@given(moment=MOMENTS, digits=st.integers(0, 9), offset=st.integers(-12 * 60, 14 * 60))
def test_any_iso_stamp_is_read_back(moment: datetime, digits: int, offset: int) -> None:
    local = moment.astimezone(timezone(timedelta(minutes=offset)))
    fraction = b"." + b"0" * digits if digits else b""
    text = local.strftime("%Y-%m-%dT%H:%M:%S").encode() + fraction + local.strftime("%z").encode()
    assert read(text) == Stamp(moment.timestamp(), True, True)


@settings(deadline=None)
@given(moment=MOMENTS)
def test_all_spellings_of_a_moment_agree(moment: datetime) -> None:
    formats = (
        "%Y-%m-%d %H:%M:%S",
        "%Y/%m/%d %H:%M:%S",
        "%m/%d/%Y %H:%M:%S",
        "%a %b %d %H:%M:%S %Y",
        "%b %d %Y %H:%M:%S",
    )
    assert {read(moment.strftime(shape).encode()) for shape in formats} == {Stamp(moment.timestamp(), True, False)}


@settings(deadline=None)
@given(text=st.binary(max_size=40) | st.from_regex(rb"\d{4}-\d\d-\d\d[T _]\d\d:\d\d:\d\d([.,]\d{1,15})?(Z|[+-]\d{4})?"))
def test_never_raises(text: bytes) -> None:
    stamp = read(text)
    assert stamp is None or datetime.fromtimestamp(stamp.seconds, UTC)
