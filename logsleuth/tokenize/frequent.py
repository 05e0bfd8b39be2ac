"""Spares a run the lines that are written again and again.

Of an event that is declared ``frequent`` (a line of every training step) rules only ask whether there is one before or
after something else. So of the hits of its literals only some are looked at: in every MiB of a source the first and
the last of each writer that a label at the start of the line tells, and the first and the last few of those without a
label; at the end of the source more of these, as the last line of each of many ranks may stand there. Windows lie at
fixed offsets, so that the answer does not depend on how the source was cut into chunks.
"""

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from operator import itemgetter

from logsleuth.tokenize.lines import lines_at
from logsleuth.tokenize.outer_labels import OPENINGS
from logsleuth.tokenize.view import View

WINDOW = 1 << 20
EDGE = 4
"""Unlabelled hits at either edge of a window."""
LAST = 32
"""Unlabelled hits at the end of a source."""
_LAST_LINES = 4
"""Lines of a labelled writer at the end of a source: the very last that has a hit may be no progress after all."""
_WRITERS = 4096
"""Labels that are told apart in one window; in a log with more, the last ones count as unlabelled."""

_LABEL = (
    rb" *\d{1,6}: |(?:\[[A-Za-z_]*\d+\]:)+|\[[^\]\s]{1,40}\](?:<std(?:out|err)>)?:|\([A-Za-z][^)]{0,80}\)"
    rb"|\[pod/[^\]]{1,80}\]|\[[Rr](?:ank|ANK)[:=_ ]{0,2}\d{1,7}\]|\x1e[^\x1d\x1f\n]{0,400}\x1d"
)


@lru_cache
def label_at(labelled: int) -> Callable[[bytes, int], re.Match[bytes] | None]:
    """Finds what names the writer of a line at its start, without peeling the line; ``labelled`` as in ``frame``."""
    of_kind = rb"|" + OPENINGS[labelled - 1] if labelled else rb""
    return re.compile(_LABEL + of_kind).match


Hit = tuple[int, int]
Late = tuple[View, Hit]
_LateLine = tuple[View, list[Hit], int, int]
"""Which of some hits a line has."""


class FrequentHits:
    """Picks the hits to look at, for one source."""

    def __init__(self, literals: frozenset[int]) -> None:
        self._literals = literals
        self._window = -1
        self._early = 0
        self._probed = 0
        self._late: deque[Late] = deque(maxlen=LAST)
        self._of_writer: dict[bytes, deque[_LateLine]] = {}
        """The hits of the last lines of each label in the window, without the first hit of all."""

    def pick(self, view: View, hits: Sequence[Hit]) -> tuple[list[Hit], list[Late]]:
        """Of a chunk's hits (ascending) those to look at now, and those at the ends of windows that are complete."""
        frequent = [hit for hit in hits if hit[1] in self._literals]
        if not frequent:
            return list(hits), []
        chosen = [hit for hit in hits if hit[1] not in self._literals]
        late: list[Late] = []
        for window, start, end in windows(view, [stop for stop, _ in frequent]):
            if window != self._window:
                late += self._finish_window(EDGE)
                self._window = window
            chosen += self._early_hits(view, frequent[start:end])
        return sorted(chosen), late

    def finish(self, is_end: bool = True) -> list[Late]:
        """The hits at the end of the source; or of a window at which it was cut."""
        return self._finish_window(LAST if is_end else EDGE)

    def _early_hits(self, view: View, part: list[Hit]) -> list[Hit]:
        """The hits of a part of a window that are to be looked at now; what may be the last of it is remembered."""
        probe = min(max(EDGE - self._probed, 0), len(part))
        self._probed += probe
        if probe:
            end = view.end(part[probe - 1][0])
            probe = bisect_right(part, end, lo=probe, key=itemgetter(0))
        early = self._of_lines(view, part[:probe])
        if self._of_writer:
            early += self._of_lines(view, part[probe:])
        else:
            # The first lines of the window have no label, so the others are taken to have none either.
            self._late.extend((view, hit) for hit in part[probe:][-LAST:])
        return early

    def _of_lines(self, view: View, hits: list[Hit]) -> list[Hit]:
        """Those of these hits, all that their lines have, that are among the first of their kind; others are remembered
        as some of the last."""
        stops = [stop for stop, _ in hits]
        lines = list(lines_at(view.text, stops))
        labels = map(label_at(view.labelled), repeat(view.text), map(itemgetter(0), lines))
        early: list[Hit] = []
        start = 0
        for end, label in zip(map(bisect_right, repeat(stops), map(itemgetter(1), lines)), labels, strict=True):
            if label is None or (len(self._of_writer) >= _WRITERS and label[0] not in self._of_writer):
                free = min(max(EDGE - self._early, 0), end - start)
                self._early += end - start
                early += hits[start : start + free]
                self._late.extend((view, hit) for hit in hits[start + free : end])
            elif (known := self._of_writer.get(label[0])) is not None:
                known.append((view, hits, start, end))
            else:
                early.append(hits[start])
                last = [(view, hits, start + 1, end)] if end > start + 1 else []
                self._of_writer[label[0]] = deque(last, maxlen=_LAST_LINES)
            start = end
        return early

    def _finish_window(self, most: int) -> list[Late]:
        lines = _LAST_LINES if most == LAST else 1
        labelled = [
            (view, hit)
            for last in self._of_writer.values()
            for view, hits, start, end in list(last)[-lines:]
            for hit in hits[start:end]
        ]
        late = [*list(self._late)[-most:], *labelled]
        self._late.clear()
        self._of_writer.clear()
        self._early = self._probed = 0
        return sorted(late, key=lambda item: item[0].offset(item[1][0]))


def windows(view: View, places: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """The windows in which places in the text lie, which ascend: of each its number and which of them lie in it, as
    (window, the first, behind the last)."""
    start = 0
    while start < len(places):
        window = view.offset(places[start]) // WINDOW
        end = bisect_left(places, (window + 1) * WINDOW, lo=start, key=view.offset)
        yield window, start, end
        start = end
