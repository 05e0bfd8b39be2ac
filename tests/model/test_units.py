"""Sizes and durations as logs and people write them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.model.units import format_bytes, format_duration, parse_bytes, parse_duration


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.50 GiB", 1.5 * 2**30), ("1 GB", 1e9), ("512 bytes", 512), ("7", 7), ("300MB", 3e8), (" 2 KiB ", 2048), ("1 TiB", 2**40),
        ("3 parsecs", None), ("", None), ("1.2.3 GiB", None), ("-4 GiB", None), ("GiB", None), ("1 gib", None),
    ],
)  # fmt: skip
def test_sizes(text: str, value: float | None) -> None:
    assert parse_bytes(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("600000ms", 600), ("1h 5m", 3900), ("0:10:00", 600), ("90", 90), ("15 min", 900), ("2 days", 172_800), ("1-02:03:04", 93_784),
        ("12:30", 750), ("01:02:03.5", 3723.5), ("2.5 s", 2.5), ("40us", 4e-5),
        ("soon", None), ("", None), ("1:2", None), ("1.2.3s", None), ("5 mistakes", None),
    ],
)  # fmt: skip
def test_durations(text: str, value: float | None) -> None:
    assert parse_duration(text) == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("value", "text"), [(7200, "2 h"), (7900, "2 h 12 min"), (10_790, "3 h"), (7199, "119 min 59 s")]
)
def test_a_duration_is_written_to_the_nearest_minute(value: float, text: str) -> None:
    assert format_duration(value) == text


@given(st.one_of(st.text(), st.text("0123456789.:- msdhGiB"), st.just("9" * 5000 + ":00")))
def test_no_text_of_a_log_is_too_odd_to_be_read(text: str) -> None:
    parse_bytes(text)
    parse_duration(text)


def test_a_clock_of_absurd_length_is_read_without_an_error() -> None:
    assert parse_duration("9" * 5000 + ":00:00") == math.inf


@given(st.floats(0, 1e18))
def test_a_size_is_read_back_as_it_was_written(value: float) -> None:
    assert parse_bytes(format_bytes(value)) == pytest.approx(value, rel=0.005, abs=0.5)


@given(st.floats(0, 1e12))
def test_a_duration_is_read_back_as_it_was_written(value: float) -> None:
    assert parse_duration(format_duration(value)) == pytest.approx(value, rel=0.005, abs=0.0005)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.25, "250 ms"), (1, "1 s"), (90, "90 s"), (600, "10 min"), (630, "10 min 30 s"), (5400, "90 min"), (9000, "2 h 30 min"), (7200, "2 h")],
)  # fmt: skip
def test_durations_in_words(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@given(st.floats())
def test_no_number_is_too_odd_to_be_written(value: float) -> None:
    assert format_bytes(value)
    assert format_duration(value)


def test_what_is_not_finite_is_told_as_it_is() -> None:
    assert format_duration(math.inf) == "inf s"
