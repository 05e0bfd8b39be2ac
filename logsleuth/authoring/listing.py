"""Lists of rules, events and causes, for people and for programs."""

from collections import Counter
from collections.abc import Mapping, Sequence

from logsleuth.authoring.index import Index
from logsleuth.authoring.vocabulary import vocabulary
from logsleuth.language import syntax as s
from logsleuth.language.program import Program, wordings_of
from logsleuth.report.phrasing import count

Row = tuple[str, ...]
"""The cells of one line; the last is prose and may be cut."""


_LEAST_PROSE = 40
"""Columns of prose below which another column makes room."""


def rule_rows(rules: Sequence[s.Rule]) -> list[Row]:
    """Name, severity, cause, and what it means."""
    return [(rule.name, rule.severity, rule.cause, _one_line(rule.doc) + _adjusted(rule)) for rule in rules]


def event_rows(events: Sequence[s.Event], index: Index) -> list[Row]:
    """Name, wordings, rules that read it, and what it means with what it tells."""
    return [
        (
            event.name,
            count(_wordings(event), "wording"),
            count(len(index.readers(event.name)), "rule"),
            _one_line(event.doc) + _told(index.program.fields(event.name)),
        )
        for event in events
    ]


def cause_rows(causes: Sequence[str], program: Program) -> list[Row]:
    """Name, kind, how many rules find it, and what it means."""
    found = Counter(rule.cause for rule in program.rules.values())
    known = vocabulary(program)
    return [(cause, known[cause].kind, count(found[cause], "rule"), known[cause].meaning) for cause in causes]


def rule_objects(rules: Sequence[s.Rule]) -> list[dict[str, object]]:
    """The same for programs."""
    return [
        {
            "name": rule.name,
            "severity": rule.severity,
            "cause": rule.cause,
            "role": rule.role,
            "meaning": _one_line(rule.doc),
            "file": rule.at.file,
            "line": rule.at.line,
            "adjusted": [f"{at.file}:{at.line}" for at in rule.adjusted],
        }
        for rule in rules
    ]


def event_objects(events: Sequence[s.Event], index: Index) -> list[dict[str, object]]:
    """The same for programs."""
    return [
        {
            "name": event.name,
            "meaning": _one_line(event.doc),
            "fields": dict(sorted(index.program.fields(event.name).items())),
            "wordings": _wordings(event),
            "rules": index.readers(event.name),
            "file": event.at.file,
            "line": event.at.line,
        }
        for event in events
    ]


def cause_objects(causes: Sequence[str], program: Program) -> list[dict[str, object]]:
    """The same for programs."""
    rules = sorted(program.rules.values(), key=lambda rule: rule.name)
    known = vocabulary(program)
    return [
        {
            "name": cause,
            "kind": known[cause].kind,
            "meaning": known[cause].meaning,
            "rules": [rule.name for rule in rules if rule.cause == cause],
        }
        for cause in causes
    ]


def lines(rows: Sequence[Row], width: int | None) -> list[str]:
    """The rows in columns. Where there is a width, prose that does not fit is cut with a mark, and where next to none
    would fit, the column before it is left out."""
    if not rows:
        return []
    if width is not None and width - sum(_widths(rows)) - 2 * len(_widths(rows)) < _LEAST_PROSE:
        rows = [(*row[:-2], row[-1]) for row in rows]
    widths = _widths(rows)
    told = []
    for *cells, text in rows:
        line = "  ".join([*(cell.ljust(size) for cell, size in zip(cells, widths, strict=True)), text]).rstrip()
        told.append(line if width is None or len(line) <= width else line[: max(width - 1, 1)].rstrip() + "…")
    return told


def _widths(rows: Sequence[Row]) -> list[int]:
    """Columns of all cells but the last."""
    return [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]


def _wordings(event: s.Event) -> int:
    return sum(1 for _ in wordings_of(event)) + len(event.tables)


def _told(fields: Mapping[str, str]) -> str:
    return f" [{', '.join(f'{name}:{kind}' for name, kind in sorted(fields.items()))}]" if fields else ""


def _adjusted(rule: s.Rule) -> str:
    places = ", ".join(f"{at.file}:{at.line}" for at in rule.adjusted)
    return f" (adjusted: {places})" if places else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
