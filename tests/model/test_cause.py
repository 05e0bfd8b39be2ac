"""The vocabulary of causes."""

import pytest

from logsleuth.language.library import compile_texts
from logsleuth.model.cause import CAUSES, KIND_ORDER, Kind
from tests.small_jobs import EVENTS, rule


def test_every_kind_has_causes_and_a_place_in_the_order() -> None:
    assert set(CAUSES.values()) == set(Kind)
    assert sorted(KIND_ORDER, key=KIND_ORDER.__getitem__) == list(Kind)


@pytest.mark.parametrize("cause", CAUSES)
def test_a_rule_can_name_every_cause(cause: str) -> None:
    (found,) = compile_texts({"x.sleuth": EVENTS + rule("r.one", "when seen a.fall", cause=cause)}).rules.values()
    assert found.cause == cause


def test_a_cause_belongs_to_one_kind() -> None:
    order = [KIND_ORDER[kind] for kind in CAUSES.values()]
    # A name given a second time would stand at its first place with its last kind, out of the order of kinds.
    assert order == sorted(order)
