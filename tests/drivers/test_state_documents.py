"""States of real reading, as documents and back: the same states, and the same answers."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from logsleuth.drivers.pieces import joined
from logsleuth.drivers.reading import read
from logsleuth.engine.bucket import Bucket
from logsleuth.engine.fold import State
from logsleuth.engine.plan import plan
from logsleuth.engine.series import Series
from logsleuth.engine.state_document import state_document, state_of
from logsleuth.ingest.discover import discover
from logsleuth.model.series import Point
from tests.drivers.jobs import NAMES, PROGRAM, job

PLAN = plan(PROGRAM)


def with_stamps_read(state: State) -> State:
    """The state with stamps instead of what reads them."""

    def point(of: Point | None) -> Point | None:
        return None if of is None else of._replace(told=of.stamp)

    def bucket(of: Bucket) -> Bucket:
        return Bucket(of.count, of.total, *map(point, (of.first, of.last, of.low, of.high, of.odd)))

    series = {
        key: Series(
            of.stride,
            {place: bucket(one) for place, one in sorted(of.filled.items())},
            {one._replace(told=one.stamp): text for one, text in of.quotes.items()},
        )
        for key, of in state.series.items()
    }
    return replace(state, series=series)


@pytest.mark.parametrize("name", NAMES)
def test_a_state_comes_back_as_it_was(simulated: Path, name: str) -> None:
    state = read(joined(discover([str(job(name, simulated))]).sources), PROGRAM, PLAN).state
    text = json.dumps(state_document(state), allow_nan=False)
    # As text, because a number that is none equals nothing, and 1 equals 1.0.
    assert repr(with_stamps_read(state_of(json.loads(text)))) == repr(with_stamps_read(state))
