"""``logsleuth.inspect``: what is found in logs, before any rule is asked."""

import gzip
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logsleuth.drivers.batch import analyze_with
from logsleuth.drivers.inspecting import inspect_with
from logsleuth.language.library import load
from logsleuth.model.inventory import FoundSource, Gap, Inventory

ROOT = Path(__file__).parents[2]
TWO_NODES = ROOT / "fixtures/logs/inspect/two_nodes"
PROGRAM = load((), False).program


def inspect(*paths: Path) -> Inventory:
    return inspect_with(PROGRAM, [str(path) for path in paths])


def source(found: Inventory, name: str) -> FoundSource:
    (one,) = (one for one in found.sources if one.source.endswith(name))
    return one


def log(path: Path, *stretches: tuple[int, int], every: int = 10, label: str = "", ahead: int = 0) -> Path:
    """A log with a line every so many seconds in each of the stretches (from, to, in seconds)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    begin = datetime(2026, 3, 14, 9, 0)
    with path.open("a", encoding="utf-8") as out:
        for start, end in stretches:
            for now in range(start, end + 1, every):
                out.write(f"{label}{begin + timedelta(seconds=now + ahead):%Y-%m-%d %H:%M:%S},000 INFO step\n")
    return path


def gaps(found: Inventory) -> list[tuple[tuple[int, ...], float, bool]]:
    """Whose, how long, and whether to the end."""
    (job,) = found.jobs
    return [(gap.ranks, gap.seconds, gap.before is None) for gap in job.gaps]


def test_a_job_of_two_nodes() -> None:
    found = inspect(TWO_NODES)
    (one,) = found.jobs
    job = one.job
    assert (job.size, job.size_is_stated, job.seen_ranks, job.silent_ranks) == (4, True, (0, 1, 2), (3,))
    assert (job.hosts, job.attempts) == (("node-7", "node-9"), 3)
    assert job.span.started == "2026-03-14T09:00:30.000"
    ahead = {clock.host: (clock.offset, clock.anchors) for clock in job.clocks}
    assert ahead == {"node-7": (0.0, 3), "node-9": (12.5, 3)}
    assert one.gaps[0] == Gap(1830.189, "2026-03-14T09:49:40.011", None, ranks=(1,))
    assert all(gap.seconds < 120 for gap in one.gaps[1:])
    copy, original = source(found, "copied/rank_2.log"), source(found, "node-9/rank_2.log")
    assert copy.copy_of == original.source
    assert copy.jobs == ()
    assert original.copy_of is None
    assert original.writers.ranks == (2,)
    assert original.writers.hosts == ("node-9",)
    assert original.attempts == (0, 1, 2)
    assert (original.has_year, original.has_zone, original.encoding) == (True, False, "ascii")
    agent = source(found, "node-7/agent.log")
    assert (agent.writers.processes, agent.writers.hosts, agent.has_year) == ((4101,), ("node-7",), False)
    assert agent.gaps[0].lines == (35, 36)
    assert "glog headers" in agent.framing


@pytest.mark.parametrize(
    "logs",
    [
        "inspect/two_nodes",
        "elastic/restarted/rank_0_killed_and_all_went_on",
        "process/exception/one_of_four",
        "flight_recorder/rank_missing",
        "handbook/01_nccl_timeout",
        "gpu/behind",
    ],
)
def test_jobs_are_told_as_an_analysis_tells_them(logs: str) -> None:
    paths = [str(ROOT / "fixtures/logs" / logs)]
    assert tuple(one.job for one in inspect_with(PROGRAM, paths).jobs) == analyze_with(PROGRAM, paths).jobs


@given(st.permutations(sorted(path for path in TWO_NODES.rglob("*.log"))), st.sampled_from([700, 5000, 1 << 20]))
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_the_order_of_arguments_and_the_size_of_chunks_change_nothing(paths: list[Path], size: int) -> None:
    found = inspect_with(PROGRAM, [str(path) for path in paths], chunk_size=size)
    assert found == inspect_with(PROGRAM, [str(TWO_NODES)])


# Gaps


def test_a_rank_that_falls_silent_before_the_others(tmp_path: Path) -> None:
    for rank in range(4):
        log(tmp_path / f"rank_{rank}.log", (0, 1200 if rank == 2 else 3600))
    found = inspect(tmp_path)
    assert gaps(found) == [((2,), 2400.0, True)]
    assert found.shortest_gap == 60.0


def test_ranks_that_fall_silent_together_are_told_together(tmp_path: Path) -> None:
    for rank in range(8):
        log(tmp_path / f"rank_{rank}.log", (0, 1200 + rank if rank in (2, 5) else 3600))
    assert [row[0] for row in gaps(inspect(tmp_path))] == [(2, 5)]


def test_what_all_keep_silent_is_the_job_s(tmp_path: Path) -> None:
    for rank in range(3):
        log(tmp_path / f"rank_{rank}.log", (rank, 1000 + rank), (3000 + rank, 3600 + rank))
    assert gaps(inspect(tmp_path)) == [((), 1998.0, False)]


def test_a_pause_that_comes_again_and_again_is_a_rhythm(tmp_path: Path) -> None:
    hours = [(hour * 900, hour * 900 + 600) for hour in range(8)]
    for rank in range(2):
        log(tmp_path / f"rank_{rank}.log", *hours)
    assert gaps(inspect(tmp_path)) == []


def test_a_rank_among_others_in_one_log(tmp_path: Path) -> None:
    path = tmp_path / "console.log"
    for start in range(0, 3600, 60):
        for rank in range(3):
            if rank != 1 or start < 1200:
                log(path, (start, start), label=f"[default{rank}]:[rank{rank}]:")
    assert gaps(inspect(path)) == [((1,), 2400.0, True)]


def test_a_few_lines_with_torch_s_label_do_not_tell_when_a_rank_falls_silent(tmp_path: Path) -> None:
    """Whose the other lines are is not known: they may well be the rank's."""
    path = tmp_path / "console.log"
    log(path, (0, 20), label="[rank1]:")
    log(path, (30, 3600))
    assert gaps(inspect(path)) == []


def test_a_second_log_of_a_rank_fills_its_gap(tmp_path: Path) -> None:
    log(tmp_path / "a/rank_0.log", (0, 3600))
    log(tmp_path / "a/rank_1.log", (0, 1200))
    log(tmp_path / "b/rank_1.log", (1210, 3600))
    assert gaps(inspect(tmp_path)) == []


def test_clocks_an_hour_apart_in_one_log_make_no_gap(tmp_path: Path) -> None:
    path = tmp_path / "console.log"
    for now in range(0, 600, 10):
        log(path, (now, now), label="node-7: ")
        log(path, (now, now), label="node-9: ", ahead=3600)
    found = inspect(path)
    assert source(found, "console.log").gaps == ()


# What cannot be told


def remarks(found: Inventory, words: str) -> list[tuple[str, ...]]:
    return [tuple(Path(s).name for s in one.sources) for one in found.remarks if words in one.text]


def test_logs_without_a_time(tmp_path: Path) -> None:
    (tmp_path / "rank_0.log").write_text("step 1\nstep 2\n")
    found = inspect(tmp_path)
    assert remarks(found, "no line tells a time: what came first is known only within a log") == [()]
    assert found.jobs[0].gaps == ()
    assert source(found, "rank_0.log").has_year is None


def test_one_log_without_a_time_among_others(tmp_path: Path) -> None:
    log(tmp_path / "rank_0.log", (0, 60))
    (tmp_path / "rank_1.log").write_text("step 1\nstep 2\n")
    assert remarks(inspect(tmp_path), "has no order with the other logs") == [("rank_1.log",)]


def test_a_log_whose_writer_nobody_tells(tmp_path: Path) -> None:
    log(tmp_path / "one.log", (0, 70))
    log(tmp_path / "rank_1.log", (0, 60))
    assert remarks(inspect(tmp_path), "--rank-from") == [("one.log",)]


def test_what_cannot_be_read_loses_nothing_else(tmp_path: Path) -> None:
    log(tmp_path / "rank_0.log", (0, 600))
    whole = gzip.compress(log(tmp_path / "rank_1.log", (0, 6000)).read_bytes())
    (tmp_path / "rank_1.log").unlink()
    (tmp_path / "rank_1.log.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "rank_2.log").write_text("")
    found = inspect(tmp_path, tmp_path / "gone.log")
    assert source(found, "rank_0.log").lines == 61
    assert source(found, "rank_1.log.gz").format == "gzip"
    assert "ends in the middle" in source(found, "rank_1.log.gz").problems[0].text
    assert remarks(found, "only up to some place") == [("rank_1.log.gz",)]
    assert remarks(found, "could not be read") == [("gone.log",)]
    assert remarks(found, "empty") == [("rank_2.log",)]
    assert [Path(one.path).name for one in found.unread] == ["gone.log"]


def test_utf_16_is_told(tmp_path: Path) -> None:
    text = log(tmp_path / "rank_0.log", (0, 600)).read_text()
    (tmp_path / "rank_0.log").write_text(text, encoding="utf-16")
    one = source(inspect(tmp_path), "rank_0.log")
    assert (one.encoding, one.lines, one.span.ended) == ("utf-16-le", 61, "2026-03-14T09:10:00.000")


def test_pieces_of_a_log_are_one_source(tmp_path: Path) -> None:
    log(tmp_path / "rank_0.log.1", (0, 600))
    log(tmp_path / "rank_0.log", (610, 1200))
    found = inspect(tmp_path)
    (one,) = found.sources
    assert [Path(piece).name for piece in one.pieces] == ["rank_0.log.1", "rank_0.log"]
    assert (one.lines, one.gaps) == (121, ())


def test_lines_that_stand_in_two_logs(tmp_path: Path) -> None:
    """A console that was kept, beside the log of one rank."""
    error = "RuntimeError: CUDA error: an illegal memory access was encountered"
    own = [f"2026-03-14 09:0{n}:00,123 INFO step {n}" for n in range(8)] + ["Traceback (most recent call last):"]
    own += ['  File "train.py", line 3, in <module>', "    main()", error]
    (tmp_path / "rank_1.log").write_text("\n".join(own) + "\n")
    console = [f"[default{rank}]:[rank{rank}]: {line}" for line in own for rank in ((1,) if "rank" in line else (0, 1))]
    (tmp_path / "console.log").write_text("\n".join(console) + "\n")
    (job,) = inspect(tmp_path).jobs
    assert [(Path(r.source).name, Path(r.other).name) for r in job.repeats] == [("console.log", "rank_1.log")]


def test_nothing_at_all(tmp_path: Path) -> None:
    found = inspect(tmp_path / "gone")
    assert not found.was_anything_read
    assert found.sources == ()
