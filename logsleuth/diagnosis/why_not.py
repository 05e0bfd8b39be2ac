"""Why a cause is not the answer: which of its rules came near, and of which no line speaks."""

from collections.abc import Sequence

from logsleuth.model.analysis import Analysis
from logsleuth.model.trace import Judged, Mention, Part, Standing, Trace, WhyNot


def why_not(cause: str, traces: Sequence[Trace], analysis: Analysis) -> WhyNot:
    """What the traces of the rules that give a cause say of it."""
    own = [trace for trace in traces if trace.cause == cause]
    near = sorted((trace for trace in own if _is_heard(trace)), key=_nearness)
    unheard = sorted((trace for trace in own if not _is_heard(trace)), key=lambda trace: trace.rule)
    return WhyNot(cause, tuple(_told(cause, analysis)), tuple(near), tuple(unheard))


def _told(cause: str, analysis: Analysis) -> list[Mention]:
    """In which verdicts the cause stands already."""
    told = []
    jobs = set[str]()
    for verdict in analysis.verdicts:
        is_first = verdict.job not in jobs and verdict.status == "firm" and not verdict.is_note
        jobs.add(verdict.job)
        if verdict.cause == cause and verdict.status == "firm":
            told.append(Mention("answer" if is_first else "told", verdict.id, verdict.rule))
        elif cause in verdict.alternatives and not verdict.is_note:
            told.append(Mention("alternative", verdict.id, verdict.rule))
    return told


def _is_heard(trace: Trace) -> bool:
    """Whether something was seen of that of which the rule speaks first, in whatever scope."""
    return trace.outcome != "no" or any(map(_is_begun, trace.judged))


def _is_begun(judged: Judged) -> bool:
    conditions = (clause for clause in judged.clauses if clause.kind == "when")
    speaking = (part for clause in conditions for part in clause.parts if part.lines or part.steps or part.sought)
    first = next(speaking, None)
    return first is not None and _is_seen(first)


def _is_seen(part: Part) -> bool:
    return bool(part.lines or part.steps) or any(sought.seen or sought.elsewhere for sought in part.sought)


def _nearness(trace: Trace) -> tuple[object, ...]:
    best = trace.nearest
    return ("fired", "open", "no").index(trace.outcome), -_share(best), trace.rule


def _share(judged: Judged) -> float:
    """The share of the conditions that hold."""
    asked = [clause for clause in judged.clauses if clause.kind in ("when", "needs")]
    return sum(clause.holds is Standing.HOLDS for clause in asked) / max(len(asked), 1)
