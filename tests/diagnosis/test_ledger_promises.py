"""What the ledger promises of any course of judgements."""

import json
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from logsleuth.diagnosis.claim import claim_of, same
from logsleuth.diagnosis.ledger import Ledger, is_told
from logsleuth.diagnosis.marks import marks_of
from logsleuth.model.analysis import Absorbed, Analysis, Severity, Verdict
from logsleuth.model.change import Change, ChangeKind
from tests.diagnosis.live_verdicts import analysis, verdict

RULES = ("process.killed", "memory.oom", "network.lost")
START = 1_000_000.0

SETTLE = 1.0


class Judged(NamedTuple):
    after: float
    """Seconds since the one before."""
    analysis: Analysis


@st.composite
def verdicts(draw: st.DrawFn) -> Verdict:
    return verdict(
        draw(st.sampled_from(RULES)),
        tuple(sorted(draw(st.sets(st.integers(0, 2), max_size=2)))),
        sorted(draw(st.sets(st.tuples(st.sampled_from(("a", "b")), st.integers(0, 3)), max_size=3))),
        attempt=draw(st.integers(0, 1)),
        severity=draw(st.sampled_from((Severity.FATAL, Severity.FATAL, Severity.WARNING, Severity.INFO))),
        status=draw(st.sampled_from(("firm", "firm", "firm", "open"))),
        summary=draw(st.sampled_from(("it broke", "it broke down"))),
        alternatives=draw(st.sampled_from(((), ("killed",)))),
    )


@st.composite
def analyses(draw: st.DrawFn) -> Analysis:
    found = draw(st.lists(verdicts(), max_size=4, unique_by=marks_of))
    ids = [f"v{number}" for number in range(1, len(found) + 1)]
    absorbed = st.builds(
        Absorbed, st.sampled_from(RULES), st.integers(0, 1), st.just((1,)), st.sampled_from(ids or ["v1"])
    )
    return analysis(*found, absorbed=draw(st.lists(absorbed, max_size=2)))


@st.composite
def courses(draw: st.DrawFn) -> list[Judged]:
    """Judgements one after another; mostly few are different, for the same come again."""
    few = draw(st.lists(analyses(), min_size=1, max_size=3))
    steps = st.builds(Judged, st.sampled_from((0.0, 0.3, 0.7, 1.0, 5.0, -2.0)), st.sampled_from(few))
    return draw(st.lists(steps, min_size=1, max_size=12))


def moments(course: Sequence[Judged]) -> list[tuple[float, Analysis]]:
    at, found = START, []
    for judged in course:
        at += judged.after
        found.append((at, judged.analysis))
    return found


def followed(ledger: Ledger, course: Sequence[Judged]) -> list[Change]:
    """All that is told, with a last judgement behind."""
    at, last = START, course[-1].analysis
    changes = []
    for at, judged in moments(course):
        changes += ledger.update(judged, at)
    return changes + ledger.update(last, at + 0.1, is_final=True)


def applied(changes: Sequence[Change]) -> dict[str, Verdict]:
    """What stands for somebody who heard no more than the changes."""
    standing: dict[str, Verdict] = {}
    for change in changes:
        assert change.before == standing.get(change.key)
        if change.kind in (ChangeKind.APPEARED, ChangeKind.REVISED):
            assert (change.kind is ChangeKind.APPEARED) == (change.before is None)
            standing[change.key] = change.verdict
        else:
            del standing[change.key]
            assert (change.by is not None) == (change.kind is ChangeKind.TAKEN_OVER)
            assert change.by is None or change.by in standing
    return standing


def assert_tells(told: Sequence[Verdict], judged: Analysis) -> None:
    """What was told is what the analysis says, but for what nobody acts on."""
    left = [claim_of(one) for one in told]
    for claim in [claim_of(one) for one in judged.verdicts if is_told(one)]:
        left.remove(next(one for one in left if same(one, claim)))
    assert left == []


@given(courses())
def test_whoever_applies_the_changes_has_what_stands(course: list[Judged]) -> None:
    ledger = Ledger(settle=SETTLE)
    changes: list[Change] = []
    for at, judged in moments(course):
        changes += ledger.update(judged, at)
        assert applied(changes) == {one.key: one.verdict for one in ledger.told}
    assert [change.number for change in changes] == list(range(1, len(changes) + 1))


@given(courses())
def test_in_the_end_that_is_what_the_analysis_says(course: list[Judged]) -> None:
    ledger = Ledger(settle=SETTLE)
    standing = applied(followed(ledger, course))
    assert_tells(list(standing.values()), course[-1].analysis)
    assert ledger.settles_at is None


@given(courses())
def test_what_judgements_go_on_to_say_is_told_without_an_end(course: list[Judged]) -> None:
    """And as soon as the ledger says that it will be."""
    ledger = Ledger(settle=SETTLE)
    for at, judged in moments(course):
        ledger.update(judged, at)
    for _ in range(20):
        if ledger.settles_at is None:
            break
        assert ledger.settles_at > at
        at = ledger.settles_at
        ledger.update(course[-1].analysis, at)
    assert ledger.settles_at is None
    assert_tells([one.verdict for one in ledger.told], course[-1].analysis)


@given(courses())
def test_nothing_is_told_twice(course: list[Judged]) -> None:
    for change in followed(Ledger(settle=SETTLE), course):
        if change.kind is ChangeKind.REVISED:
            assert change.before is not None
            assert not same(claim_of(change.verdict), claim_of(change.before))


@given(courses())
def test_what_is_told_was_said_a_settling_time_before(course: list[Judged]) -> None:
    ledger, before = Ledger(settle=SETTLE), list[tuple[float, Analysis]]()
    for at, judged in moments(course):
        if before and at < before[-1][0]:
            before = []  # The clock was set back: what lay between is not known.
            ledger = Ledger(settle=SETTLE)
        for change in ledger.update(judged, at):
            if change.kind in (ChangeKind.APPEARED, ChangeKind.REVISED):
                # In floats the sum of steps may miss the second by a hair.
                assert any(
                    one.rule == change.verdict.rule and is_told(one)
                    for moment, found in before
                    if moment <= at - SETTLE
                    for one in found.verdicts
                )
        before.append((at, judged))


@given(courses(), st.randoms(use_true_random=False))
def test_the_order_of_verdicts_decides_nothing_but_the_order_of_changes(course: list[Judged], random: Random) -> None:
    one, other = Ledger(settle=SETTLE), Ledger(settle=SETTLE)
    for at, judged in moments(course):
        turned = list(judged.verdicts)
        random.shuffle(turned)
        shuffled = Analysis(tuple(turned), judged.jobs, (), absorbed=judged.absorbed)
        assert told_by(one, judged, at) == told_by(other, shuffled, at)


def told_by(ledger: Ledger, judged: Analysis, at: float) -> list[str]:
    """What is told, without the keys, which are given in the order of changes."""
    changes = ledger.update(judged, at)
    by = {one.key: one.verdict for one in ledger.told}
    return sorted(repr((change.kind, change.verdict, change.before, by.get(change.by or ""))) for change in changes)


@given(courses())
def test_a_ledger_that_is_kept_and_read_back_at_any_time_tells_the_same(course: list[Judged]) -> None:
    one, other = Ledger(settle=SETTLE), Ledger(settle=SETTLE)
    for at, judged in moments(course):
        other = Ledger.from_json(json.loads(json.dumps(other.to_json())), settle=SETTLE)
        assert other.settles_at == one.settles_at
        assert other.update(judged, at) == one.update(judged, at)
        assert (other.told, other.named, other.to_json()) == (one.told, one.named, one.to_json())
