"""Do members print the same numbers at the same steps, and who does not?

Only numbers that all ranks are meant to share can be compared like this: a loss that was averaged over them, a global
gradient norm. That they share them is not taken for granted but shown by the numbers themselves: most members print one
value, or all did at first. The losses that ranks of a data-parallel job print of their own batches never agree.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from logsleuth.engine.series_of_members import SeriesView
from logsleuth.engine.series_samples import Argument
from logsleuth.engine.series_signature import Parameter, SeriesFunction
from logsleuth.engine.subject import Member

_ALIKE = 1e-4
"""Values that differ by no more, relatively, print alike."""
_APART = 1e-3
"""Values that differ by more, relatively, are not the same number rounded differently."""
_DISTINCT = 3
"""Different values that must be shared: a placeholder that all print says nothing."""


class Row(NamedTuple):
    """What members print at one step."""

    step: int
    values: Sequence[float]
    """One of each of them."""


class Compared:
    """What members print of one series. What all of them are asked is worked out once."""

    def __init__(self, views: Mapping[Member, SeriesView]) -> None:
        self.views = views

    def told(self, member: Member) -> dict[int, float]:
        """What a member prints once at a step, in the order of steps."""
        # Several values of a step are those of other epochs or of micro-batches, and cannot be matched.
        view = self.views[member]
        return {
            first.step: first.value
            for bucket in (view.buckets if view.by_step else ())
            if (first := bucket.first) is not None and bucket.count <= view.series.stride
        }

    @cached_property
    def rows(self) -> list[Row]:
        """The steps at which two members or more tell one value each, in their order."""
        # Of thousands of members: numbers, and no objects.
        rows: dict[int, array[float]] = defaultdict(lambda: array("d"))
        for member in self.views:
            for step, value in self.told(member).items():
                rows[step].append(value)
        return [Row(step, rows[step]) for step in sorted(rows) if len(rows[step]) > 1]

    @cached_property
    def majorities(self) -> dict[int, float]:
        """The values that most members print, by their steps."""
        found = ((row.step, _majority(row)) for row in self.rows)
        return {step: value for step, value in found if value is not None}


def outvoted(member: Member, compared: Compared, at_least: Argument) -> bool | None:
    """Whether the last ``at_least`` values of a member differ from the one that most members print at the same steps;
    unknown where most do not agree, or where there are fewer than three."""
    own, majorities = compared.told(member), compared.majorities
    steps = [step for step in own if step in majorities]
    last = steps[-max(1, int(at_least.value)) :]
    if len(last) < at_least.value or len(set(map(majorities.__getitem__, steps))) < _DISTINCT:
        return None
    return all(_differ(own[step], majorities[step], _APART) for step in last)


def parted(compared: Compared, at_least: Argument) -> float | None:
    """The step from which on members that had printed the same values, for ``at_least`` steps or more, did not any more
    to the end, for as many; unknown where they do not part."""
    common = [row for row in compared.rows if len(row.values) == len(compared.views)]
    number = max(1, int(at_least.value))
    start = len(common)
    while start and _spread(common[start - 1]) > _APART:
        start -= 1
    before = common[:start]
    if len(common) - start < number or len(before) < number:
        return None
    agreed = all(_spread(row) <= _ALIKE for row in before[:number])
    shared = {row.values[0] for row in before[:number]}
    return common[start].step if agreed and len(shared) >= min(_DISTINCT, number) else None


def _majority(row: Row) -> float | None:
    """The value that more than half of three members or more print, unless it is nothing."""
    if len(row.values) < 3:
        return None
    value, votes = Counter(row.values).most_common(1)[0]
    return value if 2 * votes > len(row.values) and value else None


def _spread(row: Row) -> float:
    low, high = min(row.values), max(row.values)
    largest = max(abs(low), abs(high))
    return (high - low) / largest if largest else 0.0


def _differ(left: float, right: float, by: float) -> bool:
    return abs(left - right) > by * max(abs(left), abs(right))


_X = Parameter("x", "series")
_AT_LEAST = Parameter("at_least", "number", Argument(5))

COMPARISONS: dict[str, SeriesFunction] = {
    "outvoted": SeriesFunction((_X, _AT_LEAST), "bool", "", outvoted, "member"),
    "parted": SeriesFunction((_X, _AT_LEAST), "number", "", parted, "members"),
}
