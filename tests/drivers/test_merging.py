"""Parts of what was read may be merged in any grouping and order: the answer is the same."""

import random
from copy import deepcopy
from functools import cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.drivers.batch import concluded
from logsleuth.drivers.pieces import joined
from logsleuth.drivers.reading import Reading, read
from logsleuth.engine.fold import State
from logsleuth.engine.plan import plan
from logsleuth.ingest.discover import discover
from logsleuth.model.analysis import Analysis
from tests.drivers.jobs import NAMES, PROGRAM, job

PLAN = plan(PROGRAM)


@cache
def reading(folder: Path) -> Reading:
    return read(joined(discover([str(folder)]).sources), PROGRAM, PLAN)


def judged(of: Reading, state: State) -> Analysis:
    # Telling of copies adds to the inputs.
    return concluded(PROGRAM, PLAN, of._replace(state=state, inputs=deepcopy(of.inputs)))


def atoms(state: State) -> list[State]:
    """The smallest parts: of one key each, and of one source each what is known of it besides."""
    return [
        *(State({key: kept}) for key, kept in state.kept.items()),
        *(State({}, {source: life}) for source, life in state.sources.items()),
        *(State({}, {}, {key: series}) for key, series in state.series.items()),
    ]


def merged_somehow(parts: list[State], rng: random.Random) -> State:
    """Merges what lies in any two heaps, until one is left."""
    heaps = [State(dict(part.kept), dict(part.sources), dict(part.series)) for part in parts]
    rng.shuffle(heaps)
    while len(heaps) > 1:
        taken = heaps.pop(rng.randrange(len(heaps)))
        heaps[rng.randrange(len(heaps))].merge(taken)
    return heaps[0]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(NAMES), st.randoms(use_true_random=False), st.booleans())
def test_states_merge_in_any_grouping_and_order(
    simulated: Path, name: str, rng: random.Random, is_by_source: bool
) -> None:
    of = reading(job(name, simulated))
    parts = [of.state.of({source}) for source in of.state.sources] if is_by_source else atoms(of.state)
    assert judged(of, merged_somehow(parts, rng)) == judged(of, of.state)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(NAMES), st.randoms(use_true_random=False))
def test_merging_leaves_the_parts_as_they_were(simulated: Path, name: str, rng: random.Random) -> None:
    parts = atoms(reading(job(name, simulated)).state)
    before = deepcopy(parts)
    merged_somehow(parts, rng)
    assert parts == before


def test_some_of_these_jobs_have_series_and_several_attempts(simulated: Path) -> None:
    states = [reading(job(name, simulated)).state for name in NAMES]
    assert any(state.series for state in states)
    assert any(key.segment > 1 for state in states for key in state.kept)
