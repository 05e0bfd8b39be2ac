"""Values as people read them: with their unit, and no longer than a line takes."""

import math

from logsleuth.language.template import DURATIONS
from logsleuth.model.ranks import format_ranks
from logsleuth.model.units import format_bytes, format_duration

_LONGEST_VALUE = 300


def shown_value(value: object, kind: str) -> str:
    """A value of a field of this type, or of an expression of this unit."""
    if isinstance(value, tuple):
        return format_ranks(value)
    if isinstance(value, int | float) and kind in ("bytes", "mib"):
        return format_bytes(value)
    if isinstance(value, int | float) and (kind in DURATIONS or kind == "seconds"):
        return format_duration(value)
    if isinstance(value, int | float) and kind == "percent":
        return f"{value * 100:.0f}%"
    if isinstance(value, float) and not value.is_integer() and math.isfinite(value):
        return f"{value:.4g}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = str(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."
