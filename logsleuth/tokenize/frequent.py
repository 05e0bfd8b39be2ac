"""Spares a run the lines that are written again and again.

Of an event that is declared ``frequent`` (a line of every training step) rules only ask whether there is one before or
after something else. So of the hits of its literals only some are looked at: in every MiB of a source the first and
the last of each writer that a label at the start of the line tells, and the first and the last few of those without a
label; at the end of the source more of these, as the last line of each of many ranks may stand there. Windows lie at
fixed offsets, so that the answer does not depend on how the source was cut into chunks.
"""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

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


class FrequentHits:
    """Picks the hits to look at, for one source."""

    def __init__(self, literals: frozenset[int]) -> None:
        self._literals = literals
        self._window = -1
        self._early = 0
        self._probed = 0
        self._late: deque[Late] = deque(maxlen=LAST)
        self._of_writer: dict[bytes, deque[list[Late]]] = {}
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

    def finish(self) -> list[Late]:
        """The hits at the end of the source."""
        return self._finish_window(LAST)

    def _early_hits(self, view: View, part: list[Hit]) -> list[Hit]:
        """The hits of a part of a window that are to be looked at now; what may be the last of it is remembered."""
        probe = max(EDGE - self._probed, 0)
        self._probed += len(part[:probe])
        early = [hit for hit in part[:probe] if self._is_early(view, hit)]
        if self._of_writer:
            early += [hit for hit in part[probe:] if self._is_early(view, hit)]
        else:
            # The first lines of the window have no label, so the others are taken to have none either.
            self._late.extend((view, hit) for hit in part[probe:][-LAST:])
        return early

    def _is_early(self, view: View, hit: Hit) -> bool:
        """Whether the hit is among the first of its kind; else it is remembered as one of the last."""
        label = label_at(view.labelled)(view.text, view.start(hit[0]))
        if label is None or (len(self._of_writer) >= _WRITERS and label[0] not in self._of_writer):
            self._early += 1
            if self._early <= EDGE:
                return True
            self._late.append((view, hit))
            return False
        if label[0] in self._of_writer:
            _remember(self._of_writer[label[0]], (view, hit))
            return False
        self._of_writer[label[0]] = deque(maxlen=_LAST_LINES)
        return True

    def _finish_window(self, most: int) -> list[Late]:
        lines = _LAST_LINES if most == LAST else 1
        labelled = [
            late for of_writer in self._of_writer.values() for line in list(of_writer)[-lines:] for late in line
        ]
        late = [*list(self._late)[-most:], *labelled]
        self._late.clear()
        self._of_writer.clear()
        self._early = self._probed = 0
        return sorted(late, key=lambda item: item[0].offset(item[1][0]))


def _remember(lines: deque[list[Late]], late: Late) -> None:
    """Takes a hit into its line, the last of a writer."""
    view, (end, _) = late
    if lines and lines[-1][0][0] is view and view.start(lines[-1][0][1][0]) == view.start(end):
        lines[-1].append(late)
    else:
        lines.append([late])


def windows(view: View, places: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """The windows in which places in the text lie, which ascend: of each its number and which of them lie in it, as
    (window, the first, behind the last)."""
    start = 0
    while start < len(places):
        window = view.offset(places[start]) // WINDOW
        end = bisect_left(places, (window + 1) * WINDOW, lo=start, key=view.offset)
        yield window, start, end
        start = end
