"""A web server on this machine that answers as a test says."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

Script = Callable[[BaseHTTPRequestHandler], None]
"""Answers a request, or does not."""


class Request(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes
    at: float
    """By the monotonic clock."""


class Receiver:
    """Answers the requests that come as the scripts say, one after the other, and those beyond as the last says."""

    def __init__(self, *scripts: Script) -> None:
        self.requests: list[Request] = []
        self.over = threading.Event()
        """Set at the end, for scripts that hang until then."""
        self._scripts = scripts
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                receiver._post(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def _post(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        place = min(len(self.requests), len(self._scripts) - 1)
        self.requests.append(Request(handler.path, dict(handler.headers), body, time.monotonic()))
        self._scripts[place](handler)

    @contextmanager
    def serving(self) -> Iterator["Receiver"]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self.over.set()
            self._server.shutdown()
            thread.join()
            self._server.server_close()


def says(status: int, body: bytes = b"", **headers: str) -> Script:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def drops(handler: BaseHTTPRequestHandler) -> None:
    """Closes the connection without a word."""
    handler.close_connection = True


def says_nonsense(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"\x00\xff not http\r\n\r\n")
    handler.close_connection = True


def numbers(requests: Sequence[Request]) -> list[str]:
    """The numbers in the keys of the requests."""
    return [request.headers["Idempotency-Key"].strip('"').rpartition("-")[2] for request in requests]
