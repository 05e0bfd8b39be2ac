"""``ncclras``: what NCCL's own watch (RAS, NCCL 2.24 and later) knows of the processes and communicators of a job.

The wordings are those of ``src/ras/client_support.cc`` in NCCL.
"""

import re
from collections.abc import Iterable

from logsleuth.layouts.report import Said, evened

_NAME = b"ncclras: "
_ITEM = re.compile(rb"(#\d+-\d+ \([0-9a-f]+\) [A-Z,]+|INCOMPLETE|DEAD|TIMEOUT)\s*$")
"""What a paragraph is about: a communicator, or the job."""
_WHY = re.compile(rb"  (Communicator ranks have different .*|Missing communicator data from .*)$")
_HOW_MANY = re.compile(rb"  (\d+ ranks? (?:have|has|reported) .*)$")
_WHO = re.compile(rb"  (?:Rank -?\d+|Process \d+) ")
_REST = re.compile(
    rb"\s|$|=+$|NCCL version |CUDA runtime version |Job summary|Communicators\.\.\.|Group |Errors$|Warnings$"
    rb"|\(total\)|The outlier|No communicator data"
)


class Watch:
    """Ranks and processes behind the paragraph and the sentence that they stand under."""

    def __init__(self) -> None:
        self._item = self._why = self._many = b""

    def read(self, line: bytes) -> Iterable[Said] | None:
        if match := _ITEM.match(line):
            self._item, self._why, self._many = match[1], b"", b""
            return (Said(_NAME + match[1]),)
        if not self._item:
            return (Said(_NAME + evened(line) if line.strip() else line),) if _REST.match(line) else None
        above = [self._item]
        if match := _WHY.match(line):
            self._why, self._many = match[1], b""
        elif match := _HOW_MANY.match(line):
            self._many = match[1]
            above += [self._why]
        elif _WHO.match(line):
            above += [self._why, self._many]
        elif not line.startswith(b"  "):
            self._item = b""
            return self.read(line)
        return (Said(_NAME + b" / ".join([*(part for part in above if part), evened(line)])),)
