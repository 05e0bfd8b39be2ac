"""When is a wording given up, because a line keeps it busy for too long?

Patterns that can run for ever are errors of their rules, and of nearly all others it is proved that they cannot. What
is left is watched: a wording of which that is not proved, and any on a long line. Nothing but a clock can stop what
nobody foresaw, so the times are generous: no line of an honest log comes near them, whatever the machine.
"""

import re
from functools import cached_property
from time import perf_counter
from typing import ClassVar, cast

LONG = 2_048
"""Bytes of a line from which on every wording is watched."""
ONE_LINE = 5.0
"""Seconds on one line after which a wording that is not proved to be harmless is given up."""
SLOW = 0.05
"""Seconds on one line from which on they count."""
ALL_LINES = 10.0
"""Seconds on slow lines together after which a wording is given up."""


class Patience:
    """What one wording has taken so far."""

    any_strained: ClassVar[bool] = False
    """Whether some wording has taken long: none has but on hostile logs, so that mostly nobody has to look for it."""

    def __init__(self) -> None:
        self.is_at_end = False
        """Whether the wording is given up."""
        self._spent = 0.0

    @property
    def is_strained(self) -> bool:
        """Whether a line has already taken so long that it counts."""
        return self.is_at_end or self._spent > 0

    def match(
        self, pattern: "Watched", text: bytes, start: int, end: int, is_searched: bool = False
    ) -> re.Match[bytes] | None:
        """The match at ``start``, or the first behind it where ``is_searched`` is true; None also where the wording was
        given up."""
        if self.is_at_end:
            return None
        began = perf_counter()
        try:
            found = pattern.match(text, start, end, is_searched)
        except TimeoutError:
            self.is_at_end = Patience.any_strained = True
            return None
        took = perf_counter() - began
        if took > SLOW:
            self._spent += took
            self.is_at_end = self._spent > ALL_LINES
            Patience.any_strained = True
        return found


class Watched:
    """A regular expression that can be stopped."""

    def __init__(self, source: str, is_guarded: bool) -> None:
        self._source, self.is_guarded = source.encode(), is_guarded

    @cached_property
    def quick(self) -> re.Pattern[bytes]:
        """The expression as Python compiles it, which cannot be stopped."""
        return re.compile(self._source)

    def match(self, text: bytes, start: int, end: int, is_searched: bool) -> re.Match[bytes] | None:
        """A match; raises TimeoutError where it is not proved that there is no need to."""
        if not self.is_guarded:
            return (self.quick.search if is_searched else self.quick.match)(text, start, end)
        import regex  # Only for patterns that need it: loading it takes as long as reading a small log.

        slow = regex.compile(self._source)
        found = (slow.search if is_searched else slow.match)(text, start, end, timeout=ONE_LINE)
        return cast("re.Match[bytes] | None", found)
