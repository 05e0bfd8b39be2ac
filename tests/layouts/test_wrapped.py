"""Unfolding neither loses nor invents text: lines that were wrapped in any record come out as they went in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.ingest.chunks import cut
from logsleuth.layouts.registry import laid_out
from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.view import Line, View
from tests.layouts.wrapped import WRAPPERS, wrapped, written

TEXT = st.text(
    st.one_of(
        st.sampled_from("ab \t\\\"'{}[]<>&/,:=né😀"), st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))
    ),
    max_size=20,
)
"""Lines as programs write them. What a layout takes for a record inside is another test's."""


def unfolded(data: bytes, size: int, name: str | None = None) -> tuple[str, list[Line]]:
    """The layout that is recognised, and the lines that come out."""
    found, chunks = laid_out(cut([data], size, 16 << 20), name)
    lines = []
    for chunk in chunks:
        view = View(chunk, False)
        start = 0
        while start < len(view.text):
            end = view.end(start)
            lines.append(view.line(start, end))
            start = view.behind(end)
    return found, lines


def texts(lines: list[Line]) -> list[str]:
    """Their texts behind the label."""
    return [line.text[len(line.text) - len(_bare(line)) :].decode() for line in lines]


def _bare(line: Line) -> bytes:
    text = line.text
    if text[:1] == b"\x1e":
        return text.partition(b"\x1f")[2]
    _, _, behind = text.partition(b" F ")
    return behind


@pytest.mark.parametrize("name", WRAPPERS)
@settings(max_examples=60, deadline=None)
@given(lines=st.lists(TEXT, min_size=3, max_size=12), size=st.integers(1, 400))
def test_lines_come_out_as_they_went_in(name: str, lines: list[str], size: int) -> None:
    lines = [line.replace("\u2028", "").replace("\u2029", "").replace("\x85", "") for line in lines]
    data = wrapped(name, written(lines))
    _, found = unfolded(data, size, WRAPPERS[name][0])
    records = [line for line in found if line.text[:1] == b"\x1e" or b" F " in line.text]
    assert texts(records) == lines
    whole = unfolded(data, 1 << 20, WRAPPERS[name][0])[1]
    assert [(line.text, line.offset, line.number) for line in whole] == [
        (line.text, line.offset, line.number) for line in found
    ]


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_layout_is_recognised(name: str) -> None:
    lines = ["Traceback (most recent call last):", '  File "t.py", line 3, in <module>', "", "\tRuntimeError: é"] * 4
    data = wrapped(name, written(lines))
    for size in (7, 1 << 20):
        layout, found = unfolded(data, size)
        assert layout == WRAPPERS[name][0]
        assert texts([line for line in found if line.text[:1] == b"\x1e" or b" F " in line.text]) == lines
        assert [frame(line.text).stamp for line in found if line.text[:1] == b"\x1e"].count(None) == 0


NESTED = ("docker", "Fluent Bit", "CloudWatch", "Loki", "a JSON logger", "Elasticsearch")


@pytest.mark.parametrize("name", NESTED)
def test_a_message_of_several_lines_is_several_lines(name: str) -> None:
    lines = ['first\n  "second"\n\tthird é', "fourth"] * 2
    data = wrapped(name, written(lines))
    _, found = unfolded(data, 1 << 20)
    records = [line for line in found if line.text[:1] == b"\x1e"]
    assert texts(records) == ["first", '  "second"', "\tthird é", "fourth"] * 2
    if name != "Loki":
        assert [line.offset for line in records] == sorted(line.offset for line in records)
        for line in records:
            assert line.cited is not None
            assert data[line.offset :].startswith(line.cited)
            assert line.number == data.count(b"\n", 0, line.offset) + 1
    assert records[1].cited == b'  \\"second\\"'
