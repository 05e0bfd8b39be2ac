"""Tracebacks of which only the first line carries the label of their writer.

A collector, or a launcher that labels what a program writes at once, puts its label in front of a write, not of each
line in it. What follows a labelled head directly, without a label of its own and in the form of a traceback, is that
writer's. The first line that is labelled or stamped, or of no traceback, ends that.
"""

import re
from collections.abc import Iterable, Iterator

from logsleuth.model.origin import Frame, Tag

HEAD = b"Traceback (most recent call last):"
_MOST_LINES = 400
_MOST_OF_MESSAGE = 12
"""Lines of a message that may stand between an exception and the sentence that joins it to the next one."""

_frame = re.compile(rb"[ \t]+File \"[^\"]+\", line \d").match
_exception = re.compile(
    rb"(?:(?:[A-Za-z_]\w*\.)+[A-Z]\w*|(?:[a-z_]\w*\.)+\w*error"
    rb"|(?:[A-Z]\w*)?(?:Error|Exception|Interrupt|Exit|Iteration|Warning|Group))(?:\([\w.]+\))?(?::|\s*$)"
).match
_number = re.compile(rb"\s*\d{1,7}: ").match
_digits = re.compile(rb"\d+")
_JOINED = (
    b"During handling of the above exception, another exception occurred:",
    b"The above exception was the direct cause of the following exception:",
)


class Headed:
    """Follows the lines beneath a labelled head of a traceback; tells which of them are its writer's, as far as that
    matters: the exceptions, and what joins one traceback to the next."""

    def __init__(self, tag: Tag, offset: int) -> None:
        self.tag, self.head = tag, offset
        """The writer, and the offset of the head of the traceback that the lines belong to."""
        self.ended = False
        self._left = _MOST_LINES
        self._after_head = True
        self._in_message = False
        self._of_message = 0
        self._joins = False

    def owns(self, text: bytes, frame: Frame, offset: int) -> bool:
        """Takes the next line of the source; whether it is a line of the writer that has to be told so."""
        self._left -= 1
        if not frame.tag.is_bare or frame.stamp is not None or self._left <= 0:
            self.ended = True
            return False
        if not text.strip():
            return False
        if self._joins:
            self._joins = False
            self.ended = not text.startswith(HEAD)
            self._after_head, self._in_message = True, False
            if not self.ended:
                self.head = offset
            return not self.ended
        if self._in_message:
            self._joins = text.startswith(_JOINED)
            self._of_message += 1
            self.ended = not self._joins and (self._of_message > _MOST_OF_MESSAGE or text.startswith(HEAD))
            return self._joins
        if self._after_head:
            self._after_head = False
            self.ended = not _frame(text)
            return False
        if text[:1] in (b" ", b"\t"):
            return False
        self._in_message, self._of_message = True, 0
        self.ended = not _exception(text)
        return not self.ended


def without_bodies(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines but for those that continue a traceback under the label of its head."""
    label, frames, message = b"", False, 0
    for line in lines:
        if frames and line[:2] == b"  " and not _number(line):
            continue
        if frames and _exception(line):
            frames, message = False, _MOST_OF_MESSAGE
            continue
        if message and line.strip() and not _digits.sub(b"0", line).startswith(label):
            message -= 1
            continue
        head = line.rstrip()
        frames, message = head.endswith(HEAD) and head != HEAD, 0
        if frames:
            label = _digits.sub(b"0", head.removesuffix(HEAD))
        yield line
