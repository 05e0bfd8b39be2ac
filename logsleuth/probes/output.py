"""What a probe gave, and its form in a file: a header line, then what was printed."""

import re
import time
from typing import NamedTuple

from logsleuth.probes.kinds import Probe

ABSENT, REFUSED, TIMED_OUT, ENDLESS = "absent", "refused", "timeout", "endless"
"""Statuses besides a tool's own exit status: it is not there, it is not allowed, it did not end in time, it was ended
because it did not stop printing."""

_HEADER = re.compile(
    rb"### logsleuth probe=([\w.-]+) host=([\w.-]+) exit=([\w-]+) at=(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) "
    rb'command="([^"\n]*)"\s*$',
    re.MULTILINE,
)


class Header(NamedTuple):
    """What the first line of an output tells."""

    probe: str
    host: str
    exit: str
    """The exit status of the tool, or one of the words above."""
    at: str
    """When it was collected: ``2026-11-30T10:00:00Z``."""
    command: str

    def line(self) -> bytes:
        """As it stands in a file, with its line end."""
        told = f'probe={self.probe} host={self.host} exit={self.exit} at={self.at} command="{self.command}"'
        return f"### logsleuth {told}\n".encode()


class Answer(NamedTuple):
    """What a probe was answered."""

    exit: str
    """See ``Header.exit``."""
    body: bytes


class Output(NamedTuple):
    """What a probe gave on a node."""

    probe: Probe
    header: Header
    body: bytes
    """Standard output and error together, as they came."""

    @property
    def path(self) -> str:
        """Where it lies in an archive or a folder of outputs."""
        return f"{self.header.host}/{self.probe.name}.txt"

    @property
    def text(self) -> bytes:
        """The whole file."""
        return self.header.line() + self.body


def read_header(head: bytes) -> Header | None:
    """The header at the start of an output; None where there is none."""
    match = _HEADER.match(head)
    return Header(*(part.decode("ascii", "replace") for part in match.groups())) if match else None


def instant(seconds: float) -> str:
    """Seconds since 1970 as a header tells them, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def host_name(name: str) -> str:
    """A node's name as headers and folders can hold it; ``node`` where nothing is left of it."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-") or "node"
