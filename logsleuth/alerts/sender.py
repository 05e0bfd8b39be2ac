"""How does a document get to a webhook whatever the network does? A program of its own: ``python -I sender.py``.

It is run as a file by an isolated Python and imports nothing of ours, so that nothing in the folder of a job can stand
in its way. Its standard input gives lines of JSON: first the settings (``Settings``), then documents
(``{"number": 3, "id": "run-3", "body": "..."}``), which it posts one at a time. Its standard output answers each with a
line: ``{"number": 3, "done": true}`` or ``{"number": 3, "done": false, "why": "..."}``; before that it may say
``{"number": 3, "retry": "..."}``, once for each kind of trouble. It ends when its input does.
"""

import contextlib
import http.client
import json
import os
import random
import signal
import ssl
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from types import FrameType
from typing import IO, NamedTuple

TRY_AGAIN = {408, 425, 429}
"""Statuses below 500 after which the same request may well be taken."""
_MOST_ANSWER = 4096
"""Bytes of an answer that are looked at."""


class Settings(NamedTuple):
    """What does not change from one document to the next; the first line of the input is it as an object."""

    url: str
    headers: dict[str, str]
    secrets: list[str]
    """What must not stand in an answer."""
    seed: str
    """Of the jitter."""
    attempt: float
    """Seconds that one attempt may take."""
    first: float
    """Seconds before the second attempt; they double from one to the next."""
    longest: float
    """Seconds between two attempts at most, unless the server asks for more."""
    total: float
    """Seconds after which a document is given up."""


class Outcome(NamedTuple):
    """What an attempt came to."""

    done: bool
    why: str = ""
    final: bool = False
    """Whether it is no use to try again."""
    wait: float = 0.0
    """Seconds that the server asks to be left alone."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would turn the post into a question for another page, or carry it to a host that nobody named."""

    def redirect_request(self, *_: object) -> None:
        return None


class Post:
    """Posts a document once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # Proxies and certificates are those of the environment.
        self._opener = urllib.request.build_opener(_NoRedirects)

    def __call__(self, body: str, name: str) -> Outcome:
        request = urllib.request.Request(self._settings.url, body.encode(), method="POST")
        for header, value in self._settings.headers.items():
            request.add_header(header, value)
        request.add_header("Idempotency-Key", f'"{name}"')
        try:
            with _at_most(self._settings.attempt), self._opener.open(request, timeout=self._settings.attempt):
                return Outcome(True)
        except urllib.error.HTTPError as answer:
            with answer:
                return self._refusal(answer)
        except (OSError, http.client.HTTPException, ValueError) as error:
            return Outcome(False, self._masked(_reason(error)))

    def _refusal(self, answer: urllib.error.HTTPError) -> Outcome:
        status = answer.code
        why = f"the answer is {status}"
        if 300 <= status < 400:
            return Outcome(
                False, f"{why}, a redirect, and those are not followed: give the address that it leads to", True
            )
        said = _first_line(answer)
        if said:
            why += f" ({self._masked(said)})"
        final = status < 500 and status not in TRY_AGAIN
        return Outcome(False, why, final, 0.0 if final else _asked_wait(answer.headers.get("Retry-After"), time.time()))

    def _masked(self, text: str) -> str:
        for secret in self._settings.secrets:
            text = text.replace(secret, "***")
        return text


class Sender:
    """Posts documents until each is there or is given up."""

    def __init__(
        self,
        settings: Settings,
        post: Callable[[str, str], Outcome],
        say: Callable[[dict[str, object]], None],
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings = settings
        self._post = post
        self._say = say
        self._now = now
        self._sleep = sleep
        self._jitter = random.Random(settings.seed)
        self._quiet_until = 0.0
        """Until when the server wants to be left alone, as it said to an earlier document."""
        self._told: set[str] = set()

    def send(self, number: int, name: str, body: str) -> None:
        """Posts the document and answers for it."""
        deadline = self._now() + self._settings.total
        attempts = 0
        while True:
            self._wait(min(self._quiet_until, deadline))
            outcome = self._post(body, name)
            attempts += 1
            if outcome.done:
                self._told.clear()
                self._say({"number": number, "done": True})
                return
            if outcome.final or self._now() >= deadline:
                tried = "" if outcome.final else f"; given up after {attempts} attempts"
                self._say({"number": number, "done": False, "why": outcome.why + tried})
                return
            if outcome.why not in self._told:
                self._told.add(outcome.why)
                self._say({"number": number, "retry": outcome.why})
            self._quiet_until = self._now() + max(self._pause(attempts), outcome.wait)

    def _pause(self, attempts: int) -> float:
        """Twice as long each time, and never quite the same, so that many of us do not come back at once."""
        # The exponent is bounded, since a float is.
        whole = min(self._settings.first * 2.0 ** min(attempts - 1, 30), self._settings.longest)
        return whole * self._jitter.uniform(0.5, 1.0)

    def _wait(self, until: float) -> None:
        left = until - self._now()
        if left > 0:
            self._sleep(left)


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in whatever takes longer: a server may send a byte every now and then for ever."""

    def over(_: int, __: FrameType | None) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _reason(error: Exception) -> str:
    """What went wrong, in a few words; no text that holds the address."""
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, ssl.SSLCertVerificationError):
        return f"its certificate is not accepted: {reason.verify_message}"
    if isinstance(reason, TimeoutError):
        return "no answer in time"
    if isinstance(reason, http.client.RemoteDisconnected):
        return "it closed the connection without an answer"
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror
    return f"no answer that can be read ({type(reason).__name__})"


def _first_line(answer: IO[bytes]) -> str:
    """What the body begins with, harmless to a terminal."""
    try:
        with _at_most(1.0):
            text = answer.read(_MOST_ANSWER).decode(errors="replace").strip()
    except (OSError, http.client.HTTPException, ValueError):
        return ""
    line = text.partition("\n")[0][:200].rstrip()
    return "".join(sign if sign.isprintable() else " " for sign in line)


def _asked_wait(said: str | None, now: float) -> float:
    """Seconds that ``Retry-After`` asks for: a number, or a date; 0 where it says nothing that can be read."""
    if said is None:
        return 0.0
    if said.strip().isdecimal():
        return float(said.strip()[:9])
    try:
        return max(parsedate_to_datetime(said).timestamp() - now, 0.0)
    except (ValueError, OverflowError):
        return 0.0


def main(given: IO[bytes], answer: Callable[[bytes], object]) -> None:
    """Reads settings and documents, and answers, until there are no more."""

    def say(what: dict[str, object]) -> None:
        # Whoever started us may be gone; what it gave us is delivered all the same.
        with contextlib.suppress(OSError):
            answer(json.dumps(what).encode("ascii") + b"\n")

    first = given.readline()
    if not first:
        return
    settings = Settings(**json.loads(first))
    sender = Sender(settings, Post(settings), say)
    while line := given.readline():
        document = json.loads(line)
        sender.send(document["number"], document["id"], document["body"])


if __name__ == "__main__":
    main(sys.stdin.buffer, lambda text: os.write(1, text))
