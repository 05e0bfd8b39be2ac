"""Rules of which nothing was seen are not asked, and asking them would not change the answer."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from logsleuth.drivers.batch import concluded_with
from logsleuth.drivers.pieces import joined
from logsleuth.drivers.reading import read
from logsleuth.engine.conditions import Evaluator
from logsleuth.engine.plan import plan
from logsleuth.engine.roster import Roster
from logsleuth.ingest.discover import discover
from logsleuth.model.analysis import Analysis
from tests.drivers.jobs import NAMES, PROGRAM, job

PLAN = plan(PROGRAM)


class Thorough(Evaluator):
    """Asks all rules; remembers which others would not have been."""

    passed_over: Sequence[str] = ()

    def can_hold(self, rule: str) -> bool:
        if not super().can_hold(rule):
            self.passed_over = [*self.passed_over, rule]
        return True


def analysed(folder: Path, kind: type[Evaluator]) -> tuple[Analysis, list[Evaluator]]:
    made: list[Evaluator] = []

    def evaluator(roster: Roster) -> Evaluator:
        made.append(kind(PROGRAM, PLAN, roster))
        return made[-1]

    reading = read(joined(discover([str(folder)]).sources), PROGRAM, PLAN)
    return concluded_with(PROGRAM, PLAN, reading, evaluator)[0], made


@pytest.mark.parametrize("name", NAMES)
def test_what_is_passed_over_would_have_no_case(simulated: Path, name: str) -> None:
    folder = job(name, simulated)
    quick, _ = analysed(folder, Evaluator)
    thorough, evaluators = analysed(folder, Thorough)
    assert quick == thorough
    assert all(isinstance(one, Thorough) and len(one.passed_over) > 10 for one in evaluators)
