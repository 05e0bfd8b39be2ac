"""How far sequences came: which of their steps were reached, what came next, and how far apart they lie."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from logsleuth.engine.citation import Citation
from logsleuth.engine.clock import seems_after
from logsleuth.engine.roster import Roster, Sighting
from logsleuth.engine.scope import At, Bindings
from logsleuth.engine.sequence import Sequences, Steps
from logsleuth.engine.values import time_of
from logsleuth.language import syntax as s
from logsleuth.language.constants import written
from logsleuth.language.spelled import reference, step
from logsleuth.model.trace import Standing, TracedStep
from logsleuth.model.units import format_duration

MOST = 64
"""Occurrences of a first step that are tried."""


class Followed(NamedTuple):
    """How far a sequence came."""

    steps: tuple[TracedStep, ...]
    missed: s.Reference | None
    """What its next step asks for, where nothing of that is there."""
    known: Bindings
    """What had a name by then."""


class StepTracer:
    """Follows sequences on one roster, with the code that judges them."""

    def __init__(self, sequences: Sequences, roster: Roster, citation: Citation) -> None:
        self._sequences, self._roster, self._citation = sequences, roster, citation

    def steps(self, pattern: s.Pattern, firsts: Sequence[Sighting], at: At, same_member: bool) -> Followed:
        """The steps of the occurrence of the first one from which most follow; nothing where there is no sequence."""
        if not pattern.steps or not firsts:
            return Followed((), None, {})
        reached = [(self._reach(pattern, first, at, same_member), -place) for place, first in enumerate(firsts[:MOST])]
        many, place = max(reached)
        first = firsts[-place]
        opening = replace(pattern, steps=())
        words = f"{len(firsts)} such" if len(firsts) > 1 else ""
        begins = TracedStep(reference(opening.reference), Standing.HOLDS, words, self._citation.line(first))
        told = [begins]
        before = first
        for count in range(1, min(many + 1, len(pattern.steps)) + 1):
            traced, before = self._step(pattern, count, first, before, at, same_member)
            told.append(traced)
        if many == len(pattern.steps) or pattern.steps[many].kind != "then":
            return Followed(tuple(told), None, {})
        named, found = self._candidates(pattern, many + 1, first, at, same_member)
        return Followed(tuple(told), None if found else pattern.steps[many].reference, named)

    def _candidates(
        self, pattern: s.Pattern, count: int, first: Sighting, at: At, same_member: bool
    ) -> tuple[Bindings, list[Sighting]]:
        """What has a name before a step, and what that step may be."""
        bound = self._prefix(pattern, count - 1, first, at, same_member).bindings
        named = {**at.known, **({pattern.binding: [first]} if pattern.binding else {}), **bound}
        asked = pattern.steps[count - 1]
        return named, self._sequences.candidates(asked, first, at.scope, named, same_member).found

    def _prefix(self, pattern: s.Pattern, count: int, first: Sighting, at: At, same_member: bool) -> Steps:
        return self._sequences.holds(
            replace(pattern, steps=pattern.steps[:count]), first, at.scope, at.known, same_member
        )

    def _reach(self, pattern: s.Pattern, first: Sighting, at: At, same_member: bool) -> int:
        """How many steps behind the first one hold."""
        for count in range(1, len(pattern.steps) + 1):
            if not self._prefix(pattern, count, first, at, same_member).truth:
                return count - 1
        return len(pattern.steps)

    def _step(
        self, pattern: s.Pattern, count: int, first: Sighting, before: Sighting, at: At, same_member: bool
    ) -> tuple[TracedStep, Sighting]:
        asked, held = pattern.steps[count - 1], self._prefix(pattern, count, first, at, same_member)
        if held.truth and asked.kind == "then":
            after = held.deciding[-1]
            words = f"{_apart(before, after)}{_within(asked)}"
            return TracedStep(step(asked), Standing.HOLDS, words, self._citation.line(after)), after
        if held.truth:
            return TracedStep(step(asked), Standing.HOLDS, f"no {asked.reference.event} there"), before
        _, found = self._candidates(pattern, count, first, at, same_member)
        standing = Standing.OPEN if held.truth is None else Standing.FAILS
        words, line = self._why(asked, before, found)
        if held.truth is None and held.awaits is not None:
            until = self._roster.calendar.text(held.awaits)
            words, line = f"the logs end before {until or 'that is told'}", None
        cited = None if line is None else self._citation.line(line)
        return TracedStep(step(asked), standing, words, cited), before

    def _why(self, asked: s.Step, before: Sighting, found: Sequence[Sighting]) -> tuple[str, Sighting | None]:
        """Why a step is not reached, and by which occurrence that shows."""
        what = reference(asked.reference)
        if not found:
            return f"there is no {what}", None
        after = sorted((x for x in found if seems_after(x.began, before.began)), key=time_of)
        if asked.kind == "without":
            return f"there is one: {what}", min(found, key=time_of)
        if after and asked.kind == "then":
            return f"the nearest came {_apart(before, after[0])}{_within(asked)}", after[0]
        if after:
            return f"one came {_apart(before, after[0])}{_within(asked)}", after[0]
        nearest = max(found, key=time_of)
        early = [x for x in found if seems_after(before.began, x.began)]
        if early:
            nearest = max(early, key=time_of)
            apart = _seconds(nearest, before)
            return f"the nearest came before it{f', by {apart}' if apart else ''}", nearest
        return "which of the two came first, these logs do not tell", nearest


def _within(asked: s.Step) -> str:
    return f", asked: within {written(asked.within)}" if asked.within is not None else ""


def _apart(before: Sighting, after: Sighting) -> str:
    if told := _seconds(before, after):
        return f"{told} later"
    first, second = (sighting.fields.get("step") for sighting in (before, after))
    if isinstance(first, int | float) and isinstance(second, int | float):
        return f"{second - first:g} steps later"
    return "later; no clock tells how much"


def _seconds(early: Sighting, late: Sighting) -> str:
    """How long one began before the other; empty where no clock tells."""
    low, high = late.began.low - early.began.high, late.began.high - early.began.low
    if not (math.isfinite(low) and math.isfinite(high)):
        return f"at most {format_duration(high)}" if math.isfinite(high) else ""
    if high < 0:
        return ""  # The order of lines says so, whatever their stamps do.
    low = max(low, 0.0)
    if high - low < 1e-3 or format_duration(low) == format_duration(high):
        return format_duration(high)
    return f"{format_duration(low)} to {format_duration(high)}"
