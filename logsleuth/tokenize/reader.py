"""Reads one source: chunks of bytes in, finds of events out.

The reader looks only at lines that hold a literal of some wording. What it finds does not depend on where chunks end: a
block that is open at the end of a chunk goes on in the next.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

from logsleuth.ingest.chunks import Chunk
from logsleuth.language.syntax import Event
from logsleuth.model.before import NOTHING, Before
from logsleuth.model.origin import Tag
from logsleuth.tokenize.bars import Bars
from logsleuth.tokenize.blocks import Begun, OpenBlock
from logsleuth.tokenize.dictionary import Vocabulary
from logsleuth.tokenize.find import Find
from logsleuth.tokenize.frequent import FrequentHits, Late
from logsleuth.tokenize.glue import splits
from logsleuth.tokenize.learned import Told
from logsleuth.tokenize.lessons import lesson, told_by
from logsleuth.tokenize.lines import hit_lines
from logsleuth.tokenize.quiet import QuietLines
from logsleuth.tokenize.quotation import is_quotation
from logsleuth.tokenize.series_lines import SeriesLine, SeriesLines
from logsleuth.tokenize.series_rows import Alike, Rows, groups, rows_of
from logsleuth.tokenize.table_rows import Row, TableRows
from logsleuth.tokenize.unlabelled import HEAD, Headed
from logsleuth.tokenize.view import Line, View

_REMEMBERED = 64
"""Last lines of finished blocks that are remembered; a block around another ends on the very same line."""

Sink = Callable[[Find], None]
SeriesSink = Callable[[Find, int], None]
"""Takes a find for its numbers, and how many lines of its writer stand before it."""
RowsSink = Callable[[Rows, int], None]
"""Takes the numbers of many lines, and the segment in which they stand."""


class SourceReader:
    """Feeds the finds of one source to ``sink``, in the order of their first lines but for blocks, which come
    when they end."""

    def __init__(
        self,
        source: int,
        vocabulary: Vocabulary,
        labelled: int,
        sink: Sink,
        series_sink: SeriesSink | None = None,
        rows_sink: RowsSink | None = None,
        before: Before = NOTHING,
    ) -> None:
        """``before`` is what of the source was read earlier and stands in front of the first chunk."""
        self._source, self._labelled, self._sink = source, labelled, sink
        self._dictionary, self._scanner = vocabulary.dictionary, vocabulary.scanner
        self._claims = vocabulary.claims
        self._frequent = FrequentHits(vocabulary.dictionary.frequent)
        self._series_sink, self._rows_sink = series_sink, rows_sink
        self._series_lines = SeriesLines(
            vocabulary.dictionary.of_series if series_sink else frozenset(),
            vocabulary.dictionary.numbers_of,
            labelled,
            partial(lesson, vocabulary.dictionary),
            before.lines_of,
        )
        self._bars = Bars()
        self._table_rows = TableRows(vocabulary.dictionary, before.rows_of)
        self._begins = [-1] * before.segments
        """Offsets of the lines that begin a segment; of those that were read earlier it is enough that they are."""
        self._open: list[Begun] = []
        self._claimed: deque[int] = deque(maxlen=_REMEMBERED)
        self._headed: list[Headed] = []
        """Tracebacks with a labelled head that may go on in the next chunk."""
        self._owned: dict[int, tuple[Tag, int]] = {}
        """By offset, the lines of this chunk that only the head of their traceback labels: the writer, that head."""
        self._unlabelled_until = -1
        """How far tracebacks that nothing labels have gone on."""
        self._last_stamp = before.stamp
        self._segment = before.segments

    def feed(self, chunk: Chunk) -> int:
        """Takes the next chunk of the source; returns how many lines end in it."""
        view = View(chunk, self._labelled)
        self._owned = {}
        self._headed = [headed for headed in self._headed if self._follow(headed, view, 0)]
        self._continue_blocks(view)
        found = self._scanner.scan(view.text)
        headers = [hit for hit in found if hit[1] in self._dictionary.tables]
        picked = self._series_lines.pick(view, found)
        quiet = QuietLines(picked.alike)
        hits, late = self._frequent.pick(view, quiet.taken_out(self._without(headers, found)))
        self._catch_up(late)
        for start, end, literals in hit_lines(view.text, hits):
            self._pass_by(view, quiet.last_before(start))
            self._line(view, start, end, literals)
        self._pass_by(view, quiet.last_before(len(view.text)))
        # Now it is known where segments begin, up to here.
        for taught in picked.lessons:
            self._feed_series(taught.line, taught.told, taught.number)
        for alike in picked.alike:
            self._feed_rows(alike)
        self._look_at(picked.lines)
        self._feed_table(self._table_rows.pick(view, headers))
        return view.newlines

    def _pass_by(self, view: View, place: tuple[int, int] | None) -> None:
        """Takes no more than the stamp of a line that says nothing else."""
        if place is not None:
            self._last_stamp = view.line(*place).frame.stamp or self._last_stamp

    def behind(self, read: Before) -> Before:
        """What is to be known of all that was fed by whoever reads on; to be asked before ``finish``."""
        is_torn = bool(self._open or self._headed or self._table_rows.may_go_on)
        lines, rows = self._series_lines.counted, self._table_rows.counted
        last = self._last_stamp
        return read._replace(segments=self._segment, stamp=last, lines_of=lines, rows_of=rows, is_torn=is_torn)

    def finish(self, is_end: bool = True) -> None:
        """The source has ended: blocks that are complete but for optional lines count. Or, unless ``is_end``, a part
        of it that somebody reads by itself."""
        self._catch_up(self._frequent.finish(is_end))
        self._look_at(self._series_lines.finish())
        self._feed_table(self._table_rows.finish())
        for item in self._open:
            self._close(item)
        self._open.clear()

    def _catch_up(self, late: list[Late]) -> None:
        """Looks at lines of frequent events that are known only now to be the last of their window."""
        stamp, self._last_stamp = self._last_stamp, None
        for view, hits in groupby(late, key=itemgetter(0)):
            for start, end, literals in hit_lines(view.text, [hit for _, hit in hits]):
                self._line(view, start, end, literals, is_late=True)
                self._last_stamp = None
        self._last_stamp = stamp

    def _line(self, view: View, start: int, end: int, literals: tuple[int, ...], *, is_late: bool = False) -> None:
        whole = view.line(start, end)
        if not is_late and self._owned and (owner := self._owned.get(view.offset(start))):
            whole = whole.of(owner[0])
        elif not is_late and whole.text.startswith(HEAD, whole.frame.start) and not whole.frame.tag.is_bare:
            self._heads(view, whole, end)
        self._match(view, whole, literals, end)
        for at in splits(whole.text, whole.frame.start):
            # Another record begins inside this line: a header shows it. One that does not say whose it is (a traceback
            # glued to a log line) is the line's own.
            rest = view.line(start + at, end)
            if rest.frame.tag.is_bare:
                rest = rest.of(whole.frame.tag)
            self._match(view, rest, literals, end)

    def _heads(self, view: View, line: Line, end: int) -> None:
        """A labelled head of a traceback; what nothing labels beneath it may be its writer's, unless a traceback that
        nothing labels was going on."""
        if self._unlabelled_until < line.offset and not any(item.block.is_unlabelled for item in self._open):
            headed = Headed(line.frame.tag, line.offset)
            if self._follow(headed, view, view.behind(end)):
                self._headed.append(headed)

    def _follow(self, headed: Headed, view: View, start: int) -> bool:
        """Follows a traceback from this offset of the view on; returns whether it may go on behind the last line."""
        while not headed.ended and start < len(view.text):
            end = view.end(start)
            line, head = view.line(start, end), headed.head
            if headed.owns(line.text, line.frame, line.offset):
                self._owned[view.offset(start)] = headed.tag, head
            start = view.behind(end)
        return not headed.ended

    def _match(self, view: View, line: Line, literals: tuple[int, ...], end: int) -> None:
        candidates = self._dictionary.candidates(literals)
        after = self._last_stamp
        for event, pattern in candidates.lines:
            if match := pattern.match_framed(line):
                if pattern.floats and not event.frequent and is_quotation(line.text, line.frame.start):
                    continue
                if event.fallback and self._claims.claimed(line):
                    break
                self._begin_segment(event, line)
                # Frequent events are seen late, so the segment that is current then says nothing.
                segment = 0 if event.frequent else self._segment
                find = Find(event, self._source, line, line, ((pattern, match),), (), after, segment)
                if counted := self._bars.counted(find):
                    self._sink(counted)
                break
        for event, block in candidates.blocks:
            if opening := block.opener.match_framed(line):
                self._begin_segment(event, line)
                self._open_block(view, Begun(event, OpenBlock(block, line, opening), after, self._segment), end)
        if line.frame.stamp:
            self._last_stamp = line.frame.stamp

    def _look_at(self, lines: list[SeriesLine]) -> None:
        for one in lines:
            line = one.view.line(one.start, one.end)
            self._feed_series(line, told_by(self._dictionary, line, one.literals), one.number)

    def _feed_series(self, line: Line, told: list[Told], number: int) -> None:
        segment = bisect_right(self._begins, line.offset)
        for event, matches in told:
            assert self._series_sink  # without one no line is picked
            self._series_sink(Find(event, self._source, line, line, matches, (), None, segment), number)

    def _feed_rows(self, alike: Alike) -> None:
        assert self._rows_sink
        first, last = (bisect_right(self._begins, alike.view.offset(alike.lines.starts[at])) for at in (0, -1))
        for rows in rows_of(self._source, alike):
            for segment, part in [(first, rows)] if first == last else self._by_segment(rows):
                self._rows_sink(part, segment)

    def _by_segment(self, rows: Rows) -> list[tuple[int, Rows]]:
        segments = [bisect_right(self._begins, rows.offset(at)) for at in range(len(rows))]
        return [(segments[chosen[0]], rows.part(chosen)) for chosen in groups(segments)]

    def _without(
        self, headers: Sequence[tuple[int, int]], found: Sequence[tuple[int, int]]
    ) -> Sequence[tuple[int, int]]:
        """The hits on which a line may be an event by itself, as a header of a table is none."""
        return [hit for hit in found if hit[1] not in self._dictionary.of_headers] if headers else found

    def _feed_table(self, rows: list[Row]) -> None:
        for event, line, pattern, match, number in rows:
            segment = bisect_right(self._begins, line.offset)
            find = Find(event, self._source, line, line, ((pattern, match),), (), None, 0)
            self._sink(find)
            if self._series_sink and event.series:
                self._series_sink(find._replace(segment=segment), number)

    def _begin_segment(self, event: Event, line: Line) -> None:
        if event.marks_attempt:
            self._segment += 1
            self._begins.append(line.offset)

    def _open_block(self, view: View, item: Begun, end: int) -> None:
        if self._feed(item.block, view, view.behind(end)):
            self._open.append(item)
        else:
            self._close(item)

    def _continue_blocks(self, view: View) -> None:
        still_open: list[Begun] = []
        for item in self._open:
            if self._feed(item.block, view, 0):
                still_open.append(item)
            else:
                self._close(item)
        self._open = still_open

    def _feed(self, block: OpenBlock, view: View, start: int) -> bool:
        """Gives a block the lines from this offset of the view on; returns whether it is still open behind the last."""
        while not block.ended and start < len(view.text):
            if block.prefix:
                # Lines of other writers are passed over without being peeled, or even looked at one by one.
                own = self._next_own(block, view, start)
                block.pass_over(view.text.count(b"\n", start, own))
                if block.ended or own == len(view.text):
                    break
                start = own
            line, end = view.following(start)
            if self._owned and self._owned.get(view.offset(start)) == (block.first.frame.tag, block.first.offset):
                line = line.of(block.first.frame.tag)
            if block.reopens(line):
                block.ended = True
            else:
                block.feed(line)
            if block.ended and block.is_unlabelled:
                self._unlabelled_until = max(self._unlabelled_until, line.offset)
            start = view.behind(end)
        return not block.ended

    def _next_own(self, block: OpenBlock, view: View, start: int) -> int:
        """Where the next line of the block's writer begins, from the line start given on; else the end."""
        own = view.next_line_with(block.prefix, start)
        if self._owned:
            mine, begun = (block.first.frame.tag, block.first.offset), view.offset(start)
            places = [at for at, owner in self._owned.items() if owner == mine and at >= begun]
            own = min([own, *(view.first_behind(at) for at in places)])
        return own

    def _close(self, item: Begun) -> None:
        block = item.block
        if not block.complete or (item.event.fallback and self._is_claimed(block.last)):
            return
        if not item.event.fallback and not item.event.about:
            # A block that says whom it is about lends that to the events inside instead.
            self._claimed.append(block.last.offset)
        matches, told = tuple(block.matches), tuple(block.told)
        self._sink(Find(item.event, self._source, block.first, block.last, matches, told, item.after, item.segment))

    def _is_claimed(self, line: Line) -> bool:
        """Whether a finer event ends on this line. A block around a fallback block begins, and so closes, before it."""
        return line.offset in self._claimed or self._claims.claimed(line)
