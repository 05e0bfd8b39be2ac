"""What a node says, wherever it stands: two conditions of one shape are the same condition."""

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from logsleuth.language import syntax as s

_SILENT = frozenset(("at",))


def shape(node: object) -> object:
    """The node without places and without the texts of clauses, to be compared."""
    if isinstance(node, tuple):
        return tuple(shape(item) for item in node)
    if isinstance(node, s.Clause):
        return shape(node.condition)
    kind: Any = type(node)
    names = _told(kind)
    if not names:
        return node
    return kind.__name__, *(shape(getattr(node, name)) for name in names)


@cache
def _told(kind: type) -> tuple[str, ...]:
    """The fields of a node that say something; nothing of what is no node."""
    return tuple(field.name for field in fields(kind) if field.name not in _SILENT) if is_dataclass(kind) else ()
