"""Lines that were cut at a width, by a terminal or at words, and are joined again.

Nothing says so but the widths: of text that was cut, no line is longer than some width, many are just as wide, and what
follows those does not begin as lines of the log begin.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise

from logsleuth.layouts.folds import Unfolded
from logsleuth.layouts.steps import Step

_NARROWEST, _WIDEST = 40, 512
_NARROWEST_AT_WORDS, _WIDEST_AT_WORDS = 60, 132
_LONGEST = 64 << 10
"""Bytes of a line that is joined."""
_FEWEST = 3
"""Different lines as wide as the width, behind which text goes on."""
_USUAL, _FEW = frozenset((80, 100, 120, 132, 160, 200)), 2
"""Widths that terminals and tools have by themselves, of which fewer lines will do."""
_FEWEST_AT_WORDS = 5
_PEAK = 2
"""How many times as many lines, at least, are as wide as the width than are one, two or three narrower."""
_GO_ON = 0.75
_THROUGH_WORDS = 0.25
"""Of lines that were cut at a width, so many at least were cut inside a word."""
_PADDED = 0.8
"""Of a text that is filled up with blanks, so many lines at least are equally wide."""
_NEAR = 20
"""Columns in front of the width in which lines end that are cut at words."""
_MOST_NEAR = 0.35
"""Of text that is cut at words, so many lines at least end near the width."""

_OFTEN = 3
"""How many lines must begin alike for this to be a way in which lines of the log begin."""

_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_begins_record = re.compile(
    # Stamps, headers and labels.
    rb"\[?\d{4}[-/]\d\d[-/]\d\d[T ]|\[ *\d{1,10}\.\d+\]|[VIWEFC]\d{4} \d\d:|\[[VIWEF](?:\d{4})? "
    rb"|\[(?:rank|default|worker)\d+\]:|\[\d{1,4},\d|\d{1,5}: |[\w.-]{1,253}:\d+:\d+ \[-?\d+\]"
    rb"|\[?(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\b[\]: ]|srun|slurm|\x1e"
    # Tracebacks and what stands in them, and headings.
    rb"|Traceback \(most|terminate called|  what\(\)|\s{0,40}File \"[^\"]+\", line \d+, in \S"
    rb"|(?:\w{1,100}\.){0,6}\w{0,100}(?:Error|Exception|Interrupt)\b|(?:frame )?#\d+|==>|[#>] "
).match
_rule = re.compile(rb"\s*([-=_*#~+]{1,3})\1{8,}\s*").fullmatch
"""A line that is drawn."""
_columns = re.compile(rb"\S {4,}\S").search
"""What stands in columns, as rows of tables do."""


def recognised(lines: list[Unfolded]) -> Callable[[], Step] | None:
    """Makes what joins the lines again, where these were cut."""
    texts = [line.text for line in lines]
    raw = [_width(text) for text in texts]
    if len(raw) - raw.count(0) < _FEWEST:
        return None
    width = max(raw)
    is_padded = raw.count(width) >= _PADDED * (len(raw) - raw.count(0))
    stripped = [text.rstrip() for text in texts]
    widths = [
        wide if len(text) == len(whole) else _width(text)
        for text, whole, wide in zip(stripped, texts, raw, strict=True)
    ]
    if is_padded:
        # Nothing tells a blank of the text from one of the filling.
        raw = [width if wide >= width - 1 else wide for wide in widths]
    if _NARROWEST <= width <= _WIDEST and _is_cut(stripped if is_padded else texts, raw, width):
        return lambda: Joined(width, is_padded=is_padded)
    if width := _width_of_words(stripped, widths):
        return lambda: Joined(width, at_words=True)
    return None


def _width(text: bytes) -> int:
    """Characters of a line."""
    return len(text) if text.isascii() else len(text.decode("utf-8", "replace"))


def _numbered_alike(text: bytes) -> bytes:
    """The text with ``0`` for every number."""
    text = text.translate(_ZEROS)
    while b"00" in text:
        text = text.replace(b"00", b"0")
    return text


def _pairs(texts: list[bytes], widths: list[int], width: int) -> list[tuple[bytes, bytes]]:
    """Lines that are so wide, each with the next one, those that say the same once."""
    pairs: dict[bytes, tuple[bytes, bytes]] = {}
    for (text, after), wide in zip(pairwise(texts), widths, strict=False):
        if _may_be_cut(text, wide, width):
            pairs.setdefault(_numbered_alike(text), (text, after))
    return list(pairs.values())


def _openings(texts: list[bytes], widths: list[int], width: int) -> Counter[bytes]:
    """How lines begin that follow others than those."""
    following = zip(pairwise(texts), widths, strict=False)
    return Counter(_opening(after) for (text, after), wide in following if after and not _may_be_cut(text, wide, width))


def _may_be_cut(text: bytes, wide: int, width: int) -> bool:
    return wide == width and not _rule(text) and not _row(text)


def _row(text: bytes) -> bool:
    """Whether a line is one of a drawn table (``nvidia-smi``): as wide as the table, and so not cut."""
    return text[:1] in (b"|", b"+") and text.rstrip()[-1:] in (b"|", b"+")


def _opening(text: bytes) -> bytes:
    """How a line begins, whatever its numbers are."""
    return _numbered_alike(text[:16])[:8]


def _may_go_on(text: bytes, after: bytes) -> bool:
    """Whether the second line may be the rest of the first, by how it begins."""
    return text[:6] != after[:6] and bool(after) and not _begins_record(after)


def _going_on(pairs: Iterable[tuple[tuple[bytes, bytes], int]], least: int) -> int:
    """How many lines at least so wide may go on in the next one."""
    return sum(_may_go_on(text, after) for (text, after), wide in pairs if wide >= least)


def _is_cut(texts: list[bytes], widths: list[int], width: int) -> bool:
    count = Counter(widths)
    fewest = _FEW if width in _USUAL else _FEWEST
    if count[width] < max(fewest, _PEAK * max(count[width - narrower] for narrower in (1, 2, 3))):
        return False
    if _going_on(zip(pairwise(texts), widths, strict=False), width) < _GO_ON * fewest:
        return False  # As for most logs, which spares them the rest.
    pairs = _pairs(texts, widths, width)
    through_words = sum(not after[:1].isspace() and not text[-1:].isspace() for text, after in pairs)
    going_on = [after for text, after in pairs if _may_go_on(text, after)]
    if len(pairs) < fewest or through_words < _THROUGH_WORDS * len(pairs) or len(going_on) < _GO_ON * len(pairs):
        return False
    others = _openings(texts, widths, width)
    return sum(others[_opening(after)] < _OFTEN for after in going_on) >= _GO_ON * len(pairs)


def _width_of_words(texts: list[bytes], widths: list[int]) -> int:
    """The width at which lines were cut between words; 0 where they were not."""
    # A word that is longer than the width stands alone.
    several = [wide for text, wide in zip(texts, widths, strict=True) if b" " in text.strip()]
    width = max(several, default=0)
    if not _NARROWEST_AT_WORDS <= width <= _WIDEST_AT_WORDS:
        return 0
    near = sum(wide > width - _NEAR for wide in several)
    if near < max(_FEWEST_AT_WORDS, _MOST_NEAR * len(several)):
        return 0
    if _going_on(zip(pairwise(texts), widths, strict=False), width - _NEAR + 1) < _FEWEST_AT_WORDS:
        return 0
    pairs: dict[bytes, tuple[bytes, bytes]] = {}
    others: Counter[bytes] = Counter()
    for (text, after), wide in zip(pairwise(texts), widths, strict=False):
        if after.strip() and not _overflows(wide, after, width):
            others[_opening(after)] += 1
        elif after.strip() and wide > width - _NEAR and not _rule(text) and not _row(text) and not _columns(text):
            pairs.setdefault(_numbered_alike(text), (text, after))
    going_on = [after for text, after in pairs.values() if _may_go_on(text, after) and others[_opening(after)] < _OFTEN]
    if len(going_on) < max(_FEWEST_AT_WORDS, _GO_ON * len(pairs)):
        return 0
    indents = Counter(len(after) - len(after.lstrip()) for after in going_on)
    return width if max(indents.values()) >= _GO_ON * len(going_on) else 0


def _overflows(wide: int, after: bytes, width: int) -> bool:
    """Whether the first word of a line would not have fitted in the line before it, which is so wide."""
    return wide + 1 + _width(after.split(maxsplit=1)[0]) > width


def _goes_on(text: bytes, after: bytes, width: int) -> bool:
    """Whether a line that is cut at words goes on in the next: its first word would not have fitted."""
    return bool(after.strip()) and _overflows(_width(text), after, width) and not _begins_record(after)


class Joined:
    """Joins what goes on in the next line; the line that it begins in is cited."""

    def __init__(self, width: int, *, at_words: bool = False, is_padded: bool = False) -> None:
        self._width, self._at_words, self._is_padded = width, at_words, is_padded
        self._held: Unfolded | None = None
        self._pieces: list[bytes] = []
        self._length = 0
        self._last = b""

    def feed(self, line: Unfolded) -> Iterable[Unfolded]:
        text = line.text.rstrip() if self._at_words or self._is_padded else line.text
        if self._held is not None and self._continues(text):
            piece = b" " + text.lstrip() if self._at_words else line.text
            self._pieces.append(piece)
            self._length += len(piece)
            self._last = text
            return ()
        done = self.finish()
        self._held, self._pieces, self._length, self._last = line, [line.text], len(line.text), text
        return done

    def finish(self) -> Iterable[Unfolded]:
        if self._held is None:
            return ()
        line = self._held._replace(text=b"".join(self._pieces).rstrip())
        self._held = None
        return (line,)

    def _continues(self, text: bytes) -> bool:
        if self._length >= _LONGEST or not text or _rule(self._last):
            return False
        if self._at_words:
            return _goes_on(self._last, text, self._width)
        if _width(self._last) < self._width - self._is_padded:
            return False
        # A number that was cut in two looks like a launcher's label.
        return (self._last[-1:].isdigit() and text[:1].isdigit()) or not _begins_record(text)
