"""A checked program as JSON and back.

A node becomes ``["ClassName", field, ...]`` and a tuple ``["()", item, ...]``; everything else is JSON already. Only
the classes of the syntax tree can be decoded, so a cache file can hold nothing that runs. Places that only messages
need (fields that take no part in comparisons) are left out.
"""

from dataclasses import fields, is_dataclass
from typing import Any

from logsleuth.language import syntax

_CLASSES = {name: item for name, item in vars(syntax).items() if isinstance(item, type) and is_dataclass(item)}
_FIELDS = {name: tuple(field.name for field in fields(item) if field.compare) for name, item in _CLASSES.items()}


def encode(node: object) -> Any:
    """The node as lists, texts and numbers, ready for ``json.dumps``."""
    if isinstance(node, tuple):
        return ["()", *(encode(item) for item in node)]
    name = type(node).__name__
    if name in _CLASSES:
        return [name, *(encode(getattr(node, field)) for field in _FIELDS[name])]
    return node


def decode(data: Any) -> Any:
    """The inverse of ``encode``; raises KeyError or TypeError on data that ``encode`` did not make."""
    if not isinstance(data, list):
        return data
    head, *rest = data
    items = [decode(item) if isinstance(item, list) else item for item in rest]
    return tuple(items) if head == "()" else _CLASSES[head](*items)
