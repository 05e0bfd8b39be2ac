"""The lines that hold hits, against a plain split of the data."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from logsleuth.tokenize.lines import hit_lines
from logsleuth.tokenize.scanner import make_scanner

LITERALS = [b"ab", b"a", b"b", b"bb"]
DATA = st.lists(st.sampled_from([b"a", b"b", b"x", b"\n", b"\r", b"\r\n", b"xxxx", b"\0"]), max_size=60).map(b"".join)


def expected(data: bytes, literals: list[bytes]) -> list[tuple[int, int, tuple[int, ...]]]:
    """By splitting the whole and searching each line for itself."""
    scanner = make_scanner(literals, "plain")
    lines = []
    for match in re.finditer(rb"[^\r\n]+", data):
        hits = scanner.scan(match[0])
        if hits:
            lines.append((match.start(), match.end(), tuple(dict.fromkeys(literal for _, literal in hits))))
    return lines


@given(DATA)
@example(b"a")
@example(b"\n\na\n\nb")
@example(b"xa\r\nxx\r\nb\r\n")
@example(b"a 1%\ra 2%\r\rxx\rb 3%\nab")
@example(b"xx\ra\nb\rxx")
def test_lines_are_those_of_a_plain_split(data: bytes) -> None:
    hits = make_scanner(LITERALS, "plain").scan(data)
    assert list(hit_lines(data, hits)) == expected(data, LITERALS)


def test_a_progress_bar_is_many_lines() -> None:
    data = b"start\n  1%|  | loss=2\r  2%|  | loss=1\r\n  3%|  |\rloss=0"
    hits = make_scanner([b"loss=", b"%|"], "plain").scan(data)
    lines = list(hit_lines(data, hits))
    assert [data[start:end] for start, end, _ in lines] == [
        b"  1%|  | loss=2",
        b"  2%|  | loss=1",
        b"  3%|  |",
        b"loss=0",
    ]
    assert [literals for _, _, literals in lines] == [(1, 0), (1, 0), (1,), (0,)]


def test_a_literal_counts_once_a_line() -> None:
    assert list(hit_lines(b"aa b aa", [(1, 0), (2, 0), (4, 1), (6, 0), (7, 0)])) == [(0, 7, (0, 1))]


def test_no_hits_are_no_lines() -> None:
    assert list(hit_lines(b"step 1\nstep 2\n", [])) == []
