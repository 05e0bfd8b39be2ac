"""``ibstatus``: the ports of InfiniBand and RoCE as the kernel tells them, said in the words of ``ibstat``, too."""

import re
from collections.abc import Iterable

from logsleuth.layouts.report import Said, evened

BEGINS = rb"Infini[bB]and device '[\w.-]+' port \d+ status:"
_PORT = re.compile(rb"Infini[bB]and device '([\w.-]+)' port (\d+) status:")
_LINE = re.compile(rb"\s+(default gid|base lid|sm lid|state|phys state|rate|link_layer):\s*(.*?)\s*$")
_NAMES = {b"state": b"State", b"phys state": b"Physical state", b"rate": b"Rate", b"link_layer": b"Link layer"}
"""What ``ibstat`` calls them."""
_STATES = {b"INIT": b"Initializing"}
"""``/sys/class/infiniband/*/ports/*/state`` has them in capitals, behind a number; others differ in that only."""


class PortStates:
    """``ibstat: mlx5_0 / port 1 / State: Active (state: 4: ACTIVE)`` for ``state: 4: ACTIVE``."""

    def __init__(self) -> None:
        self._port = b""

    def read(self, line: bytes) -> Iterable[Said] | None:
        if match := _PORT.match(line):
            self._port = match[1] + b" / port " + match[2]
            return (Said(b"ibstatus: " + evened(line)),)
        if not line.strip():
            return (Said(line),)
        match = _LINE.match(line)
        if match is None or not self._port:
            return None
        if (name := _NAMES.get(match[1])) is None:
            return (Said(b"ibstatus: " + self._port + b" / " + evened(line)),)
        value = _value(match[1], match[2])
        return (Said(b"ibstat: %b / %b: %b (%b)" % (self._port, name, value, evened(line))),)


def _value(name: bytes, value: bytes) -> bytes:
    if name == b"state":
        word = value.rpartition(b": ")[2]
        return _STATES.get(word, word.capitalize())
    if name == b"phys state":
        return value.rpartition(b": ")[2]
    return value.partition(b" ")[0] if name == b"rate" else value
