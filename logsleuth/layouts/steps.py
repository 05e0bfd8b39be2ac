"""One thing that was done to a text, taken off line by line."""

from collections.abc import Callable, Iterable
from typing import Protocol

from logsleuth.layouts.folds import Unfolded

MOST_LINES = 1_000
"""Lines of a head that are looked at."""


class Step(Protocol):
    """Takes one thing off the lines of a source, once, from the first to the last."""

    def feed(self, line: Unfolded) -> Iterable[Unfolded]:
        """Takes the next line; gives lines of it and of those before it, in the order in which they begin."""

    def finish(self) -> Iterable[Unfolded]:
        """What was held back, at the end of the source."""


class Each:
    """A step that looks at every line by itself."""

    def __init__(self, change: Callable[[Unfolded], Unfolded | None]) -> None:
        """``change`` gives the line that it makes of one, or None where that was none of the log's."""
        self._change = change

    def feed(self, line: Unfolded) -> Iterable[Unfolded]:
        changed = self._change(line)
        return () if changed is None else (changed,)

    def finish(self) -> Iterable[Unfolded]:
        return ()


def flattened(steps: list[Step], lines: Iterable[Unfolded]) -> Iterable[Unfolded]:
    """The lines behind all steps, which come in the order in which they are taken."""
    for step in steps:
        lines = [made for line in lines for made in step.feed(line)]
    return lines


def without(line: Unfolded, front: int, text: bytes | None = None) -> Unfolded:
    """The line without so many bytes in front; ``text`` is what it says where that is not simply the rest."""
    shown = line.text[front:] if text is None else text
    return line._replace(text=shown, at=line.at + front)


def share(lines: list[Unfolded], holds: Callable[[bytes], object]) -> float:
    """Of how many of the lines that are not blank something holds; 0 of none."""
    texts = [line.text for line in lines if line.text.strip()]
    return sum(bool(holds(text)) for text in texts) / len(texts) if texts else 0.0
