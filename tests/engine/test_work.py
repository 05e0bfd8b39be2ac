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


def test_steps_are_counted_for_a_rule_only() -> None:
    counted = Work()
    counted.spend(10**12)
    counted.begin()
    counted.spend(work.MOST)
    with pytest.raises(TooMuchWorkError):
        counted.spend(1)
    counted.end()
    counted.spend(10**12)
