"""Filters on the values of a series. What is the same for all of its thousands is worked out once."""

import math
from collections.abc import Callable, Container

from logsleuth.engine.expressions import Lookup, compare_any, holds, values
from logsleuth.engine.points import Told
from logsleuth.engine.scope import Lets
from logsleuth.language import syntax as s
from logsleuth.language.walk import walk

Passes = Callable[[Told], bool]
_Telling = Callable[[Told], tuple[object, ...]]
_LookupOf = Callable[[Told], Lookup]

_ARITHMETIC = ("+", "-", "*", "/")
_ASKED = frozenset(("value", "step"))
_OF_SIGHTING = frozenset(
    ("rank", "local_rank", "host", "pid", "time", "began", "attempt", "source", "text", "level", "exception")
)
"""What the engine tells of every occurrence; a name that a rule gives does not hide it."""


def passing(node: s.Node, lets: Lets, lookup: _LookupOf) -> Passes:
    """Tells of a value whether the filter holds, as ``holds`` with the value's lookup does."""
    match node:
        case s.AllOf():
            parts = [passing(item, lets, lookup) for item in node.items]
            return lambda told: all(part(told) for part in parts)
        case s.AnyOf():
            parts = [passing(item, lets, lookup) for item in node.items]
            return lambda told: any(part(told) for part in parts)
        case s.Not():
            inner = passing(node.item, lets, lookup)
            return lambda told: not inner(told)
        case s.Call(function="isnan", arguments=(s.Field(name="value"),)):
            return _is_no_number
        case s.Operation(operator=operator, right=right) if right is not None and operator not in _ARITHMETIC:
            left_of, right_of = _telling(node.left, lets, lookup), _telling(right, lets, lookup)
            return lambda told: compare_any(operator, left_of(told), right_of(told))
    return lambda told: holds(node, lookup(told))


def _telling(node: s.Node, lets: Lets, lookup: _LookupOf) -> _Telling:
    """Gives what an expression may be worth for a value."""
    if isinstance(node, s.Field) and node.name in _ASKED:
        return (lambda told: (told.point.value,)) if node.name == "value" else (lambda told: (told.point.step,))
    if isinstance(node, s.Field) and node.name == "text":
        return lambda told: (told.text,)
    if not _is_fixed(node, lets):
        return lambda told: values(node, lookup(told))
    known: list[tuple[object, ...]] = []

    def once(told: Told) -> tuple[object, ...]:
        if not known:
            known.append(values(node, lookup(told)))
        return known[0]

    return once


def _is_fixed(node: s.Node | None, lets: Lets) -> bool:
    """Whether an expression is worth the same for every value."""
    match node:
        case s.Value() | s.Values() | s.Attribute():
            return True
        case s.Field():
            return node.name in lets and node.name not in _ASKED | _OF_SIGHTING
        case s.Operation():
            return node.operator in _ARITHMETIC and _is_fixed(node.left, lets) and _is_fixed(node.right, lets)
    return False


def asks_for(node: s.Node, lets: Lets, bindings: Container[str]) -> bool:
    """Whether what a filter lets pass may differ with what a rule has bound: with anything that has a name but what it
    has named with ``let`` and says nothing of bindings either."""
    for part in walk(node):
        if isinstance(part, s.Attribute | s.Reference):
            return True
        if isinstance(part, s.Field) and part.name in bindings:
            return True
        let = lets.get(part.name) if isinstance(part, s.Field) and part.name not in _ASKED else None
        if isinstance(let, s.Let) and asks_for(let.value, lets, bindings):
            return True
    return False


def _is_no_number(told: Told) -> bool:
    return not math.isfinite(told.point.value)
