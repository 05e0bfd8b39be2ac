"""Does any of many values of series seem to come after something? Asked once for each of many lines, as of losses that
are no number any more: is there any that is one behind them?"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from logsleuth.engine.clock import NOMINAL, Moment, margin
from logsleuth.model.origin import BARE


@dataclass(slots=True)
class _OfSource:
    offset: int = -1
    """Of the last value of a source."""
    unstamped: int = -1
    """Of the last that tells no time."""
    low: float = -math.inf
    """The latest moment that one tells."""


class Latest:
    """The last of many values, by source and by the clock: enough to know whether any of them comes after a line."""

    def __init__(self, moments: Iterable[Moment]) -> None:
        """``moments`` are those of values: of no writer that has a name, of one instant or none, of no other clock."""
        self._sources: dict[int, _OfSource] = {}
        for moment in moments:
            last = self._sources.setdefault(moment.source, _OfSource())
            last.offset = max(last.offset, moment.low_offset)
            last.low = max(last.low, moment.low)
            if not moment.resolution:
                last.unstamped = max(last.unstamped, moment.low_offset)
        by_clock = sorted(((last.low, source) for source, last in self._sources.items()), reverse=True)
        self._by_clock = by_clock[:2]

    def any_after(self, early: Moment) -> bool:
        """Whether ``seems_after`` holds of any of them."""
        least = early.high + margin(NOMINAL, early.high_clock)
        own = self._sources.get(early.source)
        if own is not None:
            by_place = own.offset if early.writer == BARE or not early.resolution else own.unstamped
            by_clock = own.low if early.writer != BARE and early.resolution else -math.inf
            if by_place > early.high_offset or by_clock > least:
                return True
        return any(low > least for low, source in self._by_clock if source != early.source)
