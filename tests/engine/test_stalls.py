"""When a judgement may come out differently without a new line."""

from typing import cast

import pytest

from logsleuth.engine.roster import Roster
from logsleuth.engine.stalls import look_again
from logsleuth.model.present import Arrivals, Present

ROSTERS = [cast("Roster", None)]


def present(silence: float) -> Present:
    arrivals = Arrivals()
    arrivals.note(100, 1000.0)
    return Present(1000.0 + silence, {0: arrivals})


@pytest.mark.parametrize(("silence", "seconds"), [(0.0, 0.5), (3.0, 0.5), (60.0, 6.0), (3600.0, 360.0)])
def test_a_long_silence_is_looked_at_more_seldom(silence: float, seconds: float) -> None:
    assert look_again(ROSTERS, present(silence)) == seconds


def test_nobody_looks_where_nothing_can_change() -> None:
    assert look_again(ROSTERS, present(2 * 86_400.0)) is None
    assert look_again([], present(1.0)) is None
    assert look_again(ROSTERS, Present(1000.0, {})) is None


def test_an_hour_of_silence_takes_few_judgements() -> None:
    silence, judgements = 0.0, 0
    while silence < 3600:
        again = look_again(ROSTERS, present(silence))
        assert again
        silence += again
        judgements += 1
    assert judgements < 90
