"""Evaluates expressions of filters. Comparisons with a field that is not there do not hold."""

import operator
import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import product

from logsleuth.engine.work import TooMuchWorkError
from logsleuth.language import syntax as s

MOST_PAIRS = 1_000_000
"""Pairs of values that a filter may ask about for one occurrence."""

Lookup = Callable[[s.Node], tuple[object, ...]]
"""Gives the values of what only the caller knows: a field of the event at hand (one), of a binding (any number), what
a function gives; none where it is unknown."""

_ORDER: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip


def holds(node: s.Node, lookup: Lookup) -> bool:
    """Whether the expression holds for some choice of the values that its fields may have."""
    match node:
        case s.AllOf():
            return all(holds(item, lookup) for item in node.items)
        case s.AnyOf():
            return any(holds(item, lookup) for item in node.items)
        case s.Not():
            return not holds(node.item, lookup)
        case s.Operation(operator="is known"):
            return bool(values(node.left, lookup))
        case s.Operation() if node.right is not None and node.operator not in _ARITHMETIC and node.operator != "of":
            return compare_any(node.operator, values(node.left, lookup), values(node.right, lookup))
        case _:
            return any(value is True for value in values(node, lookup))


def values(node: s.Node, lookup: Lookup) -> tuple[object, ...]:
    """What the expression may be worth; nothing where a field in it is unknown."""
    match node:
        case s.Value():
            return (node.value / 100 if node.unit == "percent" and not isinstance(node.value, str) else node.value,)
        case s.Values():
            return node.items
        case s.Operation() if node.operator in _ARITHMETIC and node.right is not None:
            pairs = _pairs(values(node.left, lookup), values(node.right, lookup))
            results = (calculate(node.operator, a, b) for a, b in pairs)
            return tuple(result for result in results if result is not None)
        case s.AllOf() | s.AnyOf() | s.Not():
            return (holds(node, lookup),)
        case s.Operation() if node.operator != "of":
            return (holds(node, lookup),)
        case _:
            return lookup(node)


def _pairs(left: tuple[object, ...], right: tuple[object, ...]) -> Iterable[tuple[object, object]]:
    """Every value with every other; raises TooMuchWorkError where that are more than any one occurrence is worth."""
    if len(left) * len(right) > MOST_PAIRS:
        raise TooMuchWorkError
    return product(left, right)


def calculate(name: str, left: object, right: object) -> float | None:
    """``+``, ``-``, ``*`` or ``/`` of two numbers; None of anything else, and for a division by nothing."""
    if not isinstance(left, int | float) or not isinstance(right, int | float) or (name == "/" and right == 0):
        return None
    return _ARITHMETIC[name](left, right)


def compare_any(name: str, left: tuple[object, ...], right: tuple[object, ...]) -> bool:
    """Whether a comparison holds for some pair of values; ``not in`` asks that there is no equal pair."""
    if name == "not in":
        return bool(left) and not any(a == b for a, b in _pairs(left, right))
    return any(_pair(name, a, b) for a, b in _pairs(left, right))


def compare(name: str, left: object, right: object) -> bool:
    """``==``, ``!=``, ``<``, ``<=``, ``>`` or ``>=``; only numbers have an order."""
    if name == "==":
        return left == right
    if name == "!=":
        return left != right
    return isinstance(left, int | float) and isinstance(right, int | float) and _ORDER[name](left, right)


def _pair(name: str, left: object, right: object) -> bool:
    if name in _ORDER or name in ("==", "!="):
        return compare(name, left, right)
    if name == "in":
        return left == right
    if name == "contains" and isinstance(left, tuple):
        return right in left
    if not isinstance(left, str) or not isinstance(right, str):
        return False
    if name == "contains":
        return right in left
    if name == "starts with":
        return left.startswith(right)
    return _pattern(right).search(left) is not None


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)
