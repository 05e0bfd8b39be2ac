"""Whether the steps of a pattern hold: what comes after its first occurrence, within what time, and what does not."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from logsleuth.engine.after import After
from logsleuth.engine.clock import Moment, seems_after
from logsleuth.engine.latest import Latest
from logsleuth.engine.measures import Measures
from logsleuth.engine.passing import may_still_come
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.scope import Bindings, Scope
from logsleuth.engine.truth import Truth
from logsleuth.engine.values import time_of
from logsleuth.language import syntax as s
from logsleuth.language.program import Program

NO_CLOCK = "no clock tells how much time lay between these lines"
_OWN_WORDS = frozenset(("process", "peer", "watchdog"))
"""Witnesses that speak in the log of the process itself."""
_FEW = 32
"""Occurrences that are looked at one by one: of more, those that may come after are looked for."""
LOG_ENDS = "what never came may stand behind the end of these logs"


@dataclass(slots=True)
class Steps:
    """Whether all steps hold, with what they named and what decided them."""

    truth: Truth = True
    bindings: Bindings = field(default_factory=dict)
    deciding: list[Sighting] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    awaits: float | None = None
    """The moment until which a log would have to reach to decide an open absence."""


class _Step(NamedTuple):
    found: list[Sighting]
    is_open: bool
    """Whether some occurrence that is not kept could be one of them."""
    order: After | None = None
    """Which of them come after what, where they are many and the same whatever came first."""

    def after(self, early: Moment, span: s.Value | None) -> Iterable[Sighting]:
        """Those that come after, in their order; with a span in seconds without some that certainly come later."""
        if self.order is not None and span is not None and span.unit == "seconds":
            return self.order.until(early, float(span.value))
        return (other for other in self.found if seems_after(other.began, early))

    def any_after(self, early: Moment) -> bool:
        """Whether any comes after."""
        if self.order is not None:
            return self.order.has_any(early)
        # The last are asked first, as they are the likeliest to come after.
        return any(seems_after(other.began, early) for other in reversed(self.found))

    def earliest_after(self, early: Moment) -> Sighting | None:
        """Of those that come after that which seems to have come first."""
        if self.order is not None:
            return self.order.earliest(early)
        return min(self.after(early, None), key=time_of, default=None)


class _Last(NamedTuple):
    step: s.Step
    scope: Scope
    told: _Step


class Sequences:
    """Decides the steps of patterns."""

    def __init__(self, program: Program, measures: Measures, roster: Roster) -> None:
        self._search, self._roster, self._events = measures.search, roster, program.events
        self._last: dict[int, _Last] = {}
        """What was found last for a step, by its identity."""
        self._latest: dict[int, tuple[list[Sighting], Latest]] = {}
        """The latest of the values of series that were found last for a step."""

    def holds(self, pattern: s.Pattern, first: Sighting, scope: Scope, known: Bindings, same_member: bool) -> Steps:
        """Whether the steps hold behind ``first``; those of one member only where ``same_member`` is true."""
        if not pattern.steps:
            return Steps()
        named = {**known, **({pattern.binding: [first]} if pattern.binding else {})}
        out = Steps()
        before = first
        for step in pattern.steps:
            told = self._behind(step, before, self.candidates(step, first, scope, named, same_member))
            if step.kind == "then":
                after, truth = _next(step, before, told, out, step is pattern.steps[-1])
                if after is None:
                    return Steps(None if told.is_open or truth is None else False)
                out.truth = None if truth is None else out.truth
                before = after
                out.deciding.append(after)
                if step.binding:
                    out.bindings[step.binding] = named[step.binding] = [after]
                continue
            truth = self._absent(step, before, told, out, same_member)
            if truth is False:
                return Steps(False)
            out.truth = None if truth is None else out.truth
        return out

    def candidates(self, step: s.Step, first: Sighting, scope: Scope, named: Bindings, same_member: bool) -> _Step:
        """The occurrences that a step may be, whenever they came."""
        if same_member or step.kind == "without":
            found, _, evicted = self._search.find_of(first.subject.members, step.reference, scope, named)
        elif self._search.is_alike(step.reference, scope):
            return self._alike(step, scope, named)
        else:
            found, _, evicted = self._search.find(step.reference, scope, named)
        self._search.work.spend(1)
        # Without a join the kept ones decide: they are the first and the last.
        return _Step(found, evicted > 0 and self._search.is_joined(step.reference))

    def _alike(self, step: s.Step, scope: Scope, named: Bindings) -> _Step:
        """Those of a step that are the same whatever came first: they are looked for once, and cost the same."""
        last = self._last.get(id(step))
        if last is None or last.step is not step or last.scope is not scope:
            found = self._search.find(step.reference, scope, named).kept
            order = After(found) if len(found) > _FEW else None
            last = self._last[id(step)] = _Last(step, scope, _Step(found, False, order))
        self._search.work.spend(1)
        return last.told

    def _behind(self, step: s.Step, before: Sighting, told: _Step) -> _Step:
        """None of them where none comes after; what need not be looked at costs no steps.

        Where a loss is no number any more, hundreds of lines of each rank ask whether one of thousands comes after.
        """
        found = told.found
        if len(found) > _FEW and step.kind != "without" and self._search.is_series(step.reference):
            # The last are asked first, as they are the likeliest to come after.
            is_near = any(seems_after(other.began, before.began) for other in found[-_FEW:])
            if not is_near and not self._latest_of(step, found).any_after(before.began):
                self._search.work.spend(_FEW)
                return told._replace(found=[])
        self._search.work.spend(len(found) if told.order is None else _FEW)
        return told

    def _latest_of(self, step: s.Step, found: list[Sighting]) -> Latest:
        of, latest = self._latest.get(id(step), (None, None))
        if of is not found or latest is None:
            latest = Latest(sighting.began for sighting in found)
            self._latest[id(step)] = found, latest
        return latest

    def _absent(self, step: s.Step, before: Sighting, told: _Step, out: Steps, same_member: bool) -> Truth:
        """Whether nothing of the kind came (``without``), or came after (``then no``, ``then never``)."""
        if step.kind == "without":
            return False if told.found else None if told.is_open or self._is_untold(step, before) else True
        if step.within is None:
            if told.any_after(before.began):
                return False
            if step.kind == "then never":
                out.doubts.append(LOG_ENDS)
                if may_still_come(self._roster.present, before.occurrence.source, before.occurrence.offset):
                    return None
            return None if told.is_open else True
        truths = [within(before, other, step.within) for other in told.after(before.began, step.within)]
        if True in truths:
            return False
        if None in truths or told.is_open:
            return None
        return self._is_covered(before, step.within, out, same_member)

    def _is_untold(self, step: s.Step, of: Sighting) -> bool:
        """Whether only the member's own log could tell of such an event, and it alone left none while others did."""
        event = self._events.get(step.reference.event)
        if event is None or event.witness not in _OWN_WORDS or len(self._roster.covered) < 2:
            return False
        members = of.subject.members
        return bool(members) and all(m.rank is not None and not self._roster.left_log(m) for m in members)

    def _is_covered(self, before: Sighting, span: s.Value, out: Steps, same_member: bool) -> Truth:
        """Whether the logs reach as far as the question: the member's own, or any where it may be anybody."""
        if span.unit != "seconds" or not math.isfinite(before.began.high):
            return None
        until = before.began.high + float(span.value)
        members = before.subject.members if same_member else ()
        ends = [self._roster.last_sign(member) for member in members] or [self._roster.end]
        if all(end is not None and end >= until for end in ends):
            return True
        out.awaits = until
        return None


def _next(step: s.Step, before: Sighting, told: _Step, out: Steps, is_last: bool) -> tuple[Sighting | None, Truth]:
    """The occurrence that a ``then`` takes, and whether it came in time: the earliest that certainly did."""
    if step.within is None:
        if is_last and not step.binding:
            # Nobody asks which one it is.
            is_none = told.order is not None and not told.any_after(before.began)
            after = (other for other in told.found if not is_none and seems_after(other.began, before.began))
            return next(after, None), True
        return told.earliest_after(before.began), True
    candidates = sorted(told.after(before.began, step.within), key=time_of)
    truths = [within(before, other, step.within) for other in candidates]
    if True in truths:
        return candidates[truths.index(True)], True
    if step.within.unit == "seconds" and None in truths and not _is_timed(before):
        out.doubts.append(NO_CLOCK)
        return candidates[truths.index(None)], True
    return None, None if None in truths else False


def within(early: Sighting, late: Sighting, span: s.Value) -> Truth:
    """Whether ``late``, which comes after ``early``, comes within the span: a time, or a number of training steps."""
    if span.unit == "steps":
        first, second = early.fields.get("step"), late.fields.get("step")
        if not isinstance(first, int | float) or not isinstance(second, int | float):
            return None
        return first <= second <= first + float(span.value)
    if late.began.high - early.began.low <= float(span.value):
        return True
    return False if late.began.low - early.began.high > float(span.value) else None


def _is_timed(sighting: Sighting) -> bool:
    return math.isfinite(sighting.began.low) or math.isfinite(sighting.began.high)
