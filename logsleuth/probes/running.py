"""Asks a tool, with a limit on its time and on what is kept of its words; no shell, no input, the C locale."""

import os
import selectors
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from logsleuth.probes.kinds import Command
from logsleuth.probes.output import ABSENT, ENDLESS, REFUSED, TIMED_OUT, Answer

MOST_KEPT = 4 << 20
"""Bytes kept of an output: half from its start, half from its end."""
MOST_READ = 64 << 20
"""Bytes after which a tool that does not stop printing is ended."""
_PATIENCE = 1.0
"""Seconds that a tool has to go once it was killed. One that hangs in the kernel does not, and is left behind."""

FURTHER = ("/usr/sbin", "/sbin", "/usr/local/sbin", "/usr/bin", "/bin", "/opt/rocm/bin", "/usr/local/cuda/bin")
"""Where tools are that users' PATHs often leave out."""
_REFUSALS = (b"not permitted", b"permission denied", b"must be root", b"are you root", b"insufficient permissions")


class Kept:
    """The start and the end of what is fed, however much it is."""

    def __init__(self, most: int) -> None:
        self._half = most // 2
        self._head, self._tail = bytearray(), bytearray()
        self.fed = 0

    def feed(self, data: bytes) -> None:
        self.fed += len(data)
        room = self._half - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room > 0 else data
        if len(self._tail) > 2 * self._half:
            del self._tail[: -self._half]

    def whole(self) -> bytes:
        """All of it, or both ends with a line between them that says how much was left out."""
        tail = bytes(self._tail[-self._half :])
        left_out = self.fed - len(self._head) - len(tail)
        if not left_out:
            return bytes(self._head) + tail
        return bytes(self._head) + b"\n### logsleuth left out %d bytes here\n" % left_out + tail


def ask(command: Command) -> Answer:
    """Runs a tool and waits until it ends or its time is up. Raises nothing for what the tool does or fails to do."""
    tool = found(command.words[0])
    if tool is None:
        return Answer(ABSENT, b"")
    try:
        process = subprocess.Popen(
            [tool, *command.words[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd="/",
            env=_environment(),
            start_new_session=True,
        )
    except OSError as error:
        reason = (error.strerror or str(error)).encode()
        return Answer(REFUSED if isinstance(error, PermissionError) else "127", reason + b"\n")
    kept = Kept(MOST_KEPT)
    assert process.stdout is not None
    with process.stdout as stream:
        deadline = time.monotonic() + command.seconds
        stopped = _read(stream, kept, deadline) or ("" if _ends(process, deadline) else TIMED_OUT)
    if stopped:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        _ends(process, time.monotonic() + _PATIENCE)
    return Answer(stopped or _status(process.returncode, kept), kept.whole())


def found(tool: str) -> str | None:
    """The path of a tool: from the PATH, of which only absolute folders count, or from where such tools usually are."""
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if Path(folder).is_absolute()]
    return shutil.which(tool, path=os.pathsep.join([*folders, *FURTHER]))


def _environment() -> dict[str, str]:
    """That of this process, but for the language in which tools speak."""
    own = {name: value for name, value in os.environ.items() if name != "LANGUAGE"}
    return {**own, "LC_ALL": "C", "LANG": "C"}


def _read(stream: IO[bytes], kept: Kept, deadline: float) -> str:
    """Reads to the end; gives the word for why that did not come, empty where it did."""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            if kept.fed >= MOST_READ:
                return ENDLESS
            if selector.select(left):
                data = os.read(stream.fileno(), 1 << 16)
                if not data:
                    return ""
                kept.feed(data)
    return TIMED_OUT


def _ends(process: subprocess.Popen[bytes], deadline: float) -> bool:
    try:
        process.wait(max(deadline - time.monotonic(), 0.0))
    except subprocess.TimeoutExpired:
        return False
    return True


def _status(returned: int, kept: Kept) -> str:
    is_refusal = returned != 0 and any(refusal in kept.whole()[-4096:].lower() for refusal in _REFUSALS)
    return REFUSED if is_refusal else str(returned)
