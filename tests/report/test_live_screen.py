"""The screen of the live view, kept in ``golden/live_*.txt`` at several sizes of terminal.

``LOGSLEUTH_WRITE_GOLDEN=1 pytest tests/report/test_live_screen.py`` writes the files anew.
"""

from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from logsleuth.model import vitals as v
from logsleuth.report.live import drawn
from logsleuth.report.live_job import age, spark
from logsleuth.report.live_screen import NEW, Scene, screen
from logsleuth.report.live_strip import strip
from tests.report.scenes import NOW, SCENES, blamed, crowded, healthy, hostile, ranks, thousand
from tests.report.test_golden import golden

SIZES = {"80x24": (80, 24), "120x40": (120, 40), "40x10": (40, 10)}


def shown(scene: Scene, width: int, height: int, encoding: str = "utf-8", *, in_colour: bool = False) -> str:
    """What stands on the terminal."""
    paper = StringIO()
    console = Console(
        file=paper, width=width, force_terminal=True, color_system="standard" if in_colour else None, highlight=False,
        legacy_windows=False, _environ={},
    )  # fmt: skip
    console.print(drawn(screen(scene, width, height, encoding == "utf-8"), width, encoding), crop=False)
    return paper.getvalue()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scene", SCENES)
def test_the_screen_is_the_one_that_was_agreed(scene: str, size: str) -> None:
    text = shown(SCENES[scene](), *SIZES[size])
    assert text == golden(f"live_{scene}.{size}.txt", text)


@pytest.mark.parametrize("scene", ["blamed", "hostile"])
def test_it_is_told_in_ascii_where_the_terminal_has_nothing_else(scene: str) -> None:
    text = shown(SCENES[scene](), 80, 24, "ascii")
    assert text.isascii()
    assert text == golden(f"live_{scene}.ascii.txt", text)


def test_colours_add_nothing_that_the_words_do_not_say() -> None:
    text = shown(blamed(), 80, 24, in_colour=True)
    assert text == golden("live_blamed.colour.txt", text)


@given(st.sampled_from(sorted(SCENES)), st.integers(1, 200), st.integers(1, 60), st.booleans())
@settings(max_examples=200, deadline=None)
def test_it_fits_every_terminal(name: str, width: int, height: int, unicode: bool) -> None:
    text = shown(SCENES[name](), width, height, "utf-8" if unicode else "ascii").removesuffix("\n")
    lines = text.split("\n")
    assert len(lines) <= height
    assert all(cell_len(line) <= width for line in lines)


@given(st.integers(1, 120), st.integers(1, 40))
@settings(max_examples=50, deadline=None)
def test_no_text_of_a_log_reaches_the_terminal_as_a_command(width: int, height: int) -> None:
    assert all(character.isprintable() or character == "\n" for character in shown(hostile(), width, height))


@given(
    st.lists(st.sampled_from([v.RUNNING, v.BLAMED, v.SILENT, v.UNSEEN, v.ENDED, v.WARNED]), min_size=1, max_size=3000),
    st.integers(1, 60),
    st.integers(20, 200),
    st.integers(1, 12),
)
@settings(max_examples=100, deadline=None)
def test_the_worst_of_the_members_is_always_seen(states: list[str], hosts: int, width: int, most: int) -> None:
    members = tuple(rank._replace(state=state) for rank, state in zip(ranks(len(states), hosts), states, strict=True))
    rows = strip(members, width, most, unicode=True).rows
    text = "\n".join("".join(span.text for span in row) for row in rows)
    assert len(rows) <= most
    assert ("!" in text) is (v.BLAMED in states)
    if v.BLAMED not in states:
        assert ("z" in text) is (v.SILENT in states)


def test_a_cell_stands_for_one_member_where_there_is_room() -> None:
    members = ranks(128, 16, blamed=(5,))
    rows = strip(members, 80, 8, unicode=True)
    assert rows.each == 1
    assert sum(span.text.count("·") for row in rows.rows for span in row) == 127


def test_what_has_no_room_is_counted() -> None:
    scene = crowded()
    assert "and 20 more" in shown(scene, 80, 24)
    assert "1 of 31: FATAL" in shown(scene, 80, 5)


def test_what_was_just_told_is_set_off_for_a_while() -> None:
    scene = blamed()
    assert "NEW FATAL" in shown(scene, 80, 24)
    assert "NEW" not in shown(scene._replace(now=NOW + NEW), 80, 24)


def test_ages_count_up_between_judgements() -> None:
    scene = healthy()
    assert "last step 4 s ago" in shown(scene, 80, 24)
    later = shown(scene._replace(now=NOW + 300), 80, 24)
    assert "last step 5 min 4 s ago" in later
    assert "judged 5 min 2 s ago" in later


def test_a_thousand_ranks_take_a_third_of_the_screen_at_most() -> None:
    for height in (10, 24, 50):
        text = shown(thousand(), 80, height)
        assert 1 <= sum("·····" in line for line in text.split("\n")) <= height // 3


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ((), ""),
        ((1.0,), ""),
        ((1.0, 1.0), "▁▁"),
        ((8.0, 1.0, 4.5), "█▁▅"),
        ((2.0, float("nan"), float("inf"), 1.0), "█xx▁"),
        ((float("nan"), float("nan")), "xx"),
        ((-1e308, 1e308), ""),
    ],
)
def test_sparks(values: tuple[float, ...], told: str) -> None:
    assert spark(values, unicode=True) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.4, "0 s"), (119.9, "119 s"), (120, "2 min"), (243, "4 min 3 s"), (11_100, "3 h 5 min"), (200_000, "2 days")],
)
def test_ages(seconds: float, told: str) -> None:
    assert age(seconds) == told
