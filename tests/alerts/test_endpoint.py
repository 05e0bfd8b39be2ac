"""Scrapes of all kinds: proper ones, cut ones, slow ones, too many."""

import asyncio
import contextlib
import itertools
import socket
import urllib.request
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logsleuth.alerts.endpoint import Endpoint, EndpointError, Place, place
from tests.alerts.changes import forked_child

PAGE = b"# HELP x A number.\n# TYPE x gauge\nx 1\n"
ANY = Place("127.0.0.1", 0)


def _with(
    talk: Callable[[Endpoint, int], Awaitable[None]],
    page: Callable[[], bytes] = lambda: PAGE,
    *,
    patience: float = 20.0,
    most: int = 16,
) -> None:
    async def run() -> None:
        endpoint = Endpoint(ANY, page, patience=patience, most=most)
        await endpoint.serve()
        try:
            await talk(endpoint, int(endpoint.address.rpartition(":")[2].partition("/")[0]))
        finally:
            await endpoint.close()

    asyncio.run(run())


async def _ask(port: int, *pieces: bytes) -> tuple[bytes, bytes]:
    """Head and body of the answer to what is sent piece by piece."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0)
    answer = await asyncio.wait_for(reader.read(), 30)
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return head, body


def test_metrics_are_served_as_prometheus_wants_them() -> None:
    async def talk(endpoint: Endpoint, port: int) -> None:
        assert endpoint.address == f"http://127.0.0.1:{port}/metrics"
        head, body = await _ask(port, b"GET /metrics?x=1 HTTP/1.1\r\nHost: x\r\n\r\n")
        assert body == PAGE
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n" in head
        assert b"\r\nContent-Length: %d\r\n" % len(PAGE) in head
        answer = await asyncio.to_thread(urllib.request.urlopen, endpoint.address)
        with answer:
            assert answer.read() == PAGE

    _with(talk)


@pytest.mark.parametrize(
    ("request_line", "status", "body"),
    [
        (b"HEAD /metrics HTTP/1.1", b"200 OK", b""),
        (b"GET /metrics HTTP/1.0", b"200 OK", PAGE),
        (b"GET /healthz HTTP/1.1", b"200 OK", b"ok\n"),
        (b"GET / HTTP/1.1", b"404 Not Found", b"there are /metrics and /healthz\n"),
        (b"GET /../etc/passwd HTTP/1.1", b"404 Not Found", b"there are /metrics and /healthz\n"),
        (b"POST /metrics HTTP/1.1", b"405 Method Not Allowed", b"only GET and HEAD are answered\n"),
        (b"GET /metrics HTTP/2", b"400 Bad Request", b"this is no request of HTTP/1\n"),
        (b"GET /metrics", b"400 Bad Request", b"this is no request of HTTP/1\n"),
        (b"\x16\x03\x01\x02\x00", b"400 Bad Request", b"this is no request of HTTP/1\n"),
        (b"", b"400 Bad Request", b"this is no request of HTTP/1\n"),
    ],
)
def test_requests_and_their_answers(request_line: bytes, status: bytes, body: bytes) -> None:
    async def talk(_: Endpoint, port: int) -> None:
        head, got = await _ask(port, request_line + b"\r\nHost: x\r\n\r\n")
        assert head.split(b"\r\n")[0] == b"HTTP/1.1 " + status
        assert got == body
        assert (b"\r\nAllow: GET, HEAD\r\n" in head) == (status.startswith(b"405"))

    _with(talk)


@settings(max_examples=20)
@given(st.lists(st.integers(1, 40), max_size=6))
def test_a_request_may_come_in_any_pieces(cuts: list[int]) -> None:
    request = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
    edges = sorted({0, len(request), *cuts})
    pieces = [request[start:end] for start, end in itertools.pairwise(edges)]

    async def talk(_: Endpoint, port: int) -> None:
        assert (await _ask(port, *pieces))[1] == PAGE

    _with(talk)


def test_a_request_that_does_not_end_is_answered_in_time() -> None:
    async def talk(_: Endpoint, port: int) -> None:
        assert (await _ask(port, b"GET /metrics HTTP/1.1\r\n"))[0].startswith(b"HTTP/1.1 408 Request Timeout")

    _with(talk, patience=0.2)


def test_a_request_that_is_too_long_is_refused() -> None:
    async def talk(_: Endpoint, port: int) -> None:
        head, _body = await _ask(port, b"GET /metrics HTTP/1.1\r\nX: " + b"x" * 1_000_000)
        assert head.startswith(b"HTTP/1.1 431 ")

    _with(talk)


def test_a_client_that_leaves_or_breaks_off_harms_nobody() -> None:
    async def talk(_: Endpoint, port: int) -> None:
        for text in (b"", b"GET /met", b"GET /metrics HTTP/1.1\r\n\r\n"):
            _reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(text)
            writer.transport.abort()
        assert (await _ask(port, b"GET /metrics HTTP/1.1\r\n\r\n"))[1] == PAGE

    _with(talk)


def test_slow_clients_do_not_take_all_places_for_long() -> None:
    async def talk(_: Endpoint, port: int) -> None:
        slow = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        # The fourth is turned away while the three are waited for, and is served when they had their time.
        tries = 0
        while True:
            try:
                head, body = await _ask(port, b"GET /metrics HTTP/1.1\r\n\r\n")
            except ConnectionError:
                head, body = b"", b""
            if head:
                break
            tries += 1
            await asyncio.sleep(0.01)
        assert body == PAGE
        assert tries
        for _reader, writer in slow:
            writer.close()

    _with(talk, patience=0.5, most=3)


def test_a_client_that_does_not_read_is_let_go() -> None:
    large = PAGE * 1_000_000

    async def talk(_: Endpoint, port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=16)
        writer.write(b"GET /metrics HTTP/1.1\r\n\r\n")
        while True:
            try:
                if (await _ask(port, b"GET /healthz HTTP/1.1\r\n\r\n"))[1] == b"ok\n":
                    break
            except ConnectionError:
                pass
            await asyncio.sleep(0.01)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(len(large))
        writer.close()

    _with(talk, lambda: large, patience=0.3, most=1)


def test_an_answer_ends_while_a_child_that_was_forked_holds_the_connection() -> None:
    async def talk(_: Endpoint, port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /metrics HTTP/1.1\r\n")
        await writer.drain()
        assert (await _ask(port, b"GET /healthz HTTP/1.1\r\n\r\n"))[1] == b"ok\n"
        with forked_child():
            writer.write(b"\r\n")
            assert (await asyncio.wait_for(reader.read(), 30)).endswith(PAGE)
        writer.close()

    _with(talk)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("9400", Place("127.0.0.1", 9400)),
        ("0.0.0.0:9400", Place("0.0.0.0", 9400)),
        ("localhost:0", Place("localhost", 0)),
        ("[::1]:9400", Place("::1", 9400)),
    ],
)
def test_places(text: str, found: Place) -> None:
    assert place(text) == found


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is no port"),
        ("http", "is no port"),
        ("65536", "is no port"),
        ("-1", "is no port"),
        ("host:", "is no port"),
        ("9" * 5000, "is no port"),
        ("٣", "is no port"),
        (":9400", "names no host"),
        ("::1:9400", "stands in brackets"),
    ],
)
def test_what_is_no_place_is_told_in_a_sentence(text: str, complaint: str) -> None:
    with pytest.raises(EndpointError, match=complaint):
        place(text)


def test_a_port_that_is_taken_is_told_before_anything_runs() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(EndpointError, match=f"cannot be served at 127.0.0.1:{port}: Address already in use"):
            Endpoint(Place("127.0.0.1", port), lambda: PAGE)


@pytest.mark.parametrize("host", ["nowhere.invalid", "x" * 300, "192.0.2.1"])
def test_a_host_that_is_not_ours_is_told(host: str) -> None:
    with pytest.raises(EndpointError):
        Endpoint(Place(host, 0), lambda: PAGE)


def test_its_end_does_not_wait_for_anybody(recwarn: pytest.WarningsRecorder) -> None:
    complaints: list[object] = []

    async def talk(endpoint: Endpoint, port: int) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        assert (await _ask(port, b"GET /healthz HTTP/1.1\r\n\r\n"))[1] == b"ok\n"
        await endpoint.close()
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()

    _with(talk, patience=1000)
    assert not complaints
    assert not recwarn.list


def test_a_port_is_free_again_afterwards() -> None:
    endpoint = Endpoint(ANY, lambda: PAGE)
    port = int(endpoint.address.rpartition(":")[2].partition("/")[0])
    asyncio.run(endpoint.close())
    again = Endpoint(Place("127.0.0.1", port), lambda: PAGE)
    asyncio.run(again.close())
