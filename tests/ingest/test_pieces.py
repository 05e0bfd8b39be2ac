"""Names of pieces of one log, and of files that only look like it."""

import pytest

from logsleuth.ingest.pieces import pieces_by_name
from logsleuth.model.origin import Source


@pytest.mark.parametrize(
    ("log", "ordered", "is_said"),
    [
        ("a/x.log", ["a/x.log.10", "a/x.log.2", "a/x.log.1", "a/x.log"], True),
        ("x.log", ["x.log.2.gz", "x.log.1", "x.log"], True),
        ("x.log", ["x.log.1", "x.log.2", "x.log.10"], False),
        ("x.out", ["x.out.2026-11-29", "x.out.2026-11-30", "x.out"], True),
        ("x.log", ["x.log-20261129", "x.log-20261130"], False),
        ("0.log", ["0.log.20261130-080910.gz", "0.log.20261130-101010", "0.log"], True),
        ("rank_3.log", ["rank_3.part1.log", "rank_3.part2.log", "rank_3.part10.log"], True),
        ("rank_3.log", ["rank_3.log.part-0001", "rank_3.log.part-0002"], True),
        ("a/syslog", ["a/syslog.2.gz", "a/syslog.1", "a/syslog"], True),
        ("rank_1/h.jsonl", ["rank_1/h.jsonl.part-0001", "rank_1/h.jsonl.part-0002"], True),
        ("a/0/stdout.log", ["a/0/stdout.log.1", "a/0/stdout.log"], True),
    ],
)
def test_pieces_are_known_by_their_names(log: str, ordered: list[str], is_said: bool) -> None:
    for given in (ordered, ordered[::-1]):
        (pieces,) = pieces_by_name([Source(path) for path in given])
        assert (pieces.log, [file.path for file in pieces.files], pieces.is_said) == (log, ordered, is_said)


@pytest.mark.parametrize(
    "paths",
    [
        ["rank_0.log", "rank_1.log"],
        ["x.log.1"],
        ["x.log", "y.log.1"],
        ["a/x.log", "b/x.log.1"],
        ["nccl.log.4711", "nccl.log.4712"],
        ["x.log.1", "x.log.1.gz", "x.log"],
        ["x.log.1", "x.log.2026-11-30", "x.log"],
        ["x.part1.log", "x.part2.log", "x.log"],
        ["v1.2", "v1.3"],
    ],
    ids=" ".join,
)
def test_other_files_are_left_apart(paths: list[str]) -> None:
    assert pieces_by_name([Source(path) for path in paths]) == []
