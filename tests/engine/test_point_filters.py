"""A filter chooses from a column what it holds of when each value is asked by itself."""

import random
from collections.abc import Sequence

import pytest

from logsleuth.drivers.reading import read
from logsleuth.engine.conditions import Evaluator
from logsleuth.engine.expressions import Lookup, holds
from logsleuth.engine.measures import Measures
from logsleuth.engine.plan import plan
from logsleuth.engine.point_filters import passing
from logsleuth.engine.points import Column, columns_of_series
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.scope import Scope
from logsleuth.language import syntax as s
from logsleuth.language.program import Program
from logsleuth.language.walk import references
from logsleuth.model.origin import Source
from tests.small_jobs import program, write

EVENTS = """
event a.step "A step." { line "step {step:int} loss {loss:float}" frequent series loss at step }
"""
FILTERS = [
    "isnan(value)",
    "not isnan(value)",
    "value > 3",
    "value >= 3 and value < 5",
    "value < low + 5",
    "value <= 2 * low or step == 7",
    "value == 4",
    "value != 4",
    "not value == 4",
    "step in [3, 5, 70]",
    "step not in [3, 5, 70]",
    "step >= top.step - 3 and step <= top.step + 3",
    "step == top.step",
    "step != top.step",
    "value > top.value",
    "value != low",
    "4 < value",
    "step > value",
    "value > 2 * baseline(value)",
    "value > baseline(value, last = 10 steps) * 1.5 and not isnan(value)",
    "value < baseline(value)",
    'text contains "loss 4"',
    'not text contains "loss 4"',
    "text matches `step [0-9] `",
    'value > 3 and text contains "5"',
    "isnan(value) or value > 5 or step < 4",
    "rank == 1",
    "value > 2 and rank != 1",
]


def log(rank: int) -> str:
    chance = random.Random(rank)
    values = [chance.choice(["1", "2", "4.0", "4.5", "5.25", "9", "nan", "inf", "-0.0", "-3"]) for _ in range(90)]
    calm = [f"{2 + chance.random():.3f}" for _ in range(60)]
    return "".join(f"step {step} loss {value}\n" for step, value in enumerate(calm + values if rank else calm))


def rule(name: str, condition: str) -> str:
    return f"""rule a.{name} "R." {{
      severity error cause killed
      let low = min(a.loss)
      when seen a.loss[value > 4] as top and seen a.loss[{condition}]
      verdict "x {{low}}"
    }}
    """


def filter_of(whole: Program, name: str) -> s.Node:
    *_, asked = references(whole.rules[f"a.{name}"])
    assert asked.filter is not None
    return asked.filter


@pytest.fixture(scope="module")
def measures(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, Measures, list[Column]]:
    """Rules with all the filters, and the logs of three ranks, one of them without any value that stands out."""
    logs = tmp_path_factory.mktemp("logs")
    write(logs, {f"rank_{rank}.log": log(rank) for rank in range(3)})
    whole = program(EVENTS, "".join(rule(f"r{number}", text) for number, text in enumerate(FILTERS)))
    chosen = plan(whole)
    reading = read([Source(str(path)) for path in sorted(logs.iterdir())], whole, chosen, "plain")
    roster = Roster(whole, reading.state, reading.labels)
    return whole, Evaluator(whole, chosen, roster).measures, columns_of_series(roster, "a.loss", 0)


@pytest.mark.parametrize("number", range(len(FILTERS)), ids=FILTERS)
def test_a_column_is_asked_as_each_of_its_values(measures: tuple[Program, Measures, list[Column]], number: int) -> None:
    whole, asking, columns = measures
    asked = filter_of(whole, f"r{number}")
    low = next(clause for clause in whole.rules[f"a.r{number}"].when if isinstance(clause, s.Let))
    scope = Scope(0, lets={"low": low})
    known = {"top": [column.sighting(at) for column in columns for at in (80, 100) if at < len(column)]}

    def lookup(seen: Sighting) -> Lookup:
        return asking.lookup(seen, scope, known)

    def one_by_one(column: Column, places: Sequence[int]) -> list[int]:
        return [at for at in places if holds(asked, lookup(column.sighting(at)))]

    passes = passing(asked, scope.lets, lookup, lambda _: None)
    told = [list(passes(column, range(len(column)))) for column in columns]
    assert told == [one_by_one(column, range(len(column))) for column in columns]
    assert [len(column) for column in columns] == [60, 150, 150]
    assert any(told), "a filter that nothing passes tests nothing"
    some = range(1, 60, 3)
    assert [list(passes(column, list(some))) for column in columns] == [one_by_one(column, some) for column in columns]


def test_values_that_need_not_be_asked_cost_their_steps(measures: tuple[Program, Measures, list[Column]]) -> None:
    whole, _, (calm, *_) = measures
    spent: list[int] = []

    def never(_: Sighting) -> Lookup:
        raise AssertionError("the baseline of a calm series was worked out")

    asked = filter_of(whole, f"r{FILTERS.index('value > 2 * baseline(value)')}")
    assert not passing(asked, {}, never, spent.append)(calm, range(len(calm)))
    assert spent == [len(calm)]
