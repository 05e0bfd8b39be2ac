"""What is waited for with ``--exit-on``."""

import pytest

from logsleuth.diagnosis.stopping import LEVELS, ends_at, reaches
from logsleuth.model.analysis import Severity
from logsleuth.model.change import Change, ChangeKind
from tests.diagnosis.live_verdicts import verdict


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("severity", Severity)
def test_what_is_at_least_so_severe_ends_it(level: Severity, severity: Severity) -> None:
    order = list(Severity)
    change = Change(1, 0.0, ChangeKind.APPEARED, "f1", verdict(severity=severity))
    assert ends_at(level)([change]) is (order.index(severity) >= order.index(level))


@pytest.mark.parametrize("kind", ChangeKind)
def test_only_what_is_there_ends_it(kind: ChangeKind) -> None:
    is_there = kind in (ChangeKind.APPEARED, ChangeKind.REVISED)
    change = Change(1, 0.0, kind, "f1", verdict(), verdict())
    assert ends_at(Severity.FATAL)([change]) is is_there
    assert ends_at(Severity.FATAL)([]) is False


def test_one_of_many_is_enough() -> None:
    mild = Change(1, 0.0, ChangeKind.APPEARED, "f1", verdict(severity=Severity.WARNING))
    assert ends_at(Severity.FATAL)([mild, mild._replace(verdict=verdict())])


def test_what_is_undecided_is_no_reason() -> None:
    assert not reaches([verdict(status="open")], Severity.WARNING)
    assert reaches([verdict(status="open"), verdict()], Severity.FATAL)
    assert not reaches([], Severity.WARNING)
