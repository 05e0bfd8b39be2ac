"""Numbers, ranks, times and certainties in words."""

import re
from collections.abc import Iterable, Sequence

from logsleuth.model.analysis import Confidence, Culprits, Evidence, Since, Verdict
from logsleuth.model.ranks import format_ranks, parse_ranks

MOST_GROUPS = 8
"""Runs of ranks that are written out before the rest is counted."""
MOST_NAMES = 5
"""Names (of hosts, sources) that are written out before the rest is counted."""

_STAMP = re.compile(r"(?:(?P<year>\d{4})|-)-(?P<month>\d\d)-(?P<day>\d\d)(?:[T ](?P<clock>.*))?")
_FRACTION = re.compile(r"(\d\d:\d\d:\d\d[.,]\d{3})\d+")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 line``, ``12,345 lines``, ``2 processes``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """``a, b and c``; beyond ``most`` names ``a, b, c and 9 more``."""
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def numbers(ranks: Iterable[int]) -> str:
    """``0-3, 7``; beyond some runs ``1, 3, 5 and 4,090 more``."""
    ranks = set(ranks)
    groups = format_ranks(ranks).split(", ")
    if len(groups) <= MOST_GROUPS + 1:
        return ", ".join(groups)
    shown = ", ".join(groups[:MOST_GROUPS])
    return f"{shown} and {len(ranks) - len(parse_ranks(shown)):,} more"


def ranks(members: Sequence[int], noun: str = "rank") -> str:
    """``rank 2``, ``ranks 0-3, 7``, ``ranks 1, 3, ... and 4,090 more``."""
    return f"{noun if len(members) == 1 else noun + 's'} {numbers(members)}"


def culprits(who: Culprits) -> str:
    """``rank 2 on node-7``; empty where nobody is named."""
    place = listed(who.hosts)
    if who.ranks:
        return ranks(who.ranks) + (f" on {place}" if place else "")
    if who.local_ranks:
        known = ranks(who.local_ranks, "local rank") + (f" on {place}" if place else "")
        return f"{known} (global rank not known)"
    return f"{'host' if len(who.hosts) == 1 else 'hosts'} {place}" if place else ""


def instant(iso: str) -> str:
    """``2025-11-30 00:17:10.164``, ``Nov 30 00:17:10.164`` where the year is not known; at most milliseconds."""
    iso = _FRACTION.sub(r"\1", iso)
    match = _STAMP.fullmatch(iso)
    if not match:
        return iso.removeprefix("T")
    year, month, day, clock = match.group("year", "month", "day", "clock")
    known = year or not 1 <= int(month) <= 12
    date = f"{year or '-'}-{month}-{day}" if known else f"{_MONTHS[int(month) - 1]} {int(day)}"
    return f"{date} {clock}" if clock else date


def since(when: Since) -> str:
    """``between 2025-11-30 00:17:34.802 and 00:17:47.715 (stamps around the line)``."""
    basis = f" ({when.basis})" if when.basis else ""
    if when.earliest is None or when.latest is None:
        known = when.earliest or when.latest
        if known is None:
            return f"not known{basis}"
        return f"{instant(known)} at the {'earliest' if when.earliest else 'latest'}{basis}"
    first, last = instant(when.earliest), instant(when.latest)
    if first == last:
        return f"{first}{basis}"
    day, _, clock = last.rpartition(" ")
    return f"between {first} and {clock if day and first.startswith(day + ' ') else last}{basis}"


def certainty(verdict: Verdict) -> str:
    """How sure the verdict is, so that nobody has to look the word up."""
    if verdict.role == "symptom":
        words = {
            Confidence.CERTAIN: "certain that this happened; why, these logs do not say",
            Confidence.LIKELY: "likely that this happened; why, these logs do not say",
            Confidence.POSSIBLE: "possible that this happened; why, these logs do not say",
        }
    else:
        words = {
            Confidence.CERTAIN: "certain: the lines below prove it",
            Confidence.LIKELY: "likely: the lines below point to it but do not prove it",
            Confidence.POSSIBLE: "possible: the lines below allow it, and other causes too",
        }
    open_end = "" if verdict.status == "firm" else "; the logs end before it is decided"
    return words[verdict.confidence] + open_end


def place(evidence: Evidence) -> str:
    """``agent.log:48``."""
    return f"{evidence.source}:{evidence.line}"


def witness(evidence: Evidence) -> str:
    """``rank 2, node-7, Nov 30 00:17:47.715``, as far as the line tells."""
    told = [
        f"rank {evidence.rank}" if evidence.rank is not None else "",
        evidence.host or "",
        instant(evidence.time) if evidence.time else "",
    ]
    return ", ".join(word for word in told if word)
