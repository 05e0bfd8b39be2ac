"""A trace in sentences: what is told of each clause, whoever shows it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from logsleuth.model.analysis import Evidence
from logsleuth.model.trace import Judged, NearLine, Part, Sought, Standing, TracedClause, Worth
from logsleuth.report import phrasing

_HOLDS = {Standing.HOLDS: "holds", Standing.FAILS: "fails", Standing.OPEN: "open", Standing.NAMES: ""}
_OF_EXCEPTION = {Standing.HOLDS: "stops", Standing.FAILS: "clear", Standing.OPEN: "open"}
"""How an ``unless`` stands: what holds of it stops the rule."""
_MOST_LINES = 2
"""Lines that are shown of those that decide a condition which holds."""


class Detail(NamedTuple):
    """A sentence about a clause, and the line of a log that it is about."""

    text: str
    line: Evidence | None = None
    once: bool = False
    """Whether it is the same wherever it is told, so that once is enough."""


def mark(clause: TracedClause) -> str:
    """``holds: ``, ``fails: ``, ``open: ``; of an exception ``stops: `` or ``clear: ``; of a ``let`` nothing."""
    word = (_OF_EXCEPTION if clause.kind == "unless" else _HOLDS)[clause.holds]
    return f"{word}:".ljust(7) if word else " " * 7


def sentence(clause: TracedClause) -> str:
    """``when seen a.fall (not asked)``."""
    asked = "" if clause.asked or clause.holds is Standing.NAMES else " (not asked any more)"
    return f"{clause.kind} {clause.text}{asked}"


def scope(judged: Judged, several_jobs: bool, several_attempts: bool) -> str:
    """``attempt 1, rank 3 (and ranks 4-7 alike)``; empty where there is one of everything."""
    words = [f"job {judged.job}" if several_jobs else "", f"attempt {judged.attempt}" if several_attempts else ""]
    told = ", ".join(word for word in (*words, judged.scope) if word)
    return f"{told} (and {phrasing.listed(judged.alike)} alike)" if judged.alike else told


def details(clause: TracedClause, told: set[Detail]) -> Iterator[Detail]:
    """What is to be told of a clause beside how it stands; ``told`` is what was told of clauses before, and grows."""
    if clause.unbound:
        yield Detail(f"there is no {phrasing.listed(clause.unbound)} to ask it of")
        return
    for part in clause.parts:
        if len(clause.parts) > 1 and part.holds is not Standing.NAMES:
            yield Detail(f"{_HOLDS[part.holds]}: {part.text}")
        of_part = list(dict.fromkeys(_of_part(part, clause)))
        yield from (detail for detail in of_part if detail not in told)
        told |= {detail for detail in of_part if detail.once}
    if clause.closes:
        yield Detail(f"{clause.closes} would decide it")


def lacking(clause: TracedClause) -> str:
    """The parts of a clause by which it does not stand as a rule wants it, as they are written."""
    parts = _deciding(clause)
    return clause.text if len(parts) == len(clause.parts) else " and ".join(part.text for part in parts)


def shortfall(clause: TracedClause) -> Iterator[Detail]:
    """Of the details of a clause those of the parts by which it does not stand as a rule wants it."""
    yield from details(replace(clause, parts=tuple(_deciding(clause)), closes=""), set())


def _deciding(clause: TracedClause) -> list[Part]:
    wanted = {Standing.HOLDS} if clause.kind == "unless" else {Standing.FAILS, Standing.OPEN}
    return [part for part in clause.parts if part.holds in wanted] or list(clause.parts)


def _of_part(part: Part, clause: TracedClause) -> Iterator[Detail]:
    who = "; ".join(f"{word}: {members}" for word, members in part.who)
    if part.members or who:
        yield Detail(f"{part.members}{f' ({who})' if part.members and who else who}")
    for worth in part.worths:
        yield from _of_worth(worth, clause.kind == "let" and worth.text == part.text)
    for number, step in enumerate(part.steps, 1):
        words = f": {step.words}" if step.words else ""
        yield Detail(f"step {number} of the sequence, {step.text}, {_HOLDS[step.holds]}{words}", step.line)
    # An exception that does not apply is nothing to be sorry for: what only looks like it is not told.
    is_wanted = clause.kind != "unless"
    for sought in part.sought:
        yield from of_sought(sought if is_wanted else replace(sought, misses=sought.misses[:1], near=()))
    if not part.steps:
        shown = part.lines[:_MOST_LINES]
        yield from (Detail("", line) for line in shown)


def _of_worth(worth: Worth, is_all: bool) -> Iterator[Detail]:
    values = ", ".join(worth.values) or "unknown"
    members = "; ".join(f"{member} = {value}" for member, value in worth.by_member)
    if members:
        yield Detail(members if is_all else f"{worth.text}: {members}")
    else:
        yield Detail(values if is_all else f"{worth.text} = {values}")


def of_sought(sought: Sought) -> Iterator[Detail]:
    """How much there is of what was looked for, and what comes nearest."""
    if sought.passing:
        # What is shown of those that are not must not be taken for what is counted.
        others = f", {sought.seen - sought.passing:,} not; of these" if sought.misses else ""
        passing = phrasing.count(sought.passing, sought.event, sought.event)
        yield Detail(f"{passing} seen that {_pass(sought.passing)}{others}")
    elif sought.seen:
        yield Detail(f"{phrasing.count(sought.seen, sought.event, sought.event)} seen, but none is as asked")
    elif sought.elsewhere:
        yield Detail(f"no {sought.event} here; elsewhere {sought.elsewhere:,}")
    else:
        yield Detail(f"no line of these logs is {sought.event}", None, True)
    yield from (Detail("; ".join(miss.failing), miss.line, True) for miss in sought.misses)
    yield from (Detail(_near(near), near.line, True) for near in sought.near)


def _pass(number: int) -> str:
    return "is as asked" if number == 1 else "are as asked"


def _near(near: NearLine) -> str:
    """Where a line that nearly is an event stops fitting."""
    if not near.asked:
        return f'this line fits the wording "{near.wording}", but is read as another event that says more'
    if not near.fits:
        words = f'a line holds text of "{near.asked}", but begins "{near.found}"'
        return words if near.asked.startswith("`") else f'{words} (a wording that begins with "{{...}}" floats)'
    if not near.found:
        return f'a line comes close: it fits "{near.fits}" and ends, where the wording goes on with "{near.asked}"'
    return f'a line comes close: it fits "{near.fits}", then goes on "{near.found}", the wording "{near.asked}"'
