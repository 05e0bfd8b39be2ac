"""A rule that asks for too much is given up and told; the others still answer."""

from pathlib import Path

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.engine import work
from logsleuth.engine.work import TooMuchWorkError, Work
from logsleuth.language.library import compile_texts

RANKS, LINES = 30, 8
EVENTS = """
event a.rises "It rises." { line "rises to {n:int} at {x:int}" }
event a.falls "It falls." { line "falls to {n:int} at {x:int}" }
rule a.cheap "A rank rises." { severity error cause killed when seen a.rises as first verdict "it rises" }
"""


def analysed(tmp_path: Path, clauses: str) -> tuple[list[str], tuple[str, ...]]:
    rule = f'rule a.dear "It is dear." {{ severity error cause aborted {clauses} verdict "x" }}'
    for rank in range(RANKS):
        lines = [f"rises to {7 * rank + n} at {n}\nfalls to {5 * rank + n} at {n}\n" for n in range(LINES)]
        (tmp_path / f"rank{rank}.log").write_text("".join(lines))
    analysis = analyze_with(compile_texts({"x.sleuth": EVENTS + rule}), [str(tmp_path)])
    return [verdict.rule for verdict in analysis.verdicts], analysis.notes


@pytest.mark.parametrize(
    ("clauses", "dear"),
    [
        ("when seen a.rises[count(distinct(a.falls.n)) > n] as r", "seen a.rises[count(distinct(a.falls.n)) > n] as r"),
        ("when seen a.rises as r then a.falls[n > r.n] as f then a.rises[n > f.n]", "seen a.rises as r then"),
        ("when seen a.rises as r let s = r.n + r.x + r.n + r.x when s > 3", "s > 3"),
        ("when seen a.rises as r when seen a.falls[n + x == r.n + r.x] as f", "seen a.falls[n + x == r.n + r.x] as f"),
        ("when seen a.rises as r explains a.falls[n + x == r.n + r.x] on any ranks", "explains"),
    ],
)
def test_a_dear_rule_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clauses: str, dear: str) -> None:
    monkeypatch.setattr(work, "MOST", 3_000)
    rules, (note,) = analysed(tmp_path, clauses)
    assert "a.cheap" in rules
    assert note.startswith("The rule a.dear (x.sleuth:5) was given up: ")
    assert f"'{dear}" in note


def test_a_set_within_a_set_is_worked_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each rank asks for the same set, so that nesting costs nothing."""
    monkeypatch.setattr(work, "MOST", 3_000)
    inner = "ranks where count(ranks where last(a.rises.n) >= 0) >= 0"
    rules, notes = analysed(
        tmp_path, f"when seen a.rises as r let s = ranks where count({inner}) >= 0 when count(s) > 1"
    )
    assert notes == ()
    assert {"a.cheap"} <= set(rules) or "a.dear" in rules


SERIES = """
event a.step "A step." { line "step {step:int} loss {loss:float}" frequent series loss at step }
"""


def judged_series(tmp_path: Path, when: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a rule holds on ranks that print losses from 8 down to 1, and what is told of work."""
    text = f'rule a.low "It is low." {{ severity error cause killed when {when} verdict "x" }}'
    for rank in range(RANKS):
        (tmp_path / f"rank{rank}.log").write_text("".join(f"step {n} loss {LINES - n}\n" for n in range(LINES)))
    analysis = analyze_with(compile_texts({"x.sleuth": SERIES + text}), [str(tmp_path)])
    return any(verdict.rule == "a.low" for verdict in analysis.verdicts), analysis.notes


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ("seen a.loss[value > 0] then a.loss[value < 2]", True),
        ("seen a.loss[value > 0] then a.loss[value < 1]", False),
        ("seen a.loss[step == 7] then no a.loss[value < 9]", True),
    ],
)
def test_what_is_asked_again_of_all_values_is_looked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str, holds: bool
) -> None:
    monkeypatch.setattr(work, "MOST", 10_000)
    assert judged_series(tmp_path, when) == (holds, ())


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ("seen a.loss[value > 0] as r then a.loss[value < r.value - 6]", True),
        ("seen a.loss[value > 0] as r then a.loss[value > r.value]", False),
        ("seen a.loss[value > 0] as r then a.loss[value < r.value] as q then a.loss[value == q.value - 6]", True),
    ],
)
def test_what_depends_on_what_was_bound_is_looked_for_each_time(tmp_path: Path, when: str, holds: bool) -> None:
    assert judged_series(tmp_path, when) == (holds, ())


def test_steps_are_counted_for_a_rule_only() -> None:
    counted = Work()
    counted.spend(10**12)
    counted.begin()
    counted.spend(work.MOST)
    with pytest.raises(TooMuchWorkError):
        counted.spend(1)
    counted.end()
    counted.spend(10**12)
