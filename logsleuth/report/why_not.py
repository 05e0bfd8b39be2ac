"""How it is told why a cause is not the answer: what its rules ask, what of that is there, and what is missing."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import NamedTuple

from logsleuth.model.analysis import Evidence
from logsleuth.model.trace import Judged, Mention, Part, Sought, Standing, Trace, TracedClause, WhyNot
from logsleuth.report import phrasing, trace_words
from logsleuth.report.page import BLANK, Line, Page, Span, Tone, Wrap, prose

_MOST_RULES = 4
_MOST_DETAILS = 3
_MOST_LINES = 2
_MOST_UNHEARD = 6
_WHERE = {
    "device": "what the device itself tells (nvidia-smi, DCGM)",
    "kernel": "the kernel's log (dmesg, journalctl -k)",
    "scheduler": "the scheduler's log",
    "launcher": "what the launcher printed (torchrun, srun)",
}
_OF_PROCESSES = "the logs of the processes themselves, from their start"
"""Where lines of an event would stand, by its witness."""


class Near(NamedTuple):
    """A rule of the cause, as it is told."""

    rule: str
    title: str
    where: str
    """The scope in which it came nearest, where there are several."""
    outcome: str
    fate: str
    there: list[str]
    missing: list[str]
    collect: list[str]
    evidence: list[Evidence]


def near(trace: Trace) -> Near:
    """What of a rule is there and what is missing, in the scope in which it came nearest."""
    best = trace.nearest
    jobs, attempts = {one.job for one in trace.judged}, {one.attempt for one in trace.judged}
    where = trace_words.scope(best, len(jobs) > 1, len(attempts) > 1)
    fate = "; ".join(one.words for one in best.fates)
    if best.fates:
        return Near(trace.rule, trace.title, where, trace.outcome, fate, list(_there(best)), [], [], [])
    missing = [clause for clause in best.clauses if _is_missing(clause)]
    details = [_details(clause) for clause in missing]
    told = [_missing(clause, of_clause) for clause, of_clause in zip(missing, details, strict=True)]
    lines = list(dict.fromkeys(d.line for of_clause in details for d in of_clause if d.line is not None))
    collect = list(dict.fromkeys(word for clause in missing for word in _collect(clause)))
    fate = "" if told else best.because
    return Near(
        trace.rule, trace.title, where, trace.outcome, fate, list(_there(best)), told, collect, lines[:_MOST_LINES]
    )


def _there(judged: Judged) -> Iterator[str]:
    for clause in judged.clauses:
        if clause.kind in ("when", "needs") and clause.holds is Standing.HOLDS:
            members = next((part.members for part in clause.parts if part.members), "")
            yield f"{clause.text} ({members})" if members else clause.text


def _is_missing(clause: TracedClause) -> bool:
    if clause.kind == "unless":
        return clause.holds is Standing.HOLDS and clause.asked
    return clause.kind in ("when", "needs") and clause.holds is not Standing.HOLDS


def _details(clause: TracedClause) -> list[trace_words.Detail]:
    return [detail for detail in trace_words.shortfall(clause) if detail.text][:_MOST_DETAILS]


def _missing(clause: TracedClause, details: Sequence[trace_words.Detail]) -> str:
    """``seen a.fall: no line of these logs is a.fall``."""
    words = {"unless": "an exception applies: ", "needs": "it needs "}.get(clause.kind, "")
    undecided = "not decided: " if clause.holds is Standing.OPEN and clause.kind != "unless" else ""
    told = "; ".join(detail.text for detail in details)
    return f"{undecided}{words}{trace_words.lacking(clause)}" + (f": {told}" if told else "")


def _collect(clause: TracedClause) -> Iterator[str]:
    if clause.closes:
        yield clause.closes
    if clause.kind == "unless":
        return
    for sought in _unseen(clause.parts):
        yield _WHERE.get(sought.witness, _OF_PROCESSES)


def _unseen(parts: Sequence[Part]) -> Iterator[Sought]:
    yield from (sought for part in parts for sought in part.sought if not sought.seen and not sought.elsewhere)


def compose(asked: WhyNot) -> Page:
    """The section on one cause."""
    page: Page = [BLANK, prose(f"Why not {asked.cause}", tone=Tone.STRONG)]
    page += [prose(_told(mention), indent=2) for mention in asked.told]
    for trace in asked.traces[:_MOST_RULES]:
        page += _rule(near(trace))
    if rest := asked.traces[_MOST_RULES:]:
        page.append(prose(f"Farther away: {phrasing.listed([one.rule for one in rest], len(rest))}.", indent=2))
    if asked.unheard:
        page.append(prose(unheard(asked.unheard), indent=2))
    if not (asked.traces or asked.unheard or asked.told):
        page.append(prose("No rule gives this cause.", indent=2))
    return page


def _told(mention: Mention) -> str:
    return {
        "answer": f"It is the answer: {mention.rule}.",
        "told": f"It is told above: {mention.rule}.",
        "alternative": f"{mention.rule}, told above, names it as another cause that these logs allow.",
    }[mention.relation]


def _rule(told: Near) -> Page:
    outcome = {"fired": " fired", "open": " is open"}.get(told.outcome, "")
    where = f" ({told.where})" if told.where else ""
    page = [Line((Span(f"{told.rule}{outcome}{where}"), Span(f": {told.title}", Tone.FAINT)), indent=2)]
    page += [prose(told.fate, lead="=> ", indent=4)] if told.fate else []
    for label, words in (("there: ", told.there), ("missing: ", told.missing), ("collect: ", told.collect)):
        # Of what fired only its fate is asked.
        if not (told.outcome == "fired" and label == "there: "):
            page += [prose(word, lead=label.ljust(9), indent=4) for word in words]
    for line in told.evidence:
        witness = phrasing.witness(line)
        page.append(Line((Span(phrasing.place(line), Tone.CALM), Span(f"  {witness}", Tone.FAINT)), indent=13))
        page.append(Line((Span(line.text),), indent=15, most_rows=2, wrap=Wrap.FULL))
    return page


def unheard(traces: Sequence[Trace]) -> str:
    """One sentence on all rules of which no line speaks."""
    meanings = list(dict.fromkeys(word for trace in traces for word in meanings_of(trace)))
    names = phrasing.listed([trace.rule for trace in traces])
    what = "; ".join(meanings[:_MOST_UNHEARD]) + ("; ..." if len(meanings) > _MOST_UNHEARD else "")
    return (
        f"No line speaks of: {what} ({names})."
        if what
        else f"No line speaks of what {names} ask{'s' * (len(traces) == 1)} for."
    )


def meanings_of(trace: Trace) -> Iterator[str]:
    """What the events mean that a rule asks for first, and of which there are none."""
    for clause in trace.nearest.clauses:
        if clause.kind == "when" and clause.holds is not Standing.HOLDS:
            yield from dict.fromkeys(
                sought.meaning.partition(". ")[0] or sought.event for sought in _unseen(clause.parts)
            )
            return


def to_document(asked: WhyNot) -> dict[str, object]:
    """The answer on one cause as a plain document."""
    return {
        "cause": asked.cause,
        "told": [{"as": mention.relation, "verdict": mention.verdict} for mention in asked.told],
        "rules": [_document(near(trace)) for trace in asked.traces],
        "unheard": [
            {"rule": trace.rule, "title": trace.title, "events": list(meanings_of(trace))} for trace in asked.unheard
        ],
    }


def _document(told: Near) -> dict[str, object]:
    fields = told._asdict()
    return {**fields, "evidence": [asdict(line) for line in told.evidence]}
