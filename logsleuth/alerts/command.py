"""How is a command of the user's run for every change (``--on-verdict CMD``)? POSIX only."""

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import IO

from logsleuth.alerts.alert import Alert, Document, cut, plain
from logsleuth.alerts.courier import Courier, Tell
from logsleuth.alerts.ending import GRACE, end, has_ended
from logsleuth.alerts.outbox import MOST

LIMIT = 60.0
"""Seconds that a command may take for one change."""
MOST_OUTPUT = 256 * 1024
"""Bytes of a run's output that are passed on."""
LONGEST_LINE = 2_000
"""Characters of a line of output."""
_READ = 64 * 1024
_ROUNDS = 32
"""Reads after the end of a command, at most: they take more than a pipe can hold."""


class Command(Courier):
    """Runs ``/bin/sh -c CMD`` for every change that is worth telling, one at a time and in order.

    It finds the JSON of the change on its standard input, which is a file, so that whoever does not read it disturbs
    nothing. It has a session of its own: a Ctrl-C that is meant for us does not reach it. What it prints, on whichever
    stream, goes to ``said`` line by line, which writes to our stderr unless somebody else has the screen.
    """

    def __init__(
        self,
        command: str,
        document: Document,
        tell: Tell,
        said: Callable[[str], None] | None = None,
        *,
        most: int = MOST,
        limit: float = LIMIT,
        grace: float = GRACE,
    ) -> None:
        super().__init__("--on-verdict", self._run, document, tell, most)
        self._command = command
        self._said = said or _to_stderr
        self._limit = limit
        self._grace = grace
        self._told: set[str] = set()

    async def _run(self, alert: Alert) -> bool:
        """Whether the command ended well; its failure is told, once for each kind of it."""
        output = _Output(self._said)
        try:
            with _holding(alert.body) as text:
                failure = await self._run_with(text, alert, output)
        except OSError as error:
            failure = f"could not be started: {error.strerror or error}"
        finally:
            output.close()
        if failure is None:
            return True
        if failure not in self._told:
            self._told.add(failure)
            last = f" ({output.last})" if output.last else ""
            self._tell(
                f"--on-verdict: the command {failure}{last} for change {alert.number}; it is run again for the next one"
            )
        return False

    async def _run_with(self, text: int, alert: Alert, output: "_Output") -> str | None:
        """Runs the command to its end or its limit; what was wrong, as it goes on behind ``the command``."""
        process = subprocess.Popen(
            ["/bin/sh", "-c", self._command],
            stdin=text,
            stdout=output.end,
            stderr=output.end,
            env={**os.environ, **alert.variables},
            start_new_session=True,
        )
        output.listen()
        try:
            if not await has_ended(process, self._limit):
                await end(process, self._grace)
                return f"took longer than {self._limit:g} s and was ended"
        except asyncio.CancelledError:
            await end(process, self._grace)
            raise
        status = process.returncode
        if status < 0:
            return f"was ended by signal {-status}"
        return f"ended with exit status {status}" if status else None


class _Output:
    """What one run of the command prints."""

    def __init__(self, said: Callable[[str], None]) -> None:
        self._source, self.end = os.pipe()
        self._said = said
        self._begun = b""
        self._taken = 0
        self._is_open = True
        self.last = ""
        """The last line that says something."""
        os.set_blocking(self._source, False)

    def listen(self) -> None:
        """The command has its end now."""
        os.close(self.end)
        self.end = -1
        asyncio.get_running_loop().add_reader(self._source, self._take)

    def close(self) -> None:
        """Takes what is there; a process that the command left behind is not listened to."""
        if self.end >= 0:
            os.close(self.end)
        for _ in range(_ROUNDS):
            if not (self._is_open and self._take()):
                break
        self._stop()
        os.close(self._source)
        if self._begun:
            self._pass_on(self._begun)
        if self._taken > MOST_OUTPUT:
            self._said(f"({self._taken - MOST_OUTPUT:,} more bytes are not shown)")

    def _stop(self) -> None:
        if self._is_open:
            self._is_open = False
            asyncio.get_running_loop().remove_reader(self._source)

    def _take(self) -> bool:
        """Reads once; False where there was nothing."""
        try:
            taken = os.read(self._source, _READ)
        except BlockingIOError:
            return False
        if not taken:
            self._stop()
            return False
        room = max(MOST_OUTPUT - self._taken, 0)
        self._taken += len(taken)
        *whole, self._begun = (self._begun + taken[:room]).split(b"\n")
        for line in whole:
            self._pass_on(line)
        return True

    def _pass_on(self, line: bytes) -> None:
        text = cut(plain(line.decode(errors="replace")), LONGEST_LINE).rstrip()
        self.last = cut(text, 200) if text.strip() else self.last
        self._said(text)


@contextlib.contextmanager
def _holding(body: bytes) -> Iterator[int]:
    """A descriptor that reads the bytes from their start, and then is at its end.

    A pipe would stay open as long as a child of ours that was forked meanwhile holds its other end.
    """
    with _scratch() as file:
        file.write(body)
        file.seek(0)
        yield file.fileno()


def _scratch() -> IO[bytes]:
    """A file without a name; in memory where there are such, because the disk may be what is full."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return os.fdopen(os.memfd_create("change"), "w+b")
    return tempfile.TemporaryFile()


def _to_stderr(line: str) -> None:
    with contextlib.suppress(OSError):
        print(line, file=sys.stderr, flush=True)
