"""``--rank-from``: what the user's expression tells of a path, and what is said of one that cannot be used."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.ingest.rank_from import RankFromError, asked, compiled
from logsleuth.model.origin import PathLabel, Source, Tag


def told(expression: str, path: str) -> PathLabel | None:
    (source,), _ = asked([Source(path)], compiled(expression))
    return source.label


@pytest.mark.parametrize(
    ("expression", "path", "expected"),
    [
        (r"w(?P<rank>\d+)", "job/w3.log", PathLabel(Tag(rank=3))),
        (r"w(?P<rank>\d+)", "job/x3.log", None),
        (r"(?P<host>[a-z]+)/g(?P<local_rank>\d)(?P<rank>$)?", "alpha/g3", PathLabel(Tag(local_rank=3, host="alpha"))),
        (r"try(?P<attempt>\d)/w(?P<rank>\d+)", "try2/w3.log", PathLabel(Tag(rank=3), 2)),
        (r"t(?P<task>\d+)(?P<rank>_)?", "t3.log", PathLabel(Tag(task=3))),
        # What the path tells besides stays; what its numbers would have been does not.
        (r"-(?P<rank>\d+)\.log", "node-7/worker-3.log", PathLabel(Tag(rank=3, host="node-7"))),
        (r"-(?P<rank>\w+)\.log", "node-7/worker-three.log", PathLabel(Tag(host="node-7"))),
        (r"(?P<rank>\d+)\.log", "20261130101500.log", PathLabel()),
    ],
)
def test_tells(expression: str, path: str, expected: PathLabel | None) -> None:
    assert told(expression, path) == expected


def test_an_expression_that_is_found_nowhere_is_worth_a_word() -> None:
    _, said = asked([Source("a.log"), Source("b.log")], compiled(r"worker(?P<rank>\d+)"))
    assert said == (
        r"--rank-from 'worker(?P<rank>\d+)' was found in no path, so it told nothing. "
        "Paths are searched as they stand here: a.log",
    )
    assert asked([Source("a.log"), Source("worker1.log")], compiled(r"worker(?P<rank>\d+)"))[1] == ()
    (word,) = asked([Source("a.log")], compiled(r"(?P<rank>\w+)"))[1]
    assert "was found in no path with a number as rank, so it told nothing" in word
    assert asked([], compiled(r"(?P<rank>\d+)")) == ([], ())
    assert asked([Source("a.log")], None) == ([Source("a.log")], ())


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("(?P<rank>", "is no regular expression"),
        ("rank", "has no group named rank"),
        (r"(\d+)", "has no group named rank"),
        (r"(?P<rank>\d+)_(?P<node>\d+)", "has a group named 'node'"),
    ],
)
def test_what_cannot_be_used_is_told(expression: str, said: str) -> None:
    with pytest.raises(RankFromError, match=said):
        compiled(expression)


@given(expression=st.text(max_size=30))
def test_any_text_is_an_expression_or_a_sentence(expression: str) -> None:
    said = "."
    try:
        compiled(expression)
    except RankFromError as error:
        said = str(error)
    assert said.endswith(".")
