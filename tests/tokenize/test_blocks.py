"""Events of several lines of one writer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.model.event import Occurrence
from tests.tokenize.reading import found

TABLE = """
event t.row "A row of a table." {
  block within 6 lines {
    line "Row number {n:int}"
    line "rank: {r:int}"
    maybe line "code: {c:int}"
    line "done with {what}"
  }
}
"""
TRACE = """
event t.trace "A traceback." {
  block within 40 lines {
    line "Traceback (most recent call last):"
    lines deeper
    line "{kind:exception}: {message:text}"
  }
}
"""
TAIL = """
event t.tail "Something with more behind it." {
  block within 5 lines {
    line "Begin of {x}"
    maybe line "more: {y:int}"
    maybe line "most: {z:int}"
  }
}
"""


def fields(occurrences: list[Occurrence]) -> list[dict[str, object]]:
    return [dict(o.fields) for o in occurrences]


def test_the_fields_of_a_block_are_those_of_all_its_lines() -> None:
    (row,) = found(TABLE, "Row number 1\nrank: 3\ncode: -9\ndone with it\n")
    assert row.fields == {"n": 1, "r": 3, "c": -9, "what": "it"}
    assert (row.line, row.offset, row.text) == (1, 0, "Row number 1")
    assert row.end_offset == len("Row number 1\nrank: 3\ncode: -9\n")
    assert [(line, text) for line, _, text in row.told] == [(2, "rank: 3"), (3, "code: -9"), (4, "done with it")]


def test_the_first_line_that_gives_a_field_decides_it() -> None:
    event = (
        'event t.two { block within 9 lines { line "First {n:int}" maybe line "second {n:int}" line "third {n:int}" } }'
    )
    assert fields(found(event, "First 1\nsecond 2\nthird 3\n")) == [{"n": 1}]


def test_an_optional_line_may_be_missing() -> None:
    (row,) = found(TABLE, "Row number 1\nrank: 3\ndone with it\n")
    assert "c" not in row.fields


def test_lines_in_between_are_skipped() -> None:
    (row,) = found(TABLE, "Row number 1\nhello\nrank: 3\nhello\ndone with it\n")
    assert row.fields == {"n": 1, "r": 3, "what": "it"}


def test_a_line_that_must_match_and_does_not_undoes_the_block() -> None:
    assert found(TABLE, "Row number 1\nrank: 3\ncode: 4\n") == []
    assert found(TABLE, "Row number 1\ndone with it\nrank: 3\n") == []


def test_a_block_takes_no_more_lines_than_it_may() -> None:
    between = "hello\n" * 3
    assert len(found(TABLE, f"Row number 1\n{between}rank: 3\ndone with it\n")) == 1
    assert found(TABLE, f"Row number 1\n{between}hello\nrank: 3\ndone with it\n") == []


def test_a_second_beginning_ends_the_first_block() -> None:
    rows = found(TABLE, "Row number 1\nRow number 2\nrank: 3\ndone with it\nRow number 3\nrank: 4\ndone with that\n")
    assert [row.fields["n"] for row in rows] == [2, 3]


def test_a_second_beginning_keeps_what_is_complete() -> None:
    rows = found(TAIL, "Begin of a\nmore: 1\nBegin of b\nmost: 2\n")
    assert fields(rows) == [{"x": "a", "y": 1}, {"x": "b", "z": 2}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Begin of a\n", {"x": "a"}), ("Begin of a\nmost: 2\n", {"x": "a", "z": 2}), ("Begin of a\nmore: 1\nmost: 2\n", {"x": "a", "y": 1, "z": 2}),
        ("Begin of a\nmost: 2\nmore: 1\n", {"x": "a", "z": 2}), ("Begin of a\n\n\n\n\nmore: 1\n", {"x": "a"}), ("Begin of a", {"x": "a"}),
    ],
)  # fmt: skip
def test_optional_lines_at_the_end(text: str, expected: dict[str, object]) -> None:
    assert fields(found(TAIL, text)) == [expected]


# Lines deeper


def test_lines_deeper_takes_what_is_indented_more_and_what_is_blank() -> None:
    text = 'Traceback (most recent call last):\n  File "x.py"\n\n    call()\nValueError: too: bad\nKeyError: no\n'
    (trace,) = found(TRACE, text)
    assert trace.fields == {"kind": "ValueError", "message": "too: bad"}
    assert trace.line == 1
    assert trace.exception == "ValueError"


def test_the_line_behind_those_deeper_must_match() -> None:
    assert found(TRACE, 'Traceback (most recent call last):\n  File "x.py"\nhello there\nValueError: bad\n') == []


def test_indentation_is_measured_from_the_first_line() -> None:
    text = 'trainer says:\n    Traceback (most recent call last):\n      File "x.py"\n    ValueError: bad\n'
    assert fields(found(TRACE, text)) == [{"kind": "ValueError", "message": "bad"}]
    assert found(TRACE, '    Traceback (most recent call last):\n  File "x.py"\n    ValueError: bad\n') == []


def test_indentation_counts_behind_the_framing() -> None:
    text = '[rank1]: Traceback (most recent call last):\n[rank1]:   File "x.py"\n[rank1]: ValueError: bad\n'
    (trace,) = found(TRACE, text)
    assert (trace.fields["kind"], trace.tag.rank) == ("ValueError", 1)


def test_no_line_deeper_at_all_is_allowed() -> None:
    assert len(found(TRACE, "Traceback (most recent call last):\nValueError: bad\n")) == 1


# Several writers


def test_lines_of_other_writers_are_passed_over() -> None:
    text = (
        "[rank0]: Traceback (most recent call last):\n[rank1]: Traceback (most recent call last):\n"
        '[rank0]:   File "x.py"\nsomebody else\n[rank1]:   File "y.py"\n[rank1]: KeyError: b\n[rank0]: ValueError: a\n'
    )
    traces = sorted(found(TRACE, text), key=lambda o: o.offset)
    assert [(t.tag.rank, t.fields["kind"]) for t in traces] == [(0, "ValueError"), (1, "KeyError")]


@pytest.mark.parametrize("label", ["", "[rank0]: "])
def test_a_block_gives_up_where_others_write_without_end(label: str) -> None:
    few, many = "[rank1]: hello\n" * 8, "[rank1]: hello\n" * 80
    assert len(found(TABLE, f"{label}Row number 1\n{few}{label}rank: 3\n{label}done with it\n")) == 1
    assert found(TABLE, f"{label}Row number 1\n{many}{label}rank: 3\n{label}done with it\n") == []


LINES = st.lists(
    st.tuples(
        st.sampled_from(["", "[rank0]: ", "[rank1]: ", "[rank12]: "]),
        st.sampled_from(
            ["Row number 1", "rank: 3", "code: 4", "done with it", "Begin of a", "more: 1", "most: 2", "hello",
             "Traceback (most recent call last):", "  File x", "ValueError: bad", "", "\x1b[31mrank: 5\x1b[0m", "bar 1\rrank: 7"]
        ),
    ),
    max_size=40,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(LINES, st.integers(1, 200))
def test_where_chunks_end_changes_nothing(lines: list[tuple[str, str]], size: int) -> None:
    text = "".join(f"{label}{message}\n" for label, message in lines)
    events = TABLE + TRACE + TAIL
    whole, pieces = found(events, text), found(events, text, chunk_size=size)
    assert sorted(pieces, key=repr) == sorted(whole, key=repr)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([0, 1, 2]), max_size=30))
def test_how_writers_interleave_changes_nothing(order: list[int]) -> None:
    script = ["Row number 1", "rank: 3", "done with it", "Row number 2", "rank: 4", "code: 5", "done with it"]
    waiting = {rank: [f"[rank{rank}]: {line}\n" for line in script] for rank in range(3)}
    lines = [waiting[rank].pop(0) for rank in order if waiting[rank]]
    text = "".join([*lines, *(line for rank in range(3) for line in waiting[rank])])
    rows = found(TABLE, text)
    assert sorted((row.tag.rank, row.fields["n"], row.fields["r"]) for row in rows) == [
        (rank, n, r) for rank in range(3) for n, r in ((1, 3), (2, 4))
    ]
