"""Outputs that say what a line is about by the headings that it is indented under (``nvidia-smi -q``, ``ibstat``)."""

import re
from collections.abc import Iterable

from logsleuth.layouts.report import Said, evened, indent

_PAIR = re.compile(rb"\s*([^:]*[^:\s])\s*:(?:\s+(.*))?$")
"""A key and its value; a key holds no colon. None of either is a heading."""


class Outline:
    """Puts the headings above a line in front of it, with `` / `` between them."""

    def __init__(self, name: str, top: bytes) -> None:
        self._name, self._top = name.encode(), re.compile(top)
        self._above: list[tuple[int, bytes]] = []
        """The lines above that a deeper one belongs to: how far each is indented, and its key."""

    def read(self, line: bytes) -> Iterable[Said] | None:
        if not line.strip():
            return (Said(line),)
        depth = indent(line)
        if depth == 0 and not self._top.match(line):
            return None
        while self._above and self._above[-1][0] >= depth:
            self._above.pop()
        said = b" / ".join([*(key for _, key in self._above), evened(line)])
        self._above.append((depth, self._key(line)))
        return (Said(self._name + b": " + said),)

    def _key(self, line: bytes) -> bytes:
        """What a line is called where others stand beneath it: a number belongs to it (``Process ID 4711``)."""
        match = _PAIR.match(line)
        if match is None or (match[2] or b"").strip() == b"":
            return self.heading(line)
        key, value = b" ".join(match[1].split()), match[2].strip()
        return key + b" " + value if value.isdigit() else key

    def heading(self, line: bytes) -> bytes:
        """The name of a heading."""
        return evened(line).removesuffix(b":")


class GpuQuery(Outline):
    """``nvidia-smi -q``: everything that is known of each GPU."""

    def __init__(self) -> None:
        super().__init__(
            "nvidia-smi -q", rb"=+NVSMI LOG=+|GPU [0-9A-Fa-f]{4,8}:|(?:Timestamp|[\w-]+ [Vv]ersion|Attached \w+)\s+: "
        )

    def read(self, line: bytes) -> Iterable[Said] | None:
        # What it says of a GPU that it does not reach stands between the others.
        return (Said(line),) if line.startswith((b"Unable to ", b"WARNING: ")) else super().read(line)

    def heading(self, line: bytes) -> bytes:
        name = evened(line)
        return b"gpu " + name[4:] if name.startswith(b"GPU 0") else name.removesuffix(b":")


class NvLinks(Outline):
    """``nvidia-smi nvlink --status`` (and ``-L``, which prints the headings only)."""

    def __init__(self) -> None:
        super().__init__("nvidia-smi nvlink", rb"GPU \d+: .*\(UUID: ")

    def _key(self, line: bytes) -> bytes:
        match = re.match(rb"GPU (\d+):", line)
        return b"gpu " + match[1] if match else super()._key(line)


class InfiniBandState(Outline):
    """``ibstat``: each adapter and its ports."""

    def __init__(self) -> None:
        super().__init__("ibstat", rb"CA '")

    def heading(self, line: bytes) -> bytes:
        name = evened(line)
        if name.startswith(b"CA '"):
            return name[4:].removesuffix(b"'")
        return b"port" + name[4:].removesuffix(b":") if name.startswith(b"Port ") else name.removesuffix(b":")


class VerbsDevices(Outline):
    """``ibv_devinfo``: each device of verbs and its ports."""

    _PORT_INDENT = re.compile(rb"\t\t(?=port:)")
    """Ports stand beneath their number, and are parts of the device."""

    def __init__(self) -> None:
        super().__init__("ibv_devinfo", rb"hca_id:")

    def read(self, line: bytes) -> Iterable[Said] | None:
        return super().read(self._PORT_INDENT.sub(b"\t", line, count=1))

    def _key(self, line: bytes) -> bytes:
        words = line.split()
        if words[:1] in ([b"hca_id:"], [b"port:"]) and len(words) == 2:
            return words[1] if words[0] == b"hca_id:" else b"port " + words[1]
        return super()._key(line)


class AmdMetrics(Outline):
    """``amd-smi metric`` and ``amd-smi static``: everything that is known of each GPU."""

    def __init__(self) -> None:
        super().__init__("amd-smi", rb"GPU: \d+")

    def _key(self, line: bytes) -> bytes:
        match = re.match(rb"GPU: (\d+)", line)
        return b"gpu " + match[1] if match else super()._key(line)


class Addresses(Outline):
    """``ip address``: each interface and its addresses."""

    def __init__(self) -> None:
        super().__init__("ip address", rb"\d+: \S+: <")

    def _key(self, line: bytes) -> bytes:
        match = re.match(rb"\d+: ([^\s:@]+)", line)
        return match[1] if match else evened(line)
