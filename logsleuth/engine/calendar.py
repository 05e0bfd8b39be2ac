"""Stamps on one axis: those without a year are placed in the year that the other stamps tell."""

import math
import statistics
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from logsleuth.engine.days import DAY
from logsleuth.model.origin import NOWHERE, Stamp

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_YEAR = 366 * 86_400
"""Seconds from a date in spring or later in 1999 to the same in 2000, where stamps without a year are placed."""
_LONGEST = _YEAR / 2
"""Seconds; a job whose stamps seem to span more went on over New Year."""
_DAYLESS = 1000 * DAY
"""Seconds behind ``NOWHERE`` in which moments lie of which only the clock is known."""
_SPRING = datetime(2000, 3, 1, tzinfo=UTC).timestamp()


class Calendar:
    """Turns stamps into seconds that can be compared."""

    def __init__(self, stamps: Iterable[Stamp]) -> None:
        known = [stamp for stamp in stamps if math.isfinite(stamp.seconds) and stamp.seconds >= 0]
        dated = [stamp.seconds for stamp in known if stamp.has_year]
        self._reference = statistics.median_low(dated) if dated else None
        self._new_year = None if dated else _new_year([stamp.seconds for stamp in known])
        self._shifts: dict[int, float] = {}

    def seconds(self, stamp: Stamp | None) -> float | None:
        """Seconds since 1970 of a stamp; one without a year lies in the year nearest to the stamps that have one.

        None of a stamp that tells no day and was not given one.
        """
        if stamp is None or stamp.seconds < NOWHERE + DAY:
            return None
        if stamp.has_year or stamp.seconds < 0:
            return stamp.seconds
        if self._reference is None:
            is_of_old_year = self._new_year is not None and stamp.seconds >= self._new_year
            return stamp.seconds - _YEAR if is_of_old_year else stamp.seconds
        day = int(stamp.seconds // 86_400)
        if day not in self._shifts:
            self._shifts[day] = _shift(stamp.seconds, self._reference)
        return stamp.seconds + self._shifts[day]

    @property
    def has_years(self) -> bool:
        """Whether some stamp tells the year."""
        return self._reference is not None

    def text(self, seconds: float | None) -> str | None:
        """ISO 8601 with milliseconds; without a year (``--11-30T00:17:10.164``) where no stamp tells one, and
        without a day (``T00:17:10.164``) where none tells one.

        None for what no calendar has, as where a line claims that something lasted for thousands of years.
        """
        if seconds is None or not math.isfinite(seconds):
            return None
        try:
            moment = _EPOCH + timedelta(seconds=seconds)
        except OverflowError:
            return None
        text = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}"
        if NOWHERE <= seconds < NOWHERE + _DAYLESS:
            return text[10:]
        return text if self._reference is not None else "-" + text[4:]


def _new_year(seconds: list[float]) -> float | None:
    """From which time in 2000 on stamps are of the year before the others: behind the largest gap between them."""
    times = sorted(set(seconds))
    if not times or times[-1] - times[0] <= _LONGEST:
        return None
    gap, start = max((late - early, late) for early, late in pairwise(times))
    return start if gap > _LONGEST and start >= _SPRING else None


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
