"""Under which of the plan's filters is a find kept? Decided while reading, on what its lines say."""

from collections.abc import Mapping
from functools import partial
from typing import Protocol

from logsleuth.engine.expressions import holds
from logsleuth.language import syntax as s
from logsleuth.language.reads import STATIC_FIELDS
from logsleuth.language.walk import walk

_REMEMBERED = 1 << 10
"""Choices of values whose answer is remembered: most events say the same few things again and again."""


class Said(Protocol):
    """What a line says, typed when somebody asks."""

    def values(self, names: tuple[str, ...]) -> tuple[object, ...]:
        """The values of some of its fields; None for a field that it does not have."""

    def own(self, name: str) -> str | None:
        """What the line itself says, whatever it is about: one of ``STATIC_FIELDS``."""


class Admission:
    """The filters of one event."""

    def __init__(self, filters: tuple[s.Node | None, ...]) -> None:
        self.is_open = all(condition is None for condition in filters)
        """True where no find has to be asked for anything."""
        self._filters = filters
        self._all = tuple(range(len(filters)))
        nodes = (node for condition in filters for node in walk(condition))
        self._names = tuple(dict.fromkeys(node.name for node in nodes if isinstance(node, s.Field)))
        # A text hardly comes twice.
        self._is_remembered = "text" not in self._names
        self._known: dict[tuple[object, ...], tuple[int, ...]] = {}

    def uses(self, said: Said) -> tuple[int, ...]:
        """The numbers of the filters that it passes."""
        if self.is_open:
            return self._all
        values = said.values(self._names)
        if None in values:
            values = tuple(
                said.own(name) if value is None and name in STATIC_FIELDS else value
                for name, value in zip(self._names, values, strict=True)
            )
        known = self._known.get(values)
        if known is None:
            known = self._passed(values)
            if self._is_remembered and len(self._known) < _REMEMBERED:
                self._known[values] = known
        return known

    def _passed(self, values: tuple[object, ...]) -> tuple[int, ...]:
        lookup = partial(_looked_up, dict(zip(self._names, values, strict=True)))
        return tuple(
            use for use, condition in enumerate(self._filters) if condition is None or holds(condition, lookup)
        )


def _looked_up(values: Mapping[str, object], node: s.Node) -> tuple[object, ...]:
    value = values.get(node.name) if isinstance(node, s.Field) else None
    return () if value is None else (value,)
