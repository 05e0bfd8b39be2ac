"""What does a function of a series take and give?"""

from collections.abc import Callable
from typing import NamedTuple

from logsleuth.engine.series_samples import Argument

Result = float | bool | tuple[float, ...] | None
"""What a function gives; None where it is unknown."""


class Parameter(NamedTuple):
    name: str
    kind: str
    """``series``, ``span`` (steps, or seconds), ``number`` or ``percent``."""
    default: Argument | None = None
    is_optional: bool = False
    """An optional span without a default is all of the series."""


class SeriesFunction(NamedTuple):
    parameters: tuple[Parameter, ...]
    gives: str
    """``number``, ``numbers`` or ``bool``."""
    unit: str
    """Of the number: ``series`` (that of the first series), ``per step``, ``percent`` or nothing."""
    call: Callable[..., Result]
    compares: str = ""
    """Of what it asks instead of one series: ``members`` (those of all), ``member`` (those of all, and of whom it is
    asked)."""
