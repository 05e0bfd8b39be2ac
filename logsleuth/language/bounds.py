"""What a comparison with a constant leaves open: a range of numbers, or some values."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from logsleuth.language import syntax as s


class Bounds(NamedTuple):
    """Values that are left; those of ``among`` only, where that is not None."""

    least: float = -math.inf
    most: float = math.inf
    above: bool = False
    """Whether ``least`` itself is left out."""
    below: bool = False
    among: frozenset[object] | None = None
    without: frozenset[object] = frozenset()
    starts: str = ""
    """What a text begins with."""

    def holds(self, value: object) -> bool:
        """Whether the value is among them."""
        if (self.among is not None and value not in self.among) or value in self.without:
            return False
        if isinstance(value, str):
            return value.startswith(self.starts)
        if not isinstance(value, int | float):
            return True
        return not self._is_outside(value)

    def _is_outside(self, value: float) -> bool:
        low = value < self.least or (self.above and value == self.least)
        return low or value > self.most or (self.below and value == self.most)

    def both(self, other: "Bounds") -> "Bounds":
        """What both leave."""
        least, above = max((self.least, self.above), (other.least, other.above))
        most, not_below = min((self.most, not self.below), (other.most, not other.below))
        among = other.among if self.among is None else self.among
        if self.among is not None and other.among is not None:
            among = self.among & other.among
        starts = max(self.starts, other.starts, key=len)
        return Bounds(least, most, above, not not_below, among, self.without | other.without, starts)

    def meets(self, other: "Bounds") -> bool:
        """Whether some value is left by both."""
        if not (self.starts.startswith(other.starts) or other.starts.startswith(self.starts)):
            return False
        both = self.both(other)
        if both.among is not None:
            return any(both.holds(value) for value in both.among)
        if both.least == both.most:
            return not (both.above or both.below) and both.least not in both.without
        return both.least < both.most

    def covers(self, other: "Bounds") -> bool:
        """Whether it leaves all numbers that the other leaves."""
        return self.among is None and not self.without and self.both(other) == other


class Atom(NamedTuple):
    """A comparison of one thing with a constant."""

    operand: s.Node
    bounds: Bounds

    def holds_for(self, value: object) -> bool:
        """Whether the comparison holds where the operand is worth this."""
        return self.bounds.holds(value)


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def atom_of(node: s.Operation, constants: Mapping[str, s.Value]) -> Atom | None:
    """The comparison as bounds of its operand; None where neither side is a constant. ``constants`` are lets."""
    operator, left, right = node.operator, node.left, node.right
    if isinstance(right, s.Values) and operator in ("in", "not in"):
        items = frozenset(right.items)
        return Atom(left, Bounds(among=items) if operator == "in" else Bounds(without=items))
    if right is None:
        return None
    value = constant(right, constants)
    if value is None and operator in _TURNED:
        value, left, operator = constant(left, constants), right, _TURNED[operator]
    if value is None:
        return None
    return None if (bounds := _bounds(operator, value)) is None else Atom(left, bounds)


def _bounds(operator: str, value: object) -> Bounds | None:
    match operator:
        case "==":
            return Bounds(among=frozenset((value,)))
        case "!=":
            return Bounds(without=frozenset((value,)))
        case "starts with" if isinstance(value, str):
            return Bounds(starts=value)
    if not isinstance(value, int | float):
        return None
    match operator:
        case "<":
            return Bounds(most=value, below=True)
        case "<=":
            return Bounds(most=value)
        case ">":
            return Bounds(least=value, above=True)
        case ">=":
            return Bounds(least=value)
    return None


def constant(node: s.Node, constants: Mapping[str, s.Value]) -> object | None:
    """What a constant is worth, a share as a part of one; None of anything else."""
    if isinstance(node, s.Field):
        node = constants.get(node.name, node)
    if not isinstance(node, s.Value):
        return None
    if node.unit == "percent" and isinstance(node.value, int | float):
        return node.value / 100
    return node.value
