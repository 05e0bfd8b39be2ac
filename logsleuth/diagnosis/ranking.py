"""Which roots to tell first."""

from collections.abc import Sequence

from logsleuth.diagnosis.finding import Finding
from logsleuth.engine.clock import certainly_after
from logsleuth.language.event_nodes import WITNESSES
from logsleuth.model.analysis import CONFIDENCE_ORDER, SEVERITY_ORDER, Severity
from logsleuth.model.cause import KIND_ORDER, Kind

_STRENGTH = {"device": 0, "kernel": 0, "scheduler": 0, "launcher": 1, "process": 1, "peer": 2, "watchdog": 3}
"""A statement of a device, the kernel or a scheduler comes before a process's own exit or exception, that before what a
peer saw, and that before a timeout."""

_GENERIC = frozenset(("uncaught-exception", "cause-not-in-log", "elastic-restart"))
"""Causes that say no more than that something ended, or began anew: any other tells more."""

assert set(_STRENGTH) == set(WITNESSES)


def order_of(severity: Severity) -> int:
    """0 for what fails a run, 1 for a warning, 2 for what is only worth knowing."""
    return 0 if severity.fails else 1 if severity is Severity.WARNING else 2


def ranked(findings: Sequence[Finding]) -> list[Finding]:
    """The findings in the order in which to tell them.

    Failures come before warnings and these before notes; of each, the attempt that decided the job comes before earlier
    ones. Then those are taken, again and again, that no other certainly precedes; among them the better witness wins,
    then a cause that says more than that none is known, the kind of cause, the confidence, the severity, the number of
    members concerned, the name of the rule, the lowest rank.
    """
    groups: dict[tuple[int, int], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((order_of(finding.severity), -finding.attempt), []).append(finding)
    return [finding for _, group in sorted(groups.items(), key=lambda item: item[0]) for finding in _in_time(group)]


def _in_time(findings: list[Finding]) -> list[Finding]:
    left, out = sorted(findings, key=_merit), []
    while left:
        first = next((f for f in left if not any(_precedes(other, f) for other in left if other is not f)), left[0])
        left.remove(first)
        out.append(first)
    return out


def _precedes(early: Finding, late: Finding) -> bool:
    """Whether everything of one finding certainly began before anything of the other."""
    return all(certainly_after(b.began, a.began) for a in early.deciding for b in late.deciding)


def why_before(first: Finding, other: Finding) -> str:
    """Why one finding is told before another, in words."""
    levels = order_of(first.severity), order_of(other.severity)
    if levels[0] != levels[1]:
        return f"{first.severity.value} comes before {other.severity.value}"
    if first.attempt != other.attempt:
        return f"it is of attempt {first.attempt}, which came later"
    if _precedes(first, other):
        return "all of it certainly began earlier"
    kinds = first.rule.kind, other.rule.kind
    grounds = (
        "a better witness tells of it",
        "its cause says more",
        f"causes of the kind {kinds[0]} are told before those of {kinds[1]}",
        f"it is {first.confidence.value}, the other {other.confidence.value}",
        f"{first.severity.value} is graver than {other.severity.value}",
        "it concerns more members",
    )
    pairs = zip(grounds, _merit(first), _merit(other), strict=False)
    return next((ground for ground, a, b in pairs if a != b), "between equals the name and the rank decide")


def _merit(finding: Finding) -> tuple[object, ...]:
    strength = min((_STRENGTH[s.event.witness] for s in finding.deciding), default=9)
    return (
        strength,
        finding.rule.cause in _GENERIC,
        KIND_ORDER[Kind(finding.rule.kind)],
        -CONFIDENCE_ORDER[finding.confidence],
        -SEVERITY_ORDER[finding.severity],
        -len(finding.members),
        finding.rule.name,
        finding.ranks,
    )
