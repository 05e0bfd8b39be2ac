"""Lines that nearly are an event."""

from pathlib import Path

import pytest

from logsleuth.ingest.discover import discover
from logsleuth.language.library import compile_texts
from logsleuth.model.origin import Log, Piece
from logsleuth.model.trace import NearLine
from logsleuth.tokenize.near_lines import near_lines

EVENTS = """
event a.wait "It waits." { line "bucket {name} has not answered for {t:duration} seconds" }
event a.dump "A dump." { block within 4 lines { line "begin of the dump" line "its end: {n:int}" } }
event a.odd "Odd." { regex `odd number (?P<n>\\d+) of many` with n:int }
"""


def near(tmp_path: Path, text: str, event: str = "a.wait") -> tuple[NearLine, ...]:
    file = tmp_path / "rank_3.log"
    file.write_text(text)
    chosen = compile_texts({"x.sleuth": EVENTS}).events[event]
    sources = discover([str(file)]).sources
    logs = [Log(source.path, (Piece(source.path, 0, 0),)) for source in sources]
    return near_lines([chosen], sources, logs).get(event, ())


@pytest.mark.parametrize(
    ("line", "fits", "asked", "found"),
    [
        ("bucket t-3 has not replied for 9 s", "bucket {name:word} has not ", "answered for {t:duration} seconds", "replied for 9 s"),
        ("bucket t-3 has not answered for ages", "bucket {name:word} has not answered for ", "{t:duration} seconds", "ages"),
        ("[rank4]: bucket t-3 has not answered for", "bucket {name:word} has not answered for", " {t:duration} seconds", ""),
        ("loader: bucket t has not answered for 9s seconds", "", "bucket {name:word} has not answered for {t:duration} seconds", "loader: bucket t has not answered for 9s seconds"),
    ],
)  # fmt: skip
def test_where_a_line_stops_fitting(tmp_path: Path, line: str, fits: str, asked: str, found: str) -> None:
    (told,) = near(tmp_path, f"something else\n2025-03-04 01:02:03 {line}\n")
    assert (told.fits, told.asked, told.found) == (fits, asked, found)
    assert told.line.line == 2
    assert told.line.text.endswith(line)
    assert told.line.rank == (4 if "rank4" in line else None)


def test_the_nearest_come_first_and_each_way_to_fail_once(tmp_path: Path) -> None:
    text = "bucket a has not replied\n" * 3 + "bucket b has not answered for ages\nbucket c has not answer\n" * 2
    told = near(tmp_path, text)
    assert [one.line.line for one in told] == [4, 5]


def test_a_block_that_only_begins_is_told(tmp_path: Path) -> None:
    (told,) = near(tmp_path, "begin of the dump\nnothing more\n", "a.dump")
    assert (told.fits, told.asked) == ("begin of the dump", "the other lines of the block")


def test_of_a_regular_expression_only_the_literal_is_known(tmp_path: Path) -> None:
    (told,) = near(tmp_path, "odd number x of many\n", "a.odd")
    assert (told.fits, told.asked, told.found) == ("", r"`odd number (?P<n>\d+) of many`", "odd number x of many")


def test_lines_that_hold_nothing_of_it_are_not_near(tmp_path: Path) -> None:
    assert near(tmp_path, "step 1 loss 2.0\n" * 100) == ()
