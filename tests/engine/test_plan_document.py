"""What a plan asks to be read, as a document and back."""

import json

import pytest

from logsleuth.engine import plan_document as written
from logsleuth.engine.documented import DocumentError
from logsleuth.engine.plan import Plan, fingerprint, plan, widened
from logsleuth.engine.plan_document import OtherVersionError, plan_document, wanted_of
from logsleuth.language.library import load

PROGRAM = load(local=False).program
PLANS = {"of an analysis": plan(PROGRAM), "of a trace": widened(plan(PROGRAM), {"oom.cuda", "pg.progress"})}


@pytest.mark.parametrize("asked", PLANS.values(), ids=PLANS)
def test_a_plan_comes_back_as_it_was(asked: Plan) -> None:
    wanted = wanted_of(json.loads(json.dumps(plan_document(PROGRAM, asked), allow_nan=False)))
    events = wanted.plan.events
    assert [*events] == [*asked.events]
    assert wanted.plan == asked._replace(events=events, needed={})
    assert wanted.events == tuple(PROGRAM.events.values())
    assert fingerprint(PROGRAM, wanted.plan) == fingerprint(PROGRAM, asked)


def test_another_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    document = plan_document(PROGRAM, PLANS["of an analysis"])
    monkeypatch.setattr(written, "__version__", "99.0")
    with pytest.raises(OtherVersionError, match=r"^it has logsleuth 99\.0, and logsleuth \S+ asks$"):
        wanted_of(document)


@pytest.mark.parametrize("name", ["version", "events", "wanted", "filters", "series"])
@pytest.mark.parametrize("damage", [None, 1, [1], [["Nothing"]], {"x": 1}], ids=str)
def test_damage_is_told(name: str, damage: object) -> None:
    document = {**plan_document(PROGRAM, PLANS["of an analysis"]), name: damage}
    with pytest.raises(DocumentError):
        wanted_of(document)
