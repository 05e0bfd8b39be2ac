"""A change of what is told of a live job, as plain lines for a pipe, a file or a journal."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from logsleuth.model.analysis import Analysis, Evidence, Verdict
from logsleuth.model.change import Change, ChangeKind
from logsleuth.model.vitals import JobVitals
from logsleuth.report import phrasing

MOST_LINES = 2
"""Lines of logs that are cited of a failure."""
MOST_TEXT = 240
"""Characters of a line of a log."""
INDENT = "    "


def change_lines(change: Change, analysis: Analysis) -> Iterator[str]:
    """The change, its first line for whoever reads no more; ``analysis`` is the one in which it was found."""
    verdict = change.verdict
    match change.kind:
        case ChangeKind.APPEARED:
            yield f"{at(change)} {_severity(verdict)} [{change.key}] {verdict.summary}"
            yield from _detail(verdict, analysis)
        case ChangeKind.REVISED:
            yield f"{at(change)} {_severity(verdict)} [{change.key}] revised: {verdict.summary}"
            yield INDENT + _facts(verdict, analysis)
            if change.before is not None:
                yield INDENT + f"before: {_difference(change.before, verdict)}"
        case ChangeKind.TAKEN_OVER:
            yield f"{at(change)} replaced [{change.key}] by [{change.by}]: {verdict.summary}"
        case ChangeKind.WITHDRAWN:
            why = "what came since speaks against it" if verdict.status == "firm" else "it is undecided again"
            yield f"{at(change)} withdrawn [{change.key}] {verdict.summary}"
            yield INDENT + why


def standing_line(moment: float, key: str, verdict: Verdict) -> str:
    """A verdict that was told before a restart."""
    return f"{utc(moment)} {_severity(verdict)} [{key}] told before, and stands: {verdict.summary}"


def state_line(moment: float, job: JobVitals) -> str:
    """How a job is doing: ``job default: silent, step 120 of 1,000; rank 3 silent``."""
    step = f"step {job.step:,}" if job.step is not None else ""
    if step and job.total is not None:
        step += f" of {job.total:,}"
    attempt = f"attempt {job.attempt}" if job.attempt else ""
    told = ", ".join(word for word in (job.state, attempt, step) if word)
    name = "the job" if job.job == "job" else f"job {job.job}"
    return f"{utc(moment)} {name}: {'; '.join([told, *_odd_members(job)])}"


def utc(moment: float) -> str:
    """Seconds since 1970, to the second."""
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%dT%H:%M:%SZ}"


def at(change: Change) -> str:
    """When it was found."""
    return utc(change.at)


def _severity(verdict: Verdict) -> str:
    return verdict.severity.value.upper()


def _detail(verdict: Verdict, analysis: Analysis) -> Iterator[str]:
    yield INDENT + _facts(verdict, analysis)
    if verdict.severity.fails:
        yield from (INDENT + _cited(line) for line in verdict.evidence[:MOST_LINES])
    for step in (*verdict.remedies[:1], *verdict.next_steps[: not verdict.remedies]):
        yield INDENT + f"to do: {step}"


def _facts(verdict: Verdict, analysis: Analysis) -> str:
    """``rank 2 on node-7; since 00:17:47.715; likely; process.killed``."""
    is_symptom = verdict.role == "symptom"
    who = phrasing.culprits(verdict.culprits)
    words = [
        (f"seen on {who}" if is_symptom else who) if who else "nobody is named",
        f"since {phrasing.since(verdict.since)}" if _has_time(verdict) else "",
        "an effect, its cause is not in these logs" if is_symptom else verdict.confidence.value,
        verdict.rule,
        *_where(verdict, analysis),
    ]
    return "; ".join(word for word in words if word)


def _has_time(verdict: Verdict) -> bool:
    return verdict.since.earliest is not None or verdict.since.latest is not None


def _where(verdict: Verdict, analysis: Analysis) -> Iterator[str]:
    """Which job and attempt it was, where there are several."""
    if len(analysis.jobs) > 1:
        yield f"job {verdict.job}"
    if any(job.id == verdict.job and job.attempts > 1 for job in analysis.jobs):
        yield f"attempt {verdict.attempt}"


def _cited(line: Evidence) -> str:
    text = line.text if len(line.text) <= MOST_TEXT else line.text[:MOST_TEXT] + "…"
    return f"{phrasing.place(line)}: {text}"


_TOLD: tuple[tuple[str, Callable[[Verdict], str]], ...] = (
    ("", lambda verdict: verdict.severity.value),
    ("", lambda verdict: verdict.cause),
    ("", lambda verdict: phrasing.culprits(verdict.culprits) or "nobody was named"),
    ("", lambda verdict: "an effect" if verdict.role == "symptom" else "a cause"),
    ("", lambda verdict: verdict.confidence.value),
    ("since ", lambda verdict: phrasing.since(verdict.since)),
    ("", lambda verdict: verdict.summary),
)
"""What of a verdict may be revised, in the order in which a reader asks for it."""


def _difference(before: Verdict, now: Verdict) -> str:
    """What was otherwise, as it was."""
    return "; ".join(lead + told(before) for lead, told in _TOLD if told(before) != told(now)) or "in other words"


def _odd_members(job: JobVitals) -> Iterator[str]:
    """Who is silent or blamed."""
    for state in ("blamed", "silent"):
        members = [one for one in job.ranks if one.state == state]
        ranks = [one.rank for one in members if one.rank is not None]
        names = [one.name for one in members if one.rank is None]
        who = phrasing.listed([*([phrasing.ranks(ranks)] if ranks else []), *names])
        if who:
            yield f"{who} {state}"
