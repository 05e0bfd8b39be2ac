"""How a trace is told in a terminal: scope by scope, clause by clause, and then what became of the cases."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from logsleuth import __version__
from logsleuth.model.analysis import Evidence
from logsleuth.model.trace import Fate, Judged, Standing, Trace, TracedClause
from logsleuth.report import phrasing, trace_words
from logsleuth.report.page import BLANK, Line, Page, Span, Tone, Wrap, prose

SCHEMA = "logsleuth-trace/1"
_IN_FULL = 3
"""Scopes that are told clause by clause; of the others only why."""
_ROWS_OF_LINES = 2
_OUTCOMES = {
    "fired": "It fired.",
    "open": "It may yet fire: these logs do not decide it.",
    "no": "It did not fire.",
}
_TONES = {
    Standing.HOLDS: Tone.CALM,
    Standing.FAILS: Tone.ALARM,
    Standing.OPEN: Tone.CAUTION,
    Standing.NAMES: Tone.FAINT,
}
_OF_EXCEPTION = {Standing.HOLDS: Tone.ALARM, Standing.FAILS: Tone.CALM}
_FATES = {
    "root": "told",
    "echo": "explained away",
    "symptom": "an effect",
    "merged": "told with another",
    "open": "open",
}


def compose(trace: Trace) -> Page:
    """What there is to tell of a rule."""
    page: Page = [
        Line(
            (Span(f"{trace.rule} ", Tone.STRONG), Span(f"(cause: {trace.cause}, {trace.place})", Tone.FAINT)),
            wrap=Wrap.WORDS,
        ),
        *([prose(f"{trace.title}.", indent=2, tone=Tone.FAINT)] if trace.title else []),
        prose(_OUTCOMES[trace.outcome], indent=2, tone=Tone.STRONG),
    ]
    jobs, attempts = {one.job for one in trace.judged}, {one.attempt for one in trace.judged}
    for number, one in enumerate(trace.judged):
        heading = trace_words.scope(one, len(jobs) > 1, len(attempts) > 1)
        page += [BLANK, *([prose(f"{heading[:1].upper()}{heading[1:]}", tone=Tone.STRONG)] if heading else [])]
        page += _in_full(one) if number < _IN_FULL else _in_short(one)
    return page


def _in_short(judged: Judged) -> Page:
    words = f"did not fire: {judged.because}" if judged.because else judged.outcome
    return [prose(words, indent=2), *_fates(judged.fates)]


def _in_full(judged: Judged) -> Page:
    is_plain = judged.was_judged and any(map(_shows_why, judged.clauses))
    because = [judged.because] if judged.because and not is_plain else []
    told: set[trace_words.Detail] = set()
    return [
        *(prose(f"did not fire: {words}", indent=2) for words in because),
        *(line for clause in judged.clauses for line in _clause(clause, told)),
        *_fates(judged.fates),
    ]


def _shows_why(clause: TracedClause) -> bool:
    """Whether how the clause stands says by itself why a rule did not fire."""
    return clause.asked and clause.holds is (Standing.HOLDS if clause.kind == "unless" else Standing.FAILS)


def _clause(clause: TracedClause, told: set[trace_words.Detail]) -> Iterator[Line]:
    lead = trace_words.mark(clause)
    tone = Tone.FAINT if not clause.asked else Tone.PLAIN
    looks = {**_TONES, **(_OF_EXCEPTION if clause.kind == "unless" else {})}
    yield Line((Span(trace_words.sentence(clause), tone),), Span(lead, looks[clause.holds]), 2)
    for detail in trace_words.details(clause, told):
        if detail.text:
            yield prose(detail.text, lead="- ", indent=2 + len(lead))
        if detail.line is not None:
            yield from _cited(detail.line, 4 + len(lead))


def _cited(line: Evidence, indent: int) -> Iterator[Line]:
    witness = phrasing.witness(line)
    spans = (Span(phrasing.place(line), Tone.CALM), Span(f"  {witness}" if witness else "", Tone.FAINT))
    yield Line(spans, indent=indent, wrap=Wrap.WORDS)
    if line.text:
        yield Line((Span(line.text),), indent=indent + 2, most_rows=_ROWS_OF_LINES, wrap=Wrap.FULL)


def _fates(fates: Sequence[Fate]) -> Page:
    page: Page = []
    for fate in fates:
        who = f" ({fate.who})" if fate.who else ""
        page.append(prose(f"{_FATES[fate.what]}{who}: {fate.words}", lead="=> ", indent=2))
        page += [row for line in fate.lines for row in _cited(line, 5)]
    return page


def to_json(traces: Sequence[Trace]) -> str:
    """The traces as JSON text that ends in a newline, in ASCII; their keys are the names of the records' fields."""
    document = {"schema": SCHEMA, "version": __version__, "traces": [_document(trace) for trace in traces]}
    return json.dumps(document, indent=2) + "\n"


def _document(trace: Trace) -> dict[str, object]:
    return {**asdict(trace), "outcome": trace.outcome}
