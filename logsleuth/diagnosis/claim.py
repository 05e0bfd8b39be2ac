"""What of a verdict would a reader act on, and do two verdicts say the same in that?"""

import re
from datetime import datetime, timedelta
from typing import NamedTuple

from logsleuth.model.analysis import Culprits, Since, Verdict

MUCH = timedelta(seconds=60)
"""By so much ``since`` must move to send a reader to another place of the logs."""

_NUMBERS = r"\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*"
_NAMED = rf"(?P<named>\b(?:GPUs?|process|pid|status|code|signal) {_NUMBERS})"
_RANKS = rf"(?P<ranks>\b(?:local )?ranks? {_NUMBERS})"
_TIME = r"(?:(?:\d{4}-|--)\d\d-\d\d[T ])?T?\d\d:\d\d:\d\d(?:[.,]\d+)?Z?"
_UNIT = r"(?: ?(?:%|ns|us|ms|seconds|secs|sec|s|minutes|min|m|hours|h|days|d|bytes|byte|[KMGT]?i?B)(?!\w))?"
_QUANTITY = rf"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?{_UNIT}"
_ALONE = rf"(?<![\w.:/-]){_QUANTITY}(?: {_QUANTITY})*(?![\w:/-]|\.\d)"
_MOVING = re.compile("|".join((_NAMED, _TIME, _RANKS, _ALONE)))
_MORE = re.compile(r" \(\+\d+\)")
"""How many more values there are than a summary tells."""
_INSTANT = re.compile(r"(?:(?:(\d{4})|-)-(\d\d)-(\d\d))?T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?")


class Claim(NamedTuple):
    """What a reader acts on."""

    cause: str
    severity: str
    role: str
    confidence: str
    culprits: Culprits
    words: str
    """The summary without numbers that only grow."""
    since: Since


def claim_of(verdict: Verdict) -> Claim:
    """What the verdict says to whoever acts on it."""
    return Claim(
        verdict.cause,
        verdict.severity.value,
        verdict.role,
        verdict.confidence.value,
        verdict.culprits,
        words_of(verdict.summary),
        verdict.since,
    )


def words_of(summary: str) -> str:
    """The sentence with ``#`` in place of counts, measures and times: they go on while the job does.

    So do the ranks that it tells of, for more and more come to see what happened; who is blamed stands in the culprits.
    A number that is part of a name (``node-7``, ``GPU 3``, ``10.0.0.1``, ``process 4711``) stays.
    """
    summary = _MORE.sub("", summary)
    return _MOVING.sub(lambda found: found["named"] or ("rank #" if found["ranks"] else "#"), summary)


def same(one: Claim | None, other: Claim | None) -> bool:
    """Whether both say the same; None says nothing."""
    if one is None or other is None:
        return one is other
    if one._replace(words="", since=other.since) != other._replace(words=""):
        return False
    return _says_the_same(one.words, other.words) and not _has_moved(one.since, other.since)


def _says_the_same(one: str, other: str) -> bool:
    """Whether they are equal, but for values that a list at the end of one has besides: lines that are quoted."""
    short, long = sorted((one, other), key=len)
    return short == long or long.startswith(short + ", ")


def _has_moved(one: Since, other: Since) -> bool:
    """Whether the trouble began at quite another time. That a time became known at all is no other time."""
    if one.latest is not None and other.latest is not None:
        return _apart(one.latest, other.latest) > MUCH
    if one.earliest is not None and other.earliest is not None:
        return _apart(one.earliest, other.earliest) > MUCH
    return False


def _apart(one: str, other: str) -> timedelta:
    """What lies between two instants, by what both tell of year and day; nothing where one is no instant."""
    parts = [match.groups() for text in (one, other) if (match := _INSTANT.match(text))]
    if len(parts) < 2:
        return timedelta()
    has_day, has_year = all(part[1] for part in parts), all(part[0] for part in parts)
    try:
        first, second = (_moment(part, has_day, has_year) for part in parts)
    except ValueError:  # The 31st of February.
        return timedelta()
    between = abs(first - second)
    return between if has_day else min(between, timedelta(days=1) - between)


def _moment(parts: tuple[str | None, ...], has_day: bool, has_year: bool) -> datetime:
    year, month, day, hour, minute, second, fraction = parts
    date = (int(year or 0) if has_year else 2000, int(month or 1), int(day or 1)) if has_day else (2000, 1, 1)
    return datetime(
        *date, int(hour or 0), int(minute or 0), min(int(second or 0), 59), int((fraction or "0").ljust(6, "0"))
    )
