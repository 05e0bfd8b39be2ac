"""Sets of ranks as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.model.ranks import format_ranks, parse_ranks


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("0-3, 7", (0, 1, 2, 3, 7)), ("[0, 1, 2]", (0, 1, 2)), ("{5,4}", (4, 5)), ("3 - 5", (3, 4, 5)), ("7", (7,)), ("2,2", (2,)), ("none", ()),
        ("5-3", (3, 5)),
    ],
)  # fmt: skip
def test_reading(text: str, ranks: tuple[int, ...]) -> None:
    assert parse_ranks(text) == ranks


def test_a_range_that_no_job_has_is_read_as_its_ends() -> None:
    assert parse_ranks("0-999999999") == (0, 999_999_999)


def test_many_ranges_are_no_more_than_one_could_be() -> None:
    hostile = ",".join(f"{start}-{start + 800_000}" for start in range(0, 100_000_000, 1_000_000))
    assert len(parse_ranks(hostile)) < 1_000_000 + 200


@pytest.mark.parametrize(
    ("ranks", "text"),
    [((0, 1, 2, 3, 7), "0-3, 7"), ((0, 1), "0, 1"), ((), ""), ((4, 2, 3), "2-4"), ((1, 3, 5), "1, 3, 5"), ((0, 1, 5, 6, 7), "0, 1, 5-7")],
)  # fmt: skip
def test_writing(ranks: tuple[int, ...], text: str) -> None:
    assert format_ranks(ranks) == text


@given(st.sets(st.integers(0, 200)))
def test_what_was_written_is_read_back(ranks: set[int]) -> None:
    assert parse_ranks(format_ranks(ranks)) == tuple(sorted(ranks))


@given(st.text("0123456789-, []x"))
def test_no_text_is_too_odd_to_be_read(text: str) -> None:
    ranks = parse_ranks(text)
    assert list(ranks) == sorted(set(ranks))
