"""Finds the cause of a failed distributed training job in its logs.

::

    from logsleuth import analyze

    analysis = analyze(["logs/"])
    for verdict in analysis.verdicts:
        print(verdict.summary, verdict.culprits.ranks)

Everything public is listed in ``__all__``. Names are imported when they are first used, so that ``import logsleuth``
costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logsleuth.drivers.batch import analyze
    from logsleuth.model.analysis import (
        Analysis,
        Clock,
        Confidence,
        Culprits,
        Echo,
        Evidence,
        Input,
        Job,
        Problem,
        Severity,
        Since,
        Span,
        Verdict,
    )

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "Clock",
    "Confidence",
    "Culprits",
    "Echo",
    "Evidence",
    "Input",
    "Job",
    "Problem",
    "Severity",
    "Since",
    "Span",
    "Verdict",
    "__version__",
    "analyze",
]


def __getattr__(name: str) -> object:
    """Imports a public name when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "logsleuth.drivers.batch" if name == "analyze" else "logsleuth.model.analysis"
    value: object = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
