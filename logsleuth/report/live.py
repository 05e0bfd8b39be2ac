"""The live view: a listener that keeps a terminal showing how a job stands.

It draws on the terminal's alternate screen, so that a resized terminal leaves nothing behind, and what was on the
terminal before is there again when it ends. Nothing is drawn by a thread, because the process that draws also forks;
nothing waits for the terminal, because the process that draws also reads.
"""

import os
import select
import signal
import time
from collections import deque
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from logsleuth.model.change import Change, ChangeKind, Standing
from logsleuth.model.snapshot import Snapshot
from logsleuth.report.live_screen import Scene, screen
from logsleuth.report.live_strip import Row
from logsleuth.report.printable import printable
from logsleuth.report.terminal import styled

BETWEEN = 0.5
"""Seconds between two drawings at least."""
LATE = 15.0
"""Seconds over which the pace of the reading is taken."""
MOST_TROUBLES = 20
WIDTH, HEIGHT = 80, 24
"""Of a terminal that does not tell its size."""


def is_for(stream: TextIO | None) -> bool:
    """Whether the view can be drawn on a stream: on a terminal that can go back to its first row."""
    return stream is not None and stream.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")


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


class LiveView:
    """For a ``with`` statement, behind which the terminal is as it was before, whatever happened.

    ``standing`` are the verdicts that were told before, where the following of a job is resumed; ``clock`` gives the
    seconds since 1970.
    """

    def __init__(
        self, stream: TextIO, standing: Sequence[Standing] = (), clock: Callable[[], float] = time.time
    ) -> None:
        self._stream, self._clock = stream, clock
        self._encoding = stream.encoding or "utf-8"
        self._unicode = printable("▁…·", self._encoding) == "▁…·"
        self._standing = {one.key: one for one in standing}
        self._scene = Scene(clock(), standing=tuple(standing))
        self._read: deque[tuple[float, int]] = deque()
        """Moments, and how many lines had been read by then."""
        self._console = Console(
            file=stream, force_terminal=True, force_interactive=True, highlight=False, markup=False, emoji=False,
            legacy_windows=False,
        )  # fmt: skip
        self._live: Live | None = None
        self._owner = os.getpid()
        self._shown: tuple[Text, tuple[int, int]] | None = None
        self._drawn_at = -BETWEEN
        self._is_drawing = self._must_stop = False
        self._before: object = None

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
        self.redraw(self._clock())

    def trouble(self, text: str) -> None:
        """Takes what went wrong with the following itself."""
        self._scene = self._scene._replace(troubles=(*self._scene.troubles, text)[-MOST_TROUBLES:])
        self.redraw(self._clock())

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
            self._live = Live(
                console=self._console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
            )
            self._shown = None
            self._safely(self._live.start)
            self._draw()

    def stop(self) -> None:
        """Gives the terminal back as it was; a child of this process has nothing to give back."""
        live, self._live = self._live, None
        if live is not None and os.getpid() == self._owner:
            self._safely(live.stop)
            if callable(self._before) or isinstance(self._before, signal.Handlers):
                signal.signal(signal.SIGTSTP, self._before)

    def redraw(self, now: float) -> None:
        """Draws what has changed since, if only by the time; to be called about once a second."""
        if abs(now - self._drawn_at) >= BETWEEN:
            self._scene = self._scene._replace(now=now)
            self._draw()

    def _draw(self) -> None:
        if self._live is None or not self._takes_more():
            return
        width, height = self._size()
        text = drawn(screen(self._scene, width, height, self._unicode), width, self._encoding)
        if self._shown is not None and self._shown[1] == (width, height) and self._shown[0] == text:
            return
        self._is_drawing = True
        self._console.size = (width, height)
        live = self._live
        self._safely(lambda: live.update(text, refresh=True))
        self._is_drawing = False
        self._shown, self._drawn_at = (text, (width, height)), self._scene.now
        if self._must_stop:
            self._suspend()

    def _takes_more(self) -> bool:
        """Whether the terminal takes text now: one that was halted (Ctrl-S) would hold up the reading."""
        try:
            waiting = select.poll()
            waiting.register(self._stream.fileno(), select.POLLOUT)
            return any(event & select.POLLOUT for _, event in waiting.poll(0))
        except (OSError, ValueError):
            return False

    def _size(self) -> tuple[int, int]:
        try:
            width, height = os.get_terminal_size(self._stream.fileno())
        except (OSError, ValueError):
            return WIDTH, HEIGHT
        return width or WIDTH, height or HEIGHT

    def _safely(self, write: Callable[[], None]) -> None:
        """A terminal that is gone is nobody's failure: the reading goes on, and nothing is drawn."""
        try:
            write()
        except (OSError, ValueError):
            self._live = None

    # Ctrl-Z

    def _suspended(self, _number: int, _frame: FrameType | None) -> None:
        if self._is_drawing:
            self._must_stop = True
        else:
            self._suspend()

    def _suspend(self) -> None:
        """Gives the terminal to the shell, stops as anybody does, and takes it again when the job goes on."""
        self._must_stop = False
        self.stop()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        if os.getpid() == self._owner:
            self.start()
