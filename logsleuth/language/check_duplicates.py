"""Finds rules that ask for the same."""

from collections.abc import Iterator, Mapping

from logsleuth.language import syntax as s
from logsleuth.language.messages import WARNING, Message
from logsleuth.language.shape import shape


def check_same_rules(rules: Mapping[str, s.Rule]) -> Iterator[Message]:
    """A warning for each rule whose conditions are those of an earlier one."""
    first: dict[object, s.Rule] = {}
    for rule in sorted(rules.values(), key=lambda rule: (rule.at.file, rule.at.line, rule.at.column)):
        earlier = first.setdefault((rule.scope, shape((rule.when, rule.needs, rule.unless))), rule)
        if earlier is not rule:
            text = f"'{rule.name}' asks for what '{earlier.name}' asks for ({earlier.at.file}:{earlier.at.line})"
            remedy = "Both always fire together: make one of the two, or tell them apart by a condition."
            yield Message("LS241", rule.at, text, remedy, WARNING)
