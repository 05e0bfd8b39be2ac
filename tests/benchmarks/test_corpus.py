"""The benchmark's corpora are what they say they are."""

import re
from pathlib import Path

import pytest

from benchmarks.corpus import usable_samples, wanted_events, write_even, write_failing, write_healthy, write_job
from benchmarks.dialects import as_ripgrep, wordings
from benchmarks.identity import RANKS, Writer, told_by
from benchmarks.stamped import Stamped
from logsleuth import analyze
from logsleuth.language.syntax import Event, Place, Sample

HERE = Place("x.sleuth", 1, 1)
SAMPLES = [
    "[rank5]: WANTED at 12:00:00",
    "2025-01-02 03:04:05,678 WANTED first\n  WANTED second\nnode-7:88:99 [3] NCCL WARN WANTED third",
]


@pytest.mark.parametrize("share", [0.01, 0.3, 1.0])
def test_the_share_of_wanted_lines_is_as_asked(tmp_path: Path, share: float) -> None:
    corpus = write_even(tmp_path / "corpus", 1_000_000, share, SAMPLES)
    text = "".join(path.read_bytes().decode() for path in corpus.folder.iterdir())
    assert len(list(corpus.folder.iterdir())) == RANKS
    assert corpus.wanted == text.count("WANTED")
    assert corpus.lines == text.count("\n")
    assert corpus.bytes == len(text.encode())
    assert corpus.wanted / corpus.lines == pytest.approx(share, rel=0.25)
    assert corpus.bytes == pytest.approx(1_000_000, rel=0.05)


def test_most_wanted_lines_of_a_job_are_progress(tmp_path: Path) -> None:
    corpus = write_job(tmp_path / "corpus", 1_000_000, 0.5, SAMPLES)
    text = "".join(path.read_bytes().decode() for path in corpus.folder.iterdir())
    progress = len(re.findall(r"^\[rank\d+\]:\[titan\] .* step: \d+  loss: ", text, re.MULTILINE))
    assert progress + text.count("WANTED") == corpus.wanted
    assert progress / corpus.wanted == pytest.approx(0.82, abs=0.05)


def test_equal_arguments_give_equal_bytes(tmp_path: Path) -> None:
    folders = [write_job(tmp_path / name, 100_000, 0.3, SAMPLES).folder for name in ("one", "two")]
    one, two = ([(path.name, path.read_bytes()) for path in sorted(folder.iterdir())] for folder in folders)
    assert one == two


def test_a_file_has_one_identity_and_clocks_that_never_run_backwards(tmp_path: Path) -> None:
    folder = write_even(tmp_path / "corpus", 3_000_000, 0.5, SAMPLES).folder
    text = (folder / "rank_17.log").read_text()
    assert set(re.findall(r"\[rank(\d+)\]", text)) == {"17"}
    assert set(re.findall(r"^\S+:\d+:\d+ \[\d+\](?= NCCL)", text, re.MULTILINE)) == {"gpu-a03:4101:4188 [1]"}
    clocks = re.findall(r"^(?:\[rank17\]: WANTED at|2026-03-05) (\d\d:\d\d:\d\d)", text, re.MULTILINE)
    assert len(set(clocks)) > 1
    assert clocks == sorted(clocks)


@pytest.mark.parametrize(
    ("told", "retold"),
    [
        ("[rank3]: RuntimeError", "[rank17]: RuntimeError"),
        ("[default3]: RuntimeError", "[default1]: RuntimeError"),
        ("[Rank 3] Timeout", "[Rank 17] Timeout"),
        ("gpu-a01:82049:990 [0] NCCL INFO x", "gpu-a03:4101:4188 [1] NCCL INFO x"),
        ("[1,9]<stdout>:gpu-a02:991:1102 [1] NCCL INFO x", "[1,17]<stdout>:gpu-a03:4101:4188 [1] NCCL INFO x"),
        ("3: gpu-a02: x", "17: gpu-a03: x"),
        ("Mar  4 09:00:01 node-12 systemd[1]: x", "Mar  4 09:00:01 gpu-a03 systemd[4101]: x"),
        ("(Worker pid=3031, ip=10.20.4.7) x", "(Worker pid=4101, ip=10.20.0.13) x"),
        ("rank 9 nranks 16", "rank 17 nranks 64"),
        ("lost rank 200 of all", "lost rank 8 of all"),
        ("Rank 6 failed to pass monitoredBarrier", "Rank 6 failed to pass monitoredBarrier"),
        ("loss 0: 12 of 64", "loss 0: 12 of 64"),
    ],
)
def test_what_names_a_writer_names_the_one_who_tells(told: str, retold: str) -> None:
    assert told_by(Writer(17), told) == retold


@pytest.mark.parametrize(
    ("told", "later"),
    [
        ("[E1130 12:00:00.123456789 P.cpp:6]", "[E0305 01:02:03.250000000 P.cpp:6]"),
        ("[E513 13:25:57.714781669 P.cpp:6]", "[E0305 01:02:03.250000000 P.cpp:6]"),
        ("2025-03-04T03:12:55,283302+02:00 x", "2026-03-05T01:02:03,250000+00:00 x"),
        ("[2025-03-04 03:12:07.5] x at 2025-03-04 03:12:09", "[2026-03-05 01:02:03.2] x at 2026-03-05 01:02:03"),
        ("03/04/2025 03:12:07 x", "03/05/2026 01:02:03 x"),
        ("[03/04 03:12:07 d2]", "[03/05 01:02:03 d2]"),
        ("Mar  4 09:00:01 x", "Mar  5 01:02:03 x"),
        ("Fri Aug 11 12:31:45 2023 x", "Thu Mar  5 01:02:03 2026 x"),
        ("[1647516906.396315] x", "[1772672523.250000] x"),
        ("[   77.101010] x", "[91723.250000] x"),
        ("at 12:00:00 100%", "at 01:02:03 100%"),
        ("Xid (PCI:0000:dc:00): 00000000:3B:00.0", "Xid (PCI:0000:dc:00): 00000000:3B:00.0"),
        ("nothing 50%", "nothing 50%"),
    ],
)
def test_every_stamp_can_be_set(told: str, later: str) -> None:
    assert Stamped(told).at(3723.25) == later


def test_a_healthy_job_is_well(tmp_path: Path) -> None:
    found = analyze(write_healthy(tmp_path / "corpus", 2_000_000).folder)
    assert found.verdicts == ()


def test_a_failing_job_ran_out_of_memory_on_one_rank(tmp_path: Path) -> None:
    verdict, *others = analyze(write_failing(tmp_path / "corpus", 2_000_000).folder).verdicts
    assert verdict.rule.startswith("memory.")
    assert verdict.culprits.ranks == (17,)
    assert not others


def test_noise_is_what_no_analysis_looks_for(tmp_path: Path) -> None:
    written = [as_ripgrep(wording).replace("(?-u:", "(?:").encode() for wording in wordings(wanted_events())]
    patterns = [re.compile(pattern) for pattern in written]
    folder = write_even(tmp_path / "corpus", 20_000 * RANKS, 0, SAMPLES).folder
    lines = (folder / "rank_0.log").read_bytes().split(b"\n")
    assert [line for line in lines if any(pattern.search(line) for pattern in patterns)] == []


def test_samples_that_begin_attempts_are_left_out() -> None:
    events = [
        Event("job.line", "", HERE, samples=(Sample("\nkept\n", (), HERE),)),
        Event("job.again", "", HERE, samples=(Sample("restarting", (), HERE),), begins_attempt=True),
        Event("job.number", "", HERE, samples=(Sample("attempt 3", (), HERE),), states=(("attempt", "n"),)),
    ]
    assert usable_samples(events) == ["kept"]
