"""True, false and unknown (None), after Kleene, and comparisons of numbers of which only bounds are known."""

from collections.abc import Iterable
from typing import NamedTuple

from logsleuth.engine.expressions import compare

Truth = bool | None


def every(truths: Iterable[Truth]) -> Truth:
    """Whether all of them hold."""
    values = list(truths)
    return False if False in values else None if None in values else True


def some(truths: Iterable[Truth]) -> Truth:
    """Whether any of them holds."""
    values = list(truths)
    return True if True in values else None if None in values else False


class Between(NamedTuple):
    """A number that may be any from ``low`` to ``high``."""

    low: float
    high: float


def compared(operator: str, left: object, right: object) -> Truth:
    """``compare`` of values that may be ``Between``: unknown where the answer depends on what the number truly is."""
    (low, high), (least, most) = _ends(left), _ends(right)
    if low == high and least == most:
        return compare(operator, low, least)
    if operator in ("==", "!="):
        may_be_equal = compare("<=", low, most) and compare("<=", least, high)
        return None if may_be_equal else operator == "!="
    answers = {compare(operator, a, b) for a in (low, high) for b in (least, most)}
    return answers.pop() if len(answers) == 1 else None


def _ends(value: object) -> tuple[object, object]:
    return (value.low, value.high) if isinstance(value, Between) else (value, value)
