"""Text as people and their tools pass it on: numbered, quoted, boxed, escaped, found by grep, joined under headings,
wrapped at a width; and several of these around each other.

Each of these is a step that is taken off again. Which steps a source needs shows in its head; what is behind follows
suit, and a line that does not look as if the step had been done to it stays as it is.
"""

from collections.abc import Callable, Iterable

from logsleuth.layouts.folds import Physical, Unfolded
from logsleuth.layouts.layout import HEAD
from logsleuth.layouts.steps import MOST_LINES, Step, flattened

_DEEPEST = 4
"""Steps around each other."""


def _found(lines: list[Unfolded]) -> Callable[[], Step] | None:
    """What was done to the text last, as far as these lines show."""
    from logsleuth.layouts import boxed, found, lettering, numbered, quoted, wrapped

    recognisers = (
        found.recognised,
        lettering.recognised,
        quoted.recognised,
        numbered.recognised,
        boxed.recognised,
        wrapped.recognised,
    )
    return next((make for recognised in recognisers if (make := recognised(lines))), None)


def is_copied(head: bytes) -> bool:
    """Whether something was done to the text that begins like this."""
    lines = head.split(b"\n")
    whole = lines[:-1] if len(lines) > 1 and len(head) >= HEAD else lines
    nowhere = Physical(b"", 0, 1)  # Only texts tell what was done.
    return _found([Unfolded(line.removesuffix(b"\r"), nowhere) for line in whole[:MOST_LINES]]) is not None


class Copied:
    """Takes off what was done to the text."""

    def __init__(self) -> None:
        self._steps: list[Step] | None = None
        self._waiting: list[Physical] = []
        self._length = 0

    def feed(self, line: Physical) -> Iterable[Unfolded]:
        if self._steps is not None:
            return flattened(self._steps, [Unfolded(line.text, line)])
        self._waiting.append(line)
        self._length += len(line.text) + 1
        return self._begun() if self._length >= HEAD else ()

    def finish(self) -> Iterable[Unfolded]:
        held = list(self._begun()) if self._steps is None else []
        steps = self._steps or []
        for place, step in enumerate(steps):
            held += flattened(steps[place + 1 :], step.finish())
        return held

    def _begun(self) -> Iterable[Unfolded]:
        """Looks what was done, and takes it off the lines that have waited."""
        lines = [Unfolded(line.text, line) for line in self._waiting]
        self._waiting = []
        self._steps = []
        sample = lines[:MOST_LINES]
        while len(self._steps) < _DEEPEST and (make := _found(sample)):
            self._steps.append(make())
            looked = make()
            sample = [*flattened([looked], sample), *looked.finish()]
        return flattened(self._steps, lines)
