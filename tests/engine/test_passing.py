"""For how long what never came may still come."""

import pytest

from logsleuth.engine.passing import NEVER, may_still_come
from logsleuth.model.present import Arrivals, Present


def present(silence: float, *, is_last: bool = False) -> Present:
    """So long after byte 99 of source 0 came, while byte 100 to 199 came right now."""
    arrivals = Arrivals()
    arrivals.note(100, 1000.0)
    arrivals.note(200, 1000.0 + silence)
    return Present(1000.0 + silence, {0: arrivals}, is_last)


@pytest.mark.parametrize(("silence", "may"), [(0.5, True), (NEVER - 1, True), (NEVER, False)])
def test_it_counts_from_when_the_line_came(silence: float, may: bool) -> None:
    assert may_still_come(present(silence), 0, 50) is may
    assert may_still_come(present(silence), 0, 150) is True


def test_nothing_is_waited_for_at_the_end() -> None:
    assert not may_still_come(present(1.0, is_last=True), 0, 50)
    assert not may_still_come(None, 0, 50)


def test_a_source_that_cannot_grow_has_ended() -> None:
    assert not may_still_come(present(1.0), 1, 50)
