"""Filters on the values of a series. There are thousands of them, so that what is the same for all is worked out once."""

import math
from collections.abc import Callable

from logsleuth.engine.expressions import Lookup, compare_any, holds, values
from logsleuth.engine.roster import Sighting
from logsleuth.engine.scope import Lets
from logsleuth.language import syntax as s

Passes = Callable[[Sighting], bool]
_Told = Callable[[Sighting], tuple[object, ...]]
_LookupOf = Callable[[Sighting], Lookup]

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
            return lambda sighting: all(part(sighting) for part in parts)
        case s.AnyOf():
            parts = [passing(item, lets, lookup) for item in node.items]
            return lambda sighting: any(part(sighting) for part in parts)
        case s.Not():
            inner = passing(node.item, lets, lookup)
            return lambda sighting: not inner(sighting)
        case s.Call(function="isnan", arguments=(s.Field(name="value"),)):
            return _is_no_number
        case s.Operation(operator=operator, right=right) if right is not None and operator not in _ARITHMETIC:
            left_of, right_of = _telling(node.left, lets, lookup), _telling(right, lets, lookup)
            return lambda sighting: compare_any(operator, left_of(sighting), right_of(sighting))
    return lambda sighting: holds(node, lookup(sighting))


def _telling(node: s.Node, lets: Lets, lookup: _LookupOf) -> _Told:
    """Gives what an expression may be worth for a value."""
    if isinstance(node, s.Field) and node.name in _ASKED:
        name = node.name
        return lambda sighting: (sighting.occurrence.fields[name],)
    if isinstance(node, s.Field) and node.name == "text":
        return lambda sighting: (sighting.occurrence.text,)
    if not _is_fixed(node, lets):
        return lambda sighting: values(node, lookup(sighting))
    known: list[tuple[object, ...]] = []

    def once(sighting: Sighting) -> tuple[object, ...]:
        if not known:
            known.append(values(node, lookup(sighting)))
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


def _is_no_number(sighting: Sighting) -> bool:
    value = sighting.occurrence.fields.get("value")
    return isinstance(value, int | float) and not math.isfinite(value)
