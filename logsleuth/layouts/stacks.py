"""``py-spy dump``: what the threads of a Python process are doing."""

import re
from collections.abc import Iterable

from logsleuth.layouts.report import Said, evened

_PROCESS = re.compile(rb"Process (\d{1,8}): ")
_THREAD = re.compile(rb'Thread (?:0x)?([0-9A-Fa-f]+) \(([\w+]+)\)(?:: "(.*)")?\s*$')
_FRAME = re.compile(rb"    (\S.*) \((.+?)(?::(\d+))?\)\s*$")
_REST = re.compile(rb"Python v|\s|$|Thread ")


class Stacks:
    """Frames behind their thread, counted from the innermost: ``py-spy: thread "MainThread" active / 0: wait (...)``.

    The pid is that of the machine on which py-spy ran, which in a container is not the one that others see.
    """

    def __init__(self) -> None:
        self._pid: int | None = None
        self._thread, self._frame = b"", 0
        self._awaits_version = False
        """The line behind that of a process; without it, it was another program's line."""

    def read(self, line: bytes) -> Iterable[Said] | None:
        if self._awaits_version and not line.startswith(b"Python v"):
            return None
        self._awaits_version = False
        if match := _PROCESS.match(line):
            self._pid, self._thread, self._awaits_version = int(match[1]), b"", True
            return (self._said(evened(line)),)
        if match := _THREAD.match(line):
            self._thread, self._frame = b'thread "' + (match[3] or match[1]) + b'" ' + match[2].split(b"+")[0], 0
            return (self._said(self._thread),)
        if self._thread and (match := _FRAME.match(line)):
            said = self._said(self._thread + b" / " + str(self._frame).encode() + b": " + evened(line))
            self._frame += 1
            return (said,)
        return (Said(line, pid=self._pid),) if _REST.match(line) else None

    def _said(self, text: bytes) -> Said:
        return Said(b"py-spy: " + text, pid=self._pid)
