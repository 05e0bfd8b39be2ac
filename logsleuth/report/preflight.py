"""How a preflight is told in a terminal: every node and question, what is not fine, what could not be looked at."""

from collections.abc import Iterator, Sequence

from logsleuth.model.analysis import Input
from logsleuth.model.preflight import Asked, Node, Preflight, Standing
from logsleuth.report import phrasing, verdict
from logsleuth.report.page import BLANK, Line, Page, Span, Tone, Wrap, prose, section

MOST_IN_FULL = 5
"""Verdicts that are told with everything; the others in short."""
MOST_COLUMNS = 3
"""Columns of nodes that stand alike, as fit into 80 of a terminal; of more kinds only what is not fine is told."""
MOST_ROWS = 30
MOST_LEFT_OUT = 6
_TITLE = 20
_COLUMN = 18

_MARKS = {
    Standing.FINE: Span("fine", Tone.CALM),
    Standing.NOT_FINE: Span("NOT FINE", Tone.ALARM),
    Standing.UNSEEN: Span("not looked at", Tone.FAINT),
}


def compose(preflight: Preflight) -> Page:
    """What the report says, line by line."""
    told = [one for one in preflight.analysis.verdicts if one.status == "firm" and not one.is_note]
    rest = [one for one in preflight.analysis.verdicts if one not in told]
    page = [prose(_answer(preflight), tone=Tone.STRONG)]
    if preflight.nodes:
        page += [BLANK, *_table(preflight.nodes)]
    for number, one in enumerate(told[:MOST_IN_FULL]):
        page += [BLANK, prose(f"{number + 1} of {len(told)}", tone=Tone.FAINT)] if len(told) > 1 else [BLANK]
        page += verdict.in_full(one, preflight.analysis)
    page += verdict.in_short(told[MOST_IN_FULL:], "Also not fine", preflight.analysis)
    page += verdict.in_short(rest, "Worth knowing", preflight.analysis)
    page += section("What could not be looked at", _unseen(preflight.nodes))
    page += section("What else to know", [*_left_out(preflight), *_bulleted(preflight.analysis.notes)])
    return page


def _answer(preflight: Preflight) -> str:
    nodes = preflight.nodes
    if not nodes:
        return "No output of a tool could be read, so nothing can be said."
    bad = [node.host for node in nodes if node.standing is Standing.NOT_FINE]
    unseen = [node.host for node in nodes if node.standing is Standing.UNSEEN]
    if preflight.standing is Standing.UNSEEN:
        return f"Nothing could be looked at on {_hosts([node.host for node in nodes])}, so nothing can be said."
    parts = []
    if bad:
        parts.append(f"Not fine: {_hosts(bad)}.")
    elif preflight.standing is Standing.NOT_FINE:
        parts.append("Something is not fine, and no node is to blame for it alone.")
    if len(bad) + len(unseen) < len(nodes):
        fine = "The others are" if bad else f"{_hosts([n.host for n in nodes if n.standing is Standing.FINE])}:"
        parts.append(f"{fine} fine, as far as could be looked at.")
    if unseen:
        parts.append(f"Nothing could be looked at on {_hosts(unseen)}.")
    return " ".join(parts)


def _hosts(names: Sequence[str]) -> str:
    return phrasing.listed(names)


def _table(nodes: Sequence[Node]) -> Iterator[Line]:
    """A row for every question, a column for all nodes that stand alike: those that are not fine first."""
    groups = _alike(nodes, tuple(Standing))
    if len(groups) > MOST_COLUMNS:
        yield from _rows(_alike(nodes, (Standing.NOT_FINE,)))
        return
    heads = [_cell(_head(group), Tone.STRONG) for group in groups]
    yield Line((Span(" " * _TITLE), *heads), indent=2, wrap=Wrap.FULL)
    for place, asked in enumerate(nodes[0].asked):
        marks = [_MARKS[group[0].asked[place].standing] for group in groups]
        spans = (Span(asked.title.ljust(_TITLE)), *(_cell(mark.text, mark.tone) for mark in marks))
        yield Line(spans, indent=2, wrap=Wrap.FULL)


def _rows(groups: Sequence[Sequence[Node]]) -> Iterator[Line]:
    """A row for all nodes of which the same is not fine."""
    for group in groups[:MOST_ROWS]:
        hosts = _hosts([node.host for node in group])
        bad = ", ".join(asked.title for asked in group[0].asked if asked.standing is Standing.NOT_FINE)
        seen = "not looked at" if group[0].standing is Standing.UNSEEN else "fine, as far as could be looked at"
        yield prose(f"{hosts}: {f'NOT FINE: {bad}' if bad else seen}", indent=2)
    if rest := groups[MOST_ROWS:]:
        count = phrasing.count(sum(len(group) for group in rest), "more node")
        yield prose(f"and {count} of which other things are not fine (--format json shows them)", indent=2)


def _alike(nodes: Sequence[Node], told: Sequence[Standing]) -> list[list[Node]]:
    """Nodes with the same of these standings together, those first of which something is not fine."""
    alike: dict[tuple[Standing | None, ...], list[Node]] = {}
    for node in nodes:
        key = (node.standing, *(one.standing if one.standing in told else None for one in node.asked))
        alike.setdefault(key, []).append(node)
    return sorted(alike.values(), key=lambda group: group[0].standing is not Standing.NOT_FINE)


def _head(group: Sequence[Node]) -> str:
    name = group[0].host
    behind = f" +{len(group) - 1}" if len(group) > 1 else ""
    room = _COLUMN - 2 - len(behind)
    return (name if len(name) <= room else f"{name[: room - 1]}…") + behind


def _cell(text: str, tone: Tone) -> Span:
    return Span(text.ljust(_COLUMN), tone)


def _unseen(nodes: Sequence[Node]) -> Page:
    """Questions without an answer, and tools that failed where another answered; equal ones of several nodes once."""
    found: dict[str, dict[str, list[str]]] = {}
    """Of every reason the questions, and of these the nodes."""
    for node in nodes:
        for asked in node.asked:
            for why in _reasons(asked):
                found.setdefault(why, {}).setdefault(asked.title, []).append(node.host)
    lines = []
    for why, titles in found.items():
        alike: dict[str, list[str]] = {}
        for title, hosts in titles.items():
            alike.setdefault("" if len(hosts) == len(nodes) else f" ({_hosts(hosts)})", []).append(title)
        lines += [f"{', '.join(named)}{where}: {why}" for where, named in alike.items()]
    return _bulleted(lines)


def _reasons(asked: Asked) -> Iterator[str]:
    if asked.standing is not Standing.UNSEEN:
        yield from dict.fromkeys(told.why for told in asked.told if told.why and not told.is_missing)
    elif all(told.source is None for told in asked.told):
        yield "no output that tells of it is there"
    elif all(told.is_missing or (told.exit in (None, "0") and told.lines and not told.events) for told in asked.told):
        is_read = any(not told.is_missing for told in asked.told)
        yield "it was read, but no rule knows such lines" if is_read else asked.why
    else:
        yield asked.why


def _left_out(preflight: Preflight) -> Page:
    """The files with problems, those with equal ones together."""
    alike: dict[str, list[Input]] = {}
    for source in preflight.analysis.inputs:
        if source.problems:
            alike.setdefault("; ".join(problem.text for problem in source.problems), []).append(source)
    lines = [f"{phrasing.listed([one.source for one in sources])}: {text}" for text, sources in alike.items()]
    rest = len(lines) - MOST_LEFT_OUT
    return _bulleted([*lines[:MOST_LEFT_OUT], *([f"and {phrasing.count(rest, 'other problem')}"] if rest > 0 else [])])


def _bulleted(texts: Sequence[str]) -> Page:
    return [prose(text, lead="- ", indent=2) for text in texts]
