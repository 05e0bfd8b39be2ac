"""What reading a log to its end gave, remembered for as long as nothing comes.

A fork that judges reads anew what does not fill a chunk yet: of a small log that is all of it, even where nothing has
happened for hours. So a fork gives back, packed, what it has read of small logs that were quiet since the judgement
before, and those after it take that; to unpack it costs a tenth of reading. Series go in columns
(``engine/series_columns.py``), which keeps equal points equal.
"""

import pickle
from collections.abc import Mapping
from typing import NamedTuple, cast

from logsleuth.engine.fold import State
from logsleuth.model.analysis import Input
from logsleuth.model.origin import Piece

MOST = 64 << 20
"""Bytes that are remembered, of all logs together."""


class Whole(NamedTuple):
    """A log, read as if it ended here."""

    state: State
    pieces: list[Piece]
    inputs: list[Input]
    encoding: str


class Remembered:
    """Of logs, by their numbers. One object in a process that follows; its forks have copies."""

    def __init__(self) -> None:
        self._packed: dict[int, bytes] = {}
        self._size = 0
        self._stirred: set[int] = set()
        """Logs that were read on, or could have been, since the last fork was made."""

    def stir(self, number: int) -> None:
        """Something came in a log, or it is not there any more."""
        self._stirred.add(number)
        self._size -= len(self._packed.pop(number, b""))

    def forked(self) -> None:
        """A fork was made, which is to give back what it reads."""
        self._stirred.clear()

    def take_in(self, read: Mapping[int, bytes]) -> None:
        """What a fork gave back, but for logs in which something came meanwhile."""
        for number, packed in read.items():
            if number not in self._stirred and number not in self._packed and self._size + len(packed) <= MOST:
                self._packed[number] = packed
                self._size += len(packed)

    def whole(self, number: int) -> Whole | None:
        """What reading the log would give; None where that is not known."""
        packed = self._packed.get(number)
        return None if packed is None else cast(Whole, pickle.loads(packed))

    def packed(self, number: int, whole: Whole, most: int) -> bytes | None:
        """What was read, for ``take_in``; None where it is known already, or not worth it: of a log that was not quiet,
        or of one with more bytes than ``most``, of which a part was read before."""
        size = sum(of_file.bytes for of_file in whole.inputs)
        is_new = number not in self._stirred and number not in self._packed
        return pickle.dumps(whole, pickle.HIGHEST_PROTOCOL) if is_new and 0 < size <= most else None
