"""Which of many occurrences come after one, as far as one can see? Asked for each of many: of ten thousand ranks that
gave up, which told of something behind it? ``seems_after`` decides; it is asked only of those that may come after.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice

from logsleuth.engine.clock import LOCK_STEP, SKEW, Moment, seems_after
from logsleuth.engine.roster import Sighting
from logsleuth.engine.values import time_of

_Places = list[int]


class After:
    """Many occurrences, by whatever may put one behind another: its place in a source, the clock, training steps."""

    def __init__(self, found: Sequence[Sighting]) -> None:
        self._found = found
        self._began = [sighting.began for sighting in found]

    def has_any(self, early: Moment) -> bool:
        """Whether any of them comes after."""
        if self._is_behind_in_source(early):
            return True
        lows, places = self._by_low
        by_clock = islice(places, bisect_right(lows, -(early.high + SKEW)))
        return any(seems_after(self._began[at], early) for at in chain(by_clock, self._behind_in_training(early)))

    def earliest(self, early: Moment) -> Sighting | None:
        """Of those that come after that which seems to have come first."""
        highs, places = self._by_time
        by_clock = islice(places, bisect_right(highs, early.high + SKEW), None)
        first = next((at for at in by_clock if seems_after(self._began[at], early)), None)
        others = (at for at in self._elsewise(early) if seems_after(self._began[at], early))
        told = [self._found[at] for at in sorted({*others, *(() if first is None else (first,))})]
        return min(told, key=time_of, default=None)

    def until(self, early: Moment, seconds: float) -> list[Sighting]:
        """Those that come after, in their order, but for some that certainly begin more than so many seconds later."""
        lows, exact, vague = self._exact
        chosen = {*vague, *self._elsewise(early)}
        for at in range(bisect_right(lows, early.high + SKEW), len(lows)):
            if lows[at] - early.high > seconds:
                break
            chosen.add(exact[at])
        return [self._found[at] for at in sorted(chosen) if seems_after(self._began[at], early)]

    def _is_behind_in_source(self, early: Moment) -> bool:
        """Whether some comes after by its place: of the same writer, or where one of both has no stamp."""
        of_writer, of_source, unstamped = self._offsets
        by_place = unstamped if early.resolution else of_source
        last = max(of_writer.get((early.source, early.writer), -1), by_place.get(early.source, -1))
        return last > early.high_offset

    def _behind_in_training(self, early: Moment) -> Iterator[int]:
        """Those that training steps may put behind it."""
        if early.progress is not None:
            for passed, at in self._by_loop.get(early.progress.loop, ()):
                if passed < early.progress.coming + LOCK_STEP:
                    break
                yield at

    def _elsewise(self, early: Moment) -> Iterable[int]:
        """Those that may come after by something else than the clock."""
        return (*self._of_source.get(early.source, ()), *self._behind_in_training(early))

    @cached_property
    def _offsets(self) -> tuple[dict[object, int], dict[int, int], dict[int, int]]:
        """The last place of each writer, of each source, and of what has no stamp in each."""
        of_writer: dict[object, int] = {}
        of_source: dict[int, int] = {}
        unstamped: dict[int, int] = {}
        for moment in self._began:
            writer, source, offset = (moment.source, moment.writer), moment.source, moment.low_offset
            of_writer[writer] = max(offset, of_writer.get(writer, -1))
            of_source[source] = max(offset, of_source.get(source, -1))
            if not moment.resolution:
                unstamped[source] = max(offset, unstamped.get(source, -1))
        return of_writer, of_source, unstamped

    @cached_property
    def _of_source(self) -> dict[int, _Places]:
        found: dict[int, _Places] = defaultdict(list)
        for at, moment in enumerate(self._began):
            found[moment.source].append(at)
        return found

    @cached_property
    def _by_low(self) -> tuple[list[float], _Places]:
        """The latest first, by when they began at the earliest, which is told as a negative number."""
        places = sorted(range(len(self._began)), key=lambda at: -self._began[at].low)
        return [-self._began[at].low for at in places], places

    @cached_property
    def _by_time(self) -> tuple[list[float], _Places]:
        places = sorted(range(len(self._found)), key=lambda at: time_of(self._found[at]))
        return [self._began[at].high for at in places], places

    @cached_property
    def _exact(self) -> tuple[list[float], _Places, _Places]:
        """Those of which the moment is known, in its order, and those of which it is not."""
        known = [at for at, moment in enumerate(self._began) if moment.low == moment.high]
        known.sort(key=lambda at: self._began[at].low)
        vague = [at for at, moment in enumerate(self._began) if moment.low != moment.high]
        return [self._began[at].low for at in known], known, vague

    @cached_property
    def _by_loop(self) -> dict[object, list[tuple[float, int]]]:
        """What trains, farthest first."""
        found: dict[object, list[tuple[float, int]]] = defaultdict(list)
        for at, moment in enumerate(self._began):
            if moment.progress is not None:
                found[moment.progress.loop].append((moment.progress.passed, at))
        for row in found.values():
            row.sort(reverse=True)
        return found
