"""What never changes an answer: the order of arguments, the size of chunks, the scanner, the order of merging."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.drivers.batch import analyze_with
from logsleuth.drivers.reading import read
from logsleuth.engine.fold import State, merged
from logsleuth.engine.plan import plan
from logsleuth.ingest.discover import discover
from logsleuth.language.library import load
from logsleuth.report.document import to_document

FIXTURES = Path(__file__).parents[2] / "fixtures" / "logs"
PROGRAM = load(local=False).program
JOBS = sorted(path for path in FIXTURES.glob("*/*/*") if path.is_dir())


def answer(paths: list[str], engine: str | None = None, chunk_size: int | None = None) -> object:
    return to_document(analyze_with(PROGRAM, paths, engine=engine, chunk_size=chunk_size))


@pytest.mark.parametrize("job", JOBS, ids=lambda path: "/".join(path.parts[-3:]))
@pytest.mark.parametrize("engine", ["ahocorasick", "plain"])
def test_every_scanner_gives_the_same_answer(job: Path, engine: str) -> None:
    assert answer([str(job)], engine) == answer([str(job)], "hyperscan")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(JOBS), st.integers(1, 5000))
def test_the_size_of_chunks_changes_nothing(job: Path, size: int) -> None:
    assert answer([str(job)], chunk_size=size) == answer([str(job)])


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(JOBS), st.randoms(use_true_random=False))
def test_the_order_of_arguments_changes_nothing(job: Path, rng: random.Random) -> None:
    files = [str(path) for path in sorted(job.rglob("*")) if path.is_file()]
    shuffled = rng.sample(files, len(files))
    assert answer(shuffled) == answer(files)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(JOBS), st.randoms(use_true_random=False))
def test_states_merge_in_any_order(job: Path, rng: random.Random) -> None:
    sources = discover([str(job)]).sources
    chosen = plan(PROGRAM)
    whole = read(sources, PROGRAM, chosen).state
    parts = [part_of(whole, index) for index in range(len(sources))]
    again = merged(rng.sample(parts, len(parts)))
    assert again.sources == whole.sources
    assert {key: kept.occurrences for key, kept in again.kept.items()} == {
        key: kept.occurrences for key, kept in whole.kept.items()
    }


def part_of(whole: State, source: int) -> State:
    return State(
        {key: kept for key, kept in whole.kept.items() if key.source == source}, {source: whole.sources[source]}
    )
