"""How a verdict is told: in full for the answer, in short for the others."""

from collections.abc import Iterable, Sequence

from logsleuth.model.analysis import SEVERITY_ORDER, Analysis, Culprits, Echo, Evidence, Reason, Severity, Verdict
from logsleuth.report import phrasing
from logsleuth.report.page import BLANK, Line, Page, Span, Tone, Wrap, fact, prose, section

MOST_EVIDENCE = 6
MOST_ECHOES = 6
MOST_OTHERS = 8
ROWS_OF_EVIDENCE = 3
"""Rows that a line of a log may take under the answer, so that its message is seen behind a long header."""
ALL_OF_IT = "--format json shows them"

_TONES = {
    Severity.FATAL: Tone.ALARM,
    Severity.ERROR: Tone.ALARM,
    Severity.WARNING: Tone.CAUTION,
    Severity.INFO: Tone.CALM,
}


def in_full(verdict: Verdict, analysis: Analysis) -> Page:
    """The answer: what, who, since when, how it went, on which lines, what to do, what it explains."""
    return [
        *_headline(verdict),
        BLANK,
        *_facts(verdict, analysis),
        *section("What happened", _chain(verdict.chain)),
        *section("The lines that decide it", _evidence(verdict.evidence, verdict.occurrences)),
        *section("How it was decided", _reasoning(verdict.reasoning)),
        *section("What to do", _numbered(verdict.remedies)),
        *section("What to look at or collect next", _bullets(verdict.next_steps)),
        *section("Explained by this", _echoes(verdict.explains)),
        *section("Read more", _bullets(verdict.see)),
    ]


def in_short(verdicts: Sequence[Verdict], heading: str, analysis: Analysis) -> Page:
    """Verdicts after the first: a sentence, the certainty and the first line of evidence each; the rest is counted."""
    lines = [line for verdict in verdicts[:MOST_OTHERS] for line in _short(verdict, analysis)]
    if rest := verdicts[MOST_OTHERS:]:
        lines.append(prose(f"and {_by_severity(rest)} more ({ALL_OF_IT})", indent=2))
    return section(heading, lines)


def _headline(verdict: Verdict) -> Page:
    word = severity(verdict).upper() + ": "
    lead = Span(word, tone(verdict))
    lines = []
    if verdict.role == "symptom":
        lines.append(
            Line((Span("the cause is not in these logs; what they show is only an effect", Tone.STRONG),), lead)
        )
        lead = Span(" " * len(word))
    lines.append(Line((Span(verdict.summary, Tone.STRONG),), lead))
    if verdict.title and verdict.title.rstrip(".") != verdict.summary.rstrip("."):
        lines.append(prose(verdict.title, indent=len(word), tone=Tone.FAINT))
    return lines


def _facts(verdict: Verdict, analysis: Analysis) -> Page:
    is_symptom = verdict.role == "symptom"
    nobody = "not known" if is_symptom else "these logs do not name a guilty rank or host"
    who = phrasing.culprits(verdict.culprits) or nobody
    facts = [
        fact("Seen on" if is_symptom and verdict.culprits else "Who", who),
        fact("Since", phrasing.since(verdict.since)),
        fact("How sure", phrasing.certainty(verdict)),
    ]
    if verdict.alternatives:
        facts.append(fact("Think of" if is_symptom else "Or else", ", ".join(verdict.alternatives)))
    adjusted = ", adjusted by this site" if verdict.adjusted else ""
    facts.append(fact("Rule", f"{verdict.rule} (cause: {verdict.cause}, severity: {verdict.severity.value}{adjusted})"))
    if where := _job_and_attempt(verdict, analysis):
        facts.append(fact("Where", where))
    return facts


def _job_and_attempt(verdict: Verdict, analysis: Analysis) -> str:
    """Which job and attempt it was; empty where there is only one of each."""
    job = next((job for job in analysis.jobs if job.id == verdict.job), None)
    words = [f"job {verdict.job}"] if len(analysis.jobs) > 1 else []
    if job and job.attempts > 1:
        words.append(f"attempt {verdict.attempt} ({phrasing.ranks(range(job.attempts), 'attempt')} in these logs)")
    return ", ".join(words)


def _chain(steps: Sequence[str]) -> Page:
    return [prose(step, lead="→ " if place else "", indent=2) for place, step in enumerate(steps)]


def _evidence(evidence: Sequence[Evidence], occurrences: int) -> Page:
    lines: Page = []
    for one in evidence[:MOST_EVIDENCE]:
        lines.append(_location(one, indent=2))
        lines.append(Line((Span(one.text),), indent=4, most_rows=ROWS_OF_EVIDENCE, wrap=Wrap.FULL))
    if rest := evidence[MOST_EVIDENCE:]:
        lines.append(prose(f"and {phrasing.count(len(rest), 'more line')} ({ALL_OF_IT})", indent=2))
    elif lines and occurrences > len(evidence):
        lines.append(prose(f"seen {occurrences:,} times in all", indent=2))
    return lines


def _reasoning(reasons: Sequence[Reason]) -> Page:
    lines: Page = []
    for reason in reasons:
        told = [reason.members, f"{reason.closes} would decide it" if reason.closes else ""]
        spans = [Span(reason.condition)]
        if rest := "; ".join(word for word in told if word):
            spans.append(Span(f" ({rest})", Tone.FAINT))
        lines.append(Line(tuple(spans), Span("holds: " if reason.holds == "yes" else "open: "), 2))
    return lines


def _location(evidence: Evidence, indent: int) -> Line:
    witness = phrasing.witness(evidence)
    spans = (Span(phrasing.place(evidence), Tone.CALM), Span(f"  {witness}" if witness else "", Tone.FAINT))
    return Line(spans, indent=indent, wrap=Wrap.WORDS)


def _numbered(steps: Sequence[str]) -> Page:
    width = len(str(len(steps)))
    return [prose(step, lead=f"{number:>{width}}. ", indent=2) for number, step in enumerate(steps, 1)]


def _bullets(steps: Iterable[str]) -> Page:
    return [prose(step, lead="- ", indent=2) for step in steps]


def _echoes(echoes: Sequence[Echo]) -> Page:
    lines = [_echo(echo) for echo in echoes[:MOST_ECHOES]]
    if rest := echoes[MOST_ECHOES:]:
        folded = phrasing.count(sum(echo.occurrences for echo in rest), "line")
        lines.append(prose(f"and {phrasing.count(len(rest), 'other kind')} ({folded})", lead="- ", indent=2))
    return lines


def _echo(echo: Echo) -> Line:
    where = f" on {phrasing.ranks(echo.ranks)}" if echo.ranks else ""
    told = f"{echo.rule}{where} ({phrasing.count(echo.occurrences, 'line')})"
    return Line((Span(told), Span(f": {echo.title}" if echo.title else "", Tone.FAINT)), Span("- "), 2)


def _short(verdict: Verdict, analysis: Analysis) -> Page:
    lead = Span(f"{severity(verdict)}: ", tone(verdict))
    kind = "an effect, its cause is not known" if verdict.role == "symptom" else verdict.confidence.value
    where = _job_and_attempt(verdict, analysis)
    who = unnamed(verdict.culprits, verdict.summary)
    told = [verdict.rule, f"{verdict.severity.value} if it holds" if verdict.status == "open" else "", kind, who, where]
    # Of a note nothing more is told anywhere else, whatever comes before it.
    advice = verdict.remedies[:1] if verdict.is_note else ()
    return [
        Line((Span(verdict.summary),), lead, indent=2),
        prose("; ".join(word for word in told if word), indent=4, tone=Tone.FAINT),
        *(_location(one, indent=4) for one in verdict.evidence[:1]),
        *(prose(step, lead="→ ", indent=4) for step in advice),
    ]


def unnamed(culprits: Culprits, summary: str) -> str:
    """The culprits, where the sentence has not named them already."""
    who = phrasing.culprits(culprits)
    is_named = who in summary or bool(culprits.ranks and phrasing.ranks(culprits.ranks) in summary)
    return "" if is_named else who


def severity(verdict: Verdict) -> str:
    """How bad it is; what is open is not said to be bad."""
    return verdict.severity.value if verdict.status == "firm" else "undecided"


def tone(verdict: Verdict) -> Tone:
    """How its severity is meant."""
    return _TONES[verdict.severity] if verdict.status == "firm" else Tone.CAUTION


def _by_severity(verdicts: Sequence[Verdict]) -> str:
    """``2 errors and 3 warnings``."""
    nouns = {Severity.FATAL: ("fatal", "fatal"), Severity.INFO: ("note", "notes")}
    found: dict[Severity, int] = {}
    for verdict in verdicts:
        found[verdict.severity] = found.get(verdict.severity, 0) + 1
    ordered = sorted(found, key=SEVERITY_ORDER.__getitem__, reverse=True)
    return phrasing.listed([phrasing.count(found[s], *nouns.get(s, (s.value, ""))) for s in ordered])
