"""How many files are open at once, and which is closed when another has to be opened?"""

import resource
from collections import OrderedDict
from typing import Protocol

_SPARE = 128
"""Descriptors left to everybody else."""
_MOST = 4096


class Open(Protocol):
    """A file that can be closed and opened again."""

    @property
    def is_gone(self) -> bool:
        """Whether it could not be opened again."""

    def close(self) -> None: ...


class Descriptors:
    """The files that are open, the one that was used last at the end."""

    def __init__(self, most: int | None = None) -> None:
        """``most`` that may be open; as many as the system allows, within reason, where it is not said."""
        self._most = _allowed() if most is None else most
        self._open: OrderedDict[Open, None] = OrderedDict()

    def used(self, file: Open) -> None:
        """This file is open and was used; the one that was not used for longest is closed for it, if need be."""
        self._open[file] = None
        self._open.move_to_end(file)
        if len(self._open) > self._most:
            oldest = next((other for other in self._open if not other.is_gone and other is not file), None)
            if oldest is not None:
                oldest.close()

    def closed(self, file: Open) -> None:
        self._open.pop(file, None)


def _allowed() -> int:
    """Raises what this process may open to what it may raise it to."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST + _SPARE if hard == resource.RLIM_INFINITY else min(hard, _MOST + _SPARE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):
            pass
    return _MOST if soft == resource.RLIM_INFINITY else max(min(soft - _SPARE, _MOST), 16)
