"""Calls of functions in rules whose argument is a series."""

import math
from collections.abc import Mapping, Sequence

from logsleuth.engine.plan import Plan
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.scope import Scope
from logsleuth.engine.series_functions import FUNCTIONS, compare, evaluate
from logsleuth.engine.series_of_peers import Compared
from logsleuth.engine.series_samples import Argument
from logsleuth.engine.series_signature import Result
from logsleuth.engine.subject import Member
from logsleuth.language import syntax as s


class SeriesCalls:
    """Asks the series of one roster."""

    def __init__(self, plan: Plan, roster: Roster) -> None:
        self._plan, self._roster = plan, roster
        self._compared: dict[tuple[str, int], Compared] = {}

    def named(self, node: s.Node, sighting: Sighting | None) -> str:
        """The series that a function is asked of: by name, or ``value`` in a filter on the values of a series."""
        if isinstance(node, s.SeriesName):
            return node.name
        is_value = isinstance(node, s.Field) and node.name == "value" and sighting is not None
        return sighting.event.name if is_value and sighting and sighting.event.name in self._plan.series else ""

    def of(
        self, node: s.Call, name: str, scope: Scope, member: Member | None, sighting: Sighting | None
    ) -> Sequence[object] | None:
        """What a function of one or two series gives: of the member's at hand, else of the job's."""
        if node.function == "isnan" and sighting is not None:
            value = sighting.fields.get("value")
            return (isinstance(value, int | float) and not math.isfinite(value),)
        if node.function not in FUNCTIONS:
            return None  # It takes values, and a series is many.
        options = dict(node.options)
        other = options.get("of")
        names = [name, *([other.name] if isinstance(other, s.SeriesName) else [])]
        member = member or scope.member
        if sighting is not None and sighting.subject.members:
            member = sighting.subject.members[0]
        if member is not None and any(self._roster.series_is_job_wide(one, scope.attempt) for one in names):
            return None  # One rank prints for all of them.
        arguments = _arguments(options)
        if FUNCTIONS[node.function].compares:
            return _told(compare(node.function, self._of_peers(name, scope.attempt), arguments, member))
        views = [self._roster.series_view(one, scope.attempt, member) for one in names]
        known = [view for view in views if view is not None]
        if len(known) < len(names):
            return (0,) if node.function == "count" and member is None else None
        step = sighting.fields.get("step") if sighting is not None else None
        result = evaluate(node.function, known, arguments, step if isinstance(step, int) else None)
        is_share = isinstance(result, float) and FUNCTIONS[node.function].unit == "percent"
        return _told(result / 100 if is_share and isinstance(result, float) else result)

    def _of_peers(self, name: str, attempt: int) -> Compared:
        place = name, attempt
        if place not in self._compared:
            self._compared[place] = Compared(self._roster.series(name, attempt))
        return self._compared[place]


def _arguments(options: Mapping[str, s.Node]) -> dict[str, Argument]:
    return {
        key: Argument(float(value.value), value.unit)
        for key, value in options.items()
        if isinstance(value, s.Value) and isinstance(value.value, int | float)
    }


def _told(result: Result) -> Sequence[object] | None:
    """The values of a result; unknown where there is none, or not a single one of many."""
    if isinstance(result, tuple):
        return result or None
    return None if result is None else (result,)
