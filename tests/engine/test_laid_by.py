"""Series that are laid by are the ones that they were, however few are held."""

import math
import os
import tempfile
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.drivers.reading import MEANS
from logsleuth.engine import laid_by
from logsleuth.engine.laid_by import LaidBy, Shelf
from logsleuth.engine.series import Series, SeriesKey, merged_series
from logsleuth.engine.series_together import together
from logsleuth.model.origin import BARE, Stamp
from logsleuth.model.series import LateStamp, Point

NUMBERS = st.floats(allow_nan=False) | st.just(math.nan) | st.integers(-(2**60), 2**60)
VALUES = st.lists(st.tuples(st.integers(0, 30) | st.integers(0, 2**40), NUMBERS, st.integers(0, 3)), min_size=1)


def _read(head: bytes) -> Stamp:
    return Stamp(float(len(head)), False, False)


def made(values: Sequence[tuple[int, float, int]], source: int = 3) -> Series:
    series = Series()
    told = None, LateStamp(b"12:00", _read), LateStamp(b"12:00:01", _read), Stamp(5.0, False, False)
    for at, (step, value, which) in enumerate(values):
        series.add(Point(step, value, source, 100 * at, at, told[which]), f"line {at}")
    return series.trimmed()


@given(VALUES, VALUES)
def test_what_is_laid_by_is_what_it_was(values: list[Any], others: list[Any]) -> None:
    series, other = made(values), made(others, source=4)
    kept = Shelf(MEANS).laid_by(series)
    assert repr(kept) == repr(series)
    assert list(kept.filled) == list(series.filled)
    assert repr(kept.renumbered(9)) == repr(series.renumbered(9))
    assert repr(together([kept, other])) == repr(together([series, other]))
    assert repr(merged_series([kept, other])) == repr(merged_series([series, other]))
    for point, text in zip(kept.quotes, series.quotes.values(), strict=True):
        assert kept.text(point) == text


def test_the_line_of_what_is_no_number_is_found_again() -> None:
    kept = Shelf(MEANS).laid_by(made([(1, math.nan, 0), (2, 1.0, 0)]))
    odd = kept.filled[1].odd
    assert odd is not None
    assert kept.text(odd) == "line 0"


def test_equal_series_are_equal_laid_by_or_not() -> None:
    series, shelf = made([(1, 2.0, 0)]), Shelf(MEANS)
    assert shelf.laid_by(series) == series
    assert series == shelf.laid_by(series)
    assert shelf.laid_by(series) == Shelf(MEANS).laid_by(series)
    assert shelf.laid_by(series) != made([(1, 3.0, 0)])


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shelf that holds next to nothing."""
    monkeypatch.setattr(laid_by, "MOST", 2)
    monkeypatch.setattr(laid_by, "LITTLE", 0)
    monkeypatch.setattr(laid_by, "RECENT", 2)


def keyed(parts: Sequence[Series]) -> dict[SeriesKey, Series]:
    return {SeriesKey("s", "e", number, BARE, (), 0, True): part for number, part in enumerate(parts)}


@pytest.mark.usefixtures("few")
def test_only_so_many_are_held() -> None:
    shelf, series = Shelf(MEANS), keyed([made([(1, 1.0, 0)]) for _ in range(4)])
    shelf.admit(series, list(series))
    assert [isinstance(one, LaidBy) for one in series.values()] == [False, False, True, True]


@pytest.mark.usefixtures("few")
def test_what_is_little_is_held_in_any_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laid_by, "LITTLE", 1)
    shelf, series = Shelf(MEANS), keyed([made([(1, 1.0, 0)]) for _ in range(4)])
    shelf.admit(series, list(series))
    assert not any(isinstance(one, LaidBy) for one in series.values())


@pytest.mark.usefixtures("few")
def test_those_asked_for_last_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf, reads = Shelf(MEANS), list[LaidBy]()
    first, second, third = (shelf.laid_by(made([(1, 1.0, 0)])) for _ in range(3))
    plain = LaidBy.read

    def noted(one: LaidBy) -> Series:
        reads.append(one)
        return plain(one)

    monkeypatch.setattr(LaidBy, "read", noted)
    for one in (first, second, first, third, first, second):
        assert one.filled
    assert [id(one) for one in reads] == [id(one) for one in (first, second, third, second)]


def test_where_there_is_no_room_they_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "pwrite", lambda *_: 0)
    series = made([(1, 2.0, 0)])
    assert Shelf(MEANS).laid_by(series) == series


def test_where_there_is_no_folder_for_it_they_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere/at/all")
    series = made([(1, 2.0, 0)])
    assert Shelf(MEANS).laid_by(series) == series


def test_a_fork_does_not_write_where_its_parent_does(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf, series = Shelf(MEANS), [made([(1, float(number), 0)]) for number in range(3)]
    first = shelf.laid_by(series[0])
    monkeypatch.setattr(os, "getpid", partial(int, "-1"))
    in_fork = shelf.laid_by(series[1])
    monkeypatch.undo()
    last = shelf.laid_by(series[2])
    assert [first, in_fork, last] == series
