"""Frozen dataclasses with slots, made in a third of the time.

The standard library compiles six functions for each, which for the hundred that an analysis needs is a fifth of its
start. Here one is compiled, and the others are shared. ``dataclasses`` knows these as its own: fields, replace, asdict.
"""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, slots: bool, frozen: bool = False) -> "Callable[[type[_Made]], type[_Made]]":
        """The standard library's decorator; frozen ones are made here."""
        assert slots
        return _made if frozen else dataclasses.dataclass(slots=True)


__all__ = ("dataclass",)

_Made = TypeVar("_Made")


def _made(cls: type[_Made]) -> type[_Made]:
    if not cls.__doc__:
        cls.__doc__ = cls.__name__  # Else the standard library writes the signature there, which takes time.
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(made)
    compared = _values(*(field.name for field in fields if field.compare))
    whole = _values(*(field.name for field in fields))

    def is_equal(self: Any, other: object) -> bool:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    made.__init__ = _init(made, fields)
    made.__eq__ = is_equal
    made.__hash__ = lambda self: hash(compared(self))
    made.__reduce__ = lambda self: (made, whole(self))
    made.__repr__, made.__setattr__, made.__delattr__ = _shown, _refuse_to_set, _refuse_to_delete
    return made  # type: ignore[no-any-return]


def _values(*names: str) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of these attributes."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


@recursive_repr()
def _shown(self: Any) -> str:
    values = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(values)})"


def _refuse_to_set(_self: Any, name: str, _value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _init(made: Any, fields: tuple[dataclasses.Field[Any], ...]) -> Any:
    """``__init__``, which sets each slot by itself."""
    names: dict[str, Any] = {"MISSING": dataclasses.MISSING}
    parameters, body = [], []
    for field in fields:
        name = field.name
        names[f"set_{name}"] = getattr(made, name).__set__
        value = name
        if field.default_factory is not dataclasses.MISSING:
            names[f"new_{name}"] = field.default_factory
            parameters.append(f"{name}=MISSING")
            value = f"new_{name}() if {name} is MISSING else {name}"
        elif field.default is not dataclasses.MISSING:
            names[f"default_{name}"] = field.default
            parameters.append(f"{name}=default_{name}")
        else:
            parameters.append(name)
        body.append(f" set_{name}(self, {value})\n")
    text = f"def __init__(self, {', '.join(parameters)}):\n{''.join(body) or ' pass'}"
    exec(text, names)
    return names["__init__"]
