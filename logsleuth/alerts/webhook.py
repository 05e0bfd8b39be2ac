"""How does a change get to a web address (``--webhook URL``)? POSIX only."""

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from logsleuth import __version__
from logsleuth.alerts import sender
from logsleuth.alerts.address import Address
from logsleuth.alerts.alert import Alert, Document
from logsleuth.alerts.courier import PATIENCE, Courier, Tell
from logsleuth.alerts.ending import end
from logsleuth.alerts.outbox import MOST

PROGRAM = (sys.executable, "-I", str(Path(sender.__file__)))
MOST_DEATHS = 3
"""Senders that may die over one document."""
_LONGEST_ANSWER = 64 * 1024


class Pace(NamedTuple):
    """How patient the sender is; see ``sender.Settings``."""

    attempt: float = 10.0
    first: float = 1.0
    longest: float = 60.0
    total: float = 600.0


PATIENT = Pace()


class Webhook(Courier):
    """Posts every change that is worth telling as JSON, one at a time and in order.

    A process of its own does it (``logsleuth.alerts.sender``), so that names that nobody resolves and servers that do
    not answer hold nothing up. A document stays with us until that process has answered for it: where it dies, the
    next one gets the document again, so a receiver may see a change twice, under the same ``Idempotency-Key``. ``run``
    begins that key and is the same after a resume.
    """

    def __init__(
        self,
        where: Address,
        document: Document,
        tell: Tell,
        run: str,
        *,
        most: int = MOST,
        pace: Pace = PATIENT,
        program: Sequence[str] = PROGRAM,
    ) -> None:
        super().__init__("--webhook", self._post, document, tell, most)
        self._where = where
        self._run = run
        self._pace = pace
        self._program = program
        self._sender: _Sender | None = None
        self._told: set[str] = set()

    async def close(self, patience: float = PATIENCE) -> None:
        await super().close(patience)
        # It has nothing left to do.
        await self._give_up_on_sender()

    async def _post(self, alert: Alert) -> bool:
        """Whether the receiver has the document."""
        deaths = 0
        while True:
            try:
                if self._sender is None:
                    self._sender = await _Sender.start(self._program, self._settings())
                return await self._settle(self._sender, alert)
            except asyncio.CancelledError:
                await self._give_up_on_sender()
                raise
            except OSError as error:
                await self._give_up_on_sender()
                deaths += 1
                if deaths >= MOST_DEATHS:
                    why = error.strerror or str(error)
                    self._tell(f"--webhook: change {alert.number} was not delivered: the sending process {why}")
                    return False
                await asyncio.sleep(self._pace.first * deaths)

    async def _settle(self, running: "_Sender", alert: Alert) -> bool:
        """Gives the document to the sender and hears what becomes of it; OSError where the sender dies."""
        await running.say({"number": alert.number, "id": f"{self._run}-{alert.number}", "body": alert.body.decode()})
        while True:
            answer = await running.hear()
            if "retry" in answer:
                self._tell(
                    f"--webhook: {self._where.shown} does not take change {alert.number} yet: {answer['retry']}. "
                    f"It is tried again for {self._pace.total:g} s"
                )
            elif answer["done"]:
                self._told.clear()
                return True
            else:
                self._refused(alert, str(answer["why"]))
                return False

    def _refused(self, alert: Alert, why: str) -> None:
        """Tells that a document was not taken, once for each reason in a row."""
        if why not in self._told:
            self._told.add(why)
            self._tell(f"--webhook: {self._where.shown} did not take change {alert.number}: {why}")

    async def _give_up_on_sender(self) -> None:
        if self._sender is not None:
            await self._sender.kill()
            self._sender = None

    def _settings(self) -> dict[str, object]:
        headers = {"Content-Type": "application/json", "User-Agent": f"logsleuth/{__version__}"}
        if self._where.authorization is not None:
            headers["Authorization"] = self._where.authorization
        settings = sender.Settings(
            url=self._where.url,
            headers=headers,
            secrets=list(self._where.secrets),
            seed=self._run,
            **self._pace._asdict(),
        )
        return settings._asdict()


class _Sender:
    """A sending process and the way to it."""

    def __init__(
        self, process: subprocess.Popen[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer

    @classmethod
    async def start(cls, program: Sequence[str], settings: dict[str, object]) -> "_Sender":
        """Starts one; it gets the address by its input, because everybody can read the arguments of a process."""
        ours, its = socket.socketpair()
        with its:
            try:
                process = subprocess.Popen(
                    program, stdin=its.fileno(), stdout=its.fileno(), stderr=subprocess.DEVNULL, start_new_session=True
                )
            except OSError:
                ours.close()
                raise
        reader, writer = await asyncio.open_connection(sock=ours, limit=_LONGEST_ANSWER)
        started = cls(process, reader, writer)
        try:
            await started.say(settings)
        except OSError:
            await started.kill()
            raise
        return started

    async def say(self, what: dict[str, object]) -> None:
        self._writer.write(json.dumps(what).encode("ascii") + b"\n")
        await self._writer.drain()

    async def hear(self) -> dict[str, object]:
        line = await self._reader.readline()
        if not line.endswith(b"\n"):
            raise ConnectionResetError("ended before it had answered")
        answer: dict[str, object] = json.loads(line)
        return answer

    async def kill(self) -> None:
        """Ends it, whatever it does."""
        await end(self._process, grace=0.0)
        self._writer.close()
