"""Where in a source a job was launched again after it had ended: with ``tee -a``, by a requeue, in a shell's loop.

A banner alone proves nothing: every node prints its own. But all of them do before the first step of training, so a
run begins at a banner with steps between it and the one before. Where there are none, a line that ``ends run`` must
stand there, and steps behind the banner: an agent that came late to a job that another one has just left prints a
banner too, and nothing else.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable

from logsleuth.language.program import Program
from logsleuth.model.event import Occurrence

Place = Hashable
"""A source, or the lines of a host in it."""


class Runs:
    """Offsets of lines at which a run ended, and at which a step of training was told, by source."""

    def __init__(self, program: Program, occurrences: Iterable[Occurrence]) -> None:
        self._ends: dict[int, list[tuple[int, str | None]]] = defaultdict(list)
        self._steps: dict[int, list[int]] = defaultdict(list)
        for occurrence in occurrences:
            event = program.events[occurrence.event]
            if event.ends_run:
                self._ends[occurrence.source].append((occurrence.end_offset, occurrence.tag.host))
            elif event.frequent and "step" in occurrence.fields:
                self._steps[occurrence.source].append(occurrence.offset)
        for steps in self._steps.values():
            steps.sort()

    def begin(self, source: int, host: str | None, banners: Iterable[int]) -> set[int]:
        """Which of the banners (offsets, in order) of a source, or of a host in it, begin another run."""
        ends = sorted(end for end, whose in self._ends.get(source, ()) if host is None or whose in (host, None))
        steps = self._steps.get(source, [])
        begun: set[int] = set()
        since = -1
        for banner in banners:
            if _any(steps, since, banner) or (_any(ends, since, banner) and bisect_left(steps, banner) < len(steps)):
                begun.add(banner)
                since = banner
        return begun


def _any(offsets: list[int], first: int, behind: int) -> bool:
    return bisect_left(offsets, first) < bisect_left(offsets, behind)
