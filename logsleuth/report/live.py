"""The live view: a listener that keeps a terminal showing how a job stands.

It draws on the terminal's alternate screen, so that a resized terminal leaves nothing behind, and what was on the
terminal before is there again when it ends. Nothing is drawn by a thread, because the process that draws also forks;
nothing waits for the terminal, because the process that draws also reads.
"""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Sequence
from io import StringIO
from types import FrameType, TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from logsleuth.model.change import Change, ChangeKind, Standing
from logsleuth.model.listener import Listener
from logsleuth.model.snapshot import Snapshot
from logsleuth.report.live_screen import Scene, screen
from logsleuth.report.live_strip import Row
from logsleuth.report.live_terminal import Terminal
from logsleuth.report.printable import printable
from logsleuth.report.terminal import styled

BETWEEN = 0.5
"""Seconds between two drawings at least."""
LATE = 15.0
"""Seconds over which the pace of the reading is taken."""
PATIENCE = 1.0
"""Seconds for a terminal to take the end of the view."""
MOST_TROUBLES = 20


def drawn(rows: Sequence[Row], width: int, encoding: str) -> Text:
    """The rows as rich draws them, each cut where it is wider than the terminal."""
    lines = []
    for row in rows:
        line = styled(row, encoding)
        line.rstrip()
        if line.cell_len > width:
            mark = printable("…", encoding)[:width]
            line.truncate(width - len(mark))
            line.append(mark)
        lines.append(line)
    return Text("\n", no_wrap=True, overflow="crop").join(lines)


class LiveView(Listener):
    """For a ``with`` statement, behind which the terminal is as it was before, whatever happened.

    ``stream`` is one for which ``live_terminal.is_for`` holds; ``standing`` are the verdicts that were told before,
    where the following of a job is resumed; ``clock`` gives the seconds since 1970.
    """

    def __init__(
        self, stream: TextIO, standing: Sequence[Standing] = (), clock: Callable[[], float] = time.time
    ) -> None:
        self._clock, self._terminal = clock, Terminal(stream)
        self._is_unicode = printable("▁…·", self._terminal.encoding) == "▁…·"
        self._standing = {one.key: one for one in standing}
        self._scene = Scene(clock(), standing=tuple(standing))
        self._read: deque[tuple[float, int]] = deque()
        """Moments, and how many lines had been read by then."""
        self._live: Live | None = None
        self._paper = StringIO()
        """What rich writes goes to the terminal by way of this."""
        self._shown: tuple[Text, tuple[int, int]] | None = None
        self._drawn_at = -BETWEEN
        self._owner = os.getpid()
        self._is_drawing = self._must_stop = False
        self._before: signal.Handlers | Callable[[int, FrameType | None], object] | int | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # What a listener hears

    def heard(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:
        """Takes what was judged, and draws it unless something was drawn a moment ago."""
        self._take(snapshot, changes)
        self.tick(self._clock())

    def trouble(self, text: str) -> None:
        """Takes what went wrong with the following itself."""
        self._scene = self._scene._replace(troubles=(*self._scene.troubles, text)[-MOST_TROUBLES:])
        self.tick(self._clock())

    def ended(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:
        """Leaves the terminal to the final report."""
        self._take(snapshot, changes)
        self.stop()

    def _take(self, snapshot: Snapshot, changes: Sequence[Change]) -> None:
        changed, gone = dict(self._scene.changed), self._scene.gone
        for change in changes:
            if change.kind in (ChangeKind.APPEARED, ChangeKind.REVISED):
                known = self._standing.get(change.key)
                self._standing[change.key] = Standing(change.key, change.verdict, known.told_at if known else change.at)
                changed[change.key] = change.at
            else:
                self._standing.pop(change.key, None)
                changed.pop(change.key, None)
                gone = change
        self._read.append((snapshot.at, snapshot.vitals.lines))
        while len(self._read) > 2 and self._read[0][0] < snapshot.at - LATE:
            self._read.popleft()
        (first, before), (last, lines) = self._read[0], self._read[-1]
        pace = max(lines - before, 0) / (last - first) if last > first else None
        self._scene = self._scene._replace(
            snapshot=snapshot, standing=tuple(self._standing.values()), changed=changed, gone=gone, pace=pace
        )

    # The terminal

    def start(self) -> None:
        """Takes the terminal; it may have been given back before."""
        if self._live is None:
            self._before = signal.signal(signal.SIGTSTP, self._suspended)
            self._terminal.open()
            console = Console(
                file=self._paper,
                force_terminal=True,
                force_interactive=True,
                highlight=False,
                markup=False,
                emoji=False,
                legacy_windows=False,
            )
            self._live = Live(
                console=console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
            )
            self._shown = None
            self._live.start()
            self._scene = self._scene._replace(now=self._clock())
            self._draw(self._live)

    def stop(self) -> None:
        """Gives the terminal back as it was; a child of this process has nothing to give back."""
        live, self._live = self._live, None
        if live is None or os.getpid() != self._owner:
            return
        live.stop()
        self._send()
        self._terminal.close(PATIENCE)
        if self._before is not None:
            signal.signal(signal.SIGTSTP, self._before)

    def tick(self, now: float) -> None:
        """Draws what has changed since, if only by the time; to be called about once a second."""
        if self._live is not None and abs(now - self._drawn_at) >= BETWEEN and self._terminal.takes_more():
            self._scene = self._scene._replace(now=now)
            self._draw(self._live)

    def _draw(self, live: Live) -> None:
        width, height = size = self._terminal.size()
        text = drawn(screen(self._scene, width, height, self._is_unicode), width, self._terminal.encoding)
        self._drawn_at = self._scene.now
        if self._shown == (text, size):
            return
        self._is_drawing = True
        live.console.size = (width, height)
        live.update(text, refresh=True)
        self._send()
        self._shown, self._is_drawing = (text, size), False
        if self._must_stop:
            self._suspend()

    def _send(self) -> None:
        self._terminal.send(self._paper.getvalue())
        self._paper.seek(0)
        self._paper.truncate()

    # Ctrl-Z

    def _suspended(self, _number: int, _frame: FrameType | None) -> None:
        if self._is_drawing:
            self._must_stop = True
        else:
            self._suspend()

    def _suspend(self) -> None:
        """Gives the terminal to the shell, stops as any program does, and takes it again when it goes on."""
        self._must_stop = False
        is_shown = self._live is not None
        self.stop()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        if is_shown and os.getpid() == self._owner:
            self.start()
