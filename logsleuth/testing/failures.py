"""What a failed test tells: what was expected, what came, and why, with the evidence that decided or was missing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from logsleuth.language.syntax import Expectation
from logsleuth.model.analysis import Evidence, Verdict
from logsleuth.model.trace import Judged, Standing, Trace, TracedClause
from logsleuth.report import phrasing, trace_words

MOST_LINES = 15
"""Lines of one failure."""
_MOST_CITED = 3
_LONGEST = 160
"""Characters of a line of a log that are shown."""


class Failure:
    """An expectation that was not met. ``names`` call the test's logs by what its author knows them by."""

    def __init__(self, expected: Expectation, verdicts: Sequence[Verdict], names: Mapping[str, str]) -> None:
        self._expected, self._verdicts, self._names = expected, verdicts, names

    def text(self, traces: Sequence[Trace]) -> str:
        """Expected against got, and why; ``traces`` are of the rules that ``wanted`` names."""
        lines = [f"{'expect':8}{said(self._expected)}", *self._got(), *self._why(traces)]
        if len(lines) > MOST_LINES:
            lines = [*lines[: MOST_LINES - 1], "..."]
        return "\n".join(lines)

    def _got(self) -> Iterator[str]:
        told = [described(verdict) for verdict in self._verdicts[:_MOST_CITED]]
        if rest := self._verdicts[_MOST_CITED:]:
            told.append(f"and {phrasing.count(len(rest), 'more verdict')}")
        yield from (
            f"{label:8}{line}" for label, line in zip(["got", *[""] * len(told)], told or ["nothing"], strict=False)
        )

    def _why(self, traces: Sequence[Trace]) -> Iterator[str]:
        kind = self._expected.kind
        own = [verdict for verdict in self._verdicts if verdict.rule == self._expected.name]
        if kind == "nothing":
            yield from self._deciding([v for v in self._verdicts if v.status == "firm" and v.severity.fails])
        elif kind == "no rule":
            yield from self._deciding(own)
        elif kind == "cause":
            yield from self._of_cause(traces)
        elif kind == "rule" and any(v.role == "root" and v.status == "firm" for v in own):
            yield from self._of_culprits(own, traces)
        else:
            yield from (line for trace in traces for line in self._short(trace))

    def _deciding(self, verdicts: Sequence[Verdict]) -> Iterator[str]:
        for verdict in verdicts[:2]:
            yield f"{verdict.rule} {'was decided by' if verdict.status == 'firm' else 'is open, and goes by'}"
            yield from (line for one in verdict.evidence[:_MOST_CITED] for line in self._cited(one))

    def _of_culprits(self, own: Sequence[Verdict], traces: Sequence[Trace]) -> Iterator[str]:
        yield f"{own[0].rule} names {phrasing.culprits(own[0].culprits) or 'nobody'}, for"
        judged = [one for trace in traces for one in trace.judged if one.fates][:1]
        for clause in judged[0].clauses if judged else ():
            if any(part.who or part.worths for part in clause.parts):
                yield f"  {clause.kind} {clause.text}"
                yield from (f"    - {d.text}" for d in islice(trace_words.details(clause, set()), 2) if d.text)
        yield from (line for one in own[0].evidence[:2] for line in self._cited(one))

    def _of_cause(self, traces: Sequence[Trace]) -> Iterator[str]:
        roots = [verdict for verdict in self._verdicts if verdict.role == "root" and verdict.status == "firm"]
        if roots:
            yield f"{roots[0].rule} (cause {roots[0].cause}) came first, decided by"
            yield from (line for one in roots[0].evidence[:1] for line in self._cited(one))
        fired = [trace for trace in traces if trace.outcome != "no"]
        for trace in (fired or sorted(traces, key=_farness))[:1]:
            yield from self._short(trace)

    def _short(self, trace: Trace) -> Iterator[str]:
        """What a trace comes down to: the fate of a rule that fired, else what is missing where it came nearest."""
        best = trace.nearest
        where = f" for {best.scope}" if best.scope else ""
        yield from (f"{trace.rule}{where} {_came(best)}: {fate.words}" for fate in best.fates)
        yield from (line for fate in best.fates for one in fate.lines[:1] for line in self._cited(one))
        if not best.fates:
            why = "" if any(map(_is_short, best.clauses)) else f" {best.because}"
            yield f"{trace.rule} did not fire{where}:{why}"
        if best.outcome != "fired":
            yield from (line for clause in _in_the_way(best.clauses) for line in self._clause(clause))

    def _clause(self, clause: TracedClause) -> Iterator[str]:
        """A clause that stands in the way, and why it does."""
        if clause.kind == "let":
            yield f"  open:  let {_name(clause)}: {trace_words.lacking(clause)}"
        else:
            yield f"  {trace_words.mark(clause)}{clause.kind} {trace_words.lacking(clause)}"
        for detail in islice(trace_words.shortfall(clause), 4):
            if detail.text:
                yield f"    - {detail.text}"
            if detail.line is not None:
                yield from (f"    {line}" for line in self._cited(detail.line))
        if clause.closes:
            yield f"    - {clause.closes} would decide it"

    def _cited(self, line: Evidence) -> Iterator[str]:
        place = f"{self._names[line.source]}, line {line.line}" if line.source in self._names else phrasing.place(line)
        witness = phrasing.witness(line)
        yield f"  {place}" + (f"  ({witness})" if witness else "")
        text = line.text
        yield f"    {text if len(text) <= _LONGEST else text[: _LONGEST - 3] + '...'}"


def said(expected: Expectation) -> str:
    """What is expected, as a test writes it."""
    match expected.kind:
        case "nothing":
            return "nothing"
        case "no rule" | "open rule" | "cause":
            return f"{expected.kind.partition(' ')[0]} {expected.name}"
    return expected.name + _culprits(expected.culprits, expected.members)


def described(verdict: Verdict) -> str:
    """A verdict in the words of tests, with its sentence behind them."""
    who = verdict.culprits
    kinds: list[tuple[str, Sequence[object]]] = [("ranks", who.ranks), ("local_ranks", who.local_ranks)]
    kind, members = next(((kind, found) for kind, found in kinds if found), ("hosts", who.hosts))
    is_open = "open " if verdict.status == "open" else ""
    named = _culprits(kind, [str(member) for member in members]) if members else ""
    role = ", an effect" if verdict.role == "symptom" else ""
    return f"{is_open}{verdict.rule}{named} ({verdict.severity.value}{role}): {verdict.summary}"


def _culprits(kind: str, members: Sequence[str]) -> str:
    if not kind or kind == "nobody":
        return " culprit nobody" if kind else ""
    word = kind if len(members) != 1 else kind.removesuffix("s")
    return f" culprit {word} {', '.join(members)}"


def wanted(expected: Expectation, causes: Mapping[str, str]) -> list[str]:
    """The rules whose traces tell why an expectation is not met; ``causes`` are those of the rules."""
    if expected.kind == "cause":
        return sorted(name for name, cause in causes.items() if cause == expected.name)
    return [expected.name] if expected.kind in ("rule", "open rule") else []


def _came(judged: Judged) -> str:
    return "is open" if judged.outcome == "open" else "fired"


def _in_the_way(clauses: Sequence[TracedClause]) -> list[TracedClause]:
    """The clauses by which a rule did not fire, and the sets that they speak of where these are open."""
    short = [clause for clause in clauses if _is_short(clause)]
    spoken = {word for clause in short for word in re.findall(r"\w+", clause.text)}
    return [
        clause
        for clause in clauses
        if _is_short(clause)
        or (clause.kind == "let" and _name(clause) in spoken and any(p.holds is Standing.OPEN for p in clause.parts))
    ]


def _name(let: TracedClause) -> str:
    return let.text.partition(" = ")[0]


def _is_short(clause: TracedClause) -> bool:
    if clause.kind == "unless":
        return clause.asked and clause.holds is Standing.HOLDS
    return clause.asked and clause.kind in ("when", "needs") and clause.holds in (Standing.FAILS, Standing.OPEN)


def _farness(trace: Trace) -> tuple[int, str]:
    return -trace.nearest.holding, trace.rule
