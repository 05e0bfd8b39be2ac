"""Time stamps: from the bytes of a log to a ``Stamp``.

The fragments (``NUMERIC``, ``NAMED``) are regular expressions without groups for use inside the patterns of headers;
``read`` turns what they matched into a ``Stamp``. A stamp that no calendar has (month 13, 30 February, 25 o'clock) or
that lies before 1970 or after 2199 gives None. Stamps that are spelled in rarer ways are read in ``spellings``.
"""

import re
from datetime import date, timedelta
from functools import lru_cache

from logsleuth.model.origin import BOOT, Stamp
from logsleuth.tokenize.zones import NAMES, east

MONTHS = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
DAYS = rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_CLOCK = rb"\d\d:\d\d:\d\d"
_FRACTION = rb"(?:[.,]\d{1,12})?"
_ZONE = rb"(?:(?:Z| ?[+-]\d\d:?\d\d|[+-]\d\d(?!:)| " + NAMES + rb")(?!\w))?"

ISO = rb"\d{4}[-/]\d\d[-/]\d\d[T _]" + _CLOCK + _FRACTION + _ZONE
"""``2024-01-05T10:00:00.123Z``, ``2024-01-05 10:00:00,123``, torchrun's ``2026-11-30_00:17:09``."""
US = rb"\d\d/\d\d(?:/\d{4})? " + _CLOCK + _FRACTION
"""``08/31/2024 14:37:31`` and ``12/21 01:39:51``: month first."""
SHORT = rb"(?:\d\d-)?\d\d-\d\d " + _CLOCK + _FRACTION
"""vLLM's ``01-05 10:00:00``, Lingua's ``24-01-05 10:00:00``."""
NUMERIC = rb"(?:" + ISO + rb"|" + US + rb"|" + SHORT + rb")"
ASCTIME = DAYS + rb" " + MONTHS + rb" [ \d]\d " + _CLOCK + _FRACTION + rb" \d{4}"
"""``Fri Aug 11 12:31:45 2023``: Open MPI, ``dmesg -T``."""
SYSLOG = MONTHS + rb" [ \d]\d (?:\d{4} )?" + _CLOCK + _FRACTION
"""``Jan  5 10:00:00``; with a year in the fabric manager's log."""
NAMED = rb"(?:" + ASCTIME + rb"|" + SYSLOG + rb")"

YEARLESS = 2000
_YEARS = range(1970, 2200)
"""Years in which logs are written; any other is a number that looks like one."""
_QUARTER = 900
"""Seconds; zones differ by quarters of an hour."""
_FARTHEST = 14 * 3600
_EARLY, _LATE = 2.0, 120.0
"""Seconds by which a collector may stamp a line before and after its writer did, to the resolution of seconds."""
_EPOCH = date(1970, 1, 1).toordinal()
MONTH_NUMBERS = {name: place for place, name in enumerate(MONTHS[3:-1].split(b"|"), 1)}

_PARTS = re.compile(
    rb"((?:\d{4}[-/]\d\d[-/]\d\d[T _]|\d\d/\d\d(?:/\d{4})? |(?:\d\d-)?\d\d-\d\d |(?:"
    + DAYS
    + rb" )?"
    + MONTHS
    + rb" [ \d]\d (?:\d{4} )?)"
    rb"\d\d:\d\d:\d\d)(?:[.,](\d{1,12}))?(?: (\d{4})|(" + _ZONE + rb"))"
)
_ANYWHERE = re.compile(NUMERIC + rb"|" + NAMED)


def read(text: bytes) -> Stamp | None:
    """Reads a whole stamp of any of the shapes above; None where it is none or no calendar has it."""
    match = _PARTS.fullmatch(text)
    if not match:
        return None
    to_the_second, fraction, year, zone = match.groups()
    base = _base(to_the_second, year)
    if base is None:
        return None
    seconds, has_year = base
    if fraction:
        seconds += float(b"0." + fraction)
    return zoned(seconds, has_year, zone)


def zoned(seconds: float, has_year: bool, zone: bytes | None) -> Stamp | None:
    """A stamp of the seconds that a clock in a zone shows; without a zone they are taken as they are."""
    if not zone:
        return Stamp(seconds, has_year, False)
    ahead = east(zone)
    return Stamp(seconds - ahead, has_year, True) if ahead is not None else None


def find(text: bytes) -> Stamp | None:
    """Reads the first stamp that stands anywhere in a short text."""
    match = _ANYWHERE.search(text)
    return read(match[0]) if match else None


def read_glog(day_and_clock: bytes, fraction: bytes) -> Stamp | None:
    """Reads glog's ``1130 00:17:10`` (or ``709 ...``, the month not padded, or ``20240105 ...``) and ``.164000``."""
    base = _glog(day_and_clock)
    if base is None:
        return None
    return Stamp(base + float(fraction), len(day_and_clock) == 17, False)


def read_epoch(seconds: bytes) -> Stamp | None:
    """Reads a number of seconds since 1970; None where it is too small for one, as a kernel's time since boot is."""
    value = float(seconds)
    return Stamp(value, True, True) if 1e9 <= value < 1e10 else None


def read_uptime(seconds: bytes) -> Stamp:
    """Reads a kernel's number of seconds since its host was started, or since 1970 where it is that large."""
    return read_epoch(seconds) or Stamp(BOOT + float(seconds), False, False)


def nearest(inner: Stamp, outer: Stamp) -> Stamp:
    """What a line tells whose writer's own stamp stands behind a collector's: the writer's, with what only the other
    one says, its year or its zone. A clock without a day and a time since boot say less than any other stamp."""
    if inner.seconds < 0 <= outer.seconds:
        return outer
    inner = with_year(inner, outer)
    if inner.has_zone or not outer.has_zone or not inner.has_year:
        return inner
    ahead = round((inner.seconds - outer.seconds) / _QUARTER) * _QUARTER
    is_late_by = outer.seconds - (inner.seconds - ahead)
    if abs(ahead) <= _FARTHEST and -_EARLY <= is_late_by <= _LATE:
        return Stamp(inner.seconds - ahead, inner.has_year, True)
    return inner


def with_year(stamp: Stamp, like: Stamp) -> Stamp:
    """The stamp in the year that brings it closest to another one, where it has no year of its own and that has one."""
    if stamp.has_year or not like.has_year or stamp.seconds < 0:
        return stamp
    shift = _shift(int(stamp.seconds // 86400), int(like.seconds // 86400))
    return Stamp(stamp.seconds + shift, True, stamp.has_zone) if shift is not None else stamp


@lru_cache(maxsize=4096)
def _glog(text: bytes) -> int | None:
    day, clock = text.split(b" ")
    year = int(day[:4]) if len(day) == 8 else YEARLESS
    return _seconds(year, int(day[-4:-2]), int(day[-2:]), clock)


@lru_cache(maxsize=4096)
def _base(text: bytes, year: bytes | None) -> tuple[float, bool] | None:
    """Seconds of a stamp without its fraction and zone, and whether it has a year."""
    numbers = [int(part) for part in re.findall(rb"\d+", text[:-8])]
    month = re.search(MONTHS, text)
    if month:
        # Day, and the year where it stands before the clock.
        years, day, month_number = numbers[1:], numbers[0], MONTH_NUMBERS[month[0]]
    elif text[4:5] in (b"-", b"/"):
        years, month_number, day = numbers[:1], numbers[1], numbers[2]
    elif text[5:6] == b"-":
        years, month_number, day = [2000 + numbers[0]], numbers[1], numbers[2]
    else:
        years, month_number, day = numbers[2:], numbers[0], numbers[1]
    if year is not None:
        years = [int(year)]
    seconds = _seconds(years[0] if years else YEARLESS, month_number, day, text[-8:])
    return (float(seconds), bool(years)) if seconds is not None else None


def _seconds(year: int, month: int, day: int, clock: bytes) -> int | None:
    return seconds_of(year, month, day, int(clock[:2]), int(clock[3:5]), int(clock[6:]))


def seconds_of(year: int | None, month: int, day: int, hour: int, minute: int, second: int) -> int | None:
    """Seconds since 1970 of a day and a clock; without a year of that day in 2000. None where no calendar has it."""
    year = YEARLESS if year is None else year
    if hour > 23 or minute > 59 or second > 60 or year not in _YEARS:
        return None
    try:
        days = date(year, month, day).toordinal() - _EPOCH
    except ValueError:
        return None
    return days * 86400 + hour * 3600 + minute * 60 + second


@lru_cache(maxsize=4096)
def _shift(yearless_day: int, like_day: int) -> int | None:
    """Seconds that move a stamp of a day in 2000 into the year that brings it closest to another day."""
    day = date.fromordinal(yearless_day + _EPOCH)
    year = (date.fromordinal(_EPOCH) + timedelta(days=like_day)).year
    shifts = []
    for candidate in range(max(year - 1, 1), year + 2):
        try:
            shifts.append(day.replace(year=candidate).toordinal() - _EPOCH - yearless_day)
        except ValueError:
            continue
    return min(shifts, key=lambda shift: abs(yearless_day + shift - like_day)) * 86400 if shifts else None
