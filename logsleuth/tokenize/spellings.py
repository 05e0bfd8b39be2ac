"""Time stamps as few writers spell them: day first, month by name, twelve hours, a clock alone, numbers since 1970.

What an American and a European read as two days (``05/01/2026``) is read month first, as Python's ``%x`` writes it,
and not at all where the month would be a thirteenth: a log must not jump between two readings. With points
(``05.01.2026``) the day is first.
"""

import re
from functools import cache

from logsleuth.model.origin import NOWHERE, Stamp
from logsleuth.tokenize.stamps import DAYS, MONTH_NUMBERS, MONTHS, seconds_of, zoned
from logsleuth.tokenize.zones import NAMES

CLOCK = rb"\d\d:\d\d:\d\d(?:[.,]\d{2,9})?(?: ?[AP]M)?"
"""``10:00:00``, ``10:00:00.123``, ``10:00:00 AM``, for use inside patterns. One digit behind a point is a device's
function (``00:17:00.0``)."""
EPOCH = rb"(?:\d{10}(?:\.\d{3,9})?|\d{13}|\d{16}|\d{19})"
"""Seconds, milliseconds, microseconds or nanoseconds since 1970."""

END = rb"(?=[ \t|\[]|:[ \t]|,[ \t]|:?\Z)"
"""What must follow a stamp that nothing encloses: else it is the name of a file, or of a run."""

_DAY = (
    rb"(?:(?P<weekday>%b),? {1,2})?(?:"
    # 2026-01-05, 2026.1.5, 20260105
    rb"(?P<year1>\d{4})(?P<between>[-/.])(?P<month1>\d\d?)(?P=between)(?P<day1>\d\d?)"
    rb"|(?P<year2>\d{4})(?P<month2>\d\d)(?P<day2>\d\d)"
    # What stands between and behind the numbers are the Chinese words for year, month and day.
    rb"|(?P<year3>\d{4})\xe5\xb9\xb4(?P<month3>\d\d?)\xe6\x9c\x88(?P<day3>\d\d?)\xe6\x97\xa5"
    # 05.01.2026
    rb"|(?P<day4>\d\d?)\.(?P<month4>\d\d?)\.(?P<year4>\d{4})"
    # 05/Jan/2026, 5 Jan 2026, 5 Jan
    rb"|(?P<day5>\d\d?)(?P<gap>[-/ ])(?P<month5>%b)(?:(?P=gap)(?P<year5>\d{4}))?"
    # Jan 5, Jan  5, Jan 5, 2026
    rb"|(?P<month6>%b) {1,2}(?P<day6>\d\d?)(?:,? (?P<year6>\d{4}))?"
    # 1/5/2026
    rb"|(?P<month7>\d\d?)/(?P<day7>\d\d?)/(?P<year7>\d{4})"
    # 01/05/26 and Spark's 26/01/05
    rb"|(?P<first>\d\d)/(?P<second>\d\d)/(?P<third>\d\d))" % (DAYS, MONTHS, MONTHS)
)  # fmt: skip
_SHAPE = (
    _DAY
    + rb"(?:[T _|:-]|, | {2})(?:(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second_>\d\d)|(?P<hms>(?<=[T_-])\d{6}))"
    + rb"(?P<fraction>[.,]\d{1,12})?(?: ?(?P<half>[AP]M))?"
    + rb"(?P<zone>Z| ?[+-]\d\d:?\d\d| ?[(\[]?%b[)\]]?|(?(weekday) [A-Z]{3,5}))?(?: (?P<year8>\d{4}))?" % NAMES
    + END
)
_CLOCK = rb"(\d\d):(\d\d):(\d\d)([.,]\d{2,9})?(?: ?([AP]M))?"
_OLDEST, _NEWEST = 1_400_000_000, 2_200_000_000
"""Seconds between which a mere number may be a time: from 2014 to 2039."""


@cache
def dated_at() -> re.Pattern[bytes]:
    """A pattern for a stamp with a day; compiled when the first line asks for it."""
    return re.compile(_SHAPE)


@cache
def _clock_at() -> re.Pattern[bytes]:
    return re.compile(_CLOCK)


def read_dated(match: re.Match[bytes]) -> Stamp | None:
    """Reads what ``dated_at`` matched; None where no calendar has it."""
    found = match.groupdict()
    day = _day(found)
    if day is None:
        return None
    year, month, number = day
    year = int(found["year8"]) if found["year8"] else year
    clock = found["hms"]
    parts = (clock[:2], clock[2:4], clock[4:]) if clock else (found["hour"], found["minute"], found["second_"])
    hour = _hour(int(parts[0]), found["half"])
    if hour is None:
        return None
    seconds = seconds_of(year, month, number, hour, int(parts[1]), int(parts[2]))
    if seconds is None:
        return None
    zone = found["zone"]
    is_told = zone is not None and (zone[-1:].isdigit() or zone == b"Z" or re.search(rb"\b%b\b" % NAMES, zone))
    return zoned(seconds + _part(found["fraction"]), year is not None, zone if is_told else None)


def read_clock(text: bytes) -> Stamp | None:
    """Reads a clock without a day (``10:00:00.123``, ``10:00:00 PM``): on no day, see ``NOWHERE``."""
    match = _clock_at().fullmatch(text)
    if not match:
        return None
    hour, minute, second = _hour(int(match[1]), match[5]), int(match[2]), int(match[3])
    if hour is None or hour > 23 or minute > 59 or second > 60:
        return None
    return Stamp(NOWHERE + hour * 3600 + minute * 60 + second + _part(match[4]), False, False)


def read_since_1970(text: bytes) -> Stamp | None:
    """Reads seconds, or milli-, micro- or nanoseconds, by how many digits there are; None for what is no time."""
    whole, _, part = text.partition(b".")
    exponent = len(whole) - 10
    seconds = int(whole) // 10**exponent if exponent >= 0 else 0
    if not _OLDEST <= seconds < _NEWEST:
        return None
    left = int(whole) % 10**exponent / 10**exponent if exponent else 0.0
    return Stamp(seconds + left + (float(b"0." + part) if part else 0.0), True, True)


def _day(found: dict[str, bytes]) -> tuple[int | None, int, int] | None:
    """Year, month and day of the alternative that matched."""
    for number in "1234567":
        month = found["month" + number]
        if month is not None:
            year = found["year" + number]
            return int(year) if year else None, MONTH_NUMBERS.get(month) or int(month), int(found["day" + number])
    first, second, third = int(found["first"]), int(found["second"]), int(found["third"])
    # Of two numbers that are a year the larger one is no month, and neither log is older than 2013.
    if first > 12:
        return 2000 + first, second, third
    return (2000 + third, first, second) if third > 12 else None


def _hour(hour: int, half: bytes | None) -> int | None:
    """The hour of 24; None where a clock of twelve hours has no such hour."""
    if half is None:
        return hour
    return hour % 12 + (12 if half == b"PM" else 0) if 1 <= hour <= 12 else None


def _part(fraction: bytes | None) -> float:
    return float(b"0." + fraction[1:]) if fraction else 0.0
