"""What stands beneath a node of the syntax tree, and beneath the clauses of a rule."""

from collections.abc import Iterator

from logsleuth.language import syntax as s


def conditions(rule: s.Rule) -> Iterator[s.Node]:
    """All conditions of the rule, those of its confidence included."""
    yield from (*rule.when, *rule.needs, *rule.unless)
    yield from (level.condition for level in rule.confidence if level.condition)


def references(rule: s.Rule) -> Iterator[s.Reference]:
    """Every reference to an event in the rule's conditions and explanations."""
    for condition in conditions(rule):
        yield from (node for node in walk(condition) if isinstance(node, s.Reference))
    for clause in rule.explains:
        yield from clause.references


def walk(node: object) -> Iterator[object]:
    """The node and everything beneath it."""
    yield node
    for child in children(node):
        yield from walk(child)


def children(node: object) -> Iterator[s.Node]:
    """What stands directly beneath a node."""
    match node:
        case s.AllOf() | s.AnyOf():
            yield from node.items
        case s.Not():
            yield node.item
        case s.Clause():
            yield node.condition
        case s.Let():
            yield node.value
        case s.Operation():
            yield node.left
            if node.right is not None:
                yield node.right
        case s.Seen() | s.Quantified():
            yield node.pattern.reference
            yield from (step.reference for step in node.pattern.steps)
        case s.Absent() | s.EventField():
            yield node.reference
        case s.Reference() if node.filter is not None:
            yield node.filter
        case s.Members() if node.where is not None:
            yield node.where
        case s.Call():
            yield from node.arguments
            yield from (value for _, value in node.options)


def patterns(condition: s.Node) -> Iterator[s.Pattern]:
    """The patterns of a condition."""
    yield from (node.pattern for node in walk(condition) if isinstance(node, s.Seen | s.Quantified))


def bindings(pattern: s.Pattern) -> Iterator[tuple[str, s.Reference]]:
    """The names that a pattern gives, with what they stand for."""
    if pattern.binding:
        yield pattern.binding, pattern.reference
    yield from ((step.binding, step.reference) for step in pattern.steps if step.binding)
