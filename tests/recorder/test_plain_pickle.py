"""Pickles of plain values are read as Python reads them, and nothing else is."""

import os
import pickle
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.recorder.plain_pickle import NotPlainError, load

KEYS = st.text(max_size=8) | st.integers(-(2**70), 2**70)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=300),
    lambda inner: (
        st.lists(inner, max_size=5) | st.lists(inner, max_size=5).map(tuple) | st.dictionaries(KEYS, inner, max_size=5)
    ),
    max_leaves=30,
)


@given(VALUES, st.integers(2, 5))
def test_plain_values_come_back(value: object, protocol: int) -> None:
    assert load(pickle.dumps(value, protocol)) == value


def test_shared_parts_are_shared() -> None:
    part = ["x"]
    both = load(pickle.dumps([part, part], 2))
    assert isinstance(both, list)
    assert both[0] is both[1]


def test_a_number_in_the_memo_costs_nothing() -> None:
    assert load(b"\x80\x02]r\xff\xff\xff\xff.") == []


class _Calls:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("exit 1",)


@pytest.mark.parametrize("value", [_Calls(), os.system, {1, 2}, b"bytes", 1j, bytearray(b"x"), range(3)])
@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_what_names_or_calls_something_is_refused(value: object, protocol: int) -> None:
    with pytest.raises(NotPlainError):
        load(pickle.dumps([value], protocol))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80\x02",
        b"\x80\x02.",
        b"\x80\x02(.",
        b"\x80\x02X\xff\xff\xff\xffabc.",  # a text of 4 GiB
        b"\x80\x02\x8b\xff\xff\xff\x7f1.",  # a number of 2 GiB
        b"\x80\x02" + b"(" * 1000 + b".",
        b"\x80\x02K\x01K\x02e.",
        b"\x80\x02}(K\x01u.",
        b"\x80\x02}(]K\x01u.",
        b"\x80\x02h\x05.",
        b"\x80\x02cposix\nsystem\n.",
    ],
)
def test_damaged_and_hostile_ones_are_told(data: bytes) -> None:
    with pytest.raises(NotPlainError, match=r"\w"):
        load(data)


def test_work_is_bounded() -> None:
    with pytest.raises(NotPlainError, match="more than any"):
        load(b"\x80\x02" + b"N0" * 1000 + b"N.", most_steps=100)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(NotPlainError):
        load(b"\x80\x02" + data)
