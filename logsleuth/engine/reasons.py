"""Tells how a condition was decided: over whom, what stayed open, and what would close it."""

from collections.abc import Sequence

from logsleuth.engine.conditions import Outcome, Tally
from logsleuth.engine.roster import Roster
from logsleuth.engine.scope import MemberSet
from logsleuth.engine.subject import Member, MemberKind
from logsleuth.language import syntax as s
from logsleuth.model.analysis import Reason
from logsleuth.model.ranks import format_ranks

_SPELLED = 8
"""Members that are named one by one."""


def reason(clause: s.Clause, outcome: Outcome, roster: Roster) -> Reason:
    """How one condition stands."""
    words = [tally_in_words(tally) for tally in outcome.tallies]
    closes = "" if outcome.truth else closing(outcome, roster)
    return Reason(clause.text, "yes" if outcome.truth else "open", "; ".join(words), closes)


def set_reason(let: s.Let, chosen: MemberSet) -> Reason:
    """Whom a set holds."""
    words = f"{let.name}: {members_in_words(chosen.members)}"
    if chosen.of:
        words += f" of {chosen.of}"
    unknown = len(chosen.maybe) - len(chosen.silent)
    if chosen.silent:
        words += f", {len(chosen.silent)} without a log"
    if unknown:
        words += f", {unknown} of whom it is not known"
    closes = f"the logs of {members_in_words(chosen.silent)}" if chosen.silent else ""
    return Reason(_said(let), "open" if chosen.maybe and not chosen.members else "yes", words, closes)


def _said(let: s.Let) -> str:
    return f"let {let.name}"


def tally_in_words(tally: Tally) -> str:
    """``3 of 4 ranks, 1 without a log``."""
    at_least = "at least " if tally.or_more else ""
    words = f"{len(tally.yes)} of {at_least}{tally.total} {tally.kind}{'s' if tally.total != 1 else ''}"
    if silent := tally.unknown - tally.undecided:
        words += f", {silent} without a log"
    return f"{words}, {tally.undecided} of whom it is not known" if tally.undecided else words


def closing(outcome: Outcome, roster: Roster) -> str:
    """What would decide a condition that is open: ``logs until ...``, ``the logs of rank 3``."""
    if outcome.awaits is not None:
        until = roster.calendar.text(outcome.awaits)
        return f"logs until {until}" if until else ""
    for tally in outcome.tallies:
        if tally.unknown > tally.undecided and tally.kind == "rank":
            silent = [m for m in roster.everyone(roster.last_attempt) if not roster.left_log(m)]
            return f"the logs of {members_in_words(tuple(silent))}" if silent else "the logs of the other ranks"
    return ""


def members_in_words(members: Sequence[Member]) -> str:
    """``ranks 0-3``, ``GPU 3 of node-7``, ``node-7, node-8``; ``nobody`` where there are none."""
    ranks = [member.rank for member in members if member.rank is not None]
    if ranks:
        return f"rank{'s' if len(ranks) > 1 else ''} {format_ranks(ranks)}"
    if not members:
        return "nobody"
    gpus = [member for member in members if member.kind is MemberKind.GPU]
    if gpus:
        named = [f"GPU {m.key[1]} of {m.key[0]}" if m.key[0] else f"GPU {m.key[1]}" for m in gpus]
        return ", ".join(named[:_SPELLED]) + (f" (+{len(named) - _SPELLED})" if len(named) > _SPELLED else "")
    named = [str(next((part for part in member.key if isinstance(part, str)), member.kind)) for member in members]
    return ", ".join(named[:_SPELLED]) + (f" (+{len(named) - _SPELLED})" if len(named) > _SPELLED else "")
