"""An analysis as a plain document: what ``--format json`` prints.

The published schema is stated in ``logsleuth.report.schema``; a test keeps the two equal. Every key is always there,
so that a reader never has to ask whether it is, but for ``why_not``, which is the answer to a question.
"""

import json

from logsleuth import __version__
from logsleuth.model.analysis import (
    Analysis,
    Clock,
    Culprits,
    Echo,
    Evidence,
    Input,
    Job,
    Problem,
    Reason,
    Since,
    Span,
    Verdict,
)

SCHEMA = "logsleuth/1"
"""Name and major version of the document's form. Keys may be added under the same name, never removed or renamed."""

Json = dict[str, object]


def to_document(analysis: Analysis) -> Json:
    """The analysis as dictionaries, lists, strings, numbers, booleans and None; equal analyses give equal documents."""
    return {
        "schema": SCHEMA,
        "version": __version__,
        "verdicts": [verdict_document(verdict) for verdict in analysis.verdicts],
        "jobs": [job_document(job) for job in analysis.jobs],
        "inputs": [_input(source) for source in analysis.inputs],
        "notes": list(analysis.notes),
        **({"why_not": _why_not(analysis)} if analysis.why_not else {}),
    }


def _why_not(analysis: Analysis) -> list[dict[str, object]]:
    from logsleuth.report.why_not import to_document  # Few ask.

    return [to_document(one) for one in analysis.why_not]


def to_json(analysis: Analysis) -> str:
    """The document as JSON text that ends in a newline; in ASCII, which every output encoding can take."""
    return json.dumps(to_document(analysis), indent=2) + "\n"


def verdict_document(verdict: Verdict) -> Json:
    """A verdict; the lines of a live job tell it too."""
    return {
        "id": verdict.id,
        "job": verdict.job,
        "attempt": verdict.attempt,
        "rule": verdict.rule,
        "cause": verdict.cause,
        "title": verdict.title,
        "severity": verdict.severity.value,
        "role": verdict.role,
        "status": verdict.status,
        "confidence": verdict.confidence.value,
        "since": _since(verdict.since),
        "culprits": _culprits(verdict.culprits),
        "summary": verdict.summary,
        "chain": list(verdict.chain),
        "evidence": [_evidence(evidence) for evidence in verdict.evidence],
        "occurrences": verdict.occurrences,
        "explains": [_echo(echo) for echo in verdict.explains],
        "alternatives": list(verdict.alternatives),
        "remedies": list(verdict.remedies),
        "next_steps": list(verdict.next_steps),
        "see": list(verdict.see),
        "unknowns": list(verdict.unknowns),
        "reasoning": [_reason(reason) for reason in verdict.reasoning],
        "adjusted": verdict.adjusted,
    }


def _reason(reason: Reason) -> Json:
    return {
        "condition": reason.condition,
        "holds": reason.holds,
        "members": reason.members,
        "closes": reason.closes,
    }


def _since(since: Since) -> Json:
    return {"earliest": since.earliest, "latest": since.latest, "basis": since.basis}


def _culprits(culprits: Culprits) -> Json:
    return {
        "ranks": list(culprits.ranks),
        "local_ranks": list(culprits.local_ranks),
        "hosts": list(culprits.hosts),
    }


def _evidence(evidence: Evidence) -> Json:
    return {
        "source": evidence.source,
        "line": evidence.line,
        "offset": evidence.offset,
        "rank": evidence.rank,
        "host": evidence.host,
        "time": evidence.time,
        "text": evidence.text,
    }


def _echo(echo: Echo) -> Json:
    return {"rule": echo.rule, "title": echo.title, "occurrences": echo.occurrences, "ranks": list(echo.ranks)}


def job_document(job: Job) -> Json:
    """A job; ``logsleuth inspect`` tells more of it."""
    return {
        "id": job.id,
        "size": job.size,
        "size_is_stated": job.size_is_stated,
        "seen_ranks": list(job.seen_ranks),
        "silent_ranks": list(job.silent_ranks),
        "hosts": list(job.hosts),
        "attempts": job.attempts,
        "span": span_document(job.span),
        "clocks": [_clock(clock) for clock in job.clocks],
    }


def _clock(clock: Clock) -> Json:
    return {
        "host": clock.host,
        "source": clock.source,
        "offset": clock.offset,
        "uncertainty": clock.uncertainty,
        "anchors": clock.anchors,
    }


def _input(source: Input) -> Json:
    return {
        "source": source.source,
        "format": source.format,
        "bytes": source.bytes,
        "lines": source.lines,
        "events": source.events,
        "problems": [problem_document(problem) for problem in source.problems],
        "layout": source.layout,
    }


def span_document(span: Span) -> Json:
    """A span of time."""
    return {"started": span.started, "ended": span.ended}


def problem_document(problem: Problem) -> Json:
    """A problem of an input."""
    return {"text": problem.text, "fatal": problem.fatal}
