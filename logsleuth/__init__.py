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
    from logsleuth.drivers.inspecting import inspect
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
    from logsleuth.model.inventory import (
        FoundJob,
        FoundSource,
        Gap,
        Inventory,
        Remark,
        Repeat,
        Unread,
        Writers,
    )

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "Clock",
    "Confidence",
    "Culprits",
    "Echo",
    "Evidence",
    "FoundJob",
    "FoundSource",
    "Gap",
    "Input",
    "Inventory",
    "Job",
    "Problem",
    "Remark",
    "Repeat",
    "Severity",
    "Since",
    "Span",
    "Unread",
    "Verdict",
    "Writers",
    "__version__",
    "analyze",
    "inspect",
]

_ELSEWHERE = {
    "analyze": "logsleuth.drivers.batch",
    "inspect": "logsleuth.drivers.inspecting",
    **dict.fromkeys(
        ("FoundJob", "FoundSource", "Gap", "Inventory", "Remark", "Repeat", "Unread", "Writers"),
        "logsleuth.model.inventory",
    ),
}
"""Where public names stand that are not of ``logsleuth.model.analysis``."""


def __getattr__(name: str) -> object:
    """Imports a public name when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_ELSEWHERE.get(name, "logsleuth.model.analysis")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
