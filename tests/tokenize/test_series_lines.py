"""Of lines that feed series some are looked at, spread evenly, and all that tell of no number."""

import io
from contextlib import nullcontext
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logsleuth.ingest.chunks import CHUNK_SIZE, Reader
from logsleuth.language.library import compile_texts
from logsleuth.tokenize import series_lines
from logsleuth.tokenize.dictionary import Vocabulary
from logsleuth.tokenize.find import Find
from logsleuth.tokenize.reader import SourceReader

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
Fed = tuple[object, object, object, int, int]


def fed(text: str, *series: str, chunk_size: int = CHUNK_SIZE) -> list[Fed]:
    """(n, x, y, segment, number) of all that was looked at for the sake of series."""
    events = compile_texts({"x.sleuth": EVENTS}).events.values()
    out: list[Fed] = []

    def take(find: Find, number: int) -> None:
        n, x, y = find.values(("n", "x", "y"))
        out.append((n, x, y, find.segment, number))

    reader = SourceReader(0, Vocabulary(events, events, "plain", series), False, lambda _: None, take)
    for chunk in Reader(nullcontext(io.BytesIO(text.encode())), size=chunk_size):
        reader.feed(chunk)
    reader.finish()
    return out


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight lines of the first 400 bytes and four of every 400 bytes after."""
    monkeypatch.setattr(series_lines, "WINDOW", 400)
    monkeypatch.setattr(series_lines, "AT_FIRST", 8)
    monkeypatch.setattr(series_lines, "SPREAD", 4)


def test_a_short_log_is_seen_whole() -> None:
    text = "".join(f"step {n} is done, x = {n}.5\n" for n in range(series_lines.AT_FIRST))
    assert fed(text, "a.x") == [(n, n + 0.5, None, 0, n) for n in range(series_lines.AT_FIRST)]


def test_nothing_is_looked_at_for_a_series_that_nobody_reads() -> None:
    assert fed("step 1 is done, x = 2\n") == []
    assert fed("step 1 is done, x = 2\n", "a.y") == []


def test_wordings_complete_each_other() -> None:
    assert fed("step 1 is done, x = 2, z = 3, y = 4\n", "a.x", "a.y") == [(1, 2.0, 4.0, 0, 0)]


@pytest.mark.usefixtures("small")
def test_of_a_long_log_lines_are_spread_evenly() -> None:
    seen = [n for n, *_ in fed("".join(f"step {n} is done, x = 1.5\n" for n in range(1000, 2000)), "a.x")]
    gaps = [after - before for before, after in pairwise(n for n in seen if isinstance(n, int))]
    assert len(seen) > 100
    assert max(gaps) <= 8


@pytest.mark.usefixtures("small")
def test_what_is_no_number_is_always_seen_with_what_came_before() -> None:
    values = {1501: "nan", 1777: "-inf"}
    text = "".join(f"step {n} is done, x = {values.get(n, '1.5')}\n" for n in range(1000, 2000))
    seen = [n for n, *_ in fed(text, "a.x")]
    assert {1499, 1500, 1501, 1776, 1777} <= set(seen)


@pytest.mark.usefixtures("small")
def test_a_counter_of_nan_iterations_is_no_nan() -> None:
    lines = [f"step {n} is done, x = 1.5, nan iterations: 0\n" for n in range(1000, 1200)]
    assert len(fed("".join(lines), "a.x")) < 100


@pytest.mark.usefixtures("small")
def test_every_writer_is_seen() -> None:
    text = "".join(f"[rank{rank}]: step {n} is done, x = {rank}\n" for n in range(50) for rank in range(4))
    by_rank = {rank: [n for n, x, *_ in fed(text, "a.x") if x == rank] for rank in range(4)}
    assert all(len(steps) > 10 for steps in by_rank.values())


@pytest.mark.usefixtures("small")
def test_lines_lie_in_the_segment_that_they_stand_in() -> None:
    text = "".join(f"step {n} is done, x = 1\n" + ("starting over\n" if n == 150 else "") for n in range(100, 200))
    assert all(segment == (1 if isinstance(n, int) and n > 150 else 0) for n, _, _, segment, _ in fed(text, "a.x"))


@pytest.mark.usefixtures("small")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            [
                "step 1 is done, x = 1",
                "step 2 is done, x = nan",
                "[rank3]: step 3 is done, x = 3, y = inf",
                "hello",
                "2024-05-01 10:00:00 step 4 is done, x = 2",
                "starting over",
            ]
        ),
        max_size=80,
    ),
    st.integers(1, 500),
)
def test_where_chunks_end_changes_nothing(lines: list[str], size: int) -> None:
    text = "".join(line + "\n" for line in lines)
    assert repr(fed(text, "a.x", "a.y", chunk_size=size)) == repr(fed(text, "a.x", "a.y"))
