"""Lines that a container runtime wrote in parts, 16 KiB each: stdout and stderr may stand between each other's."""

from collections.abc import Sequence

from logsleuth.layouts.rows import PlainRow, Row

_MOST_HELD = 4 << 20
"""Bytes that wait for the end of a line; a part behind them is a line of its own."""


class _Held:
    __slots__ = ("more", "row")

    def __init__(self, row: PlainRow) -> None:
        self.row, self.more = row, list[bytes]()

    def joined(self) -> PlainRow:
        if not self.more:
            return self.row
        offset, number, cited = self.row.place()
        return PlainRow(self.row.text + b"".join(self.more), offset, number, cited)


class Joining:
    """Joins the parts of lines, in the order in which lines begin. A joined line stands where its first part does."""

    def __init__(self) -> None:
        self._open: dict[bytes, _Held] = {}
        """By stream, the line of which parts are still to come."""
        self._waiting: list[_Held] = []
        """Lines that begin behind one that is open, and that one."""
        self._bytes = 0

    @property
    def is_empty(self) -> bool:
        return not self._waiting

    def part(self, stream: bytes, row: PlainRow, text: bytes, is_last: bool) -> Sequence[Row]:
        """Takes a part of a line (``row`` where it is the first, ``text`` without a label where it is not)."""
        held = self._open.get(stream)
        if held is None:
            if is_last and not self._waiting:
                return (row,)
            held = _Held(row)
            self._waiting.append(held)
            self._open[stream] = held
        else:
            held.more.append(text)
        self._bytes += len(row.text)
        if is_last:
            del self._open[stream]
        return self._done()

    def other(self, row: PlainRow) -> Sequence[Row]:
        """Takes a line that is no part of any."""
        if not self._waiting:
            return (row,)
        self._waiting.append(_Held(row))
        self._bytes += len(row.text)
        return self._done()

    def finish(self) -> Sequence[Row]:
        """What is still open, at the end of the source."""
        done = [held.joined() for held in self._waiting]
        self._open, self._waiting, self._bytes = {}, [], 0
        return done

    def _done(self) -> Sequence[Row]:
        if self._bytes > _MOST_HELD or not self._open:
            return self.finish()
        return ()
