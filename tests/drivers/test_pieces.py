"""Which files are read as one log, and in which order: what stamps say where names leave it open."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from logsleuth.drivers.pieces import joined
from logsleuth.ingest.discover import discover
from tests.small_jobs import analysed, rule, write

TEN, ELEVEN, NOON = (f"2026-11-30 {hour}:00:00 INFO step\n2026-11-30 {hour}:30:00 INFO step\n" for hour in (10, 11, 12))
MUTE = "hello\nworld\n"


def read_as(folder: Path, logs: Mapping[str, str]) -> list[list[str]]:
    """The files of each log."""
    write(folder, logs)
    found = joined(discover([str(folder)]).sources)
    return [[str(Path(file.path).relative_to(folder)) for file in source.files] for source in found]


@pytest.mark.parametrize(
    ("logs", "order"),
    [
        ({"x.log.1": TEN, "x.log.2": ELEVEN}, ["x.log.1", "x.log.2"]),
        ({"x.log.1": ELEVEN, "x.log.2": TEN}, ["x.log.2", "x.log.1"]),
        ({"x.log.2": TEN, "x.log.1": ELEVEN, "x.log": NOON}, ["x.log.2", "x.log.1", "x.log"]),
        ({"x.log": TEN, "x.log.1": ELEVEN, "x.log.2": NOON}, ["x.log", "x.log.1", "x.log.2"]),
        ({"x.log.1": MUTE, "x.log": MUTE}, ["x.log.1", "x.log"]),
        ({"x.part1.log": MUTE, "x.part2.log": MUTE}, ["x.part1.log", "x.part2.log"]),
        ({"rank_3.log.1": MUTE, "rank_3.log.2": MUTE}, ["rank_3.log.1", "rank_3.log.2"]),
        ({"rank_3.log.1": NOON, "rank_3.log.2": MUTE, "rank_3.log.3": TEN}, ["rank_3.log.3", "rank_3.log.2", "rank_3.log.1"]),
    ],
)  # fmt: skip
def test_pieces_are_put_in_order(tmp_path: Path, logs: dict[str, str], order: list[str]) -> None:
    assert read_as(tmp_path, logs) == [order]


@pytest.mark.parametrize(
    "logs",
    [
        {"x.log.0": MUTE, "x.log.1": MUTE},
        {"x.log.0": TEN, "x.log.1": TEN},
        {"x.log.0": TEN, "x.log.1": MUTE},
        {"x.log": TEN, "x.log.1": TEN},
        {"x.part1.log": TEN, "x.part2.log": TEN},
    ],
)
def test_what_may_be_logs_of_several_writers_is_left_apart(tmp_path: Path, logs: dict[str, str]) -> None:
    assert read_as(tmp_path, logs) == [[name] for name in sorted(logs)]


def test_writers_of_one_log_may_have_several_clocks(tmp_path: Path) -> None:
    early = "[pod/trainer-worker-0/pytorch] 2026-11-30 10:00:00 INFO a\n[pod/trainer-worker-1/pytorch] 2026-11-30 10:40:00 INFO a\n"
    late = early.replace("00 INFO", "30 INFO")
    assert read_as(tmp_path, {"x.log.1": early, "x.log": late}) == [["x.log.1", "x.log"]]
    assert read_as(tmp_path, {"x.log.1": late, "x.log": early}) == [["x.log", "x.log.1"]]


def test_a_log_without_years_may_go_on_over_new_year(tmp_path: Path) -> None:
    old, new = (f"I{day} 10:00:00.164000 914 torch/distributed/run.py:747] a\n" for day in ("1231", "0101"))
    assert read_as(tmp_path, {"x.log.1": old, "x.log": new}) == [["x.log.1", "x.log"]]
    assert read_as(tmp_path, {"x.log.1": new, "x.log": old}) == [["x.log", "x.log.1"]]


def test_evidence_cites_the_file_that_holds_it(tmp_path: Path) -> None:
    rules = rule("r.slip_then_fall", "when seen a.slip as s then a.fall as f", "culprit f")
    logs = {"rank_3.log.1": "x\nslipped on ice\n", "rank_3.log": "y\nz\nfell with code 4\n"}
    analysis = analysed(tmp_path, rules, logs)
    (verdict,) = analysis.verdicts
    assert verdict.culprits.ranks == (3,)
    assert {(Path(e.source).name, e.line, e.offset) for e in verdict.evidence} == {
        ("rank_3.log.1", 2, 2),
        ("rank_3.log", 3, 4),
    }
    assert [(Path(i.source).name, i.lines, i.events) for i in analysis.inputs] == [
        ("rank_3.log.1", 2, 1),
        ("rank_3.log", 3, 1),
    ]
