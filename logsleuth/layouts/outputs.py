"""Outputs of tools: one, or several one after the other, as people paste them and as a node's probes are collected.

An output that was collected begins with a header line that tells the host. Its time is not given to the lines below:
they are no part of the job's course, and how long a job was silent is not to be reckoned from when somebody looked.
"""

import re
from collections.abc import Iterable

from logsleuth.layouts.folds import Physical, Unfolded
from logsleuth.layouts.report import Reading, Report, Said
from logsleuth.layouts.tools import beginnings, begun, of_probe
from logsleuth.model.label import told

HEADER = re.compile(rb"### logsleuth probe=([\w.-]+) host=([\w.-]*) exit=[\w-]+ ")
_NEAR = 4 << 10
"""Bytes of a source in which its first output has to begin: a date, a prompt or a few lines may stand in front."""
_AROUND = re.compile(
    rb"\S{0,80}[$#%>] |[\[(]?[\w.-]+@[\w.-]+\S* .{0,80}[$#] |[\w.-]+\s*$"
    rb"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w* .{0,60}20\d\d"
)
"""Prompts with a command, the date and a single word (``hostname``): what stands between outputs that were pasted."""
_SHARE = 0.8
"""Of the lines of a head, but for blank ones and those around, so many must belong to outputs: a job's log that begins
with what ``nvidia-smi`` printed is a log."""
_LONGEST = 4096
"""Bytes of a line; no tool writes longer ones."""
_PATIENCE = 200
"""So many strange lines on end, and what follows is a log: no output is looked for any more, for logs are long."""


class Outputs:
    """Unfolds the outputs of a source; what belongs to none stands as it is."""

    def __init__(self) -> None:
        self._host: str | None = None
        self._collected = False
        self._report: Report | None = None
        self._reading: Reading | None = None
        self._strange = 0
        """Lines on end that belong to no output."""
        self.inside = self.outside = 0
        """Lines that belong to an output, and lines that do not; blank ones and those around count as neither."""

    def feed(self, line: Physical) -> Iterable[Unfolded]:
        if self._strange > _PATIENCE:
            return (Unfolded(line.text, line),)
        return [self._unfolded(said, line) for said in self._said(line.text)]

    def finish(self) -> Iterable[Unfolded]:
        return ()

    def _said(self, text: bytes) -> list[Said]:
        if len(text) > _LONGEST:
            self.outside += 1
            return [Said(text)]
        if header := HEADER.match(text):
            self._host, self._collected = header[2].decode() or None, True
            self._take(of_probe(header[1].decode()))
            self.inside += 1
            return [Said(text)]
        begins = None if self._collected else begun(text)
        if begins is not None and begins is not self._report:
            self._take(begins)
        said = self._read(text)
        if not said and begins is not None:
            self._take(begins)
            said = self._read(text)
        if not said and not self._collected:
            self._take(None)
        if text.strip() and not _AROUND.match(text):
            self.inside += bool(said)
            self.outside += not said
            self._strange = 0 if said or self._collected else self._strange + 1
        return said or [Said(text)]

    def _take(self, report: Report | None) -> None:
        """From here on it is this output."""
        self._report = report
        self._reading = None if report is None else report.reading()

    def _read(self, text: bytes) -> list[Said]:
        return list(self._reading.read(text) or ()) if self._reading else []

    def _unfolded(self, said: Said, line: Physical) -> Unfolded:
        return Unfolded(told(host=self._host, pid=said.pid) + said.text, line, said.at, said.end)


def recognised(head: bytes) -> bool:
    """Whether a source holds outputs of tools, and nothing else to speak of."""
    if HEADER.match(head):
        return True
    if not beginnings().search(head, 0, _NEAR):
        return False
    outputs = Outputs()
    lines = head.split(b"\n")
    for number, line in enumerate(lines):
        outputs.feed(Physical(line.removesuffix(b"\r"), 0, number))
    return outputs.inside > _SHARE * (outputs.inside + outputs.outside)
