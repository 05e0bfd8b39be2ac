"""What was told of a rank that stalls, when the watchdogs of its peers end the job."""

import pytest

from benchmarks.stalls import watcher
from logsleuth.diagnosis.ledger import Ledger
from logsleuth.model.change import Change, ChangeKind
from tests.simulation.live.handover import TIMEOUT, Ended, ended_by_watchdogs


@pytest.fixture(params=[False, True], ids=["timeouts", "timeouts and counters"])
def ended(request: pytest.FixtureRequest) -> Ended:
    return ended_by_watchdogs(4, has_counters=request.param)


def told(ended: Ended) -> list[Change]:
    """The changes that somebody hears who follows from the stall to the end."""
    assert ended.job.stall
    ledger, changes = Ledger(), list[Change]()
    moments = [ended.due + seconds for seconds in (60, 64, 200, TIMEOUT - 5)]
    for moment in [*moments, *(ended.over + seconds for seconds in (1, 5, 9, 20))]:
        changes += ledger.update(watcher(all_rules=True).analysis(ended.job, moment), moment)
    changes += ledger.update(watcher(all_rules=True).analysis(ended.job, None), ended.over + 30, is_final=True)
    return changes


def test_the_verdict_of_the_timeout_takes_over_that_of_the_hang(ended: Ended) -> None:
    hang, *later = told(ended)
    assert (hang.kind, hang.verdict.rule) == (ChangeKind.APPEARED, "hang.rank_behind")
    assert ended.job.stall
    assert {change.verdict.culprits.ranks for change in (hang, *later)} == {(ended.job.stall.rank,)}
    (root,) = [change for change in later if change.kind is ChangeKind.APPEARED]
    assert root.verdict.rule.startswith("collective.")
    (gone,) = [change for change in later if change.key == hang.key]
    assert (gone.kind, gone.by) == (ChangeKind.TAKEN_OVER, root.key)


def test_in_the_end_it_is_one_story_of_that_rank(ended: Ended) -> None:
    roots = [v for v in watcher(all_rules=True).analysis(ended.job, None).verdicts if v.role == "root"]
    firm = [verdict for verdict in roots if verdict.status == "firm"]
    assert ended.job.stall
    assert [verdict.culprits.ranks for verdict in firm] == [(ended.job.stall.rank,)]
