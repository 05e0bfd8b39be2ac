"""A chunk as lines."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.ingest.chunks import Chunk
from logsleuth.model.origin import Tag
from logsleuth.tokenize.view import LONGEST_TEXT, Line, View, readable


def lines(data: bytes, offset: int = 0, number: int = 1) -> list[Line]:
    """All lines of a chunk, the way a reader walks over them."""
    view = View(Chunk(data, offset, number, False), False)
    out, start = [], 0
    while start < len(view.text):
        end = view.end(start)
        out.append(view.line(start, end))
        start = view.behind(end)
    return out


def test_lines_with_their_places() -> None:
    found = lines(b"[rank1]: a\n\nbb\r\nc\rd\n", offset=1000, number=50)
    assert [(line.text, line.offset, line.number) for line in found] == [
        (b"[rank1]: a", 1000, 50), (b"", 1011, 51), (b"bb", 1012, 52), (b"c", 1016, 53), (b"d", 1018, 53),
    ]  # fmt: skip
    assert found[0].frame.tag == Tag(rank=1)


def test_offsets_are_those_of_the_source_with_its_colours() -> None:
    data = b"\x1b[1ma\x1b[0m\n\x1b[31mb\n c\n"
    found = lines(data)
    assert [line.text for line in found] == [b"a", b"b", b" c"]
    assert [line.offset for line in found] == [0, data.index(b"\n") + 1, data.index(b" c")]


def test_numbers_are_right_in_any_order() -> None:
    view = View(Chunk(b"a\nb\nc\nd\n", 0, 1, False), False)
    assert [view.line(start, start + 1).number for start in (4, 0, 6, 2)] == [3, 1, 4, 2]


@pytest.mark.parametrize(("start", "place"), [(0, 6), (6, 6), (11, 18), (18, 18), (22, 29), (29, 29)])
def test_the_next_line_with_a_prefix(start: int, place: int) -> None:
    text = b"x aaa\n" + b"aa 1\n" + b" aa aa\n" + b"aa\n" + b"aba\nxaa"
    view = View(Chunk(text, 0, 1, False), False)
    place = {29: len(text)}.get(place, place)
    assert view.next_line_with(b"aa", start) == place


@given(st.binary(max_size=200))
def test_lines_add_up_to_the_text(data: bytes) -> None:
    plain = data.replace(b"\x1b", b"")
    joined = b"".join(line.text for line in lines(plain))
    # What says nothing in front of a line (a hole, a page break, a byte order mark) is none of its text.
    written = (re.sub(rb"\A(?:[\0\f\v\b]|\xef\xbb\xbf)+", b"", line) for line in re.split(rb"\r\n|\n|\r", plain))
    assert joined == b"".join(written)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (b"plain", "plain"), (b"a\tb  ", "a\tb"), (b"bell \x07 null \x00 del \x7f", "bell  null  del"), (b"caf\xc3\xa9", "café"),
        (b"bad \xff byte", "bad \ufffd byte"), (b"\x1b]0;title", "]0;title"), ("csi \x9b31m".encode(), "csi 31m"),
        (b"x" * 9000, "x" * LONGEST_TEXT), ("é".encode() * 9000, "é" * LONGEST_TEXT),
    ],
)  # fmt: skip
def test_what_is_shown_of_a_line(text: bytes, shown: str) -> None:
    assert readable(text) == shown


@given(st.binary(max_size=300))
def test_what_is_shown_can_do_nothing_to_a_terminal(text: bytes) -> None:
    shown = readable(text)
    assert not any(ord(char) < 32 and char != "\t" for char in shown)
    assert not any(127 <= ord(char) < 160 for char in shown)
