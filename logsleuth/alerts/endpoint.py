"""How is a page served to whoever scrapes it, and to nobody's harm?"""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import NamedTuple

from logsleuth.alerts.exposition import CONTENT_TYPE

LOOPBACK = "127.0.0.1"
MOST_CONNECTIONS = 16
LONGEST_REQUEST = 8 * 1024
"""Bytes of a request's head; a body is not read."""
PATIENCE = 5.0
"""Seconds in which a request has to be there, and an answer has to be taken."""

_REASONS = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    431: "Request Header Fields Too Large",
}


class EndpointError(Exception):
    """It cannot be served there; ``str()`` says why in a sentence."""


class Place(NamedTuple):
    host: str
    port: int
    """0 for any that is free."""


class _Answer(NamedTuple):
    status: int
    body: bytes
    kind: str = "text/plain; charset=utf-8"
    headers: str = ""


def place(text: str) -> Place:
    """Reads ``[HOST:]PORT``; raises EndpointError. Without a host it is this machine's loopback."""
    host, colon, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal() and len(port) <= 5) or int(port) > 65_535:
        raise EndpointError(f"{text!r} is no port: give a number up to 65535, or HOST:PORT (9400, 0.0.0.0:9400).")
    if colon and not host:
        raise EndpointError(f"{text!r} names no host: give the port alone for this machine, or 0.0.0.0:{port} for all.")
    if ":" in host and not (host.startswith("[") and host.endswith("]")):
        raise EndpointError(f"{text!r} is read as no host and port: an IPv6 address stands in brackets ([::1]:9400).")
    return Place(host.strip("[]") or LOOPBACK, int(port))


class Endpoint:
    """Serves ``/metrics`` and ``/healthz`` to GET and HEAD, a connection for each request.

    ``page`` gives the metrics as they are. The port is taken when it is made, so that a mistake is told before anything
    is read; raises EndpointError.
    """

    def __init__(
        self,
        where: Place,
        page: Callable[[], bytes],
        *,
        patience: float = PATIENCE,
        most: int = MOST_CONNECTIONS,
    ) -> None:
        self._page = page
        self._patience = patience
        self._most = most
        self._meetings: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._socket = _listening(where)
        host, port = self._socket.getsockname()[:2]
        self.address = f"http://{f'[{host}]' if ':' in host else host}:{port}/metrics"
        """Where it is served."""

    async def serve(self) -> None:
        """Begins to answer; returns at once."""
        self._server = await asyncio.start_server(self._meet, sock=self._socket, limit=LONGEST_REQUEST)

    async def close(self) -> None:
        """Ends it, and whatever is under way."""
        if self._server is None:
            self._socket.close()
            return
        self._server.close()
        for meeting in self._meetings:
            meeting.cancel()
        if self._meetings:
            await asyncio.wait(self._meetings)

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Somebody has connected."""
        if len(self._meetings) >= self._most:
            writer.transport.abort()
            return
        meeting = asyncio.get_running_loop().create_task(self._serve_one(reader, writer))
        self._meetings.add(meeting)
        meeting.add_done_callback(self._meetings.discard)

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # Whoever left, or takes too long to read, gets nothing more.
            with contextlib.suppress(OSError, TimeoutError):
                answer, with_body = await self._answer(reader)
                async with asyncio.timeout(self._patience):
                    writer.write(_written(answer, with_body))
                    # Says the end even while a child that was forked meanwhile holds a copy of the connection.
                    writer.write_eof()
                    await writer.drain()
                    # What is still coming is let go by: closing on it would take the answer back.
                    while await reader.read(LONGEST_REQUEST):
                        pass
        finally:
            writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[_Answer, bool]:
        """What a connection asks for, and whether it wants to see it."""
        try:
            async with asyncio.timeout(self._patience):
                head = await reader.readuntil(b"\r\n\r\n")
        except TimeoutError:
            return _Answer(408, b"the request did not come in time\n"), True
        except asyncio.LimitOverrunError:
            return _Answer(431, b"the request is too long\n"), True
        except asyncio.IncompleteReadError:
            return _Answer(400, b"the request is not complete\n"), True
        words = head.partition(b"\r\n")[0].split(b" ")
        if len(words) != 3 or not words[2].startswith(b"HTTP/1."):
            return _Answer(400, b"this is no request of HTTP/1\n"), True
        method, target, _ = words
        if method not in (b"GET", b"HEAD"):
            return _Answer(405, b"only GET and HEAD are answered\n", headers="Allow: GET, HEAD\r\n"), True
        return self._found(target.partition(b"?")[0]), method == b"GET"

    def _found(self, path: bytes) -> _Answer:
        if path == b"/metrics":
            return _Answer(200, self._page(), CONTENT_TYPE)
        if path == b"/healthz":
            return _Answer(200, b"ok\n")
        return _Answer(404, b"there are /metrics and /healthz\n")


def _listening(where: Place) -> socket.socket:
    shown = f"{where.host}:{where.port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise EndpointError(f"{where.host!r} is no address of this machine: leave the host out, or give one.") from None
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        why = error.strerror or str(error)
        raise EndpointError(f"metrics cannot be served at {shown}: {why}. Choose another port.") from None
    return listener


def _written(answer: _Answer, with_body: bool) -> bytes:
    head = (
        f"HTTP/1.1 {answer.status} {_REASONS[answer.status]}\r\n"
        f"Content-Type: {answer.kind}\r\nContent-Length: {len(answer.body)}\r\n"
        f"Cache-Control: no-store\r\n{answer.headers}Connection: close\r\n\r\n"
    )
    return head.encode("ascii") + (answer.body if with_body else b"")
