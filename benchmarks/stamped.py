"""A text whose time can be set: every stamp in it, of any shape that the shipped samples have."""

import re
from datetime import UTC, datetime, timedelta

BEGIN = datetime(2026, 3, 5, tzinfo=UTC)
"""When the logs of a corpus begin."""
_BOOTED = 88_000
"""Seconds for which hosts were up by then."""

_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_SHAPES = (
    # What stands in front of the clock; and it in the words of strftime.
    (r"(?<!\d)\d{4}-\d\d-\d\d(?=([T _-])\d)", "%Y-%m-%d"),
    (r"(?<!\d)\d{4}/\d\d/\d\d(?=([T _])\d)", "%Y/%m/%d"),
    (r"(?<![\d/])\d\d/\d\d/\d{4}(?=( )\d)", "%m/%d/%Y"),
    (r"(?<![\d/])\d\d/\d\d(?=( )\d)", "%m/%d"),
    (r"(?<![\d-])\d\d-\d\d-\d\d(?=( )\d)", "%y-%m-%d"),
    (r"(?<![\d-])\d\d-\d\d(?=( )\d)", "%m-%d"),
    (rf"\b(?:{_MONTHS}) [ \d]\d \d{{4}}(?=( )\d)", "%b %e %Y"),
    (rf"\b(?:{_MONTHS}) [ \d]\d(?=( )\d)", "%b %e"),
    (r"(?<=\b[VIWEFC])\d{8}(?=( )\d)", "%Y%m%d"),
    (r"(?<=\b[VIWEFC])\d{3,4}(?=( )\d)", "%m%d"),
)
_CLOCK = r"\d\d:\d\d:\d\d"
_STAMP = re.compile(
    "|".join(rf"(?:{day}[T _-]{_CLOCK})" for day, _ in _SHAPES)
    # A clock by itself is no part of an address of a device, which has colons before it.
    + rf"|(?<![\w:]){_CLOCK}(?![\w:]|\.\d(?!\d))"
)
_has_clock = re.compile(_CLOCK).search
_SHAPE_OF_DAY = tuple((re.compile(day), words) for day, words in _SHAPES)
_BEHIND = re.compile(r"(?:([.,])(\d{1,12}))?(?:(?<=\d)(?:[+-]\d\d(:?)\d\d)(?!\d))?(?: (20\d\d)\b(?![-/]))?")
_DAY_OF_WEEK = re.compile(rf"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?=,? (?:{_MONTHS}) )")
_EPOCH = re.compile(r"(?<![\w.-])(1[67]\d{8})(?:(\d{3})|\.(\d{1,9}))?(?![\w.])")
_UPTIME = re.compile(r"(?<=\[) {0,6}\d{1,6}\.(\d{6})(?=\])")


class Stamped:
    """A text without its stamps, and how they were told."""

    def __init__(self, text: str) -> None:
        self._parts: list[str] = []
        at = 0
        text = _DAY_OF_WEEK.sub(f"{BEGIN:%a}", text)
        for start, end, words in sorted([*_stamps(text), *_numbers(text)]):
            if start >= at:
                self._parts += [text[at:start], words]
                at = end
        self._last = text[at:]
        self._texts = self._parts[::2]
        self._words = self._parts[1::2]

    def at(self, seconds: float) -> str:
        """The text as it is written so many seconds after the logs begin."""
        if not self._words:
            return self._last
        moment = BEGIN + timedelta(seconds=seconds)
        told = (f"{text}{_told(words, moment, seconds)}" for text, words in zip(self._texts, self._words, strict=True))
        return "".join(told) + self._last


def _stamps(text: str) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    if not _has_clock(text):
        return found
    for stamp in _STAMP.finditer(text):
        words = "%H:%M:%S"
        for day, shape in _SHAPE_OF_DAY:
            if match := day.match(text, stamp.start()):
                words = f"{shape}{match[1]}%H:%M:%S"
                break
        behind = _BEHIND.match(text, stamp.end())
        assert behind
        fraction, digits, colon, year = behind.groups()
        if fraction:
            words += f"{fraction}\0{len(digits)}\0"
        if colon is not None:
            words += f"+00{colon}00"
        if year:
            words += " %Y"
        found.append((stamp.start(), behind.end(), words))
    return found


def _numbers(text: str) -> list[tuple[int, int, str]]:
    """Seconds or milliseconds since 1970, and seconds since a host was started."""
    epochs = [
        (found.start(), found.end(), "\1" + ("\0003\0" if found[2] else f".\0{len(found[3])}\0" if found[3] else ""))
        for found in _EPOCH.finditer(text)
    ]
    return epochs + [(found.start(), found.end(), "\2.\0006\0") for found in _UPTIME.finditer(text)]


def _told(words: str, moment: datetime, seconds: float) -> str:
    begin, *fractions = words.split("\0")
    told = moment.strftime(begin) if "%" in begin else begin
    told = told.replace("\1", str(int(moment.timestamp()))).replace("\2", f"{_BOOTED + int(seconds)}")
    for place, part in enumerate(fractions):
        told += f"{int(seconds % 1 * 1e12):012d}"[: int(part)] if place % 2 == 0 else moment.strftime(part)
    return told
