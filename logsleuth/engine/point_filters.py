"""Filters on the values of a series: which of a column hold, asked of the column where it can be.

What is the same for all of its thousands is worked out once, and numbers are compared many at a time.
"""

import operator
from collections.abc import Callable, Collection, Container, Sequence
from itertools import compress, repeat

from logsleuth.engine.expressions import MOST_PAIRS, Lookup, compare_any, holds, values
from logsleuth.engine.point_bounds import Baseline, baseline_in
from logsleuth.engine.points import Column
from logsleuth.engine.roster import Sighting
from logsleuth.engine.scope import Lets
from logsleuth.engine.work import TooMuchWorkError
from logsleuth.language import syntax as s
from logsleuth.language.walk import walk

Passes = Callable[[Column, Sequence[int]], Sequence[int]]
"""Chooses of some places of a column, in their order, those whose values hold."""
_LookupOf = Callable[[Sighting], Lookup]
_Telling = Callable[[Column, int], tuple[object, ...]]
"""Gives what an expression may be worth for the value at a place."""
_Numbers = Callable[[Column], Sequence[float]]

_ARITHMETIC = ("+", "-", "*", "/")
_ORDER: dict[str, tuple[Callable[[float, float], bool], Callable[[Sequence[float]], float]]] = {
    "<": (operator.lt, max), "<=": (operator.le, max), ">": (operator.gt, min), ">=": (operator.ge, min),
}  # fmt: skip
"""What is less than some number is less than the greatest of them."""
_EQUAL = ("==", "!=", "in", "not in")
_ASKED = frozenset(("value", "step"))
_OF_SIGHTING = frozenset(
    ("rank", "local_rank", "host", "pid", "time", "began", "attempt", "source", "text", "level", "exception")
)
"""What the engine tells of every occurrence; a name that a rule gives does not hide it."""


def passing(node: s.Node, lets: Lets, lookup: _LookupOf, spend: Callable[[int], None]) -> Passes:
    """Tells of values whether the filter holds, as ``holds`` with the lookup of each does.

    ``spend`` is told of steps that nobody had to take: what a filter costs does not depend on how it is worked out.
    """
    match node:
        case s.AllOf():
            return _all([passing(item, lets, lookup, spend) for item in node.items])
        case s.AnyOf():
            return _any([passing(item, lets, lookup, spend) for item in node.items])
        case s.Not():
            inner = passing(node.item, lets, lookup, spend)
            return lambda column, places: _without(places, inner(column, places))
        case s.Call(function="isnan", arguments=(s.Field(name="value"),)):
            return lambda column, places: _within(places, column.odd)
        case s.Operation(operator=name, right=right) if right is not None and name not in _ARITHMETIC:
            return _compared(name, node.left, right, lets, lookup, spend)
    return lambda column, places: [at for at in places if holds(node, lookup(column.sighting(at)))]


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


def _all(parts: list[Passes]) -> Passes:
    def choose(column: Column, places: Sequence[int]) -> Sequence[int]:
        for part in parts:
            places = part(column, places) if places else places
        return places

    return choose


def _any(parts: list[Passes]) -> Passes:
    def choose(column: Column, places: Sequence[int]) -> Sequence[int]:
        chosen: list[int] = []
        for part in parts:
            found = part(column, places) if places else ()
            chosen += found
            places = _without(places, found)
        return sorted(chosen)

    return choose


def _without(places: Sequence[int], others: Collection[int]) -> Sequence[int]:
    if not others or len(others) == len(places):
        return () if others else places
    left_out = set(others)
    return [at for at in places if at not in left_out]


def _within(places: Sequence[int], chosen: Sequence[int]) -> Sequence[int]:
    if isinstance(places, range) or not chosen:
        return chosen  # Nothing was left out before.
    among = set(places)
    return [at for at in chosen if at in among]


# Comparisons


def _compared(
    name: str, left: s.Node, right: s.Node, lets: Lets, lookup: _LookupOf, spend: Callable[[int], None]
) -> Passes:
    left_of, right_of = _telling(left, lets, lookup), _telling(right, lets, lookup)
    if isinstance(left, s.Field) and _is_fixed(right, lets):
        if left.name in _ASKED and (name in _ORDER or name in _EQUAL):
            return _of_numbers(name, _steps if left.name == "step" else _values, right_of)
        if left.name == "text":
            return _of_texts(name, right_of)

    def choose(column: Column, places: Sequence[int]) -> Sequence[int]:
        return [at for at in places if compare_any(name, left_of(column, at), right_of(column, at))]

    baseline = baseline_in(right) if isinstance(left, s.Field) and left.name == "value" and name in _ORDER else None
    return choose if baseline is None else _of_some(name, baseline, choose, spend)


def _of_some(name: str, baseline: Baseline, choose: Passes, spend: Callable[[int], None]) -> Passes:
    """A comparison with a baseline, of which only those values are asked that may be beyond it."""
    compare, loosest = _ORDER[name]

    def choose_near(column: Column, places: Sequence[int]) -> Sequence[int]:
        bounds = baseline.bounds(column)
        if bounds is None:
            return choose(column, places)
        values = map(column.values.__getitem__, places)
        near = list(compress(places, map(compare, values, repeat(loosest(bounds)))))
        spend(len(places) - len(near))
        return choose(column, near)

    return choose_near


def _of_numbers(name: str, numbers: _Numbers, right_of: _Telling) -> Passes:
    def choose(column: Column, places: Sequence[int]) -> Sequence[int]:
        if not places:
            return places
        right = right_of(column, places[0])
        if len(right) > MOST_PAIRS:
            raise TooMuchWorkError
        known = [number for number in right if isinstance(number, int | float) and number == number]
        asked = numbers(column)
        asked = asked if isinstance(places, range) else list(map(asked.__getitem__, places))
        if name in _ORDER:
            compare, loosest = _ORDER[name]
            return list(compress(places, map(compare, asked, repeat(loosest(known))))) if known else ()
        equal = list(compress(places, map(set(known).__contains__, asked)))
        if name == "!=":
            # Of several others any that is different will do.
            return (
                places if len(set(known)) > 1 or len(known) < len(right) else _without(places, equal) if right else ()
            )
        return _without(places, equal) if name == "not in" else equal

    return choose


def _of_texts(name: str, right_of: _Telling) -> Passes:
    """A comparison of lines: of most values none was kept, and these are all alike."""

    def choose(column: Column, places: Sequence[int]) -> Sequence[int]:
        if not places:
            return places
        right, texts = right_of(column, places[0]), column.texts
        kept = {at for at in _within(places, list(texts)) if compare_any(name, (texts[at],), right)}
        if len(texts) < len(column) and compare_any(name, ("",), right):
            return [at for at in places if at in kept or at not in texts]
        return sorted(kept)

    return choose


def _values(column: Column) -> Sequence[float]:
    return column.values


def _steps(column: Column) -> Sequence[float]:
    return column.steps


def _telling(node: s.Node, lets: Lets, lookup: _LookupOf) -> _Telling:
    if isinstance(node, s.Field) and node.name in _ASKED:
        asked = _values if node.name == "value" else _steps
        return lambda column, at: (asked(column)[at],)
    if isinstance(node, s.Field) and node.name == "text":
        return lambda column, at: (column.texts.get(at, ""),)
    if not _is_fixed(node, lets):
        return lambda column, at: values(node, lookup(column.sighting(at)))
    known: list[tuple[object, ...]] = []

    def once(column: Column, at: int) -> tuple[object, ...]:
        if not known:
            known.append(values(node, lookup(column.sighting(at))))
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
