"""How long and how often the sending process tries, without a network and without a clock."""

import email.utils
import io
import json

import pytest

from logsleuth.alerts import sender
from logsleuth.alerts.sender import Outcome, Sender, Settings, main

SETTINGS = Settings("http://127.0.0.1:9/", {}, [], "seed", attempt=1.0, first=1.0, longest=8.0, total=100.0)


class _Clock:
    """Time that passes only where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class _World:
    def __init__(self, *outcomes: Outcome, settings: Settings = SETTINGS) -> None:
        self.clock = _Clock()
        self.said: list[dict[str, object]] = []
        self.posted: list[str] = []
        self._outcomes = list(outcomes)
        self.sender = Sender(settings, self._post, self.said.append, lambda: self.clock.now, self.clock.sleep)

    def _post(self, _: str, name: str) -> Outcome:
        self.posted.append(name)
        return self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0]


def _busy(wait: float = 0.0) -> Outcome:
    return Outcome(False, "busy", wait=wait)


def test_pauses_double_with_jitter_up_to_a_bound() -> None:
    world = _World(*[_busy()] * 7, Outcome(True))
    world.sender.send(3, "run-3", "{}")
    assert world.said == [{"number": 3, "retry": "busy"}, {"number": 3, "done": True}]
    assert len(world.clock.slept) == 7
    for pause, whole in zip(world.clock.slept, (1, 2, 4, 8, 8, 8, 8), strict=True):
        assert whole / 2 <= pause <= whole
    assert len(set(world.clock.slept)) == 7


def test_the_jitter_is_that_of_the_seed() -> None:
    slept = []
    for seed in ("a", "a", "b"):
        world = _World(*[_busy()] * 4, Outcome(True), settings=SETTINGS._replace(seed=seed))
        world.sender.send(1, "x", "{}")
        slept.append(world.clock.slept)
    assert slept[0] == slept[1] != slept[2]


def test_a_document_is_given_up_in_the_end_and_the_next_one_is_tried() -> None:
    world = _World(_busy())
    world.sender.send(1, "run-1", "{}")
    assert world.clock.now == pytest.approx(1000.0 + 100.0)
    assert world.said[-1] == {"number": 1, "done": False, "why": f"busy; given up after {len(world.posted)} attempts"}
    world.sender.send(2, "run-2", "{}")
    assert world.posted[-1] == "run-2"
    assert world.clock.now <= 1000.0 + 200.0 + SETTINGS.longest


def test_what_can_never_be_taken_is_tried_once() -> None:
    world = _World(Outcome(False, "the answer is 404", final=True))
    world.sender.send(1, "run-1", "{}")
    assert world.said == [{"number": 1, "done": False, "why": "the answer is 404"}]
    assert world.clock.slept == []


def test_a_server_is_left_alone_as_long_as_it_asks_by_the_next_document_too() -> None:
    world = _World(_busy(wait=30.0), Outcome(False, "no", final=True), Outcome(True))
    world.sender.send(1, "run-1", "{}")
    assert world.clock.slept == [30.0]
    world = _World(_busy(wait=500.0), Outcome(False, "no", final=True), Outcome(True))
    world.sender.send(1, "run-1", "{}")
    assert world.clock.slept == [100.0]
    world.sender.send(2, "run-2", "{}")
    assert world.clock.slept == [100.0, 100.0]


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        (None, 0),
        ("", 0),
        ("7", 7),
        (" 7 ", 7),
        ("-7", 0),
        ("1e9", 0),
        ("soon", 0),
        ("99999999999999999999", 999999999),
        (email.utils.formatdate(1030, usegmt=True), 30),
        (email.utils.formatdate(900, usegmt=True), 0),
    ],
)
def test_what_a_server_asks_for(said: str | None, seconds: float) -> None:
    assert sender._asked_wait(said, 1000.0) == seconds


def test_an_input_without_settings_or_documents_ends_quietly() -> None:
    for given in (b"", json.dumps(SETTINGS._asdict()).encode() + b"\n"):
        answers: list[bytes] = []
        main(io.BytesIO(given), answers.append)
        assert answers == []
