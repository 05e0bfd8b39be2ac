"""What happens while a job is followed, as plain documents: the lines of ``--format jsonl``, and what alerts are given.

The published schema is stated in ``logsleuth.report.live_schema``; a test keeps the two equal. Every key is always
there, but for those of ``before``, which tells only what was otherwise.
"""

import json
import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from logsleuth import __version__
from logsleuth.model.analysis import Analysis, Problem, Verdict
from logsleuth.model.change import Change, ChangeKind
from logsleuth.model.vitals import JobVitals, RankVitals, Vitals
from logsleuth.report.document import Json, problem_document, to_document, verdict_document

FORMAT = 1
"""Of the lines. Keys and types of lines may be added under the same number, never removed or renamed."""

REVISABLE = ("cause", "severity", "role", "confidence", "since", "culprits", "summary")
"""What makes a verdict another one for whoever acts on it."""


def line(document: Json) -> str:
    """The document as one line; in ASCII, which every output encoding can take."""
    return json.dumps(document, allow_nan=False) + "\n"


def started(at: float, paths: Sequence[str], standing: Iterable[tuple[str, Verdict]], is_resumed: bool) -> Json:
    """The following begins; ``standing`` is what was told before a restart, by its keys."""
    told = [{"key": key, "verdict": verdict_document(verdict)} for key, verdict in standing]
    return _head("started", at) | {
        "version": __version__,
        "paths": list(paths),
        "resumed": is_resumed,
        "standing": told,
    }


def change_document(change: Change) -> Json:
    """A change of what is told."""
    verdict = verdict_document(change.verdict)
    before: Json | None = None
    if change.kind is ChangeKind.REVISED and change.before is not None:
        told = verdict_document(change.before)
        before = {key: told[key] for key in REVISABLE if told[key] != verdict[key]}
    return _head("verdict", change.at) | {
        "change": change.kind.value,
        "number": change.number,
        "key": change.key,
        "verdict": verdict,
        "before": before,
        "by": change.by,
    }


def state(at: float, job: JobVitals, vitals: Vitals) -> Json:
    """How a job is doing."""
    return _head("state", at) | {
        "job": job.job,
        "attempt": job.attempt,
        "state": job.state,
        "step": job.step,
        "total": job.total,
        "speed": _finite(job.speed),
        "loss": _finite(job.loss),
        "memory": _finite(job.memory),
        "members": _members(job.ranks),
        "read": {
            "sources": vitals.sources,
            "bytes": vitals.bytes,
            "lines": vitals.lines,
            "events": vitals.events,
        },
    }


def input_problem(at: float, source: str, problem: Problem) -> Json:
    """Something about an input that the reader should know."""
    return _head("input", at) | {"source": source, "problem": problem_document(problem)}


def trouble(at: float, text: str) -> Json:
    """Something is wrong with the following itself."""
    return _head("trouble", at) | {"text": text}


def ended(at: float, exit_status: int, analysis: Analysis) -> Json:
    """The last line: the whole analysis as ``--format json`` prints it."""
    return _head("ended", at) | {"exit_status": exit_status, "analysis": to_document(analysis)}


def instant(at: float) -> str:
    """Seconds since 1970 as ISO 8601 in UTC, with milliseconds."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _head(kind: str, at: float) -> Json:
    return {"format": FORMAT, "type": kind, "at": instant(at)}


def _members(ranks: Sequence[RankVitals]) -> list[Json]:
    """Who is in which state: a thousand ranks that run are one entry."""
    by_state: dict[str, list[RankVitals]] = {}
    for one in ranks:
        by_state.setdefault(one.state, []).append(one)
    return [
        {
            "state": name,
            "ranks": sorted(one.rank for one in members if one.rank is not None),
            "others": sorted(one.name for one in members if one.rank is None),
        }
        for name, members in sorted(by_state.items())
    ]


def _finite(value: float | None) -> float | None:
    """JSON has no other numbers."""
    return value if value is not None and math.isfinite(value) else None
