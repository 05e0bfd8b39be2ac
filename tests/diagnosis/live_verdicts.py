"""Verdicts and analyses as judgements of a live job give them, made by hand."""

from collections.abc import Sequence
from dataclasses import replace

from logsleuth.model.analysis import (
    Absorbed,
    Analysis,
    Confidence,
    Culprits,
    Evidence,
    Job,
    Severity,
    Since,
    Span,
    Verdict,
)

Line = tuple[str, int]
"""Source and offset."""


def verdict(
    rule: str = "process.killed",
    ranks: tuple[int, ...] = (3,),
    lines: Sequence[Line] = (("agent.log", 100),),
    *,
    hosts: tuple[str, ...] = (),
    attempt: int = 0,
    job: str = "default",
    severity: Severity = Severity.FATAL,
    status: str = "firm",
    confidence: Confidence = Confidence.LIKELY,
    summary: str = "something happened",
    since: str | None = "2026-03-04T11:50:00.000",
    alternatives: tuple[str, ...] = (),
) -> Verdict:
    return Verdict(
        id="v1",
        job=job,
        attempt=attempt,
        rule=rule,
        cause=rule.partition(".")[2],
        title="",
        severity=severity,
        role="root",
        status=status,
        confidence=confidence,
        since=Since(since, since, "stamp of the line"),
        culprits=Culprits(ranks=ranks, hosts=hosts),
        summary=summary,
        evidence=tuple(Evidence(source, 1, offset, None, None, None, f"line at {offset}") for source, offset in lines),
        occurrences=len(lines),
        alternatives=alternatives,
    )


def analysis(*verdicts: Verdict, absorbed: Sequence[Absorbed] = (), jobs: Sequence[str] = ("default",)) -> Analysis:
    """Of these verdicts, in the order in which they are ranked."""
    told = tuple(replace(one, id=f"v{number}") for number, one in enumerate(verdicts, 1))
    known = tuple(Job(name, 4, True, (0, 1, 2, 3), (), (), 1, Span(None, None)) for name in jobs)
    return Analysis(told, known, (), absorbed=tuple(absorbed))
