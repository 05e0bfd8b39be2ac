"""Folded state as a document for JSON, and back."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from logsleuth.engine.documented import DocumentError
from logsleuth.engine.fold import Kept, Key, State
from logsleuth.engine.packed import packed, unpacked
from logsleuth.engine.series import Series
from logsleuth.engine.state_document import state_document, state_of
from logsleuth.model.event import Occurrence
from logsleuth.model.origin import BARE
from tests.engine.states import OCCURRENCES, STATES


def spelled(state: State) -> str:
    """All that a state holds, as text: a number that is none equals nothing, and 1 equals 1.0."""
    series = {key: Series(of.stride, dict(sorted(of.filled.items())), of.quotes) for key, of in state.series.items()}
    sources = {number: replace(life, endings=frozenset()) for number, life in state.sources.items()}
    endings = {number: sorted(life.endings) for number, life in state.sources.items()}
    return repr((State(state.kept, sources, series), endings))


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(STATES)
def test_every_state_comes_back_as_it_was(state: State) -> None:
    text = json.dumps(state_document(state), allow_nan=False)
    assert spelled(state_of(json.loads(text))) == spelled(state)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(STATES, st.data())
def test_a_document_in_which_something_is_of_another_kind_is_told(state: State, data: st.DataObject) -> None:
    document = json.loads(json.dumps(state_document(state)))
    places = list(_places(document))
    holder, at = data.draw(st.sampled_from(places))
    other = data.draw(st.sampled_from([{}, [[]], [None, None, None], "\0", 0.5, True, -7]))
    before, holder[at] = holder[at], other
    try:
        again = state_of(document)
    except DocumentError:
        return
    # What could be read is a document of what was read.
    holder[at] = before
    assert isinstance(again, State)
    json.dumps(state_document(again), allow_nan=False)


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Everything in a document: what holds it, and where."""
    for at, item in document.items() if isinstance(document, dict) else enumerate(document):
        yield document, at
        if isinstance(item, dict | list):
            yield from _places(item)


@pytest.mark.parametrize("document", [None, [], {}, {"version": 1}, {"version": 1, "kept": 3}, "x"])
def test_what_is_no_state_is_told(document: object) -> None:
    with pytest.raises(DocumentError, match="damaged"):
        state_of(document)


def test_a_state_of_another_format_is_told() -> None:
    with pytest.raises(DocumentError, match="it is of format 2, and this logsleuth reads format 1"):
        state_of({**state_document(State()), "version": 2})


@given(OCCURRENCES)
def test_a_line_that_many_keys_keep_stands_once(occurrence: Occurrence) -> None:
    occurrence = occurrence._replace(fields={}, text="the line", told=((1, 2, "the line"),))
    kept = Kept(1, [occurrence], [occurrence])
    keys = [Key("some.event", use, 0, BARE, (), 0) for use in range(5)]
    assert json.dumps(state_document(State(dict.fromkeys(keys, kept)))).count("the line") == 1


@given(st.binary(max_size=40), st.integers(0, 200), st.integers(0, 7))
def test_damage_shows(data: bytes, at: int, bit: int) -> None:
    whole = packed("state", {"data": data.hex()})
    assert unpacked("state", whole) == {"data": data.hex()}
    damaged = bytearray(whole)
    damaged[at % len(whole)] ^= 1 << bit
    with pytest.raises(DocumentError):
        unpacked("state", bytes(damaged))


@pytest.mark.parametrize("data", [b"", b"logsleuth state", b"logsleuth sealed 00\n", b"hello\n", b"\0" * 100])
def test_what_was_not_packed_is_told(data: bytes) -> None:
    with pytest.raises(DocumentError, match="it does not hold state of logsleuth"):
        unpacked("state", data)


def test_what_is_cut_short_is_told() -> None:
    with pytest.raises(DocumentError, match="it is damaged"):
        unpacked("state", packed("state", list(range(1000)))[:-5])
