"""Who writes in a source, and until when.

Asking every line for its writer would cost more than everything else together, so the census looks at samples: the
first 64 KiB, 64 KiB at every 16 MiB, and the last 256 KiB of a source. Samples lie at fixed offsets, so the answer does
not depend on how the source was cut into chunks. Of a source whose records are unfolded, offsets of the text that comes
out decide where samples lie.
"""

import hashlib
import heapq
import re
import zlib
from collections import deque
from functools import lru_cache

from logsleuth.ingest.chunks import Chunk
from logsleuth.model.life import ENDINGS, Life, SourceLife
from logsleuth.model.origin import Stamp, Tag
from logsleuth.tokenize import ansi, outer_labels
from logsleuth.tokenize.framing import frame

SAMPLE = 64 << 10
STRIDE = 16 << 20
TAIL = 256 << 10
_ENDING = 24
"""Bytes at the end of a line, which no launcher or collector changes."""
_EDGE = 8
"""Lines at either end of a sample that are looked at whoever wrote them."""

_WRITTEN_LINE = re.compile(rb"^[^\n]*\S[^\n]*", re.MULTILINE)
_COLLECTED = rb"(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]{8,20}(?:Z|[+-]\d\d:?\d\d)?\]? (?:std(?:out|err) [FP] |[\da-f]{8} )?)?"
"""What a collector puts in front of labels, other on every line."""
_LABEL = (
    rb"\x1e[^\x1d\x1f\n]*\x1d|"
    rb"\[[A-Za-z_]*\d+\]:(?:\[rank\d+\]:)?| *\d{1,6}: (?:\[rank\d+\]:)?|\[[^\]\s]{1,40}\](?:<std(?:out|err)>)?:"
    rb"|\([A-Za-z]\w*(?:\[rank=\d+\])? pid=\d+[^)]{0,40}\)|[A-Za-z0-9][\w.-]{0,63}:\d+:\d+ \[-?\d+\]"
    rb"|[VIWEFC]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ |\[[Rr](?:ank|ANK)[:=_ ]{0,2}\d+\]|\[pod/[\w./-]{1,253}\] "
)
_SILENT = rb"(?:[\0\f\v\b]|\xef\xbb\xbf){0,8}+"
"""Page breaks and byte order marks in front of a line."""
_silent = re.compile(_SILENT).match
_OF_KIND = (rb"", *(b"|" + opening for opening in outer_labels.OPENINGS))
"""What lines begin with where they carry labels of a kind."""


@lru_cache
def _label_of(labelled: int) -> re.Pattern[bytes]:
    """A line end and what names the writer of the line behind it. The newline is what makes the search fast."""
    return re.compile(rb"\n%b%b(%b%b)" % (_SILENT, _COLLECTED, _LABEL, _OF_KIND[labelled]))


class Census:
    """Takes the chunks of one source and tells who was seen in them."""

    def __init__(self, labelled: int) -> None:
        self._labelled, self._label = labelled, _label_of(labelled)
        self._part = bytearray()
        self._part_at = 0
        self._tail = b""
        self._tail_at = 0
        self._last_at = 0
        """Offset of the line with the last stamp."""
        self._undated: dict[int, Stamp] = {}
        self._digest = hashlib.blake2b(digest_size=16)
        self._end = 0
        """Bytes of text that were fed."""
        self._chunks: deque[tuple[int, Chunk]] = deque()
        """The chunks that samples still to be taken lie in, and where in the text each begins."""
        self.life = SourceLife()

    def feed(self, chunk: Chunk) -> None:
        """Takes the next chunk."""
        start, end = self._end, self._end + len(chunk.data)
        self._chunks.append((start, chunk))
        first = start // STRIDE
        for sample in range(first, end // STRIDE + 1):
            low, high = max(start, sample * STRIDE), min(end, sample * STRIDE + SAMPLE)
            if low < high:
                self._part_at = self._part_at if self._part else low
                self._part += chunk.data[low - start : high - start]
            if high == sample * STRIDE + SAMPLE:
                self._sample(bytes(self._part), self._part_at)
                self._part.clear()
        self._tail = (self._tail + chunk.data)[-TAIL:] if len(chunk.data) < TAIL else chunk.data[-TAIL:]
        self._tail_at = end - len(self._tail)
        self._end = end
        needed = min(self._tail_at, self._part_at if self._part else end)
        while len(self._chunks) > 1 and self._chunks[1][0] <= needed:
            self._chunks.popleft()

    def skip(self, offset: int) -> None:
        """The next chunk stands at this offset of plain text; no sample lies in what is left out."""
        if offset > self._end:
            self._end, self._tail = offset, b""
            self._chunks.clear()

    def finish(self) -> SourceLife:
        """The source has ended."""
        self._sample(bytes(self._part), self._part_at)
        if self._end <= SAMPLE:
            self._digest.update(self._tail)  # The first sample was all of it.
        else:
            self._sample(self._tail, self._tail_at)
        self._see_endings(ansi.strip(self._tail.rpartition(b"\n")[2])[0] + b"\n")
        if self._end:
            self._digest.update(b"%d" % self._end)
            self.life.content = self._digest.hexdigest()
        self.life.undated = tuple(sorted(self._undated.items()))
        self._part.clear()
        self._tail = b""
        return self.life

    def _sample(self, data: bytes, offset: int) -> None:
        """Looks at a part of the source; a line that it starts inside of is left out."""
        self._digest.update(data)
        if b"\n" not in data:
            # Lone carriage returns end the lines of this source, or draw one line again and again.
            data = data.replace(b"\r", b"\n")
        cut = data.find(b"\n") + 1 if offset else 0
        offset += cut
        text, offsets = ansi.strip(data[cut:])
        self._see_endings(text)
        places: dict[bytes, tuple[int, int]] = {}
        for match in self._label.finditer(b"\n" + text):
            # The newline in front shifts the text by one, so the match starts where the line does.
            first, _ = places.get(match[1], (match.start(), 0))
            places[match[1]] = (first, match.start())
        for first, last in places.values():
            self._see(text, first, self._place(offset + offsets.raw(first)))
            self._see(text, last, self._place(offset + offsets.raw(last)))
        self._see_edges(text, offset, offsets)

    def _see_endings(self, text: bytes) -> None:
        """How lines end, but for the last, which may be a piece, and for short ones, whose framing would show."""
        endings = {zlib.crc32(line[-_ENDING:]) for line in text.split(b"\n")[:-1] if len(line) >= _ENDING}
        self.life.endings = frozenset(heapq.nsmallest(ENDINGS, endings | self.life.endings))

    def _see_edges(self, text: bytes, offset: int, offsets: ansi.Offsets) -> None:
        """The first and the last lines, whoever wrote them: they carry the source's first and last stamps."""
        lines = [match.start() for match in _edge_lines(text)]
        for start in lines:
            self._see(text, start, self._place(offset + offsets.raw(start)))

    def _place(self, at: int) -> int:
        """Where in the source this byte of the text stands."""
        start, chunk = next(item for item in reversed(self._chunks) if item[0] <= at)
        return chunk.offset + at - start if chunk.folds is None else chunk.folds.offset(at - start)

    def _see(self, text: bytes, start: int, offset: int) -> None:
        end = text.find(b"\n", start)
        silent = _silent(text, start)
        start = silent.end() if silent else start
        seen = frame(text[start : end if end >= 0 else len(text)], self._labelled)
        self._count(seen.tag, seen.stamp, offset)

    def _count(self, tag: Tag, stamp: Stamp | None, offset: int) -> None:
        lives = self.life.lives
        known = lives.get(tag)
        if known is None:
            lives[tag] = Life(offset, offset, stamp)
        else:
            latest = stamp if offset >= known.last else known.stamp
            lives[tag] = Life(min(known.first, offset), max(known.last, offset), latest or known.stamp)
        if stamp and stamp.seconds < 0:
            self._undated[offset] = stamp
        if stamp and (self.life.first_stamp is None or offset < self.life.first_stamp_at):
            self.life.first_stamp, self.life.first_stamp_at = stamp, offset
        if stamp and (self.life.last_stamp is None or offset >= self._last_at):
            self.life.last_stamp, self._last_at = stamp, offset


def _edge_lines(text: bytes) -> list[re.Match[bytes]]:
    """The first and the last lines that are not blank."""
    head = [match for match, _ in zip(_WRITTEN_LINE.finditer(text), range(_EDGE), strict=False)]
    start = len(text)
    for _ in range(2 * _EDGE):
        start = text.rfind(b"\n", 0, max(start - 1, 0)) + 1
        if start == 0:
            break
    tail = list(_WRITTEN_LINE.finditer(text, start))[-_EDGE:]
    return [*head, *(match for match in tail if not head or match.start() > head[-1].start())]
