"""Of lines that are written again and again only some are looked at."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logsleuth.tokenize import frequent
from tests.tokenize.reading import found

EVENTS = """
event a.step "A step." { frequent line "step {n:int} is done" }
event a.other "Something else." { line "step aside" line "{...}is done for" }
event a.again "It starts over." { line "starting over" begins attempt }
"""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first and last two of every 200 bytes, so that a test needs no megabytes."""
    monkeypatch.setattr(frequent, "WINDOW", 200)
    monkeypatch.setattr(frequent, "EDGE", 2)
    monkeypatch.setattr(frequent, "LAST", 2)


def steps(text: str) -> list[int]:
    return sorted(n for o in found(EVENTS, text) if isinstance(n := o.fields.get("n"), int))


def test_all_of_a_few_are_looked_at() -> None:
    assert steps("".join(f"step {n} is done\n" for n in range(2 * frequent.EDGE))) == list(range(2 * frequent.EDGE))


def test_of_many_the_first_and_the_last_are_looked_at() -> None:
    seen = steps("".join(f"step {n} is done\n" for n in range(1000)))
    assert seen[: frequent.EDGE] == list(range(frequent.EDGE))
    assert seen[-frequent.LAST :] == list(range(1000 - frequent.LAST, 1000))
    assert len(seen) == frequent.EDGE + frequent.LAST


@pytest.mark.usefixtures("small")
def test_each_window_has_a_first_and_a_last() -> None:
    """A line of 16 bytes; a window is that in which what stands for the event ends."""
    seen = steps("".join(f"step {n} is done\n" for n in range(10, 60)))
    gaps = [after - before for before, after in pairwise(seen)]
    assert seen[:2] == [10, 11]
    assert seen[-2:] == [58, 59]
    assert max(gaps) > 5
    assert all(gap == 1 for gap in gaps[::4] + gaps[2::4] + gaps[3::4])


@pytest.mark.usefixtures("small")
def test_other_events_are_all_seen_and_in_their_segments() -> None:
    text = "".join(f"step {n} is done\nstep aside\n" + ("starting over\n" if n == 50 else "") for n in range(100))
    others = [o for o in found(EVENTS, text) if o.event == "a.other"]
    assert len(others) == 100
    assert [o.segment for o in others] == [0] * 51 + [1] * 49


@pytest.mark.usefixtures("small")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            ["step 1 is done", "step aside", "hello", "2024-05-01 10:00:00 step 2 is done", "starting over"]
        ),
        max_size=80,
    ),
    st.integers(1, 300),
)
def test_where_chunks_end_changes_nothing(lines: list[str], size: int) -> None:
    text = "".join(line + "\n" for line in lines)
    assert sorted(found(EVENTS, text, chunk_size=size), key=repr) == sorted(found(EVENTS, text), key=repr)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("label", ["[rank{}]: ", "[rank: {}] ", "[Rank {}] "])
def test_every_labelled_writer_keeps_its_first_and_its_last_line(label: str) -> None:
    """However many ranks share a log: that one of them went on is not lost among the lines of the others."""
    text = "".join(label.format(rank) + f"step {n} is done\n" for n in range(20) for rank in range(30))
    of_rank: dict[int | None, list[object]] = {}
    for o in found(EVENTS, text):
        of_rank.setdefault(o.tag.rank, []).append(o.fields["n"])
    assert set(of_rank) == set(range(30))
    assert all(0 in seen and 19 in seen for seen in of_rank.values())
