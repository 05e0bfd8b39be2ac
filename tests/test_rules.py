"""Every sample and every test of the shipped rules."""

import re
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


@pytest.mark.parametrize(
    "name", sorted(name for name, rule in program().rules.items() if rule.severity in ("error", "fatal"))
)
def test_every_failure_says_what_to_do_and_what_to_look_at(name: str) -> None:
    """A verdict of a failure ends with steps, never with the bare fact."""
    rule = program().rules[name]
    assert all(steps(text) for text in (rule.remedy, rule.next))


def steps(text: str) -> list[str]:
    """The steps of a remedy; each says more than a word or two."""
    return [line for line in text.splitlines() if line.lstrip().startswith("- ") and len(line.split()) > 4]


FOLKLORE = re.compile(r"NCCL_(?:TIMEOUT|SOCKET_TIMEOUT|CONNECT_TIMEOUT|SOCKET_BUFF?SIZE|PORT(?:_RANGE)?)\b")


def test_no_remedy_recommends_a_variable_that_nobody_reads() -> None:
    """Where one is named at all, the same step says that it does nothing."""
    said = {
        (name, line.strip())
        for name, rule in program().rules.items()
        for text in (rule.remedy, rule.next)
        for line in text.splitlines()
        if FOLKLORE.search(line) and "nobody reads" not in line
    }
    assert said == set()


COSTS = ("micro-batch", "accumulation", "mixed precision", "ZeRO-3", "activation recomputation")


@pytest.mark.parametrize("name", sorted(name for name, rule in program().rules.items() if rule.cause == "gpu-oom"))
def test_what_to_do_without_gpu_memory_is_told_in_the_order_of_what_it_costs(name: str) -> None:
    told = program().rules[name].remedy.lower()
    places = [told.find(step.lower()) for step in COSTS]
    assert -1 not in places
    assert places == sorted(places)


def test_a_longer_timeout_is_never_the_first_advice() -> None:
    """Where a limit is spoken of at all, the search for who stayed away comes before it."""
    first = {name: steps(rule.remedy)[0] for name, rule in program().rules.items() if rule.remedy}
    assert [name for name, step in first.items() if re.search(r"\b(?:[Rr]aise|[Ll]onger|[Ii]ncrease)\b", step)] == [
        "memory.too_many_open_files"
    ]
