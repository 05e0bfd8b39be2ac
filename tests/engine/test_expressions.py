"""Filters: what holds of a line's fields."""

import pytest

from logsleuth.engine.expressions import holds
from logsleuth.language import syntax as s
from logsleuth.language.parse import parse

FIELDS: dict[str, tuple[object, ...]] = {
    "code": (-9,), "name": ("SIGKILL",), "free": (512.0 * 2**20,), "ranks": ((0, 3),), "two": (1, 2),
}  # fmt: skip


def condition(text: str) -> s.Node:
    (rule,) = parse("x.sleuth", f'rule a.b {{ when seen c.d[{text}] verdict "" }}').declarations
    assert isinstance(rule, s.Rule)
    (clause,) = rule.when
    assert isinstance(clause, s.Clause)
    seen = clause.condition
    assert isinstance(seen, s.Seen)
    assert seen.pattern.reference.filter is not None
    return seen.pattern.reference.filter


def lookup(node: s.Node) -> tuple[object, ...]:
    return FIELDS.get(node.name if isinstance(node, s.Field) else "code", ())


@pytest.mark.parametrize(
    "text",
    [
        "code == -9", "code in [-9, 137]", "code not in [0, 1]", "code < 0 and free > 0.4 GiB", "free == 512 MiB", "not code > 0",
        'name == "SIGKILL" or missing == 1', 'name starts with "SIG"', 'name contains "KILL"', "name matches `^SIG[A-Z]+$`",
        "ranks contains 3", "code is known", "not missing is known", "code + 10 == 1", "free / 2 < 300 MiB", "two == 2",
        "code * 2 - 1 == -19", "not count > 0",
    ],
)  # fmt: skip
def test_holds(text: str) -> None:
    assert holds(condition(text), lookup)


@pytest.mark.parametrize(
    "text",
    [
        "code == 9", "missing == 1", "missing != 1", "missing not in [1]", "missing > 0", 'code > "a"', 'name < "T"', "name > 3",
        "free / 0 > 1", "missing + 1 == 1", 'name contains "kill"', "ranks contains 4", 'code contains "9"',
    ],
)  # fmt: skip
def test_does_not_hold(text: str) -> None:
    assert not holds(condition(text), lookup)
