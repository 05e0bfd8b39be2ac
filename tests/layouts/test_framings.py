"""What happens to the text of logs on its way changes nothing that is said of them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.drivers.batch import analyze_with
from logsleuth.ingest.chunks import cut
from logsleuth.layouts.copied import is_copied
from logsleuth.layouts.layout import HEAD
from logsleuth.layouts.notebook import is_notebook
from logsleuth.layouts.registry import laid_out
from tests.healthy.alarms import program
from tests.healthy.families import FAMILIES
from tests.healthy.log import written as healthy
from tests.layouts.framed import JOBS, LOGS, differences
from tests.layouts.framings import FRAMINGS, numbered, quoted_by_mail

BY_NAME = {framing.name: framing for framing in FRAMINGS}
SAMPLED = (
    "real/mismatched_order",
    "process/exception/one_of_four",
    "memory/gpu_out_of_memory/in_the_table_of_torchrun",
    "handbook/10_rank_0_restarts/hit",
)
"""Of the jobs that ``python -m benchmarks.framing`` asks about, each framing takes one."""
LOSES = {
    # A block of lines that was wrapped at words has lost its tabs and its columns.
    "at words of 72": "real/mismatched_order",
    "at words of 100": "real/mismatched_order",
    "hanging": "real/mismatched_order",
    "quoted by mail": "real/mismatched_order",
    # What ``grep`` found of several logs is one log, in which nothing tells what came first.
    "found by grep -n": "real/mismatched_order",
    "found by grep": "real/mismatched_order",
}
"""Framings that not every job survives, and one that does."""
COLOURED = {"vllm"}
"""Families whose true logs have colours without escape characters."""


@pytest.mark.parametrize("name", BY_NAME)
def test_framing_changes_no_verdict(name: str, tmp_path: Path) -> None:
    job = LOSES.get(name, SAMPLED[list(BY_NAME).index(name) % len(SAMPLED)])
    assert not differences(BY_NAME[name], job, tmp_path / "job")


def test_no_fixture_is_taken_for_a_copy() -> None:
    logs = [path for path in LOGS.rglob("*") if path.suffix in (".log", ".out", ".csv", ".txt")]
    assert len(logs) > 100
    heads = {path: path.read_bytes()[:HEAD] for path in logs}
    assert [path for path, head in heads.items() if is_copied(head) or is_notebook(head)] == []


@pytest.mark.parametrize("name", sorted(FAMILIES.keys() - COLOURED))
def test_no_healthy_log_is_taken_for_a_copy(name: str) -> None:
    for lines in (40, 500):
        for text in healthy(FAMILIES[name], 4, lines).values():
            assert not is_copied(text.encode()[:HEAD])


def _text(data: bytes, size: int) -> bytes:
    return b"".join(chunk.data for chunk in laid_out(cut([data], size, 1 << 20), None)[1])


@pytest.mark.parametrize("name", ["numbered by cat", "quoted twice", "folded at 80", "boxed by rich", "of the web"])
@settings(max_examples=5)
@given(size=st.integers(1, 3000))
def test_chunks_change_nothing(name: str, size: int) -> None:
    data = (LOGS / "real/mismatched_order/console.log").read_bytes()
    framed = BY_NAME[name].done({"a.log": data})["a.log"]
    assert _text(framed, size) == _text(framed, 1 << 20)


@pytest.mark.parametrize(
    "name",
    [
        *("numbered by cat", "numbered by an editor", "numbered with colons", "numbered with L", "numbered with bars"),
        *("quoted", "quoted twice", "folded at 80", "folded at 120", "folded at 137", "boxed in ascii", "of the web"),
        *("of the web with breaks", "of a notebook", "colours with a caret", "colours as octal text"),
    ],
)
@pytest.mark.parametrize("job", ["real/mismatched_order", "handbook/05_loss_nan/hit"])
def test_the_text_is_what_it_was(name: str, job: str) -> None:
    """Nothing is lost, and nothing invented."""
    (log,) = (LOGS / job).iterdir()
    data = log.read_bytes()
    (framed,) = BY_NAME[name].done({log.name: data}).values()
    was, now = (
        [line.rstrip() for line in text.split(b"\n") if line.strip()] for text in (data, _text(framed, 1 << 20))
    )
    assert [line.replace(b"\t", b"").replace(b" ", b"") for line in now] == [
        line.replace(b"\t", b"").replace(b" ", b"") for line in was
    ]


def test_what_was_done_twice_is_taken_off_twice() -> None:
    data = (LOGS / "real/mismatched_order/console.log").read_bytes()
    text = _text(quoted_by_mail(numbered("{:6}\t")(data)), 1 << 20)
    assert b"torch.distributed.elastic.multiprocessing.errors.ChildFailedError" in text


def test_parts_under_headings_are_logs_of_their_own(tmp_path: Path) -> None:
    error = b"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB of which 1.31 GiB is free."
    log = tmp_path / "all.txt"
    log.write_bytes(
        b"==> node-7/rank_0.log <==\nbegins\n\n==> node-8/rank_3.log <==\nbegins\n"
        + error
        + b"\n\n==> node-7/rank_0.log <==\nends\n"
    )
    analysis = analyze_with(program(), [str(log)])
    assert [(item.source, item.lines) for item in analysis.inputs] == [
        (f"{log}!node-7/rank_0.log", 2),
        (f"{log}!node-8/rank_3.log", 2),
    ]
    (verdict,) = [verdict for verdict in analysis.verdicts if verdict.role == "root"]
    assert (verdict.culprits.ranks, verdict.culprits.hosts) == ((3,), ("node-8",))
    evidence = verdict.evidence[0]
    assert (evidence.source, evidence.line, evidence.offset) == (f"{log}!node-8/rank_3.log", 2, len("begins\n"))


def test_a_heading_inside_a_log_divides_nothing(tmp_path: Path) -> None:
    log = tmp_path / "all.txt"
    log.write_bytes(b"begins\n\n==> rank_3.log <==\nends\n")
    assert [item.source for item in analyze_with(program(), [str(log)]).inputs] == [str(log)]


def test_every_sampled_job_is_asked_about() -> None:
    assert {*SAMPLED, *LOSES.values()} <= set(JOBS)
