"""True, false and unknown (None), after Kleene, and numbers of which only bounds are known."""

import itertools
from collections.abc import Iterable
from typing import NamedTuple

from logsleuth.engine.expressions import calculate, compare

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


def calculated(operator: str, left: object, right: object) -> object | None:
    """``+``, ``-``, ``*`` or ``/`` of numbers that may be ``Between``; None where there is no result."""
    if not isinstance(left, Between) and not isinstance(right, Between):
        return calculate(operator, left, right)
    results = [calculate(operator, a, b) for a, b in itertools.product(_ends(left), _ends(right))]
    known = [number for number in results if number is not None and number == number]
    return Between(min(known), max(known)) if len(known) == len(results) else None


def extreme(largest: bool, numbers: Iterable[object]) -> object | None:
    """The smallest or the largest of numbers that may be ``Between``; None where there is none."""
    choose = max if largest else min
    ends = [_ends(number) for number in numbers]
    lows = [low for low, _ in ends if isinstance(low, int | float) and low == low]
    highs = [high for _, high in ends if isinstance(high, int | float) and high == high]
    if not lows or len(lows) != len(highs):
        return None
    low, high = choose(lows), choose(highs)
    return low if low == high else Between(low, high)


def _ends(value: object) -> tuple[object, object]:
    return (value.low, value.high) if isinstance(value, Between) else (value, value)
