"""Stamps on one axis: those without a year are placed in the year that the other stamps tell."""

import math
import statistics
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from logsleuth.model.origin import Stamp

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Calendar:
    """Turns stamps into seconds that can be compared."""

    def __init__(self, stamps: Iterable[Stamp]) -> None:
        dated = [stamp.seconds for stamp in stamps if stamp.has_year and math.isfinite(stamp.seconds)]
        self._reference = statistics.median_low(dated) if dated else None
        self._shifts: dict[int, float] = {}

    def seconds(self, stamp: Stamp | None) -> float | None:
        """Seconds since 1970 of a stamp; one without a year lies in the year nearest to the stamps that have one."""
        if stamp is None:
            return None
        if stamp.has_year or self._reference is None:
            return stamp.seconds
        day = int(stamp.seconds // 86_400)
        if day not in self._shifts:
            self._shifts[day] = _shift(stamp.seconds, self._reference)
        return stamp.seconds + self._shifts[day]

    def text(self, seconds: float | None) -> str | None:
        """ISO 8601 with milliseconds; without a year (``--11-30T00:17:10.164``) where no stamp tells one.

        None for what no calendar has, as where a line claims that something lasted for thousands of years.
        """
        if seconds is None or not math.isfinite(seconds):
            return None
        try:
            moment = _EPOCH + timedelta(seconds=seconds)
        except OverflowError:
            return None
        text = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}"
        return text if self._reference is not None else "-" + text[4:]


def _shift(seconds: float, reference: float) -> float:
    """What to add to a time in 2000 so that it lies in the year nearest to the reference."""
    here, year = _EPOCH + timedelta(seconds=seconds), (_EPOCH + timedelta(seconds=reference)).year
    moved = []
    for candidate in (year - 1, year, year + 1):
        try:
            moved.append((here.replace(year=candidate) - here).total_seconds())
        except ValueError:  # 29 February in a year without one
            continue
    return min(moved, key=lambda shift: abs(seconds + shift - reference), default=0.0)
