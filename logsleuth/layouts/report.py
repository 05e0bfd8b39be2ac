"""What the output of a tool is: how it begins, and what each of its lines says in the light of those before it."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol


class Said(NamedTuple):
    """What a line of an output says, or a part of one."""

    text: bytes
    """With the context that stands in lines above it."""
    at: int = 0
    """Where in the line it stands."""
    end: int | None = None
    """Where it ends there; None for the end of the line."""
    pid: int | None = None
    """Of the process that it is about, where the output tells one."""


class Reading(Protocol):
    """Reads one output of a tool, once, from the line with which it begins."""

    def read(self, line: bytes) -> Iterable[Said] | None:
        """What the next line says; None for a line that is none of this output."""


class Report(NamedTuple):
    """The output of a tool."""

    name: str
    """What the tool is called, or the command that prints this."""
    probes: frozenset[str]
    """What a collected output of it is called (``### logsleuth probe=NAME``)."""
    begins: bytes
    """A regular expression; it matches, from its start, the line that only this output begins with."""
    reading: Callable[[], Reading]
    unfolds: bool = True
    """False where its lines need no context, and stay as they are."""
    goes_on: bytes = b""
    """Matches the line behind that first one, where the first is not proof enough that a source is such an output."""


class AsItStands:
    """An output whose lines are understood by themselves; it ends where a line does not look like it."""

    def __init__(self, looks: bytes) -> None:
        self._looks = re.compile(looks)

    def read(self, line: bytes) -> Iterable[Said] | None:
        return (Said(line),) if self._looks.match(line) else None


class Prefixed:
    """An output whose lines are understood once one knows whose they are."""

    def __init__(self, name: str, looks: bytes) -> None:
        self._name = name.encode()
        self._looks = re.compile(looks)

    def read(self, line: bytes) -> Iterable[Said] | None:
        if not self._looks.match(line):
            return None
        return (Said(self._name + b": " + evened(line) if line.strip() else line),)


class Environment:
    """Variables of the environment: each as it stands, and those of NCCL once more as what this node is told."""

    _VARIABLE = re.compile(rb"[A-Za-z_]\w*=")
    _OF_NCCL = re.compile(rb"(?:NCCL|RCCL)_\w+=")

    def read(self, line: bytes) -> Iterable[Said] | None:
        if not self._VARIABLE.match(line):
            return None
        return (Said(line), Said(b"env: " + line)) if self._OF_NCCL.match(line) else (Said(line),)


class ErrorCounts:
    """``rocm-smi --showrasinfo``: a table of blocks for each GPU; each row behind its GPU and what its columns are.

    Everything else that ``rocm-smi`` prints stands as it is.
    """

    _GPU = re.compile(rb"GPU\[(\d+)\]\s*:\s*RAS INFO")
    _ROW = re.compile(rb"\s+(\w+)\s+(ENABLED|DISABLED|UNAVAILABLE)(?:\s+(\d+)\s+(\d+))?\s*$")
    _LOOKS = re.compile(rb"=|_|GPU\[|\s|WARNING|\s*$|\w")

    def __init__(self) -> None:
        self._gpu: bytes | None = None

    def read(self, line: bytes) -> Iterable[Said] | None:
        if found := self._GPU.match(line):
            self._gpu = found[1]
        elif line.startswith((b"=", b"_")):
            self._gpu = None
        elif self._gpu is not None and (row := self._ROW.match(line)) and row[3]:
            said = b"rocm-smi: gpu %b / RAS / %b: %b correctable, %b uncorrectable" % (
                self._gpu,
                row[1],
                row[3],
                row[4],
            )
            return (Said(said),)
        return (Said(line),) if self._LOOKS.match(line) else None


def evened(line: bytes) -> bytes:
    """The words of a line with one blank between them, and none in front of a colon that blanks align."""
    return re.sub(rb" :(?= |$)", b":", b" ".join(line.split()), count=1)


def indent(line: bytes) -> int:
    """The width of the blanks in front of a line; a tab reaches to the next multiple of eight."""
    return len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip(b" "))
