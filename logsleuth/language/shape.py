"""What a node says, wherever it stands: two conditions of one shape are the same condition."""

from dataclasses import fields

from logsleuth.language import syntax as s

Shape = tuple[object, ...]


def shape(node: object) -> object:
    """The node without places, texts of clauses and the names that it gives, to be compared."""
    if isinstance(node, tuple):
        return tuple(shape(item) for item in node)
    if isinstance(node, s.Clause):
        return shape(node.condition)
    if not hasattr(node, "__dataclass_fields__"):
        return node
    told = [getattr(node, field.name) for field in fields(node) if field.name not in _SILENT]  # type: ignore[arg-type]
    return type(node).__name__, *(shape(item) for item in told)


_SILENT = frozenset(("at",))
