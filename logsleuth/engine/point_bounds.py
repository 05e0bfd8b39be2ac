"""Between which bounds lies what a filter on values of a series compares them with, whichever value asks?

A baseline is worked out for each value by itself, which is dear. But it is a median of samples, so it lies between the
least and the greatest of them, and a value that lies on the wrong side of both need not ask.
"""

from typing import NamedTuple

from logsleuth.engine.points import Column
from logsleuth.language import syntax as s

_FAR = 1e300
"""Beyond it the mean of two numbers may lie outside of them."""


class Baseline(NamedTuple):
    """Some times the baseline of the values themselves."""

    factor: float

    def bounds(self, column: Column) -> tuple[float, float] | None:
        """Between which two numbers it lies for all values of a column; None where that is not known."""
        levels = column.levels
        if levels is None or max(map(abs, levels)) > _FAR:
            return None
        return self.factor * levels[0], self.factor * levels[1]


def baseline_in(node: s.Node) -> Baseline | None:
    """The multiple of a baseline that an expression is; None of any other expression."""
    match node:
        case s.Call(function="baseline", arguments=(s.Field(name="value"),)):
            return Baseline(1.0)
        case (
            s.Operation(operator="*", left=s.Value(value=factor, unit=""), right=s.Call() as call)
            | s.Operation(operator="*", left=s.Call() as call, right=s.Value(value=factor, unit=""))
        ):
            is_known = isinstance(factor, int | float) and 0 < factor < _FAR and baseline_in(call) is not None
            return Baseline(float(factor)) if is_known else None
    return None
