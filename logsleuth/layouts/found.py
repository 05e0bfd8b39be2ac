"""Lines of several files in one: found by ``grep -n``, or one file behind the other under ``==> file <==``.

What the name of a file tells of its writer goes with its lines.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import PurePath

from logsleuth.ingest.labels import label
from logsleuth.layouts.folds import Unfolded
from logsleuth.layouts.steps import Each, Step, share
from logsleuth.model.label import told

_HEADING = re.compile(rb"==> (\S(?:[^\n<]{0,1000}\S)?) <==\s*")
_MATCH = re.compile(
    rb"((?:[\w.@%+=-]{0,200}/){0,40}[\w.@%+=-]{1,200}?(?:\.(?:log|out|err|txt|json)(?:\.\d{1,3})?|/std(?:out|err)))"
    rb"(?:([:-])\d{1,9}(?:\2)|:)(?!\d+:\d+:)"
)
_ALL = 0.95
_FEWEST = 3


def recognised(lines: list[Unfolded]) -> Callable[[], Step] | None:
    """Makes what takes names of files off, where these lines are parts of files."""
    if not lines:
        return None
    first = next((line.text for line in lines if line.text.strip()), b"")
    if _HEADING.fullmatch(first):
        return Parts
    if (
        len(lines) >= _FEWEST
        and _MATCH.match(first)
        and share(lines, lambda text: text == b"--" or _MATCH.match(text)) >= _ALL
    ):
        return lambda: Each(_of_match)
    return None


@lru_cache(maxsize=4096)
def _label(path: bytes) -> bytes:
    """What a path tells, as a label."""
    of_path = label(path.decode("utf-8", "replace")).tag
    return told(host=of_path.host, rank=of_path.rank, local_rank=of_path.local_rank, task=of_path.task, pid=of_path.pid)


def _of_match(line: Unfolded) -> Unfolded | None:
    match = _MATCH.match(line.text)
    if not match:
        return None if line.text == b"--" else line
    return line._replace(text=_label(match[1]) + line.text[match.end() :], at=line.at + match.end())


class Parts:
    """Lines under headings: ``tail -n +1 *``, ``head -n 100 *``."""

    def __init__(self) -> None:
        self._label = b""

    def feed(self, line: Unfolded) -> Iterable[Unfolded]:
        heading = _HEADING.fullmatch(line.text)
        if heading and PurePath(heading[1].decode("utf-8", "replace")).name:
            self._label = _label(heading[1])
            return ()
        return (line._replace(text=self._label + line.text),) if line.text else (line,)

    def finish(self) -> Iterable[Unfolded]:
        return ()
