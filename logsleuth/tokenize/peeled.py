"""What has been peeled off a line so far, and the form of a layer of framing."""

import re
from collections.abc import Callable
from functools import cached_property
from string import ascii_letters, digits
from typing import NamedTuple

from logsleuth.model.origin import Group, Stamp
from logsleuth.tokenize.stamps import nearest

LETTERS = ascii_letters.encode()
DIGITS = digits.encode()
LEVEL = rb"(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL|TRACE|SUCCESS)"
"""Names of levels, for use inside the patterns of headers."""

LEVELS = {b"V": "D", b"D": "D", b"T": "D", b"I": "I", b"S": "I", b"W": "W", b"E": "E", b"C": "F", b"F": "F"}
"""What ``Frame.level`` says for the first letter of a level: verbose, debug, trace, info, success, ..., critical."""


class Peeled:
    """Collects what the layers of one line tell; of two layers that tell the same, the inner one counts."""

    rank: int | None = None
    local_rank: int | None = None
    task: int | None = None
    host: str | None = None
    pid: int | None = None
    stamp: Stamp | None = None
    level: str | None = None
    group: Group | None = None
    is_inside = False
    """True once something was peeled that stands inside a launcher's label, so that no label can follow."""
    is_closed = False
    """True once a header was peeled behind which nothing but the message can follow."""
    label: str | int | None = None
    """The label that was peeled and that other lines must confirm (``3: ``, ``node-7: ``): a number or a name."""

    def see_stamp(self, stamp: Stamp | None) -> None:
        """The program's own stamp replaces a collector's, but takes the year and the zone from it where it has none."""
        if stamp:
            self.stamp = nearest(stamp, self.stamp) if self.stamp else stamp

    def see_level(self, word: bytes | None) -> None:
        """Takes the name or the letter of a level."""
        if word:
            self.level = LEVELS[word[:1]]


Match = Callable[[bytes, int, int], re.Match[bytes] | None]
"""That of a compiled pattern: takes a line, where to match, and where to stop."""
Take = Callable[[Peeled, re.Match[bytes]], int]
"""Notes what a match tells and gives where the layer ends; 0 where the match is not what it seems."""


class LateMatch:
    """The match of a pattern that is compiled when the first line asks: most logs have few of the layers that exist."""

    def __init__(self, pattern: bytes) -> None:
        self._pattern = pattern

    @cached_property
    def compiled(self) -> Match:
        return re.compile(self._pattern).match

    def __call__(self, line: bytes, at: int, limit: int) -> re.Match[bytes] | None:
        return self.compiled(line, at, limit)


class Layer(NamedTuple):
    """One kind of framing."""

    match: Match
    take: Take
    first: bytes
    """The bytes that it may begin with..."""
    is_bracketed: bool
    """... behind a ``[``, where this is true."""


def layer(pattern: bytes, take: Take, *, first: bytes = b"", in_bracket: bytes = b"") -> Layer:
    """A layer from a regular expression, and the bytes that it may begin with (behind a ``[``: ``in_bracket``)."""
    return Layer(LateMatch(pattern), take, first or in_bracket, bool(in_bracket))


def number(text: bytes | None) -> int | None:
    """The number that a group of a match holds, if it took part."""
    return int(text) if text is not None else None


def text(name: bytes | None) -> str | None:
    """The text that a group of a match holds, if it took part."""
    return name.decode("utf-8", "replace") if name is not None else None
