"""Constants of rules in words: of what kind they are, and which of them a condition speaks of."""

import re
from collections.abc import Mapping

from logsleuth.language import syntax as s
from logsleuth.model.units import format_bytes, format_duration

_KINDS = {
    "percent": "a percentage",
    "seconds": "a time",
    "bytes": "an amount of memory",
    "steps": "a number of steps",
    "": "a number",
}
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`')
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?![\w.(])")
"""A name that stands alone: no field of something, no function."""


def kind(value: s.Value) -> str:
    """``a percentage``, ``a text``; only a constant of the same kind can stand in for another."""
    if isinstance(value.value, bool):
        return "true or false"
    return "a text" if isinstance(value.value, str) else _KINDS[value.unit]


def written(value: s.Value) -> str:
    """As a rule writes it: ``50%``, ``10 min``, ``200 steps``."""
    if isinstance(value.value, bool):
        return str(value.value).lower()
    if isinstance(value.value, str):
        return f'"{value.value}"'
    if value.unit == "bytes":
        return format_bytes(value.value)
    if value.unit == "seconds":
        return format_duration(value.value)
    return f"{value.value:.15g}" + {"percent": "%", "steps": " steps"}.get(value.unit, "")


def constants_in(condition: str, lets: Mapping[str, s.Let]) -> str:
    """`` (floor = 50%)`` behind a condition that speaks of the constant ``floor``, else nothing.

    Whoever reads how a rule was decided asks for the number, and a site may have set it.
    """
    names = set(_NAME.findall(_QUOTED.sub("", condition)))
    told = [
        f"{name} = {written(let.value)}"
        for name, let in lets.items()
        if isinstance(let.value, s.Value) and name in names
    ]
    return f" ({', '.join(told)})" if told else ""
