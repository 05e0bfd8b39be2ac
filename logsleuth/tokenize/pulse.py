"""When did a source, and each of its labelled writers, tell no time for long?

Looked at in fixed windows: some places of each are probed, and only between two whose times lie far apart is the
stretch searched for, by halving. So a source costs a few dozen lines of every window, however many it has, and what is
found is two lines with nothing between them that tells a time, as far as lines there were looked at.
"""

import heapq
import re
from collections.abc import Iterator
from typing import NamedTuple

from logsleuth.ingest.chunks import Chunk
from logsleuth.model.origin import Stamp, Tag
from logsleuth.tokenize import ansi
from logsleuth.tokenize.collectors import collectors
from logsleuth.tokenize.framing import frame

SHORTEST = 60.0
"""Seconds; a shorter stretch is none."""
WINDOW = 256 << 10
"""Bytes of a source that are looked at together."""
_PROBES = 32
"""Places of a window that are probed; those of all labelled writers together are some times as many."""
_TRIES = 64
"""Lines that are tried at either end of a window for one that tells a time."""
_FEW = 2
"""Lines that are tried at the other places."""
_KEPT = 32
"""The longest stretches of a writer that are kept."""
_MOST_VOICES = 128
"""Labelled writers of a source that are followed."""
_LONGEST_LINE = 1 << 20
_LOOKED_FOR = 16 << 10
"""Bytes at the start of a window in which labels are looked for; in the first windows they are in all."""
_FIRST_WINDOWS = 4
_SAMPLE = 64 << 10
_HALF_A_YEAR, _YEAR = 183 * 86_400.0, 366 * 86_400.0
_BACK = 2.0
"""Seconds by which lines may stand out of order without that meaning anything."""

_LABEL = re.compile(
    rb"\n(?:\[[A-Za-z_-]{1,40}\d{1,7}\]:(?:\[rank\d{1,7}\]:)?|\[[^\]\s]{1,80}\]<std(?:out|err)>:"
    rb"|\((?:[A-Za-z_][\w.<>:]{0,80}(?:\[rank=\d{1,7}\])?(?: rank=\d{1,7})? )?pid=\d{1,8}[^)\n]{0,60}\)"
    rb"|\[pod/[^\]\n]{1,300}\] )"
)
_OF_LABELLED = re.compile(_LABEL.pattern[:-1] + rb"| {0,6}\d{1,6}: |[a-z][a-z\d.-]{0,252}: )")
"""Line feed and what names the writer behind it, as it stands in front of each of its lines."""


class Stretch(NamedTuple):
    """Two lines with none between them that tells a time."""

    seconds: float
    after: Stamp
    before: Stamp
    lines: tuple[int, int]


class Voice(NamedTuple):
    """The times that one writer told."""

    tag: Tag | None
    """Of a labelled writer; None for all lines of the source together."""
    first: Stamp
    last: Stamp
    stretches: tuple[Stretch, ...]
    """In the order of the source."""
    shortest: float
    """Seconds; all that are longer are there."""
    tells_all: bool
    """Whether all that the writer wrote into the source is known to be its own: not where only torch's own label
    (``[rank3]:``) stands before some of its lines."""


class Pulse(NamedTuple):
    """What was found in one source."""

    voices: tuple[Voice, ...]
    framing: tuple[str, ...]
    encoding: str
    """``ascii``, ``utf-8`` or ``utf-8 with errors``; empty for nothing."""


class _Point(NamedTuple):
    """A line that tells a time."""

    at: int
    """In the text of the window."""
    stamp: Stamp


class _Following:
    """What is known of one writer so far."""

    def __init__(self, label: bytes, tag: Tag | None) -> None:
        self.label, self.tag = label, tag
        self.first: Stamp | None = None
        self.last: Stamp | None = None
        self.last_line = 0
        """Of the whole source only."""
        self.longest: list[Stretch] = []
        self.shortest = SHORTEST

    def keep(self, stretch: Stretch) -> None:
        heapq.heappush(self.longest, stretch)
        if len(self.longest) > _KEPT:
            heapq.heappop(self.longest)
            self.shortest = max(self.shortest, self.longest[0].seconds)

    def pass_on(self, stamp: Stamp) -> None:
        """The next line that was looked at. One that tells an earlier time than others before it shows that somebody
        wrote then."""
        if self.last is not None and self.longest and _apart(self.last, stamp) < -_BACK:
            self.longest = [s for s in self.longest if not s.after.seconds <= stamp.seconds < s.before.seconds]
            heapq.heapify(self.longest)
        self.first = self.first or stamp
        self.last = stamp

    def voice(self) -> Voice | None:
        if self.first is None or self.last is None:
            return None
        ordered = tuple(sorted(self.longest, key=lambda stretch: stretch.lines))
        return Voice(self.tag, self.first, self.last, ordered, self.shortest, not self.label.startswith(b"\n[rank"))


class PulseTaker:
    """Takes the chunks of one source; what it finds does not depend on their size."""

    def __init__(self) -> None:
        self._held, self._start, self._line = b"", 0, 1
        self._windows = 0
        self._is_inside = False
        """Whether what is held begins inside a line."""
        self._whole = _Following(b"\n", None)
        self._voices: dict[bytes, _Following] = {}
        self._framing: tuple[str, ...] = ()
        self._is_ascii = self._is_utf8 = True
        self._labelled = False

    def feed(self, chunk: Chunk, labelled: bool) -> None:
        """Takes the next chunk."""
        self._labelled = labelled
        self._see_encoding(chunk)
        held, at = self._held + chunk.data, 0
        while True:
            start = self._start + at
            boundary = (start // WINDOW + 1) * WINDOW - self._start
            end = held.find(b"\n", boundary - 1, boundary + _LONGEST_LINE) + 1 if len(held) >= boundary else 0
            if not end and len(held) < boundary + _LONGEST_LINE:
                break
            end = end or boundary + _LONGEST_LINE
            self._look(held[at:end])
            at = end
        self._held, self._start = held[at:], self._start + at

    def finish(self) -> Pulse:
        """The source has ended."""
        if self._held:
            self._look(self._held)
            self._held = b""
        voices = tuple(voice for one in (self._whole, *self._voices.values()) if (voice := one.voice()) is not None)
        encoding = "ascii" if self._is_ascii else "utf-8" if self._is_utf8 else "utf-8 with errors"
        return Pulse(voices, self._framing, encoding if self._windows else "")

    def _see_encoding(self, chunk: Chunk) -> None:
        if not self._is_utf8 or chunk.data.isascii():
            return
        self._is_ascii = False
        data = chunk.data
        if chunk.torn or not data.endswith(b"\n"):
            # A line that was cut may have been cut inside a character.
            data = re.sub(rb"\A[\x80-\xbf]{1,3}|[\xc2-\xf4][\x80-\xbf]{0,2}\Z", b"", data)
        try:
            data.decode()
        except UnicodeDecodeError:
            self._is_utf8 = False

    def _look(self, window: bytes) -> None:
        """Looks at the lines that begin in a window."""
        if not self._windows:
            self._framing = collectors(window[:_SAMPLE], self._labelled)
        self._windows += 1
        cut = (window.find(b"\n") + 1 or len(window)) if self._is_inside else 0
        text = b"\n" + ansi.strip(window[cut:])[0]
        self._line += window.count(b"\n", 0, cut)
        self._find_voices(text)
        self._follow(self._whole, text, _PROBES)
        for voice in self._voices.values():
            self._follow(voice, text, max(4 * _PROBES // len(self._voices), 1))
        self._line += window.count(b"\n", cut)
        self._is_inside = not window.endswith(b"\n")

    def _find_voices(self, text: bytes) -> None:
        pattern = _OF_LABELLED if self._labelled else _LABEL
        end = len(text) if self._windows <= _FIRST_WINDOWS else _LOOKED_FOR
        for match in pattern.finditer(text, 0, end):
            label = match[0]
            if label not in self._voices and len(self._voices) < _MOST_VOICES:
                line_end = text.find(b"\n", match.end())
                tag = frame(text[match.start() + 1 : line_end if line_end >= 0 else len(text)], self._labelled).tag
                if not tag._replace(pid=None).is_bare or (tag.pid is not None and b"pid=" in label):
                    self._voices[label] = _Following(label, tag)

    def _follow(self, voice: _Following, text: bytes, probes: int) -> None:
        """Goes through the points of a writer in the window, and searches between those that lie far apart."""
        before: _Point | None = None
        for point in self._points(voice.label, text, probes):
            if voice.last is not None and _apart(voice.last, point.stamp) > voice.shortest:
                self._search(voice, text, before, point)
            voice.pass_on(point.stamp)
            before = point
        if before is not None and voice is self._whole:
            voice.last_line = self._number(text, before.at)

    def _points(self, label: bytes, text: bytes, probes: int) -> Iterator[_Point]:
        """The first line of the window that tells a time, some on the way, the last."""
        last = self._last(label, text)
        if last is None:
            return
        step = max(len(text) // probes, 1)
        at = 0
        for number in range(probes):
            place = max(number * step, at)
            if place >= last.at:
                break
            if place < (number + 1) * step and (
                point := self._next(label, text, place, last.at, _FEW if number else _TRIES)
            ):
                yield point
                at = point.at + 1
        yield last

    def _next(self, label: bytes, text: bytes, place: int, end: int, tries: int) -> _Point | None:
        """The first line of the writer from a place on that tells a time."""
        for _ in range(tries):
            place = text.find(label, place, end + len(label) - 1)
            if place < 0 or place >= end:
                return None
            if (stamp := self._stamp(text, place)) is not None:
                return _Point(place, stamp)
            place += 1
        return None

    def _last(self, label: bytes, text: bytes) -> _Point | None:
        end = len(text)
        for _ in range(_TRIES):
            place = text.rfind(label, 0, end)
            if place < 0:
                return None
            if (stamp := self._stamp(text, place)) is not None:
                return _Point(place, stamp)
            end = place + len(label) - 1
        return None

    def _search(self, voice: _Following, text: bytes, before: _Point | None, after: _Point) -> None:
        """Finds the stretches between two points; the first may lie in an earlier window."""
        if before is None:
            assert voice.last is not None
            self._keep(voice, voice.last, voice.last_line, after.stamp, self._number(text, after.at))
            return
        todo = [(before, after)]
        while todo:
            low, high = todo.pop()
            if _apart(low.stamp, high.stamp) <= voice.shortest:
                continue
            middle = self._next(voice.label, text, (low.at + high.at) // 2, high.at, _FEW)
            middle = middle or self._next(voice.label, text, low.at + 1, high.at, len(text))
            if middle is None:
                numbers = self._number(text, low.at), self._number(text, high.at)
                self._keep(voice, low.stamp, numbers[0], high.stamp, numbers[1])
            else:
                todo += [(low, middle), (middle, high)]

    def _keep(self, voice: _Following, after: Stamp, line: int, before: Stamp, other: int) -> None:
        if _are_alike(after, before) and (seconds := _apart(after, before)) > voice.shortest:
            voice.keep(Stretch(seconds, after, before, (line, other)))

    def _stamp(self, text: bytes, at: int) -> Stamp | None:
        """What the line behind this line feed tells."""
        end = text.find(b"\n", at + 1)
        return frame(text[at + 1 : end if end >= 0 else len(text)], self._labelled).stamp

    def _number(self, text: bytes, at: int) -> int:
        return self._line + text.count(b"\n", 1, at + 1)


def _are_alike(stamp: Stamp, other: Stamp) -> bool:
    """Whether two stamps can be compared: of one that tells a zone and one that does not nobody knows the distance."""
    return stamp.has_year == other.has_year and stamp.has_zone == other.has_zone


def _apart(early: Stamp, late: Stamp) -> float:
    """Seconds from one to the other; where they tell no year, over New Year if that is nearer."""
    seconds = late.seconds - early.seconds
    return seconds + _YEAR if seconds < -_HALF_A_YEAR and not late.has_year and not early.has_year else seconds
