"""Is what was told a reason to stop following (``--exit-on``)?"""

from collections.abc import Callable, Iterable, Sequence

from logsleuth.model.analysis import SEVERITY_ORDER, Severity, Verdict
from logsleuth.model.change import Change, ChangeKind

LEVELS = (Severity.FATAL, Severity.ERROR, Severity.WARNING)
"""What may be waited for; a warning is the least that is told at all."""


def reaches(standing: Iterable[Verdict], least: Severity) -> bool:
    """Whether one of the verdicts that were told and stand is firm and at least so severe.

    To be asked of what a state file says was told, before anything else: a job that had failed already goes on to have
    failed.
    """
    return any(
        verdict.status == "firm" and SEVERITY_ORDER[verdict.severity] >= SEVERITY_ORDER[least] for verdict in standing
    )


def ends_at(least: Severity) -> Callable[[Sequence[Change]], bool]:
    """Whether changes that are told say that there is one now."""

    def ends(changes: Sequence[Change]) -> bool:
        is_there = (ChangeKind.APPEARED, ChangeKind.REVISED)
        return reaches((change.verdict for change in changes if change.kind in is_there), least)

    return ends
