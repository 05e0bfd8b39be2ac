"""Sources under other numbers: the answer is that of reading them in the new order."""

import json
import random
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.drivers.batch import concluded
from logsleuth.drivers.pieces import joined
from logsleuth.drivers.reading import Reading, read
from logsleuth.engine.fold import State
from logsleuth.engine.plan import plan
from logsleuth.engine.state_document import state_document
from logsleuth.ingest.discover import discover
from logsleuth.model.analysis import Analysis
from logsleuth.model.origin import Source
from tests.drivers.jobs import NAMES, PROGRAM, job

PLAN = plan(PROGRAM)


def sources_of(folder: Path) -> list[Source]:
    return joined(discover([str(folder)]).sources)


def judged(of: Reading) -> Analysis:
    # Telling of copies adds to the inputs.
    return concluded(PROGRAM, PLAN, of._replace(inputs=deepcopy(of.inputs)))


def written(state: State) -> str:
    """All of the state as a text: what is no number equals nothing, itself included."""
    return json.dumps(state_document(state))


def mentioned(state: State) -> set[int]:
    """Every number of a source that stands anywhere in the state."""
    numbers = {key.source for key in state.kept} | {key.source for key in state.series} | set(state.sources)
    numbers |= {o.source for kept in state.kept.values() for o in (*kept.earliest, *kept.latest)}
    for series in state.series.values():
        numbers |= {point.source for point in series.quotes}
        numbers |= {point.source for bucket in series.filled.values() for point in bucket.points}
    return numbers


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(NAMES), st.randoms(use_true_random=False))
def test_the_answer_is_that_of_reading_in_the_new_order(simulated: Path, name: str, rng: random.Random) -> None:
    sources = sources_of(job(name, simulated))
    whole = read(sources, PROGRAM, PLAN)
    order = rng.sample(range(len(sources)), len(sources))
    shuffled = read([sources[at] for at in order], PROGRAM, PLAN)
    before = written(shuffled.state)
    state = shuffled.state.renumbered(dict(enumerate(order)))
    assert judged(whole._replace(state=state)) == judged(whole)
    assert written(shuffled.state) == before


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(NAMES), st.integers(1, 1000))
def test_no_old_number_is_left_anywhere(simulated: Path, name: str, by: int) -> None:
    state = read(sources_of(job(name, simulated)), PROGRAM, PLAN).state
    mapping = {source: source + by for source in state.sources}
    moved = state.renumbered(mapping)
    assert mentioned(moved) == set(mapping.values())
    assert moved.renumbered({new: old for old, new in mapping.items()}) == state


def test_some_of_these_jobs_have_series(simulated: Path) -> None:
    assert any(read(sources_of(job(name, simulated)), PROGRAM, PLAN).state.series for name in NAMES)


def test_numbers_that_stay_cost_nothing() -> None:
    state = State()
    assert state.renumbered({0: 0, 1: 1}) is state


def test_what_keeps_its_number_is_shared(simulated: Path) -> None:
    state = read(sources_of(job("tree", simulated)), PROGRAM, PLAN).state
    first, second, *others = sorted(state.sources)
    moved = state.renumbered({first: second, second: first, **{other: other for other in others}})
    assert all(moved.kept[key] is kept for key, kept in state.kept.items() if key.source in others)
    assert {key.source for key in state.kept} & set(others)


def test_a_source_without_a_new_number_is_an_error() -> None:
    state = read(sources_of(job(NAMES[0], Path())), PROGRAM, PLAN).state
    with pytest.raises(KeyError):
        state.renumbered({1000: 1001})
