"""Checks the constants that conditions are given: how long behind ``within``, and what a function takes by name."""

from collections.abc import Mapping

from logsleuth.language import syntax as s
from logsleuth.language.constants import kind
from logsleuth.language.messages import Message

_HARMLESS = s.Value(1, "seconds")
"""Stands for a time that is none, so that nothing else is said of it."""


def span(given: s.Node, lets: Mapping[str, s.Let], errors: list[Message], *, may_be_steps: bool) -> s.Value:
    """A time, or a number of steps where these may be counted; the name of a let stands for the very constant that it
    names. A parameter of a definition may be either."""
    value = lets[given.name].value if isinstance(given, s.Field) and given.name in lets else given
    if isinstance(value, s.Parameter):
        return _HARMLESS
    units = ("seconds", "steps") if may_be_steps else ("seconds",)
    if isinstance(value, s.Value) and value.unit in units:
        return value
    told = kind(value) if isinstance(value, s.Value) else "no constant"
    text = f"'within' asks for a time{' or a number of steps' if may_be_steps else ''}, and this is {told}"
    remedy = "Write a time, such as 30 s, or the name of a let that gives one: let grace = 30 s."
    errors.append(Message("LS231", s.place_of(given), text, remedy))
    return _HARMLESS


def option(call: s.Call, name: str, given: s.Node, lets: Mapping[str, s.Let], errors: list[Message]) -> s.Node:
    """What a function gets by name: a constant, or the name of one, for which it is taken; ``of`` asks for a series."""
    value = lets[given.name].value if isinstance(given, s.Field) and given.name in lets else given
    if not isinstance(value, s.Parameter | (s.SeriesName if name == "of" else s.Value)):
        what = "a series" if name == "of" else "a constant, or a let that names one"
        errors.append(Message("LS216", call.at, f"'{name}' of '{call.function}' asks for {what}"))
    elif name == "within" and isinstance(value, s.Value):
        return span(given, lets, errors, may_be_steps=False)
    return value
