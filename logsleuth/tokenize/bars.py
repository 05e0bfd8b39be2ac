"""Which drawings of progress bars count?

A bar is drawn once more where it ends, and a bar that a failing program leaves behind is drawn after the traceback, at
times further on than it was seen before. So a drawing proves that work went on only once a later one tells more.
"""

from logsleuth.model.origin import Tag
from logsleuth.tokenize.find import Find

_REMEMBERED = 64
"""Bars of a source that are followed at a time."""


class Bars:
    """The bars of one source."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, Tag, object], tuple[float, Find]] = {}

    def counted(self, find: Find) -> Find | None:
        """Takes a find; gives the one that counts now: itself, where it is no drawing of a bar, else the drawing before
        it where this one tells more."""
        if find.event.confirmed is None:
            return find
        done, todo = find.values(find.event.confirmed)
        if not isinstance(done, int | float):
            return find
        bar = (find.event.name, find.tag, todo)
        earlier = self._last.pop(bar, None)
        self._last[bar] = done, find
        if len(self._last) > _REMEMBERED:
            del self._last[next(iter(self._last))]
        return earlier[1] if earlier is not None and done > earlier[0] else None
