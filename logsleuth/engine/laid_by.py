"""Series that lie packed in a file until somebody asks for them, where they are too many to hold.

Half a dozen numbers for every step of a thousand ranks are gigabytes as objects. Rules ask for one series after the
other, so only those that were asked for last are held.
"""

import os
import weakref
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import IO, Any, NamedTuple

from logsleuth.engine.bucket import Bucket
from logsleuth.engine.series import Series, SeriesKey
from logsleuth.engine.series_columns import Parts, in_columns
from logsleuth.engine.series_in_order import InOrder
from logsleuth.model.series import Point

MOST = 10 << 16
"""Values of series that are held as objects, some hundred bytes each. Small jobs have fewer, and pay nothing."""
RECENT = 1 << 18
"""The same of those that were laid by and asked for again: one series of thirty members who tell it at every step, or
of more who tell it less often. Both together take about 350 MB."""
LITTLE = 256
"""Values of a series that is held in any case: packing it would cost more than it saves."""
_OF_BUCKET = 4
"""Values that a bucket of several steps keeps."""


class Means(NamedTuple):
    """What the engine, which runs nothing and opens nothing, is given to lay series by."""

    packed: Callable[[object], bytes]
    """Makes bytes of plain data and of functions of ours, ..."""
    unpacked: Callable[[bytes], Any]
    """... and that of these bytes."""
    file: Callable[[], IO[bytes]]
    """Opens a file without a name. Raises OSError."""


class LaidBy(Series):
    """A series that is unpacked when somebody asks for it. It cannot be added to; whatever takes it for a part can."""

    __slots__ = ("_anywhere", "_bytes", "_start", "shelf")

    def __init__(self, shelf: "Shelf", stride: int, anywhere: Point, start: int, packed: int | bytes) -> None:
        """``packed`` is what was packed, or how many bytes of the shelf's file that is, from ``start`` on."""
        self.shelf, self.stride = shelf, stride
        self._anywhere, self._start, self._bytes = anywhere, start, packed
        self._is_chosen = True

    @property
    def in_order(self) -> InOrder:
        """The series, unpacked; not to be held on to."""
        return self.shelf.unpacked(self)

    @property
    def filled(self) -> dict[int, Bucket]:  # type: ignore[override]
        return self.in_order.series.filled

    @property
    def quotes(self) -> dict[Point, str]:  # type: ignore[override]
        return self.in_order.series.quotes

    @property
    def anywhere(self) -> Point:
        return self._anywhere

    def renumbered(self, number: int) -> Series:
        return LaidBy(self.shelf, self.stride, self._anywhere.of(number), self._start, self._bytes)

    def read(self) -> Series:
        """What was laid by, made anew."""
        packed = self._bytes if isinstance(self._bytes, bytes) else self.shelf.bytes_at(self._start, self._bytes)
        make, (stride, _, *others) = self.shelf.means.unpacked(zlib.decompress(packed))
        series: Series = make(stride, self._anywhere.source, *others)
        return series

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Series) and self.in_order.series == (
            other.in_order.series if isinstance(other, LaidBy) else other
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.in_order.series)

    def __reduce__(self) -> tuple[Callable[..., Series], Parts]:
        return in_columns(self.in_order.series)


class Shelf:
    """The series of one analysis that are laid by, and those that may have to be."""

    def __init__(self, means: Means) -> None:
        self.means = means
        self._held = 0
        """Values of those that are not laid by."""
        self._unpacked: OrderedDict[int, tuple[LaidBy, InOrder, int]] = OrderedDict()
        """Those that were asked for last, with how many values they keep."""
        self._of_unpacked = 0
        self._file: IO[bytes] | None = None
        self._end = 0
        self._process = os.getpid()

    def admit(self, series: dict[SeriesKey, Series], keys: Iterable[SeriesKey]) -> None:
        """Knows of series that were taken in, and lays by those that are too many."""
        for key in keys:
            one = series[key]
            if isinstance(one, LaidBy):
                continue
            values = _values(one)
            if values > LITTLE and self._held + values > MOST:
                series[key] = self.laid_by(one)
            else:
                self._held += values

    def laid_by(self, series: Series) -> LaidBy:
        """A series in the file; in memory where it cannot be written."""
        packed = zlib.compress(self.means.packed(in_columns(series.trimmed())), 1)
        try:
            start = self._written(packed)
        except OSError:
            return LaidBy(self, series.stride, series.anywhere, 0, packed)
        return LaidBy(self, series.stride, series.anywhere, start, len(packed))

    def _written(self, packed: bytes) -> int:
        """Where it stands in the file. Raises OSError where it does not."""
        if os.getpid() != self._process:
            raise OSError("the file is that of the process that this one is a fork of")
        if self._file is None:
            self._file = self.means.file()
            weakref.finalize(self, self._file.close)
        start = self._end
        if os.pwrite(self._file.fileno(), packed, start) != len(packed):
            raise OSError("there is no room for all of it")
        self._end += len(packed)
        return start

    def bytes_at(self, start: int, size: int) -> bytes:
        assert self._file is not None
        return os.pread(self._file.fileno(), size, start)

    def unpacked(self, series: LaidBy) -> InOrder:
        """A series that was laid by."""
        known = self._unpacked.get(id(series))
        if known is not None:
            self._unpacked.move_to_end(id(series))
            return known[1]
        opened = InOrder(series.read())
        values = _values(opened.series)
        self._unpacked[id(series)] = series, opened, values
        self._of_unpacked += values
        while self._of_unpacked > RECENT and len(self._unpacked) > 1:
            _, (_, _, values) = self._unpacked.popitem(last=False)
            self._of_unpacked -= values
        return opened


def _values(series: Series) -> int:
    """How many values it keeps, at most."""
    return len(series.filled) * (1 if series.stride == 1 else _OF_BUCKET)
