"""The live view in a real pseudo-terminal."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from logsleuth.model.change import Change, ChangeKind, Standing
from logsleuth.report.live import LiveView
from logsleuth.report.live_terminal import is_for
from tests.report.analyses import data_loading_slow, killed
from tests.report.paper import Paper
from tests.report.pseudo_terminal import PseudoTerminal, is_clean, plain
from tests.report.scenes import NOW, job, ranks, snapshot, thousand

ROOT = Path(__file__).parents[2]


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def _capable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for variable in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLUMNS", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def terminal() -> Iterator[PseudoTerminal]:
    with PseudoTerminal() as one:
        yield one


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def view(terminal: PseudoTerminal, clock: Clock) -> LiveView:
    return LiveView(terminal.stream, clock=clock)


TRAINING = snapshot(job(ranks(16, 2)))


def later(clock: Clock) -> float:
    clock.now += 1
    return clock.now


def change(kind: ChangeKind, key: str = "f1", summary: str = "rank 2 was killed by SIGKILL", at: float = NOW) -> Change:
    return Change(1, at, kind, key, replace(killed(), summary=summary))


def test_it_shows_the_job_and_leaves_the_terminal_as_it_was(
    view: LiveView, terminal: PseudoTerminal, clock: Clock
) -> None:
    with view:
        assert "Nothing was judged yet." in plain(terminal.take())
        later(clock)
        view.heard(TRAINING, [])
        drawn = terminal.take()
        assert "Job 4711 training" in plain(drawn)
        assert "node-1 ········" in plain(drawn)
        assert not is_clean("\x1b[?25l\x1b[?1049h" + drawn)
    assert is_clean(drawn + terminal.take())


def test_it_leaves_the_terminal_as_it_was_when_something_breaks(view: LiveView, terminal: PseudoTerminal) -> None:
    with pytest.raises(ZeroDivisionError), view:
        raise ZeroDivisionError
    text = terminal.take()
    assert "\x1b[?1049h" in text
    assert is_clean(text)


def test_the_last_judgement_ends_it(view: LiveView, terminal: PseudoTerminal, clock: Clock) -> None:
    with view:
        view.heard(TRAINING, [])
        view.ended(TRAINING, [])
        assert is_clean(terminal.take())
        view.tick(later(clock))
        view.heard(TRAINING, [])
        assert terminal.take() == ""
    assert terminal.take() == ""


def test_it_draws_twice_a_second_at_most(view: LiveView, terminal: PseudoTerminal, clock: Clock) -> None:
    with view:
        later(clock)
        view.heard(TRAINING, [])
        terminal.take()
        for _ in range(4):
            clock.now += 0.1
            view.heard(snapshot(job(ranks(8, 1))), [])
            view.trouble("a log is gone")
        assert terminal.take() == ""
        clock.now += 0.2
        view.tick(clock.now)
        assert "a log is gone" in plain(terminal.take())


def test_it_draws_what_has_changed_only(view: LiveView, terminal: PseudoTerminal, clock: Clock) -> None:
    with view:
        assert terminal.take()
        view.tick(later(clock))
        assert terminal.take() == ""


def test_it_follows_a_clock_that_is_set_back(view: LiveView, terminal: PseudoTerminal, clock: Clock) -> None:
    with view:
        clock.now -= 3600
        view.heard(TRAINING, [])
        assert "Job 4711" in plain(terminal.take())


def test_it_fits_a_terminal_that_changes_its_size(view: LiveView, terminal: PseudoTerminal, clock: Clock) -> None:
    with view:
        later(clock)
        view.heard(thousand().snapshot or TRAINING, [])
        terminal.take()
        terminal.resize(30, 6)
        view.tick(later(clock))
        rows = plain(terminal.take()).replace("\r", "").strip("\n").split("\n")
        assert len(rows) == 6
        assert all(len(row) <= 30 for row in rows)


def test_it_goes_on_while_the_terminal_is_halted(view: LiveView, terminal: PseudoTerminal, clock: Clock) -> None:
    with view:
        terminal.take()
        terminal.halt(True)
        for step in range(200):
            later(clock)
            view.heard(snapshot(job(ranks(16, 2))._replace(step=step)), [])
        terminal.halt(False)
        view.tick(later(clock))
        view.tick(later(clock))
        view.tick(later(clock))
        text = plain(terminal.take())
        assert "step 199" in text
        assert "step 150" not in text
    assert is_clean(terminal.take())


def test_a_slow_terminal_gets_whole_pictures(clock: Clock) -> None:
    with PseudoTerminal(200, 60) as terminal, LiveView(terminal.stream, clock=clock) as view:
        text = ""
        for step in range(30):
            later(clock)
            view.heard(snapshot(job(ranks(1000, 125))._replace(step=step)), [])
            text += os.read(terminal.near, 2000).decode("utf-8", "replace")
        view.tick(later(clock))
        text += terminal.take()
        pictures = plain(text).split("Job 4711")[1:]
        assert 2 <= len(pictures) < 30
        assert all("Ctrl-C ends this" in picture for picture in pictures[:-1])


def test_a_terminal_that_is_gone_harms_nobody(view: LiveView, terminal: PseudoTerminal, clock: Clock) -> None:
    with view:
        terminal.hang_up()
        later(clock)
        view.heard(TRAINING, [change(ChangeKind.APPEARED)])
        view.tick(later(clock))


def test_verdicts_appear_are_revised_and_go(view: LiveView, terminal: PseudoTerminal, clock: Clock) -> None:
    def heard(*changes: Change) -> str:
        later(clock)
        view.heard(TRAINING._replace(at=clock.now), changes)
        return plain(terminal.take())

    with view:
        assert "NEW FATAL: it hangs" in heard(change(ChangeKind.APPEARED, "f1", "it hangs"))
        text = heard(change(ChangeKind.REVISED, "f1", "rank 3 hangs"), change(ChangeKind.APPEARED, "f2", "it is slow"))
        assert "FATAL: rank 3 hangs" in text
        assert "FATAL: it is slow" in text
        assert "it hangs" not in text
        text = heard(change(ChangeKind.TAKEN_OVER, "f2", "it is slow", clock.now))
        assert "taken over 1 s ago: it is slow" in text
        assert "FATAL: it is slow" not in text
        assert "Nothing wrong found so far" not in text
        text = heard(change(ChangeKind.WITHDRAWN, "f1", "rank 3 hangs", clock.now))
        assert "withdrawn 1 s ago: rank 3 hangs" in text
        clock.now += 60
        view.tick(clock.now)
        assert "Nothing wrong found so far" in plain(terminal.take())


def test_what_was_told_before_a_restart_stands(terminal: PseudoTerminal, clock: Clock) -> None:
    told = (Standing("f1", data_loading_slow(), NOW - 3600),)
    with LiveView(terminal.stream, told, clock):
        text = plain(terminal.take())
        assert "warning: 41% of a step is spent waiting for data" in text
        assert "told 60 min ago" in text
        assert "NEW" not in text


def test_a_child_of_the_process_leaves_the_terminal_alone(view: LiveView, terminal: PseudoTerminal) -> None:
    with view:
        terminal.take()
        child = os.fork()
        if not child:
            view.stop()
            os._exit(0)
        os.waitpid(child, 0)
        assert terminal.take() == ""


def test_no_colours_where_nobody_wants_them(
    terminal: PseudoTerminal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with LiveView(terminal.stream, clock=clock) as view:
        later(clock)
        view.heard(TRAINING, [])
        text = terminal.take()
    assert "\x1b[36m" not in text
    assert "········" in text


def test_ascii_where_the_terminal_has_nothing_else(clock: Clock) -> None:
    with PseudoTerminal(encoding="ascii") as terminal, LiveView(terminal.stream, clock=clock) as view:
        later(clock)
        view.heard(TRAINING, [])
        assert "node-1 ........" in plain(terminal.take())


@pytest.mark.parametrize("kind", ["dumb", "unknown", "", None])
def test_it_is_not_for_terminals_that_cannot_go_back(
    terminal: PseudoTerminal, kind: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_for(terminal.stream)
    if kind is None:
        monkeypatch.delenv("TERM")
    else:
        monkeypatch.setenv("TERM", kind)
    assert not is_for(terminal.stream)


def test_it_is_not_for_pipes() -> None:
    assert not is_for(Paper())
    assert not is_for(None)


PROGRAM = """
    import sys, time
    from logsleuth.report.live import LiveView
    from tests.report.scenes import job, ranks, snapshot

    print("before", flush=True)
    with LiveView(sys.stdout) as view:
        view.heard(snapshot(job(ranks(16, 2))), [])
        while True:
            view.tick(time.time())
            time.sleep(0.02)
"""


def test_suspended_it_gives_the_terminal_back_until_it_goes_on(terminal: PseudoTerminal) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=terminal.far,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )
    try:
        terminal.wait(lambda text: "Job 4711 training" in plain(text))
        program.send_signal(signal.SIGTSTP)
        assert os.WIFSTOPPED(os.waitpid(program.pid, os.WUNTRACED)[1])
        assert is_clean(terminal.take())
        program.send_signal(signal.SIGCONT)
        terminal.wait(lambda text: "\x1b[?1049h" in text and "Job 4711 training" in plain(text))
        program.send_signal(signal.SIGINT)
        terminal.wait(is_clean)
    finally:
        program.kill()
        program.wait()
