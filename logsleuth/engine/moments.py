"""When occurrences began, on the axis on which all clocks are compared."""

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from logsleuth.engine.anchors import Count, count_of
from logsleuth.engine.attempts import Attempts
from logsleuth.engine.axis import Axis, Instant
from logsleuth.engine.clock import NOMINAL, Moment, Progress
from logsleuth.engine.subject import Member, Subject
from logsleuth.language.program import Program
from logsleuth.language.syntax import Event
from logsleuth.model.event import Occurrence
from logsleuth.model.life import Life
from logsleuth.model.origin import Stamp, Tag


class Moments:
    """Tells when each occurrence began."""

    def __init__(
        self,
        program: Program,
        occurrences: Sequence[Occurrence],
        lives: Mapping[Member, Sequence[tuple[int, Tag, Life]]],
        attempts: Attempts,
        axis: Axis,
    ) -> None:
        self._lives, self._attempts, self._axis = lives, attempts, axis
        self._stamped: dict[tuple[int, Tag], list[tuple[int, Stamp]]] = defaultdict(list)
        for o in occurrences:
            if o.stamp:
                self._stamped[o.source, o.tag].append((o.offset, o.stamp))
        self._steps = _steps(program, occurrences, attempts)

    def began(self, event: Event, o: Occurrence, subject: Subject) -> Moment:
        """When the fact that the occurrence tells of began: when it was said, or before, as the event has it."""
        said = self._said(o)
        if event.began == "said":
            return said
        if event.began == "after life":
            return self._after_life(said, o, subject)
        lasted = o.fields.get(event.began)
        if not isinstance(lasted, int | float):
            return said
        progress = said.progress._replace(passed=-math.inf) if said.progress else None
        return said._replace(low=said.low - lasted, high=said.high - lasted, low_offset=0, progress=progress)

    def _said(self, o: Occurrence) -> Moment:
        place = (o.source, o.offset, o.end_offset, o.tag)
        progress = self._progress(o)
        if (own := self._axis.instant(o.source, o.tag, o.stamp)) is not None:
            return Moment(own.seconds, own.seconds, *place, True, own.clock, own.clock, progress)
        before, after = self._around(o)
        low, high = before or Instant(-math.inf, NOMINAL), after or Instant(math.inf, NOMINAL)
        return Moment(min(low.seconds, high.seconds), high.seconds, *place, False, low.clock, high.clock, progress)

    def _around(self, o: Occurrence) -> tuple[Instant | None, Instant | None]:
        """The nearest moments before and after a line without a stamp.

        Both by stamps of the same writer; the one before also by that of any line of its source, where all of them
        are of one clock.
        """
        stamped = self._stamped.get((o.source, o.tag), [])
        place = bisect_left(stamped, o.offset, key=lambda item: item[0])
        before = self._axis.instant(o.source, o.tag, stamped[place - 1][1]) if place else None
        if before is None or self._axis.has_one(o.source):
            others = self._axis.instant(o.source, o.tag, o.after)
            before = max((i for i in (before, others) if i is not None), default=None)
        place = bisect_right(stamped, o.end_offset, key=lambda item: item[0])
        after = self._axis.instant(o.source, o.tag, stamped[place][1]) if place < len(stamped) else None
        return before, after

    def _after_life(self, said: Moment, o: Occurrence, subject: Subject) -> Moment:
        """Between the last line of those concerned and the line that tells of their end."""
        lives = [entry for member in subject.members for entry in self._lives.get(member, ())]
        ends = [self._axis.instant(source, tag, life.stamp) for source, tag, life in lives]
        low = max((end for end in ends if end is not None and end.seconds <= said.high), default=None)
        last = (life.last for source, _, life in lives if source == o.source and life.last < o.offset)
        start = max(last, default=-1) + 1  # Their last line itself came before.
        return said._replace(
            low=low.seconds if low else -math.inf,
            low_clock=low.clock if low else NOMINAL,
            low_offset=start,
            resolution=said.resolution and low is not None,
            progress=None,
        )

    def _progress(self, o: Occurrence) -> Progress | None:
        loops = self._steps.get((o.source, o.tag, self._attempts.told(o)))
        if loops is None:
            return None
        loop, offsets, steps = loops
        before, after = bisect_left(offsets, o.offset), bisect_right(offsets, o.end_offset)
        passed = steps[before - 1] if before else -math.inf
        return Progress(loop, passed, steps[after] if after < len(steps) else math.inf)


_Loop = tuple[tuple[object, ...], list[int], list[int]]
"""What is counted, offsets of lines, and their steps."""


def _steps(
    program: Program, occurrences: Sequence[Occurrence], attempts: Attempts
) -> dict[tuple[int, Tag, int | None], _Loop]:
    """The training steps that each writer tells in each attempt, by the kind of line that tells most of them.

    A count that does not rise starts over, or is that of several writers: it tells nothing.
    """
    found: dict[tuple[int, Tag, int | None], dict[tuple[object, ...], list[tuple[int, Count]]]] = {}
    for o in occurrences:
        event = program.events[o.event]
        attempt = attempts.told(o) if event.frequent else None
        if attempt is not None and (count := count_of(event, o, attempt)) is not None:
            by_loop = found.setdefault((o.source, o.tag, attempt), defaultdict(list))
            by_loop[count.loop].append((o.offset, count))
    out: dict[tuple[int, Tag, int | None], _Loop] = {}
    for writer, by_loop in found.items():
        loop, told = max(by_loop.items(), key=lambda item: (len(item[1]), str(item[0])))
        numbers = [count.number for _, count in told]
        if all(before < after for before, after in pairwise(numbers)):
            out[writer] = (loop, [offset for offset, _ in told], numbers)
    return out
