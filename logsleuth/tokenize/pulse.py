"""When did a source, and each of its labelled writers, tell no time for long?

Looked at in fixed windows: some places of each are probed, and only between two whose times lie far apart is the
stretch searched for, by halving. So a source costs a few dozen lines of every window, however many it has, and what is
found is two lines with nothing between them that tells a time, as far as lines there were looked at.
"""

import re
from typing import NamedTuple

from logsleuth.ingest.chunks import Chunk
from logsleuth.model.origin import Stamp
from logsleuth.tokenize import ansi
from logsleuth.tokenize.collectors import collectors
from logsleuth.tokenize.framing import frame
from logsleuth.tokenize.voice import Following, Point, Voice, apart

WINDOW = 256 << 10
"""Bytes of a source that are looked at together."""
_PROBES = 32
"""Places of a window that are probed; those of all labelled writers together are some times as many."""
_TRIES = 64
"""Lines that are tried at either end of a window for one that tells a time."""
_FEW = 2
"""Lines that are tried at the other places."""
_MOST_LOOKS = 1_000_000
"""Lines of a source that are looked at before nothing is searched for any more."""
_MOST_VOICES = 128
"""Labelled writers of a source that are followed."""
_LONGEST_LINE = 1 << 20
_LOOKED_FOR = 16 << 10
"""Bytes at the start of a window in which labels are looked for; in the first windows they are in all."""
_FIRST_WINDOWS = 4
_SAMPLE = 64 << 10

_LABEL = re.compile(
    rb"\n(?:\[[A-Za-z_-]{1,40}\d{1,7}\]:(?:\[rank\d{1,7}\]:)?|\[[^\]\s]{1,80}\]<std(?:out|err)>:"
    rb"|\((?:[A-Za-z_][\w.<>:]{0,80}(?:\[rank=\d{1,7}\])?(?: rank=\d{1,7})? )?pid=\d{1,8}[^)\n]{0,60}\)"
    rb"|\[pod/[^\]\n]{1,300}\] |\x1e[^\x1d\x1f\n]{1,300}\x1d)"
)
_OF_LABELLED = re.compile(
    _LABEL.pattern[:-1]
    + rb"| {0,6}\d{1,6}: |[a-z\d][a-z\d.-]{0,252}: |[a-z][a-z\d._-]{0,252} {1,40}\| |\[[a-z][a-z\d.-]{0,252}\] )"
)
"""Line feed and what names the writer behind it, as it stands in front of each of its lines."""


class Pulse(NamedTuple):
    """What was found in one source."""

    voices: tuple[Voice, ...]
    framing: tuple[str, ...]
    is_numbered: bool
    """Whether lines are those of the source as it stands, so that their numbers are too."""
    encoding: str
    """``ascii``, ``utf-8`` or ``utf-8 with errors``; empty for nothing."""


class PulseTaker:
    """Takes the chunks of one source; what it finds does not depend on their size."""

    def __init__(self) -> None:
        self._held, self._start, self._line = b"", 0, 1
        self._windows = 0
        self._is_inside = False
        """Whether what is held begins inside a line."""
        self._whole = Following(b"\n", None)
        self._voices: dict[bytes, Following] = {}
        self._framing: tuple[str, ...] = ()
        self._is_ascii = self._is_utf8 = True
        self._labelled = 0
        self._is_numbered = True
        self._spare = _MOST_LOOKS
        self._before, self._line_before = b"", 1
        """The window before, and the number of its first line."""

    def feed(self, chunk: Chunk, labelled: int) -> None:
        """Takes the next chunk."""
        self._labelled = labelled
        self._is_numbered = self._is_numbered and chunk.folds is None
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
        return Pulse(voices, self._framing, self._is_numbered, encoding if self._windows else "")

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
        self._before, self._line_before = text, self._line
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
                    self._voices[label] = Following(label, tag)

    def _follow(self, voice: Following, text: bytes, probes: int) -> None:
        """Goes through the points of a writer in the window, and through all between two that lie far apart."""
        for coarse in self._points(voice.label, text, probes):
            for point in (*self._between(voice, text, coarse), coarse):
                if voice.away(point) > voice.shortest:
                    assert voice.last is not None
                    voice.keep(point, (self._number(text, voice.last), self._number(text, point)))
                voice.pass_on(point)
            voice.window = self._windows
        if voice.last is not None and voice.window == self._windows:
            # What follows is another window; only of all lines together somebody asks for the number.
            line = self._number(text, voice.last) if voice is self._whole else 0
            voice.last = voice.last._replace(line=line)

    def _between(self, voice: Following, text: bytes, point: Point) -> list[Point]:
        """Points between the last one and this one, so that no two lie far apart that have a time between them."""
        low = voice.last
        if low is None or voice.away(point) <= voice.shortest:
            return []
        if self._spare <= 0:
            # So many lines were looked at here that it would not end.
            voice.shortest = max(voice.shortest, voice.away(point))
            return []
        if voice.window == self._windows:
            return self._halved(voice, text, low, point)
        found: list[Point] = []
        if voice.window == self._windows - 1:
            before, at = self._before, low.at
            while one := self._next(voice.label, before, at + 1, len(before), len(before)):
                found.append(one._replace(line=self._line_before + before.count(b"\n", 1, one.at + 1)))
                at = one.at
        at = -1
        while one := self._next(voice.label, text, at + 1, point.at, len(text)):
            found.append(one)
            at = one.at
        return found

    def _halved(self, voice: Following, text: bytes, low: Point, high: Point) -> list[Point]:
        """Points between two of one window."""
        found: list[Point] = []
        todo = [(low, high)]
        while todo:
            low, high = todo.pop()
            if apart(low.stamp, high.stamp) > voice.shortest:
                middle = self._next(voice.label, text, (low.at + high.at) // 2, high.at, _FEW)
                middle = middle or self._next(voice.label, text, low.at + 1, high.at, len(text))
                if middle is not None:
                    found.append(middle)
                    todo += [(low, middle), (middle, high)]
        return sorted(found)

    def _points(self, label: bytes, text: bytes, probes: int) -> list[Point]:
        """The first line of the window that tells a time, some on the way, the last. Where hardly any does they may be
        overlooked, all of them."""
        found: list[Point] = []
        last = self._last(label, text)
        end = last.at if last else len(text)
        step = max(len(text) // probes, 1)
        for number in range(probes):
            place = max(number * step, found[-1].at + 1 if found else 0)
            if place >= min(end, (number + 1) * step):
                continue
            if point := self._next(label, text, place, end, _FEW if number else _TRIES):
                found.append(point)
        found += [last] if last else []
        if found and (first := self._next(label, text, 0, found[0].at, len(text))):
            found.insert(0, first)
        while found and last is None and (point := self._next(label, text, found[-1].at + 1, end, len(text))):
            found.append(point)
        return found

    def _next(self, label: bytes, text: bytes, place: int, end: int, tries: int) -> Point | None:
        """The first line of the writer from a place on that tells a time."""
        for _ in range(tries):
            place = text.find(label, place, end + len(label) - 1)
            if place < 0 or place >= end:
                return None
            if (stamp := self._stamp(text, place)) is not None:
                return Point(place, stamp)
            place += 1
        return None

    def _last(self, label: bytes, text: bytes) -> Point | None:
        end = len(text)
        for _ in range(_TRIES):
            place = text.rfind(label, 0, end)
            if place < 0:
                return None
            if (stamp := self._stamp(text, place)) is not None:
                return Point(place, stamp)
            end = place + len(label) - 1
        return None

    def _stamp(self, text: bytes, at: int) -> Stamp | None:
        """What the line behind this line feed tells."""
        self._spare -= 1
        end = text.find(b"\n", at + 1)
        return frame(text[at + 1 : end if end >= 0 else len(text)], self._labelled).stamp

    def _number(self, text: bytes, point: Point) -> int:
        return point.line or self._line + text.count(b"\n", 1, point.at + 1)
