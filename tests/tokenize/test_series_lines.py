"""Every line whose shape is known feeds series; of others some do, spread evenly, and all that tell of no number."""

import io
from contextlib import nullcontext
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logsleuth.ingest.chunks import CHUNK_SIZE, Reader
from logsleuth.language.library import compile_texts
from logsleuth.model.origin import Tag
from logsleuth.tokenize import frequent, learned, series_lines
from logsleuth.tokenize.dictionary import Vocabulary
from logsleuth.tokenize.find import Find
from logsleuth.tokenize.reader import SourceReader
from logsleuth.tokenize.series_rows import Rows

EVENTS = """
event a.step "A step." {
  frequent
  line "step {n:int} is done"
  line "step {n:int} is done, x = {x:float}"
  line "step {n:int} is done, x = {x:float}, {...}y = {y:float}"
  series x at n
  series y at n
}
event a.again "It starts over." { line "starting over" begins attempt }
"""
Fed = tuple[object, ...]


def fed(text: str, *series: str, chunk_size: int = CHUNK_SIZE) -> list[Fed]:
    """(n, x, y, segment, number, tag, stamp, line) of all whose numbers were taken, in the order of lines."""
    events = compile_texts({"x.sleuth": EVENTS}).events.values()
    out: list[tuple[int, Fed]] = []

    def take(find: Find, number: int) -> None:
        n, x, y = find.values(("n", "x", "y"))
        point = find.point(0, 0.0)
        out.append((point.offset, (n, x, y, find.segment, number, find.tag, point.stamp, point.line)))

    def take_rows(rows: Rows, segment: int) -> None:
        for at, number in enumerate(rows.numbers):
            n, x, y = (rows.columns[name][at] if name in rows.columns else None for name in ("n", "x", "y"))
            point = rows.point(at, 0, 0.0)
            out.append((point.offset, (n, x, y, segment, number, rows.tag, point.stamp, point.line)))

    reader = SourceReader(0, Vocabulary(events, events, "plain", series), False, lambda _: None, take, take_rows)
    for chunk in Reader(nullcontext(io.BytesIO(text.encode())), size=chunk_size):
        reader.feed(chunk)
    reader.finish()
    return [fed for _, fed in sorted(out, key=lambda item: item[0])]


def words(n: int) -> str:
    """Other letters for every number: lines that end with them have no shape in common."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(n))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows of 400 bytes, of which two lines are lessons, and eight (of the first) or four more are looked at; shapes are
    tried together as soon as there are two."""
    monkeypatch.setattr(frequent, "WINDOW", 400)
    monkeypatch.setattr(series_lines, "LESSONS", 2)
    monkeypatch.setattr(series_lines, "AT_FIRST", 8)
    monkeypatch.setattr(series_lines, "SPREAD", 4)
    monkeypatch.setattr(learned, "_MANY", 1)


def test_nothing_is_looked_at_for_a_series_that_nobody_reads() -> None:
    assert fed("step 1 is done, x = 2\n") == []
    assert fed("step 1 is done, x = 2\n", "a.y") == []


def test_wordings_complete_each_other() -> None:
    line = "step 1 is done, x = 2, z = 3, y = 4\n"
    assert [row[:5] for row in fed(3 * line, "a.x", "a.y")] == [(1, 2.0, 4.0, 0, number) for number in range(3)]


@pytest.mark.usefixtures("small")
def test_every_line_counts() -> None:
    seen = fed("".join(f"step {n} is done, x = {n}.5\n" for n in range(3000)), "a.x")
    assert [row[:5] for row in seen] == [(n, n + 0.5, None, 0, n) for n in range(3000)]


def test_every_line_of_every_writer_counts() -> None:
    text = "".join(f"[rank{rank}]: step {n} is done, x = {rank}\n" for n in range(200) for rank in range(4))
    seen = fed(text, "a.x")
    assert [(n, x, tag) for n, x, _, _, _, tag, *_ in seen] == [
        (n, float(rank), Tag(rank=rank)) for n in range(200) for rank in range(4)
    ]


@pytest.mark.usefixtures("small")
def test_of_lines_without_a_shape_some_are_spread_evenly() -> None:
    text = "".join(f"step {n} is done, x = 1.5 {words(n)}\n" for n in range(1000, 2000))
    seen = [n for n, *_ in fed(text, "a.x")]
    gaps = [after - before for before, after in pairwise(n for n in seen if isinstance(n, int))]
    assert 100 < len(seen) < 900
    assert max(gaps) <= 8


@pytest.mark.usefixtures("small")
def test_what_is_no_number_is_always_seen_with_what_came_before() -> None:
    values = {1501: "nan", 1777: "-inf"}
    text = "".join(f"step {n} is done, x = {values.get(n, '1.5')} {words(n)}\n" for n in range(1000, 2000))
    seen = [n for n, *_ in fed(text, "a.x")]
    assert {1500, 1501, 1776, 1777} <= set(seen)


@pytest.mark.usefixtures("small")
def test_a_counter_of_nan_iterations_is_no_nan() -> None:
    lines = [f"step {n} is done, x = 1.5, nan iterations: 0 {words(n)}\n" for n in range(1000, 1200)]
    assert len(fed("".join(lines), "a.x")) < 150


@pytest.mark.usefixtures("small")
def test_lines_lie_in_the_segment_that_they_stand_in() -> None:
    text = "".join(f"step {n} is done, x = 1\n" + ("starting over\n" if n == 150 else "") for n in range(100, 200))
    assert [segment for _, _, _, segment, *_ in fed(text, "a.x")] == [0] * 51 + [1] * 49


NUMBERS = st.one_of(
    st.integers(0, 10**6).map(str),
    st.floats(-1e6, 1e6).map(repr),
    st.floats(0, 1e6).map("{:.3f}".format),
    st.floats(0, 1e6).map("{:.2E}".format),
    st.sampled_from(["nan", "inf", "5,811", "  7", " 12.5", "'1.25'", "-3"]),
)
LABELS = st.sampled_from(
    ["", "[rank3]: ", "[rank12]: ", "2024-05-01 10:00:0{}", "[default1]:[rank1]: ", "[2025-12-19 10:49:1{}] "]
)
LINES = st.lists(
    st.builds(
        lambda label, n, x, y, form: label.format(n % 10) + form.format(n=n, x=x, y=y),
        LABELS,
        st.integers(0, 200),
        NUMBERS,
        NUMBERS,
        st.sampled_from(
            [
                "step {n} is done, x = {x}",
                "step {n} is done, x = {x}, y = {y}",
                "step {n} is done, x = {x}, epoch  {n} y = {y} of them",
                "step  {n} is done, x = {x}",
                "starting over",
                "hello",
            ]
        ),
    ),
    max_size=120,
)


@settings(max_examples=150, deadline=None)
@given(LINES)
def test_a_known_shape_says_what_looking_at_every_line_would(lines: list[str]) -> None:
    text = "".join(line + "\n" for line in lines)
    known = fed(text, "a.x", "a.y")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(series_lines, "_NEW", 0)
        patch.setattr(series_lines, "LESSONS", len(lines))
        assert repr(known) == repr(fed(text, "a.x", "a.y"))


@pytest.mark.usefixtures("small")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, st.integers(1, 500))
def test_where_chunks_end_changes_nothing(lines: list[str], size: int) -> None:
    text = "".join(line + "\n" for line in lines)
    assert repr(fed(text, "a.x", "a.y", chunk_size=size)) == repr(fed(text, "a.x", "a.y"))
