"""Every case of the handbook, diagnosed from logs of jobs that have it, and silence on those that only look like it."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from logsleuth.drivers.batch import analyze_with
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.program import Program
from logsleuth.model.analysis import Severity, Verdict
from tests.pages import HANDBOOK

FIXTURES = Path(__file__).parents[1] / "fixtures/logs/handbook"
FAILED = frozenset({Severity.ERROR, Severity.FATAL})
WARNED = frozenset({Severity.WARNING})


class Case(NamedTuple):
    """What the first verdict on the hit has to say; nothing may be said of the near miss."""

    causes: frozenset[str]
    severities: frozenset[Severity]
    ranks: frozenset[int] = frozenset()
    """The culprits, exactly."""


CASES = {
    "01_nccl_timeout": Case(frozenset({"rank-never-entered-collective"}), FAILED, frozenset({5})),
    "02_first_step_hangs": Case(frozenset({"unreachable-peer"}), FAILED),
    "03_gpu_out_of_memory": Case(frozenset({"gpu-oom"}), FAILED, frozenset({6})),
    "04_memory_grows": Case(frozenset({"gpu-memory-leak"}), WARNED),
    "05_loss_nan": Case(frozenset({"gradient-explosion", "loss-nan"}), FAILED),
    "06_loss_does_not_fall": Case(frozenset({"gradients-not-updating"}), WARNED | FAILED),
    "07_slow_data": Case(frozenset({"data-loading-slow"}), WARNED),
    "08_skewed_batches": Case(frozenset({"batch-imbalance"}), WARNED | {Severity.INFO}),
    "09_ranks_differ": Case(frozenset({"ranks-diverged"}), WARNED | FAILED, frozenset({6})),
    "10_rank_0_restarts": Case(frozenset({"uncaught-exception"}), FAILED, frozenset({0})),
}


@cache
def program() -> Program:
    return compile_texts(read_rules([shipped_rules()]))


@cache
def verdicts_on(logs: str) -> tuple[Verdict, ...]:
    return tuple(analyze_with(program(), [str(FIXTURES / logs)]).verdicts)


@pytest.mark.parametrize("name", CASES)
def test_the_case_is_the_first_verdict(name: str) -> None:
    case, verdicts = CASES[name], verdicts_on(f"{name}/hit")
    assert verdicts, "nothing is said"
    first = verdicts[0]
    assert first.cause in case.causes
    assert first.severity in case.severities
    assert frozenset(first.culprits.ranks) == case.ranks
    assert (first.role, first.status) == ("root", "firm")


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.ranks])
def test_the_culprits_own_line_is_cited_first(name: str) -> None:
    verdicts = verdicts_on(f"{name}/hit")
    assert verdicts, "nothing is said"
    assert verdicts[0].evidence[0].rank in CASES[name].ranks


@pytest.mark.parametrize("name", CASES)
def test_its_advice_is_there(name: str) -> None:
    verdicts = verdicts_on(f"{name}/hit")
    assert verdicts, "nothing is said"
    assert verdicts[0].remedies
    assert verdicts[0].next_steps


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_said_of_the_near_miss(name: str) -> None:
    verdicts = verdicts_on(f"{name}/near_miss")
    assert [(verdict.rule, verdict.severity) for verdict in verdicts] == []


def test_every_case_lies_there() -> None:
    assert sorted(path.name for path in FIXTURES.iterdir()) == sorted(CASES)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("kind", ["hit", "near_miss"])
def test_the_page_shows_every_case_and_its_near_miss(name: str, kind: str) -> None:
    shown = [block.command for block in HANDBOOK.commands if block.shown]
    assert any(f"fixtures/logs/handbook/{name}/{kind}" in command for command in shown)


def test_every_rule_that_the_page_names_exists() -> None:
    rules = set(program().rules)
    areas = {rule.partition(".")[0] for rule in rules}
    quoted = re.findall(r"`(([a-z]+)\.[a-z_]+)`", HANDBOOK.path.read_text(encoding="utf-8"))
    named = {name for name, area in quoted if area in areas}
    assert len(named) > 2 * len(CASES)
    assert named - rules == set()
