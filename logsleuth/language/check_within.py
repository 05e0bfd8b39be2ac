"""Checks the bounds of time: what stands behind ``within`` is a time or, behind ``then``, a number of steps."""

from collections.abc import Iterator

from logsleuth.language import syntax as s
from logsleuth.language.constants import kind, written
from logsleuth.language.messages import Message
from logsleuth.language.walk import conditions, patterns, walk


def check_within(rule: s.Rule) -> list[Message]:
    """What no time passes by: numbers without a unit, amounts of memory, shares."""
    return [_message(bound, units) for bound, units in _bounds(rule) if bound.unit not in units]


def _bounds(rule: s.Rule) -> Iterator[tuple[s.Value, tuple[str, ...]]]:
    """Each bound, and the units that it may have."""
    for condition in conditions(rule):
        for pattern in patterns(condition):
            yield from ((step.within, ("seconds", "steps")) for step in pattern.steps if step.within is not None)
        for node in walk(condition):
            if isinstance(node, s.Together):
                yield node.within, ("seconds",)
            elif isinstance(node, s.Call):
                for name, value in node.options:
                    if name == "within" and isinstance(value, s.Value):
                        yield value, ("seconds",)
    for clause in rule.explains:
        if clause.within is not None:
            yield clause.within, ("seconds",)


def _message(bound: s.Value, units: tuple[str, ...]) -> Message:
    number = written(bound)
    if bound.unit:
        text = f"'within' asks for a time here, and {number} is {kind(bound)}"
        remedy = "Write a time, such as 30 s or 10 min."
    else:
        text = f"{number} behind 'within' has no unit"
        steps = f"; or {number} steps, of events with a field 'step'" if "steps" in units else ""
        remedy = f"Write its unit, as in {number} s or {number} min{steps}."
    return Message("LS231", bound.at, text, remedy)
