"""Blocks: one event made of several lines of one writer, in order."""

import re
from typing import NamedTuple

from logsleuth.language.syntax import Block, Event
from logsleuth.model.origin import Stamp
from logsleuth.tokenize.patterns import LinePattern
from logsleuth.tokenize.unlabelled import HEAD
from logsleuth.tokenize.view import Line

_OTHERS = 8
"""A block gives up after this many times its own length of lines, however many of them other writers wrote."""
_OTHERS_UNLABELLED = 2
"""The same for a writer without a label, whose lines cannot be told from others' without peeling every one."""
_INDENT = re.compile(rb"[ \t]*")


class BlockPattern:
    """A block, ready to be matched. ``steps`` are its items; None stands for ``lines deeper``."""

    def __init__(self, block: Block) -> None:
        self.within = block.within
        self.steps = [LinePattern(item.wording) if item.wording else None for item in block.items]
        self.optional = [item.optional for item in block.items]
        opener = self.steps[0]
        assert opener is not None  # the checker asks for a line or regex at the start
        self.opener = opener
        mandatory = [place for place, optional in enumerate(self.optional) if not optional]
        self.complete_at = mandatory[-1] + 1
        """Index behind the last step that must match: from here on the block is an event."""


class OpenBlock:
    """A block whose first line was seen and that takes the lines that follow."""

    def __init__(self, pattern: BlockPattern, first: Line, opening: re.Match[bytes]) -> None:
        self.pattern, self.first, self.last = pattern, first, first
        self.matches = [(pattern.opener, opening)]
        self.told: list[Line] = []
        self.step = 1
        self.strict = False
        self.left = pattern.within - 1
        self.indent = _indent(first)
        start, tag = first.frame.start, first.frame.tag
        self.prefix = first.text[:start] if first.frame.stamp is None and not tag.is_bare else b""
        """What every line of this writer begins with; empty where that cannot be told."""
        self.patience = pattern.within * (_OTHERS if self.prefix else _OTHERS_UNLABELLED)
        self.ended = len(pattern.steps) == 1
        self.is_unlabelled = tag.is_bare and HEAD in first.text
        """A traceback that nobody's label stands in front of."""

    @property
    def complete(self) -> bool:
        return self.step >= self.pattern.complete_at

    def pass_over(self, lines: int) -> None:
        """So many lines of other writers came in between."""
        self.patience -= lines
        self.ended = self.patience <= 0

    def reopens(self, line: Line) -> bool:
        """Whether the same writer begins the block anew on this line."""
        return line.frame.tag == self.first.frame.tag and self.pattern.opener.match_framed(line) is not None

    def feed(self, line: Line) -> None:
        """Takes the next line of the source; sets ``ended`` where the block has all it can have, or has failed."""
        self.patience -= 1
        if line.frame.tag != self.first.frame.tag:
            self.ended = self.patience <= 0
            return
        self.left -= 1
        self._take(line)
        if self.step == len(self.pattern.steps) or self.left <= 0 or self.patience <= 0:
            self.ended = True

    def _take(self, line: Line) -> None:
        steps = self.pattern.steps
        if steps[self.step] is None:
            if not line.text[line.frame.start :].strip() or _indent(line) > self.indent:
                self.last = line
                return
            self.step, self.strict = self.step + 1, True
            if self.step == len(steps):
                return
        for place in range(self.step, len(steps)):
            pattern = steps[place]
            if pattern is not None and self._match(pattern, line):
                self.step, self.strict, self.last = place + 1, False, line
                return
            if not self.pattern.optional[place]:
                break
        if self.strict:
            self.ended = True

    def _match(self, pattern: LinePattern, line: Line) -> bool:
        match = pattern.match_framed(line)
        if match is None:
            return False
        self.matches.append((pattern, match))
        if pattern.types:
            self.told.append(line)
        return True


def _indent(line: Line) -> int:
    """Blanks before the message."""
    found = _INDENT.match(line.text, line.frame.start)
    return found.end() - found.start() if found else 0


class Begun(NamedTuple):
    """A block that is open, of an event."""

    event: Event
    block: OpenBlock
    after: Stamp | None
    """The last stamp in front of it."""
    segment: int
