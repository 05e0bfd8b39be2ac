"""What of a log was read earlier, for whoever reads on behind it."""

from typing import NamedTuple

from logsleuth.model.analysis import Input
from logsleuth.model.origin import Piece, Stamp


class Before(NamedTuple):
    """The part of a log that was read earlier, as far as the reading of what follows depends on it.

    Of a block, a traceback or a table that goes on over the border only that is known which stands in front of it.
    """

    pieces: tuple[Piece, ...] = ()
    inputs: tuple[Input, ...] = ()
    """Of each piece."""
    offset: int = 0
    """Bytes of the log in front of the border."""
    lines: int = 0
    encoding: str = ""
    """That of the last piece which was converted; empty where none was."""
    head: bytes = b""
    """The sample by which it was judged whether lines carry a launcher's label."""
    segments: int = 0
    """How many events that begin an attempt stand in it."""
    stamp: Stamp | None = None
    """The last one of an interesting line."""
    lines_of: tuple[tuple[bytes, int], ...] = ()
    """How many lines that may feed series stand in it behind each label."""
    rows_of: tuple[tuple[bytes, bytes, int], ...] = ()
    """How many rows of tables stand in it of each label and device."""
    is_torn: bool = False
    """Whether something may go on over the border that began in front of it."""


NOTHING = Before()
"""Of a log that is read from its start."""
