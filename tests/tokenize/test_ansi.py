"""Colours go, offsets stay true."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.tokenize.ansi import strip

SEQUENCES = [
    b"\x1b[36m",
    b"\x1b[0m",
    b"\x1b[1;31m",
    b"\x1b[2K",
    b"\x1b[?25l",
    b"\x1b]0;title\x07",
    b"\x1b]8;;u\x1b\\",
    b"\x1b(B",
]
PIECES = st.lists(st.sampled_from(SEQUENCES) | st.binary(max_size=12).map(lambda data: data.replace(b"\x1b", b"")))


def test_data_without_an_escape_is_the_same_object() -> None:
    data = b"step 1\nstep 2\n"
    clean, offsets = strip(data)
    assert clean is data
    assert [offsets.raw(place) for place in (0, 7, 14)] == [0, 7, 14]


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_takes_out_a_sequence(sequence: bytes) -> None:
    assert strip(b"a" + sequence + b"b")[0] == b"ab"


@pytest.mark.parametrize("data", [b"\x1b", b"a\x1b[", b"a\x1b[12\nb", b"\x1b]0;open\nnext line"])
def test_what_begins_no_sequence_stays(data: bytes) -> None:
    assert strip(data)[0] == data


def test_a_line_that_begins_with_a_colour_begins_where_the_colour_does() -> None:
    data = b"one\n\x1b[36m(Worker pid=7)\x1b[0m two\n"
    clean, offsets = strip(data)
    assert clean == b"one\n(Worker pid=7) two\n"
    assert offsets.raw(4) == 4
    assert data[offsets.raw(clean.index(b" two")) :] == b"\x1b[0m two\n"


@settings(deadline=None)
@given(pieces=PIECES)
def test_offsets_cut_the_raw_data_where_the_clean_data_is_cut(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    clean, offsets = strip(data)
    assert clean == b"".join(piece for piece in pieces if piece not in SEQUENCES)
    assert offsets.raw(0) == 0
    for place in range(len(clean) + 1):
        assert strip(data[: offsets.raw(place)])[0] == clean[:place]
        assert strip(data[offsets.raw(place) :])[0] == clean[place:]


@settings(deadline=None)
@given(data=st.binary(max_size=200))
def test_never_loses_a_newline(data: bytes) -> None:
    assert strip(data)[0].count(b"\n") == data.count(b"\n")
