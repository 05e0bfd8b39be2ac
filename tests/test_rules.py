"""Every sample and every test of the shipped rules."""

from functools import cache

import pytest

from logsleuth.language import syntax
from logsleuth.language.library import compile_texts, read_rules, shipped_rules
from logsleuth.language.program import Program
from logsleuth.language.syntax import Place
from logsleuth.testing.results import Result
from logsleuth.testing.runner import run_tests


@cache
def program() -> Program:
    return compile_texts(read_rules([shipped_rules()]))


@cache
def results() -> dict[Place, list[Result]]:
    """What running all of them gives, by the place of the sample or test."""
    found: dict[Place, list[Result]] = {}
    for result in run_tests([str(shipped_rules())]).results:
        found.setdefault(result.at, []).append(result)
    return found


def failures(*places: Place) -> str:
    told = [result for place in places for result in results()[place]]
    assert len(told) >= len(places)
    return "\n".join(f"{r.at.file}:{r.at.line}: {r.name}\n{r.failure}" for r in told if r.failure)


@pytest.mark.parametrize("name", sorted(program().events))
def test_samples(name: str) -> None:
    event = program().events[name]
    found = failures(*(sample.at for sample in event.samples)) if event.samples else failures(event.at)
    assert not found, found


def named(test: syntax.Test) -> str:
    """As pytest shows it: ``process/killed: one of four ranks is killed ...``."""
    return f"{test.at.file.removeprefix('rules/').removesuffix('.sleuth')}: {test.name}"


@pytest.mark.parametrize("test", program().tests, ids=named)
def test_rule(test: syntax.Test) -> None:
    found = failures(test.at)
    assert not found, found


def test_every_rule_is_tested() -> None:
    """Each rule has a test in which it holds and one in which it must keep quiet."""
    expected = {(e.kind, e.name) for test in program().tests for e in test.expectations}
    assert [name for name in program().rules if ("rule", name) not in expected] == []
