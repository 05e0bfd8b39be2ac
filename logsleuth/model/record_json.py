"""Records of ours (frozen dataclasses, named tuples) as JSON and back.

What comes back is equal to what was written, or an error: a record has all of its fields, no other, each of its type.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def encode(value: object) -> Any:
    """Dictionaries of records, lists of tuples, values of enumerations; the rest is JSON already."""
    if isinstance(value, Enum):
        return value.value
    if names := _names(type(value)):
        return {name: encode(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    return value


def decode(kind: type[T], data: object) -> T:
    """The inverse of ``encode`` for a record of this kind; raises ValueError, with the place, on anything else."""
    return cast(T, _decoded(kind, data, kind.__name__))


def _names(kind: type) -> tuple[str, ...]:
    """The fields of a record; empty of what is none."""
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    return tuple(getattr(kind, "_fields", ()))


@cache
def _types(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _decoded(kind: Any, data: object, place: str) -> object:
    if get_origin(kind) in (Union, UnionType):
        if data is None and NoneType in get_args(kind):
            return None
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
    if get_origin(kind) is tuple:
        return tuple(
            _decoded(get_args(kind)[0], item, f"{place}[{number}]")
            for number, item in enumerate(_of(list, data, place))
        )
    if issubclass(kind, Enum):
        if _of(str, data, place) not in {one.value for one in kind}:
            raise ValueError(f"{place}: {data!r} is no {kind.__name__}")
        return kind(data)
    if names := _names(kind):
        given = _of(dict, data, place)
        if set(given) != set(names):
            odd = ", ".join(sorted(map(str, set(given) ^ set(names))))
            raise ValueError(f"{place}: fields that are missing or unknown: {odd}")
        return kind(*(_decoded(_types(kind)[name], given[name], f"{place}.{name}") for name in names))
    return float(_of((int, float), data, place)) if kind is float else _of(kind, data, place)


def _of(kind: Any, data: object, place: str) -> Any:
    # JSON's true is an int for Python, but no number for anybody else.
    if not isinstance(data, kind) or (isinstance(data, bool) and kind is not bool):
        raise ValueError(f"{place}: {type(data).__name__} is not what stands there")
    return data
