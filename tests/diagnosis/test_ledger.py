"""What is told of the verdicts on a live job, and when."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from logsleuth.diagnosis.account import LONGEST, PATIENCE
from logsleuth.diagnosis.ledger import Ledger
from logsleuth.diagnosis.ledger_document import LedgerError
from logsleuth.model.analysis import Absorbed, Analysis, Confidence, Severity, Verdict
from logsleuth.model.change import Change, ChangeKind
from tests.diagnosis.live_verdicts import analysis, verdict

START = 1_000_000.0
NOTHING = analysis()

SETTLE = 1.0


class Told:
    """A ledger that is given judgements one after another, and all that it has told."""

    def __init__(self) -> None:
        self.ledger = Ledger(settle=SETTLE)
        self.changes: list[Change] = []

    def hears(
        self,
        seconds: float,
        *verdicts: Verdict,
        absorbed: Sequence[Absorbed] = (),
        jobs: Sequence[str] = ("default",),
        is_final: bool = False,
    ) -> list[Change]:
        """What is told of the judgement of so many seconds after the start."""
        judged = analysis(*verdicts, absorbed=absorbed, jobs=jobs)
        found = self.ledger.update(judged, START + seconds, is_final=is_final)
        self.changes += found
        return found

    def settled(self, seconds: float, *verdicts: Verdict) -> list[Change]:
        """What is told of two judgements, the second a settling time after the first."""
        return [*self.hears(seconds, *verdicts), *self.hears(seconds + SETTLE, *verdicts)]


@pytest.fixture
def told() -> Told:
    return Told()


def kinds(changes: list[Change]) -> list[str]:
    return [change.kind.value for change in changes]


# When


def test_a_verdict_is_told_once_when_it_has_stood_for_a_while(told: Told) -> None:
    assert told.hears(0, verdict()) == []
    assert told.hears(0.5, verdict()) == []
    (change,) = told.hears(1, verdict())
    assert (change.number, change.at, change.kind, change.key) == (1, START + 1, ChangeKind.APPEARED, "f1")
    assert (change.verdict.culprits.ranks, change.before, change.by) == ((3,), None, None)
    assert told.hears(2, verdict()) == told.hears(60, verdict()) == told.hears(61, verdict(), is_final=True) == []


def test_one_judgement_is_not_enough_however_long_it_is_ago(told: Told) -> None:
    assert told.hears(0) == told.hears(100, verdict()) == []
    assert told.hears(101, verdict()) != []


def test_at_the_end_nothing_has_to_settle(told: Told) -> None:
    assert kinds(told.hears(0, verdict(), is_final=True)) == ["appeared"]
    other = Told()
    other.settled(0, verdict())
    assert kinds(other.hears(1.1, verdict(ranks=(3, 5)), is_final=True)) == ["revised"]
    assert kinds(other.hears(1.2, is_final=True)) == ["withdrawn"]


def test_it_says_when_to_ask_again(told: Told) -> None:
    moments = [told.ledger.settles_at]
    for seconds, ranks in ((0, (3,)), (1, (3,)), (5, (3, 5))):
        told.hears(seconds, verdict(ranks=ranks))
        moments.append(told.ledger.settles_at)
    assert moments == [None, START + SETTLE, None, START + 5 + SETTLE]


def test_what_still_grows_is_told_when_it_has_stopped(told: Told) -> None:
    assert told.hears(0, verdict(ranks=(3,))) == told.hears(0.8, verdict(ranks=(3, 5))) == []
    assert told.hears(1.6, verdict(ranks=(3, 5))) == []
    (change,) = told.hears(1.8, verdict(ranks=(3, 5)))
    assert change.verdict.culprits.ranks == (3, 5)


def test_what_never_stops_growing_is_told_in_the_end(told: Told) -> None:
    moments = [number * 0.5 for number in range(9)]
    changes = [told.hears(at, verdict(ranks=tuple(range(round(at * 2) + 1)))) for at in moments]
    assert [at for at, found in zip(moments, changes, strict=True) if found] == [PATIENCE * SETTLE]


def test_gone_and_back_within_the_settling_time_is_no_change(told: Told) -> None:
    told.settled(0, verdict())
    assert told.hears(2) == told.hears(2.9) == told.hears(2.95, verdict()) == told.hears(10, verdict()) == []
    assert told.hears(11) == told.hears(11.5, verdict()) == told.hears(12.4) == []


def test_there_and_gone_before_it_settled_was_never_there(told: Told) -> None:
    assert told.hears(0, verdict()) == told.hears(0.9) == told.hears(1.1, verdict()) == told.hears(2, verdict()) == []
    assert told.hears(2.1, verdict())[0].key == "f1"


def test_what_flaps_is_told_ever_more_seldom(told: Told) -> None:
    period, hours = 4, 12
    for at in range(0, hours * 3600, 2):
        told.hears(at, *([verdict()] if at % (2 * period) < period else []))
    assert {change.key for change in told.changes} == {"f1"}
    moments = [change.at for change in told.changes]
    gaps = [late - early for early, late in pairwise(moments)]
    assert all(late >= early - 2 * period for early, late in pairwise(gaps))
    assert len(gaps) < 14 + hours * 3600 / LONGEST


def test_what_was_calm_for_long_is_revised_at_once_in_spite_of_its_past(told: Told) -> None:
    for number in range(6):
        told.settled(number * 100, verdict())
        told.settled(number * 100 + 50)
    assert kinds(told.settled(7200, verdict())) == ["appeared"]


def test_a_clock_that_was_set_back_keeps_nothing_waiting(told: Told) -> None:
    told.hears(0, verdict())
    assert told.hears(-3600, verdict()) == []
    assert kinds(told.hears(-3599, verdict())) == ["appeared"]
    assert kinds(told.settled(-7200)) == ["withdrawn"]


# What


@pytest.mark.parametrize(
    "other",
    [
        verdict(ranks=(3, 5)),
        verdict(ranks=(5,)),
        verdict(hosts=("node-7",)),
        verdict(severity=Severity.WARNING),
        verdict(confidence=Confidence.CERTAIN),
        verdict(summary="something else happened"),
        verdict(since="2026-03-04T11:20:00.000"),
        replace(verdict(), cause="host-oom"),
        replace(verdict(), role="symptom"),
    ],
)
def test_what_a_reader_would_act_on_is_told_anew(told: Told, other: Verdict) -> None:
    told.settled(0, verdict())
    (change,) = told.settled(10, other)
    assert (change.kind, change.key, change.verdict) == (ChangeKind.REVISED, "f1", replace(other, id="v1"))
    assert change.before == verdict()


@pytest.mark.parametrize(
    "other",
    [
        verdict(lines=[("agent.log", 100), ("agent.log", 200)]),
        verdict(lines=[("agent.log.1", 100)]),
        verdict(since="2026-03-04T11:50:20.000"),
        verdict(since=None),
        verdict(attempt=2),
        verdict(job="4711"),
        verdict(alternatives=("host-oom",)),
        replace(verdict(), occurrences=99),
        replace(verdict(), title="Told in other words", next_steps=("Look.",)),
    ],
)
def test_what_nobody_acts_on_is_not(told: Told, other: Verdict) -> None:
    told.settled(0, verdict())
    assert told.settled(10, other) == []


def test_a_slow_drift_is_noticed_when_it_has_come_far(told: Told) -> None:
    told.settled(0, verdict(since="2026-03-04T11:50:00.000"))
    assert told.settled(10, verdict(since="2026-03-04T11:50:40.000")) == []
    assert kinds(told.settled(20, verdict(since="2026-03-04T11:51:20.000"))) == ["revised"]


def test_questions_and_notes_are_not_told(told: Told) -> None:
    assert told.settled(0, verdict(status="open"), verdict("note.it", severity=Severity.INFO)) == []
    assert told.hears(9, verdict(status="open"), is_final=True) == []


def test_warnings_are_told(told: Told) -> None:
    assert kinds(told.settled(0, verdict(severity=Severity.WARNING))) == ["appeared"]


def test_an_answer_to_a_question_appears(told: Told) -> None:
    told.settled(0, verdict(status="open"))
    assert kinds(told.settled(10, verdict())) == ["appeared"]


def test_what_is_undecided_again_is_withdrawn_as_it_stands_now(told: Told) -> None:
    told.settled(0, verdict())
    (change,) = told.settled(10, verdict(status="open"))
    assert (change.kind, change.verdict.status) == (ChangeKind.WITHDRAWN, "open")
    assert change.before == verdict()


def test_what_is_gone_is_told_as_it_was_last(told: Told) -> None:
    told.settled(0, verdict())
    told.settled(10, verdict(ranks=(3, 5)))
    (change,) = told.settled(20)
    assert (change.kind, change.key, change.by) == (ChangeKind.WITHDRAWN, "f1", None)
    assert change.verdict == change.before == verdict(ranks=(3, 5))
    assert told.ledger.told == ()


def test_what_comes_back_has_its_old_key(told: Told) -> None:
    told.settled(0, verdict())
    told.settled(10)
    told.settled(20, verdict("memory.oom", (1,), [("b.log", 7)]))
    (change,) = told.settled(30, verdict("memory.oom", (1,), [("b.log", 7)]), verdict())
    assert (change.kind, change.key) == (ChangeKind.APPEARED, "f1")


def test_other_culprits_of_the_rule_later_are_another_verdict(told: Told) -> None:
    told.settled(0, verdict())
    told.settled(10)
    assert told.settled(20, verdict(ranks=(1,), lines=[("b.log", 9)]))[0].key == "f2"


# Which is which


def test_two_verdicts_of_one_rule_are_told_apart_while_both_move(told: Told) -> None:
    first, second = verdict(ranks=(3,), lines=[("a.log", 1)]), verdict(ranks=(5,), lines=[("b.log", 2)])
    told.settled(0, first, second)
    third = verdict(ranks=(1,), lines=[("c.log", 3)])
    changes = told.settled(10, third, replace(second, attempt=1), replace(first, attempt=1, culprits=third.culprits))
    assert [(change.key, change.kind.value) for change in changes] == [("f3", "appeared"), ("f1", "revised")]


def test_the_same_line_counts_more_than_the_same_rank(told: Told) -> None:
    told.settled(0, verdict(ranks=(3,), lines=[("a.log", 1)]), verdict(ranks=(5,), lines=[("b.log", 2)]))
    one, two = verdict(ranks=(5,), lines=[("a.log", 1)]), verdict(ranks=(3,), lines=[("b.log", 2)])
    assert [(c.key, c.verdict.culprits.ranks) for c in told.settled(10, two, one)] == [("f2", (3,)), ("f1", (5,))]


def test_a_renamed_log_makes_no_new_verdict(told: Told) -> None:
    told.settled(0, verdict(lines=[("a.log", 1)]), verdict(ranks=(5,), lines=[("a.log", 2)]))
    assert told.settled(10, verdict(lines=[("a.log.1", 1)]), verdict(ranks=(5,), lines=[("a.log.1", 2)])) == []


def test_the_only_verdict_of_a_rule_is_the_only_one_it_was(told: Told) -> None:
    told.settled(0, verdict(ranks=(3,), lines=[("a.log", 1)]))
    (change,) = told.settled(10, verdict(ranks=(5,), lines=[("b.log", 2)], attempt=1))
    assert (change.key, change.kind) == ("f1", ChangeKind.REVISED)


# Who takes over


ROOT = verdict("memory.oom", (3,), [("rank3.log", 50)])


def absorbing(by: str = "v1", rule: str = "process.killed", attempt: int = 0) -> Absorbed:
    return Absorbed(rule, attempt, (3,), by)


def test_a_root_takes_over_what_the_analysis_tells_within_it(told: Told) -> None:
    told.settled(0, verdict())
    told.hears(10, ROOT, absorbed=[absorbing()])
    first, second = told.hears(11, ROOT, absorbed=[absorbing()])
    assert (first.kind, first.key) == (ChangeKind.APPEARED, "f2")
    assert (second.kind, second.key, second.by) == (ChangeKind.TAKEN_OVER, "f1", "f2")
    assert second.verdict == second.before == verdict()


def test_the_lines_tell_who_takes_over_where_the_analysis_does_not(told: Told) -> None:
    told.settled(0, verdict())
    other = verdict("memory.oom", (3,), [("rank3.log", 50), ("agent.log", 100)])
    assert [(c.kind.value, c.by) for c in told.settled(10, other)] == [("appeared", None), ("taken over", "f2")]


def test_one_line_among_many_does_only_with_the_cause_among_the_alternatives() -> None:
    many = [("agent.log", 100), ("agent.log", 200), ("agent.log", 300)]
    theirs = [("agent.log", 100), ("rank3.log", 50), ("rank3.log", 60)]
    for alternatives, kind in (((), "withdrawn"), (("killed",), "taken over")):
        told = Told()
        told.settled(0, verdict(lines=many))
        other = verdict("memory.oom", (5,), theirs, alternatives=alternatives)
        assert kinds(told.settled(10, other)) == ["appeared", kind]


def test_what_came_when_it_was_gone_and_blames_the_same_takes_over() -> None:
    for came, ranks, kind in ((10.0, (3, 5), "taken over"), (10.0, (5,), "withdrawn"), (9.9, (3, 5), "withdrawn")):
        told = Told()
        told.settled(0, verdict())
        other = verdict("code.raised", ranks, [("rank3.log", 50)])
        if came < 10:
            told.hears(came, verdict(), other)
        assert kinds(told.settled(10, other)) == ["appeared", kind]


def test_what_came_a_little_later_and_blames_the_same_takes_over(told: Told) -> None:
    told.settled(0, verdict())
    assert told.hears(10) == []
    assert told.hears(10.5, verdict("code.raised", (3, 5), [("rank3.log", 50)])) == []
    assert told.hears(11.1, verdict("code.raised", (3, 5), [("rank3.log", 50)])) == []
    assert kinds(told.hears(11.6, verdict("code.raised", (3, 5), [("rank3.log", 50)]))) == ["appeared", "taken over"]


def test_what_is_gone_waits_for_what_takes_it_over(told: Told) -> None:
    told.settled(0, verdict())
    assert told.hears(10) == []
    assert told.hears(10.9, ROOT, absorbed=[absorbing()]) == []
    assert told.hears(11.1, ROOT, absorbed=[absorbing()]) == []
    assert kinds(told.hears(11.9, ROOT, absorbed=[absorbing()])) == ["appeared", "taken over"]


def test_it_does_not_wait_for_ever(told: Told) -> None:
    told.settled(0, verdict())
    for seconds in range(10, 12):
        growing = replace(ROOT, summary="x" * seconds)
        assert told.hears(seconds + 0.6 * (seconds % 2), growing, absorbed=[absorbing()]) == []
    assert "f1" in [c.key for c in told.hears(15, replace(ROOT, summary="y"), absorbed=[absorbing()])]


def test_a_verdict_on_another_job_takes_nothing_over(told: Told) -> None:
    jobs = ("default", "4711")
    told.hears(0, verdict(), jobs=jobs)
    told.hears(1, verdict(), jobs=jobs)
    other = replace(ROOT, job="4711")
    told.hears(10, other, absorbed=[absorbing()], jobs=jobs)
    assert kinds(told.hears(11, other, absorbed=[absorbing()], jobs=jobs)) == ["appeared", "withdrawn"]


# The state file


def restarted(ledger: Ledger) -> Ledger:
    return Ledger.from_json(json.loads(json.dumps(ledger.to_json())), settle=SETTLE)


def test_after_a_restart_nothing_is_told_again(told: Told) -> None:
    told.settled(0, verdict())
    told.ledger = restarted(told.ledger)
    assert [(one.key, one.verdict) for one in told.ledger.told] == [("f1", verdict())]
    assert told.settled(5000, verdict()) == []


def test_what_changed_while_nobody_looked_is_revised(told: Told) -> None:
    told.settled(0, verdict())
    told.ledger = restarted(told.ledger)
    (change,) = told.settled(5000, verdict(ranks=(3, 5)))
    assert (change.number, change.key, change.kind, change.before) == (2, "f1", ChangeKind.REVISED, verdict())


def test_keys_and_numbers_go_on(told: Told) -> None:
    told.settled(0, verdict())
    told.settled(10)
    told.ledger = restarted(told.ledger)
    (change,) = told.settled(20, ROOT)
    assert (change.number, change.key) == (3, "f2")


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (None, "does not say what was told"),
        ([], "does not say what was told"),
        ({"format": 99, "ledger": {}}, "format 99, and this version reads 1"),
        ({"format": 1}, "damaged: LedgerDocument: NoneType"),
        ({"format": 1, "ledger": {"number": 1}}, "missing or unknown: accounts, at, keys"),
        ({"format": 1, "ledger": {"number": True, "keys": 0, "at": None, "accounts": []}}, "LedgerDocument.number"),
        ({"format": 1, "ledger": {"number": 0, "keys": 0, "at": None, "accounts": [7]}}, r"accounts\[0\]"),
    ],
)
def test_what_is_no_ledger_is_refused_with_the_place(document: object, words: str) -> None:
    with pytest.raises(LedgerError, match=words):
        Ledger.from_json(document)


def test_a_damaged_verdict_is_refused(told: Told) -> None:
    told.settled(0, verdict())
    text = json.dumps(told.ledger.to_json())
    with pytest.raises(LedgerError, match=r"accounts\[0\].told.severity: .fatality. is no Severity"):
        Ledger.from_json(json.loads(text.replace('"severity": "fatal"', '"severity": "fatality"')))


def test_what_is_remembered_stays_small() -> None:
    ledger = Ledger(settle=SETTLE)
    for number in range(2000):
        found = analysis(verdict(f"rule.r{number}", lines=[("a.log", number)]))
        ledger.update(found, START + number * 10)
        ledger.update(found, START + number * 10 + 1)
    assert len(json.dumps(ledger.to_json())) < 300_000


def test_verdicts_are_named_by_their_keys(told: Told) -> None:
    told.settled(0, ROOT)
    told.hears(10, verdict(), ROOT)
    assert told.ledger.named == {"v2": "f1"}
    told.hears(11, verdict(), ROOT)
    assert told.ledger.named == {"v1": "f2", "v2": "f1"}


def test_nothing_is_told_of_nothing() -> None:
    ledger = Ledger(settle=SETTLE)
    assert ledger.update(NOTHING, START) == ledger.update(Analysis((), (), ()), START + 1, is_final=True) == []
