"""What the clock of whoever follows a live job tells besides the logs: when their bytes came, and what time it is."""

from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

MOST = 4096
"""Moments that are remembered of a source; of more, every other one is forgotten but for the latest."""


class Arrivals:
    """When the bytes of one source came, as far as somebody watched.

    Offsets are those of the source as its occurrences have them. What was there before anybody looked came at a moment
    that nobody knows; only when the last of it was written is known, by its file.
    """

    __slots__ = ("_ends", "_moments", "watched_from")

    def __init__(self) -> None:
        self._ends: list[int] = []
        self._moments: list[float] = []
        self.watched_from = 0
        """Offset from which on it was seen when bytes came."""

    def begin(self, offset: int, written: float) -> None:
        """Bytes up to this offset were there already, the last of them written at this moment (seconds since 1970)."""
        self.watched_from = offset
        self._ends, self._moments = [offset], [written]

    def note(self, offset: int, moment: float) -> None:
        """Bytes up to this offset have come by this moment."""
        if self._moments and moment <= self._moments[-1]:
            self._ends[-1] = offset
            return
        self._ends.append(offset)
        self._moments.append(moment)
        if len(self._ends) > MOST:
            keep = slice(len(self._ends) % 2 == 0, None, 2)
            self._ends, self._moments = self._ends[keep], self._moments[keep]

    def at(self, offset: int) -> float | None:
        """The moment by which the byte at this offset was there; None where nobody saw it come."""
        if offset < self.watched_from:
            return None
        place = bisect_right(self._ends, offset)
        return self._moments[place] if place < len(self._ends) else None

    @property
    def last(self) -> float | None:
        """When it grew last; None of a source without a byte."""
        return self._moments[-1] if self._moments else None


class Present(NamedTuple):
    """The moment at which a live job is judged."""

    now: float
    """Seconds since 1970."""
    arrivals: Mapping[int, Arrivals]
    """Of each source that is followed; what cannot grow (archives, what is packed) is not here."""
    is_last: bool = False
    """Whether nobody waits for more: it is the last judgement, whatever may still be written."""
