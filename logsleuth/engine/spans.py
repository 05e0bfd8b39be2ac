"""Blocks as stretches of a source: an event inside a block concerns whom the block concerns."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from logsleuth.engine.identity import Identity
from logsleuth.engine.subject import Subject
from logsleuth.language.program import Program
from logsleuth.model.event import Occurrence
from logsleuth.model.origin import Tag


class _Span(NamedTuple):
    start: int
    end: int
    subject: Subject


class Spans:
    """The blocks that say whom they are about."""

    def __init__(self, program: Program, identity: Identity, occurrences: Iterable[Occurrence]) -> None:
        self._spans: dict[tuple[int, Tag], list[_Span]] = defaultdict(list)
        for o in occurrences:
            event = program.events[o.event]
            if event.about and o.end_offset > o.offset:
                span = _Span(o.offset, o.end_offset, identity.subject(event, o))
                self._spans[o.source, o.tag].append(span)
        for spans in self._spans.values():
            spans.sort(key=lambda span: (span.start, span.end))

    def around(self, occurrence: Occurrence) -> Subject | None:
        """Whom the block around this occurrence concerns; None where no block of the same writer lies around it."""
        spans = self._spans.get((occurrence.source, occurrence.tag), [])
        place = bisect_right(spans, occurrence.offset, key=lambda span: span.start)
        # Blocks of one writer follow each other, so only the last few that began before can still be open.
        for span in reversed(spans[max(0, place - 4) : place]):
            if span.start <= occurrence.offset <= span.end:
                return span.subject
        return None
