"""How far a long reading is: a bar on stderr, where that is a terminal and the reading takes longer than a moment.

The report itself goes to stdout, so that a bar never gets into it, whatever its format. Nothing is drawn by a thread,
and nothing is asked but the clock between two chunks.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from logsleuth.drivers.reading import Follow
    from logsleuth.drivers.reading import Progress as Told
    from logsleuth.model.origin import Source

PATIENCE = 1.0
"""Seconds before a bar appears."""
BETWEEN = 0.1
"""Seconds between two drawings."""

Command = TypeVar("Command", bound=Callable[..., object])


def option(command: Command) -> Command:
    """``--no-progress``, as the parameter no_progress."""
    return click.option("--no-progress", is_flag=True, help="Draw no bar on stderr while a long reading goes on.")(
        command
    )


@contextmanager
def following(is_unwanted: bool) -> "Iterator[Follow | None]":
    """What draws the bar while sources are read, for a ``with`` statement behind which it is gone; None where nobody
    would see one: stderr is no terminal, or one that cannot go back in a line."""
    if is_unwanted or sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") in ("dumb", "unknown"):
        yield None
        return
    bar = _Bar()
    try:
        yield bar.follow
    finally:
        bar.close()


class _Bar:
    def __init__(self) -> None:
        self._began = self._drawn = 0.0
        self._sizes: list[int | None] = []
        self._done: dict[int, int] = {}
        self._finished = 0
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def follow(self, sources: "Sequence[Source]") -> "Told":
        """Begins with these sources."""
        self.close()
        self._began = self._drawn = time.monotonic()
        self._sizes = [_size(source) for source in sources]
        self._done = {}
        self._finished = 0
        return self._see

    def _see(self, source: int, done: int | None) -> None:
        if done is None:
            self._finished += 1
            return
        self._done[source] = done
        now = time.monotonic()
        if now - self._began >= PATIENCE and now - self._drawn >= BETWEEN:
            self._drawn = now
            self._draw()

    def _draw(self) -> None:
        if self._progress is None:
            self._progress = _progress()
            self._progress.start()
            self._task = self._progress.add_task("reading", total=None, files=0, of=len(self._sizes))
        assert self._task is not None
        if None in self._sizes:
            # A packed file has no known length, and neither has a pipe: then only what was read so far is told.
            self._progress.update(self._task, completed=sum(self._done.values()), files=self._finished)
        else:
            known = [size or 0 for size in self._sizes]
            done = sum(min(done, known[source]) for source, done in self._done.items())
            self._progress.update(self._task, completed=done, total=sum(known), files=self._finished)
        self._progress.refresh()

    def close(self) -> None:
        """Takes the bar away."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None


def _progress() -> "Progress":
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    return Progress(
        TextColumn("reading"),
        BarColumn(bar_width=24),
        DownloadColumn(binary_units=True),
        TransferSpeedColumn(),
        TextColumn("{task.fields[files]:,} of {task.fields[of]:,} logs"),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
    )


def _size(source: "Source") -> int | None:
    """Bytes of a source, where they are known before it is read."""
    if source.made:
        return len(source.made)
    total = 0
    for file in source.files:
        if file.format != "text":
            return None
        path = Path(file.path)
        if not path.is_file():
            return None
        try:
            total += path.stat().st_size
        except OSError:
            return None
    return total
