"""Conditions as a rule writes them, from their nodes: what a trace tells of a part of a clause."""

from logsleuth.language import syntax as s
from logsleuth.language.constants import written


def spelled(node: s.Node) -> str:
    """The text of a condition or an expression; lists are called by their name."""
    match node:
        case s.Value():
            return written(node)
        case s.Values():
            return node.name or f"[{', '.join(written(s.Value(item)) for item in node.items)}]"
        case s.Field() | s.SeriesName():
            return node.name
        case s.Attribute():
            return f"{node.binding}.{node.field}"
        case s.Mention():
            return node.name
        case s.Reference():
            return reference(node)
        case s.EventField():
            return _event(node.reference, f".{node.field}")
        case s.Members():
            return _members(node)
        case s.Call():
            return _call(node)
        case s.Clause():
            return node.text
        case s.Let():
            return f"{node.name} = {spelled(node.value)}"
        case s.Together():
            return f"{node.binding} within {written(node.within)} of each other"
        case _:
            return _condition(node)


def _condition(node: s.Node) -> str:
    match node:
        case s.Operation():
            return _operation(node)
        case s.Not():
            return f"not {_nested(node.item)}"
        case s.AllOf():
            return " and ".join(map(_nested, node.items))
        case s.AnyOf():
            return " or ".join(map(_nested, node.items))
        case s.Seen():
            return f"seen {pattern(node.pattern)}"
        case s.Absent():
            return f"no {reference(node.reference)}"
        case s.Quantified():
            return f"{_quantifier(node)} has {pattern(node.pattern)}"
        case s.Parameter():
            return f"{node.name}.{node.field}" if node.field else node.name
        case _:
            raise TypeError(type(node).__name__)


def reference(node: s.Reference) -> str:
    """``cuda.oom[free < 1 GiB]``."""
    return _event(node)


def _event(node: s.Reference, field: str = "") -> str:
    asked = f"[{spelled(node.filter)}]" if node.filter is not None else ""
    return f"{'job.' if node.job_wide else ''}{node.event}{field}{asked}"


def pattern(node: s.Pattern) -> str:
    """An event with its steps: ``a.fall as x then no a.echo within 5 min``."""
    bound = f" as {node.binding}" if node.binding else ""
    return "".join([reference(node.reference), bound, *(f" {step(one)}" for one in node.steps)])


def step(node: s.Step) -> str:
    """One step of a pattern."""
    bound = f" as {node.binding}" if node.binding else ""
    within = f" within {written(node.within)}" if node.within else ""
    return f"{node.kind} {reference(node.reference)}{bound}{within}"


def _nested(node: s.Node) -> str:
    return f"({spelled(node)})" if isinstance(node, s.AllOf | s.AnyOf) else spelled(node)


def _members(node: s.Members) -> str:
    named = f"{node.which} {'job.' if node.job_wide else ''}{node.kind}".strip()
    if node.of:
        return f"{named} of {node.of}"
    return f"{named} where {spelled(node.where)}" if node.where is not None else named


def _call(node: s.Call) -> str:
    options = [f"{name} = {spelled(value)}" for name, value in node.options if name != "within"]
    within = "".join(f" within {spelled(value)}" for name, value in node.options if name == "within")
    return f"{node.function}({', '.join([*map(spelled, node.arguments), *options])}){within}"


def _operation(node: s.Operation) -> str:
    if node.right is None:
        return f"{spelled(node.left)} {node.operator}"
    right = spelled(node.right)
    if node.operator == "matches" and isinstance(node.right, s.Value):
        right = f"`{node.right.value}`"
    level = _LEVELS.get(node.operator, 0)
    # Of equals the left one is worked out first, so what stands on the right needs its own parentheses.
    left, right = _side(node.left, level), right if node.operator == "matches" else _side(node.right, level + 1)
    return f"{left} {node.operator} {right}"


_LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "of": 3}
"""How tightly operators bind; comparisons least."""


def _side(node: s.Node, least: int) -> str:
    """One side of an operation, in parentheses where it binds less tightly than is asked."""
    is_loose = isinstance(node, s.Operation) and _LEVELS.get(node.operator, 0) < least
    return f"({spelled(node)})" if is_loose or isinstance(node, s.AllOf | s.AnyOf) else spelled(node)


def _quantifier(node: s.Quantified) -> str:
    seen = "seen " if node.seen_only else ""
    other = "other " if node.other else ""
    if node.quantifier == "at least percent":
        return f"at least {node.number:g}% of {seen}{node.member}s"
    if node.quantifier in ("exactly", "all but", "at least"):
        many = "" if node.number == 1 else "s"
        return f"{node.quantifier} {node.number:g} {seen}{other}{node.member}{many}"
    many = "s" if node.quantifier == "most" else ""
    return f"{node.quantifier} {seen}{other}{node.member}{many}"
