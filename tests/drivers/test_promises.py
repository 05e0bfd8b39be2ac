"""What never changes an answer: the order of arguments, the size of chunks, the scanner.

For the cut into files see ``test_cuts``, for the order of merging ``test_merging``.
"""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.drivers.jobs import NAMES, answer, files, job, whole_answer


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("engine", ["ahocorasick", "plain", "hyperscan"])
def test_every_scanner_gives_the_same_answer(simulated: Path, name: str, engine: str) -> None:
    folder = job(name, simulated)
    assert answer([str(folder)], engine) == whole_answer(folder)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(NAMES), st.one_of(st.integers(1, 300), st.integers(300, 20_000)))
def test_the_size_of_chunks_changes_nothing(simulated: Path, name: str, size: int) -> None:
    folder = job(name, simulated)
    assert answer([str(folder)], chunk_size=size) == whole_answer(folder)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(NAMES), st.randoms(use_true_random=False))
def test_the_order_of_arguments_changes_nothing(simulated: Path, name: str, rng: random.Random) -> None:
    folder = job(name, simulated)
    paths = files(folder)
    # A log that is named twice, or that lies in a folder which is named too, counts once.
    again = rng.sample(paths, min(2, len(paths))) + ([str(folder)] if rng.random() < 0.3 else [])
    assert answer(rng.sample(paths, len(paths)) + again) == whole_answer(folder)
