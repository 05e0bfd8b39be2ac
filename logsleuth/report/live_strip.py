"""The members of a job as a strip of cells: one for each, or for several of which the worst counts.

A cell is a character, coloured besides: what it means can be told without colours, and stands in the tally under it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from logsleuth.model import vitals as v
from logsleuth.model.vitals import RankVitals
from logsleuth.report import phrasing
from logsleuth.report.page import Span, Tone
from logsleuth.report.printable import printable

Row = tuple[Span, ...]

CELLS = {
    v.BLAMED: ("!", "!", Tone.ALARM),
    v.SILENT: ("z", "z", Tone.CAUTION),
    v.WARNED: ("w", "w", Tone.CAUTION),
    v.UNSEEN: ("?", "?", Tone.PLAIN),
    v.ENDED: ("x", "x", Tone.FAINT),
    v.RUNNING: ("·", ".", Tone.CALM),
}
"""Of every state, the worst first: its character, that in ASCII, and how it is meant."""
_ORDER = {state: place for place, state in enumerate(CELLS)}
LONGEST_NAME = 24
"""Columns for the name of a host."""
_GROUP = 8
"""Cells between two blanks, where hosts do not tell how many belong together."""


class Strip(NamedTuple):
    rows: list[Row]
    each: int
    """Members for which a cell stands at most."""


def strip(ranks: Sequence[RankVitals], width: int, most_rows: int, unicode: bool, blamed: Sequence[str] = ()) -> Strip:
    """The cells in the order of members, in no more than so many rows: by hosts where there is room for their names.

    ``blamed`` are hosts that are to blame as a whole.
    """
    if not ranks:
        return Strip([], 1)
    hosts = _by_host(ranks)
    if None not in hosts and (rows := _named(hosts, width, unicode, blamed)) and len(rows) <= most_rows:
        return Strip(rows, 1)
    widest = max(len(_label(rank)) for rank in ranks)
    margin = widest + 1 if 0 < widest < width // 3 else 0
    sizes = {len(of_host) for of_host in hosts.values()}
    group = (
        sizes.pop() if len(sizes) == 1 and None not in hosts and 1 < len(ranks) // len(hosts) <= width // 4 else _GROUP
    )
    rows = _numbered(ranks, width, margin, group, unicode)
    if len(rows) <= most_rows:
        return Strip(rows, 1)
    room = max(width - margin, 1) * most_rows
    each = 1
    while -(-len(ranks) // each) > room:
        each *= 2
    return Strip(_packed(ranks, max(width - margin, 1), margin, each, unicode), each)


def tally(ranks: Sequence[RankVitals], each: int, unicode: bool) -> list[Row]:
    """``! 1 blamed: rank 3``, ``· 62 running``: what the cells mean, the worst first, one part for each."""
    of_state = Counter(rank.state for rank in ranks)
    parts: list[Row] = [(Span(f"cell = worst of {each}", Tone.FAINT),)] if each > 1 else []
    for state, count in sorted(of_state.items(), key=lambda item: _ORDER[item[0]]):
        mark, tone = _cell(state, unicode)
        numbers = [rank.rank for rank in ranks if rank.state == state and rank.rank is not None]
        named = state in (v.BLAMED, v.SILENT, v.WARNED, v.UNSEEN) and len(numbers) == count < len(ranks)
        who = f": {phrasing.ranks(numbers)}" if named else ""
        parts.append((Span(mark, tone), Span(f" {count:,} {state}{who}")))
    return parts


def worst_first(ranks: Iterable[RankVitals]) -> list[RankVitals]:
    """Members with which something is wrong."""
    wrong = (rank for rank in ranks if rank.state in (v.BLAMED, v.SILENT, v.WARNED))
    return sorted(wrong, key=lambda rank: _ORDER[rank.state])


def mark_of(rank: RankVitals, unicode: bool) -> Span:
    """The cell of one member."""
    return Span(*_cell(rank.state, unicode))


def _cell(state: str, unicode: bool) -> tuple[str, Tone]:
    mark, plain, tone = CELLS[state]
    return mark if unicode else plain, tone


def _by_host(ranks: Sequence[RankVitals]) -> dict[str | None, list[RankVitals]]:
    hosts: dict[str | None, list[RankVitals]] = {}
    for rank in ranks:
        hosts.setdefault(rank.host, []).append(rank)
    return hosts


def _cells(ranks: Sequence[RankVitals], unicode: bool) -> list[Span]:
    spans = []
    for state, same in groupby(rank.state for rank in ranks):
        mark, tone = _cell(state, unicode)
        spans.append(Span(mark * len(list(same)), tone))
    return spans


def _named(hosts: dict[str | None, list[RankVitals]], width: int, unicode: bool, blamed: Sequence[str]) -> list[Row]:
    """Hosts with their names in columns; no rows where not even one fits."""
    encoding = "utf-8" if unicode else "ascii"
    names = {host: printable(str(host), encoding)[:LONGEST_NAME] for host in hosts}
    widest, most = max(map(len, names.values())), max(map(len, hosts.values()))
    column = widest + 1 + most
    if column > width:
        return []
    in_row = (width + 2) // (column + 2)
    rows: list[Row] = []
    told = list(hosts.items())
    for start in range(0, len(told), in_row):
        row: list[Span] = []
        for host, ranks in told[start : start + in_row]:
            row.append(Span("  " if row else ""))
            row.append(Span(names[host].ljust(widest), Tone.ALARM if host in blamed else Tone.PLAIN))
            row.append(Span("!" if host in blamed else " ", Tone.ALARM))
            row += [*_cells(ranks, unicode), Span(" " * (most - len(ranks)))]
        rows.append(tuple(row))
    return rows


def _numbered(ranks: Sequence[RankVitals], width: int, margin: int, group: int, unicode: bool) -> list[Row]:
    """Cells in groups, each row behind the number of its first rank."""
    groups = [ranks[start : start + group] for start in range(0, len(ranks), group)]
    in_row = max((width - margin + 1) // (group + 1), 1)
    rows: list[Row] = []
    for start in range(0, len(groups), in_row):
        row = [_lead(groups[start][0], margin)]
        for number, of_group in enumerate(groups[start : start + in_row]):
            row += [Span(" " if number else ""), *_cells(of_group, unicode)]
        rows.append(tuple(row))
    return rows


def _packed(ranks: Sequence[RankVitals], in_row: int, margin: int, each: int, unicode: bool) -> list[Row]:
    """Cells for several members each, as close as they can be."""
    parts = [ranks[start : start + each] for start in range(0, len(ranks), each)]
    worst = [min(part, key=lambda rank: _ORDER[rank.state]) for part in parts]
    return [
        (_lead(parts[start][0], margin), *_cells(worst[start : start + in_row], unicode))
        for start in range(0, len(parts), in_row)
    ]


def _lead(rank: RankVitals, margin: int) -> Span:
    return Span(_label(rank).rjust(margin - 1) + " " if margin else "", Tone.FAINT)


def _label(rank: RankVitals) -> str:
    return "" if rank.rank is None else str(rank.rank)
