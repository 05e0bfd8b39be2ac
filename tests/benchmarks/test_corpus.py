"""The benchmark's corpus is what it says it is."""

import re
from pathlib import Path

import pytest

from benchmarks.corpus import RANKS, usable_samples, write_corpus
from benchmarks.speed import ripgrep_patterns, wanted_events
from logsleuth.language.syntax import Event, Place, Sample

HERE = Place("x.sleuth", 1, 1)
SAMPLES = ["[rank5]: WANTED at 12:00:00", "WANTED first\n  WANTED second\nWANTED third"]


@pytest.mark.parametrize("share", [0.01, 0.3, 1.0])
def test_the_share_of_wanted_lines_is_as_asked(tmp_path: Path, share: float) -> None:
    corpus = write_corpus(tmp_path / "corpus", 1_000_000, share, SAMPLES)
    text = "".join(path.read_bytes().decode() for path in corpus.folder.iterdir())
    assert len(list(corpus.folder.iterdir())) == RANKS
    assert corpus.wanted == text.count("WANTED")
    assert corpus.lines == text.count("\n")
    assert corpus.bytes == len(text.encode())
    assert corpus.wanted / corpus.lines == pytest.approx(share, rel=0.25)
    assert corpus.bytes == pytest.approx(1_000_000, rel=0.05)


def test_equal_arguments_give_equal_bytes(tmp_path: Path) -> None:
    folders = [write_corpus(tmp_path / name, 100_000, 0.3, SAMPLES).folder for name in ("one", "two")]
    one, two = ([(path.name, path.read_bytes()) for path in sorted(folder.iterdir())] for folder in folders)
    assert one == two


def test_a_file_has_one_rank_and_a_clock_that_never_runs_backwards(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "corpus", 3_000_000, 0.5, SAMPLES).folder
    text = (folder / "rank_17.log").read_text()
    assert set(re.findall(r"\[rank(\d+)\]", text)) == {"17"}
    clocks = re.findall(r"^(?:\[rank17\]: WANTED at|2026-03-05) (\d\d:\d\d:\d\d)", text, re.MULTILINE)
    assert len(set(clocks)) > 1
    assert clocks == sorted(clocks)


def _as_text(found: re.Match[str]) -> str:
    data = bytes(int(pair, 16) for pair in re.findall(r"x([0-9a-f]{2})", found[0]))
    return re.escape(data.decode("utf-8", "replace"))


def test_noise_is_what_no_analysis_looks_for(tmp_path: Path) -> None:
    # What is more than ASCII stands there as bytes, which Python's patterns of text have no words for.
    written = [
        re.sub(r"(?:\(\?-u:\\x[0-9a-f]{2}\))+", _as_text, pattern) for pattern in ripgrep_patterns(wanted_events())
    ]
    patterns = [re.compile(pattern) for pattern in written]
    folder = write_corpus(tmp_path / "corpus", 20_000 * RANKS, 0, SAMPLES).folder
    lines = (folder / "rank_0.log").read_bytes().decode().split("\n")
    assert [line for line in lines if any(pattern.search(line) for pattern in patterns)] == []


def test_samples_that_begin_attempts_are_left_out() -> None:
    events = [
        Event("job.line", "", HERE, samples=(Sample("\nkept\n", (), HERE),)),
        Event("job.again", "", HERE, samples=(Sample("restarting", (), HERE),), begins_attempt=True),
        Event("job.number", "", HERE, samples=(Sample("attempt 3", (), HERE),), states=(("attempt", "n"),)),
    ]
    assert usable_samples(events) == ["kept"]
