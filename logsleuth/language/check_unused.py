"""Finds what a rule names and nothing reads: lets, and bindings of conditions that name nothing for others."""

from collections.abc import Iterator

from logsleuth.language import syntax as s
from logsleuth.language.kinds import Kinds
from logsleuth.language.messages import WARNING, Message
from logsleuth.language.text_holes import HOLE_CONTENT, TEXT_HOLE
from logsleuth.language.walk import bindings, children, conditions, patterns, references, walk


def check_unused(rule: s.Rule, kinds: Kinds) -> Iterator[Message]:
    """A warning for each let and each binding of a resolved rule that nothing reads.

    What ``when`` and ``needs`` bind may be read by what a site adds to the rule, so their names are never idle; those
    of ``unless`` end with their clause.
    """
    used = {*_in_texts(rule), *_in_conditions(rule, kinds)}
    if rule.culprit:
        used.add(rule.culprit.name)
    constants = {id(value) for item in conditions(rule) for node in walk(item) for value in _options(node)}
    for item in rule.when:
        if isinstance(item, s.Let) and item.name not in used and id(item.value) not in constants:
            yield _unused_let(rule, item)
    for clause in rule.unless:
        read = set(_names(clause, kinds, ""))
        found = [named for pattern in patterns(clause) for named in bindings(pattern)]
        for name, reference in {name: reference for name, reference in found if name not in read}.items():
            text = f"nothing reads '{name}', as which this '{reference.event}' is named"
            yield Message(
                "LS234",
                reference.at,
                text,
                f"Remove 'as {name}'; what 'unless' names ends with its condition.",
                WARNING,
            )


def _unused_let(rule: s.Rule, let: s.Let) -> Message:
    hides = [reference.event for reference, name in _fields_in(rule) if name == let.name]
    text = f"nothing reads the let '{let.name}'"
    if hides:
        text += f"; in a filter of '{hides[0]}' the name is that of a field"
        return Message("LS233", let.at, text, "Give the let another name.", WARNING)
    return Message("LS233", let.at, text, "Remove it, or use it in a condition or a text.", WARNING)


def _fields_in(rule: s.Rule) -> Iterator[tuple[s.Reference, str]]:
    """The bare names in filters, each with the reference whose filter it is."""
    for reference in references(rule):
        yield from ((reference, node.name) for node in walk(reference.filter) if isinstance(node, s.Field))


def _in_texts(rule: s.Rule) -> Iterator[str]:
    for text in (rule.verdict, *rule.chain, rule.remedy, rule.next):
        for hole in TEXT_HOLE.finditer(text):
            if hole[1] is not None and (match := HOLE_CONTENT.fullmatch(hole[1])):
                yield from (name for name in match.group(1, 2, 4) if name)


def _in_conditions(rule: s.Rule, kinds: Kinds) -> Iterator[str]:
    for item in conditions(rule):
        yield from _names(item, kinds, "")
    for clause in rule.explains:
        for reference in clause.references:
            yield from _names(reference, kinds, "")


def _names(node: object, kinds: Kinds, event: str) -> Iterator[str]:
    """The names that stand in a condition, those of an event's own fields left out."""
    match node:
        case s.Field() if not (event and kinds.is_field(event, node.name)):
            yield node.name
        case s.Attribute():
            yield node.binding
            yield node.field
        case s.Members():
            yield node.of
        case s.Together():
            yield node.binding
        case s.Reference():
            event = node.event
    for child in children(node):
        yield from _names(child, kinds, event)


def _options(node: object) -> Iterator[s.Node]:
    """What stands behind ``within`` or is given by name: the very constant of a let where a let was named."""
    match node:
        case s.Call():
            yield from (value for _, value in node.options)
        case s.Together():
            yield node.within
        case s.Seen() | s.Quantified():
            yield from (step.within for step in node.pattern.steps if step.within is not None)
