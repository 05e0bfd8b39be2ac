"""Documents that go to servers on this machine: slow ones, rude ones, and none."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from logsleuth import __version__
from logsleuth.alerts import sender
from logsleuth.alerts.address import address
from logsleuth.alerts.courier import Tally
from logsleuth.alerts.webhook import Pace, Webhook
from logsleuth.model.change import Change
from tests.alerts.changes import HOSTILE, change, changes, document, snapshot, until, verdict
from tests.alerts.receiver import Receiver, drops, numbers, says, says_nonsense

QUICK = Pace(attempt=10.0, first=0.01, longest=0.05, total=60.0)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


def _post(url: str, *told_of: Change, pace: Pace = QUICK, patience: float = 60.0) -> tuple[list[str], Tally]:
    """The troubles that were told, and what became of the changes."""
    troubles: list[str] = []

    async def run() -> Tally:
        webhook = Webhook(address(url), document, troubles.append, "run", pace=pace)
        webhook.heard(snapshot(), told_of)
        await webhook.close(patience)
        return webhook.tally

    return troubles, asyncio.run(run())


def test_changes_arrive_in_order_as_json() -> None:
    with Receiver(says(200)).serving() as receiver:
        troubles, tally = _post(receiver.url + "/in?x=1", *changes(3), change(4, of=verdict(summary=HOSTILE)))
    assert (troubles, tally) == ([], Tally(4, 0, 0, 0))
    assert [json.loads(request.body)["number"] for request in receiver.requests] == [1, 2, 3, 4]
    first = receiver.requests[0]
    assert first.path == "/in?x=1"
    assert first.headers["Content-Type"] == "application/json"
    assert first.headers["User-Agent"] == f"logsleuth/{__version__}"
    assert first.headers["Idempotency-Key"] == '"run-1"'
    assert "Authorization" not in first.headers
    assert json.loads(receiver.requests[3].body)["summary"] == HOSTILE


def test_a_server_that_fails_twice_gets_it_a_third_time_and_the_next_one_waits() -> None:
    with Receiver(says(503), says(500), says(204)).serving() as receiver:
        troubles, tally = _post(receiver.url + "/hook", *changes(2))
    assert numbers(receiver.requests) == ["1", "1", "1", "2"]
    assert tally == Tally(2, 0, 0, 0)
    assert troubles == [
        f"--webhook: {receiver.url}/*** does not take change 1 yet: the answer is {status}. It is tried again for 60 s"
        for status in (503, 500)
    ]


@pytest.mark.parametrize("status", [408, 425, 429])
def test_some_refusals_are_for_now_only(status: int) -> None:
    with Receiver(says(status), says(200)).serving() as receiver:
        _, tally = _post(receiver.url, change())
    assert tally == Tally(1, 0, 0, 0)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 422])
def test_other_refusals_are_told_with_the_answer(status: int) -> None:
    with Receiver(says(status, b"invalid_payload\nmore")).serving() as receiver:
        troubles, tally = _post(receiver.url + "/hook", *changes(2))
    assert numbers(receiver.requests) == ["1", "2"]
    assert tally == Tally(0, 2, 0, 0)
    assert troubles == [
        f"--webhook: {receiver.url}/*** did not take change 1: the answer is {status} (invalid_payload)",
        "--webhook: of 2 changes 2 failed",
    ]


def test_a_server_is_left_alone_as_long_as_it_asks() -> None:
    with Receiver(says(429, Retry_After="1"), says(200)).serving() as receiver:
        _, tally = _post(receiver.url, change())
    assert tally == Tally(1, 0, 0, 0)
    first, second = receiver.requests
    assert second.at - first.at >= 1.0


@pytest.mark.parametrize("script", [drops, says_nonsense])
def test_a_server_that_does_not_speak_is_asked_again(script: Callable[[BaseHTTPRequestHandler], None]) -> None:
    with Receiver(script, script, says(200)).serving() as receiver:
        troubles, tally = _post(receiver.url, change())
    assert len(receiver.requests) == 3
    assert tally == Tally(1, 0, 0, 0)
    assert len(troubles) == 1


def test_a_server_that_is_not_there_is_told_of_and_given_up() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/secret-path"
        troubles, tally = _post(url, change(), pace=QUICK._replace(total=0.2))
    assert tally == Tally(0, 1, 0, 0)
    assert "Connection refused" in troubles[0]
    assert "given up after" in troubles[1]
    assert "secret-path" not in "".join(troubles)


@pytest.mark.parametrize("drip", [b"", b"HTTP/1.1 200 OK\r\nX: "])
def test_a_server_that_hangs_or_drips_does_not_hold_an_attempt(drip: bytes) -> None:
    def hangs(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(drip)
        while not receiver.over.wait(0.05):
            if drip:
                try:
                    handler.wfile.write(b"x")
                except OSError:
                    break
        handler.close_connection = True

    receiver = Receiver(hangs, says(200))
    with receiver.serving():
        troubles, tally = _post(receiver.url, change(), pace=QUICK._replace(attempt=0.3))
    assert tally == Tally(1, 0, 0, 0)
    assert "no answer in time" in troubles[0]


def test_hearing_returns_at_once_while_a_server_hangs_and_the_end_has_its_bound() -> None:
    def hangs(handler: BaseHTTPRequestHandler) -> None:
        receiver.over.wait()
        handler.close_connection = True

    receiver = Receiver(hangs)
    troubles: list[str] = []

    async def run() -> None:
        webhook = Webhook(address(receiver.url), document, troubles.append, "run")
        webhook.heard(snapshot(), [change(1)])
        await until(lambda: len(receiver.requests) == 1)
        before = time.monotonic()
        for number in range(2, 102):
            webhook.heard(snapshot(), [change(number)])
        webhook.ended(snapshot(), [change(102)])
        assert time.monotonic() - before < 5
        await webhook.close(0.01)

    with receiver.serving():
        asyncio.run(run())
    assert troubles == ["--webhook: of 102 changes 102 not delivered in time"]


def test_a_redirect_is_not_followed() -> None:
    with (
        Receiver(says(200)).serving() as other,
        Receiver(
            *[says(status, Location=other.url + "/elsewhere") for status in (301, 302, 303, 307, 308)]
        ).serving() as receiver,
    ):
        troubles, tally = _post(receiver.url, *changes(5))
    assert other.requests == []
    assert tally == Tally(0, 5, 0, 0)
    assert "the answer is 301, a redirect, and those are not followed" in troubles[0]


def test_an_answer_that_repeats_the_secret_is_masked() -> None:
    def repeats(handler: BaseHTTPRequestHandler) -> None:
        says(403, f"no {handler.path} for {handler.headers['Authorization']}".encode())(handler)

    with Receiver(repeats).serving() as receiver:
        url = receiver.url.replace("http://", "http://bot:hunter22@") + "/T00/topsecret?token=alsosecret"
        troubles, _ = _post(url, change())
    assert receiver.requests[0].path == "/T00/topsecret?token=alsosecret"
    assert receiver.requests[0].headers["Authorization"] == "Basic Ym90Omh1bnRlcjIy"
    for secret in ("hunter22", "topsecret", "alsosecret", "Ym90Omh1bnRlcjIy"):
        assert secret not in "".join(troubles)


def test_the_address_is_not_among_the_arguments_of_the_process() -> None:
    receiver = Receiver(says(200))

    async def run() -> str:
        webhook = Webhook(address(receiver.url + "/topsecret"), document, print, "run")
        webhook.heard(snapshot(), [change()])
        await until(lambda: webhook.tally.delivered == 1)
        listed = _processes()
        await webhook.close(30)
        return listed

    with receiver.serving():
        listed = asyncio.run(run())
    assert "sender.py" in listed
    assert "topsecret" not in listed


def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with Receiver(says(200)).serving() as proxy:
        monkeypatch.setenv("no_proxy", "")
        monkeypatch.setenv("http_proxy", proxy.url)
        _, tally = _post("http://nowhere.invalid/hook", change())
    assert tally == Tally(1, 0, 0, 0)
    assert proxy.requests[0].path == "http://nowhere.invalid/hook"


def test_what_a_sender_had_not_confirmed_the_next_one_sends() -> None:
    receiver = Receiver(says(200), lambda handler: _kill_senders_then_drop(handler), says(200))
    with receiver.serving():
        troubles, tally = _post(receiver.url, *changes(3))
    assert numbers(receiver.requests) == ["1", "2", "2", "3"]
    assert (troubles, tally) == ([], Tally(3, 0, 0, 0))


def _kill_senders_then_drop(handler: BaseHTTPRequestHandler) -> None:
    for line in _processes().splitlines():
        pid, parent, arguments = line.split(None, 2)
        if int(parent) == os.getpid() and "sender.py" in arguments:
            os.kill(int(pid), signal.SIGKILL)
    handler.close_connection = True


def _processes() -> str:
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    return listed.stdout


@pytest.mark.parametrize(
    "program",
    [("/nothing/of/this/name",), ("/bin/false",), (sys.executable, "-c", "input(); input(); print('{', end='')")],
)
def test_a_sender_that_always_dies_is_told_of(program: tuple[str, ...]) -> None:
    troubles: list[str] = []

    async def run() -> Tally:
        webhook = Webhook(address("http://127.0.0.1:9/"), document, troubles.append, "run", pace=QUICK, program=program)
        webhook.heard(snapshot(), [change()])
        await webhook.close(60)
        return webhook.tally

    assert asyncio.run(run()) == Tally(0, 1, 0, 0)
    assert troubles[0].startswith("--webhook: change 1 was not delivered: the sending process ")


def test_nothing_is_started_before_there_is_something_to_tell() -> None:
    async def run() -> None:
        webhook = Webhook(address("http://127.0.0.1:9/"), document, print, "run", program=("/nothing",))
        webhook.heard(snapshot(), [])
        await webhook.close(0)

    asyncio.run(run())


@pytest.fixture
def _in_a_folder_with_traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json", "ssl", "random", "logsleuth"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('trapped')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.mark.usefixtures("_in_a_folder_with_traps")
def test_files_of_the_job_do_not_stand_in_the_way() -> None:
    with Receiver(says(200)).serving() as receiver:
        assert _post(receiver.url, change()) == ([], Tally(1, 0, 0, 0))


def test_a_sender_whose_parent_is_gone_delivers_what_it_has() -> None:
    with Receiver(says(503), says(200)).serving() as receiver:
        settings = sender.Settings(receiver.url, {}, [], "seed", **QUICK._asdict())
        lines = [settings._asdict(), {"number": 1, "id": "run-1", "body": "{}"}]
        ours, its = socket.socketpair()
        process = subprocess.Popen(
            [sys.executable, "-I", sender.__file__], stdin=its.fileno(), stdout=its.fileno(), stderr=subprocess.PIPE
        )
        its.close()
        ours.sendall("".join(json.dumps(line) + "\n" for line in lines).encode())
        ours.close()
        _, complaints = process.communicate(timeout=60)
    assert numbers(receiver.requests) == ["1", "1"]
    assert (process.returncode, complaints) == (0, b"")
