"""What a find passes is what its filters say of it, remembered or not; filters that say the same are one."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.engine.admission import Admission
from logsleuth.engine.expressions import holds
from logsleuth.engine.plan import plan
from logsleuth.language import syntax as s
from tests.small_jobs import EVENTS, program, rule

FILTERS = ("[code == 7]", '[level == "ERROR"]', '[code >= 5 and not text contains "x"]', "", "[code in [1, 9]]")


def filters_of(*filters: str) -> tuple[s.Node | None, ...]:
    """As the plan of rules that use them has them."""
    rules = (rule(f"r.r{number}", f"when seen a.fall{one}") for number, one in enumerate(filters))
    return plan(program(EVENTS, *rules)).filters["a.fall"]


NODES = filters_of(*FILTERS)


class Said:
    """A line with a code, a level and a text, which counts how often it was asked."""

    def __init__(self, code: int | None, level: str | None, text: str) -> None:
        self.told = {"code": code, "level": level, "text": text}
        self.asked = 0

    def values(self, names: tuple[str, ...]) -> tuple[object, ...]:
        self.asked += 1
        return tuple(self.told["code"] if name == "code" else None for name in names)

    def own(self, name: str) -> str | None:
        told = self.told[name]
        return told if told is None else str(told)


LINES = st.builds(
    Said, st.none() | st.integers(0, 9), st.none() | st.sampled_from(["ERROR", "INFO"]), st.sampled_from(["", "x", "y"])
)


@given(st.lists(st.sampled_from(NODES), min_size=1), st.lists(LINES))
def test_a_find_passes_the_filters_that_hold_of_it(chosen: list[s.Node | None], lines: list[Said]) -> None:
    filters = tuple(chosen)
    admission = Admission(filters)
    for line in lines:
        lookup = partial(_looked_up, line)
        passed = tuple(at for at, one in enumerate(filters) if one is None or holds(one, lookup))
        assert admission.uses(line) == passed


def _looked_up(line: Said, node: s.Node) -> tuple[object, ...]:
    value = line.told.get(node.name) if isinstance(node, s.Field) else None
    return () if value is None else (value,)


def test_a_find_is_asked_for_nothing_where_there_is_no_filter() -> None:
    line = Said(1, None, "")
    assert Admission(filters_of("")).uses(line) == (0,)
    assert line.asked == 0


@pytest.mark.parametrize(
    ("filters", "number"),
    [
        (("[code == 7]", "[code == 7]"), 1),
        (("[code == 7]", "[ (code == 7) ]"), 1),
        (("[code == 7]", "[code == 8]"), 2),
        (("[code == 7]", "[code != 7]"), 2),
        (("", "[code == 7]", ""), 2),
    ],
)
def test_filters_that_say_the_same_are_one(filters: tuple[str, ...], number: int) -> None:
    assert len(filters_of(*filters)) == number
