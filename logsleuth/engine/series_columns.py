"""A series as a few columns: how it goes from one process to another, or into a file, at a third of the cost of its
objects. What imports this pickles series so."""

import copyreg
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from itertools import accumulate, repeat
from math import isfinite
from operator import lshift, or_, rshift
from typing import NamedTuple

from logsleuth.engine.bucket import Bucket
from logsleuth.engine.column import one_nan
from logsleuth.engine.series import Series
from logsleuth.model.origin import Stamp
from logsleuth.model.series import LateStamp, Point

_Stamps = Sequence[Stamp | LateStamp | None]


class _Late(NamedTuple):
    """Stamps of which most are late, and all of these read alike."""

    read: Callable[[bytes], Stamp | None]
    heads: bytes
    """One after the other."""
    width: int
    """Bytes of each; 0 where they differ..."""
    widths: Sequence[int]
    """... in these."""
    others: dict[int, Stamp | None]
    """Those that are not late, by their places, which ascend."""

    @property
    def stamps(self) -> _Stamps:
        heads, width = self.heads, self.width
        if width:
            each = [heads[at : at + width] for at in range(0, len(heads), width)]
        else:
            ends = list(accumulate(self.widths))
            each = list(map(heads.__getitem__, map(slice, [0, *ends], ends)))
        stamps: list[Stamp | LateStamp | None] = list(map(_late, zip(each, repeat(self.read))))
        for at, other in self.others.items():
            stamps.insert(at, other)
        return stamps


def _late_of(stamps: _Stamps) -> _Late | None:
    """None where not most are late, or not all of these read alike."""
    late = [stamp for stamp in stamps if isinstance(stamp, LateStamp)]
    readers = dict.fromkeys(stamp.read for stamp in late)
    if len(readers) != 1 or 10 * len(late) < 9 * len(stamps):
        return None
    heads = [stamp.head for stamp in late]
    widths = array("q", map(len, heads))
    width = widths[0] if len(set(widths)) == 1 else 0
    others = {at: stamp for at, stamp in enumerate(stamps) if not isinstance(stamp, LateStamp)}
    (read,) = readers
    return _Late(read, b"".join(heads), width, array("q") if width else widths, others)


_Columns = tuple[Sequence[int], Sequence[float], Sequence[int], Sequence[int], _Stamps | _Late]
"""Step, value, offset, line and stamp of each of several values of one source."""
_Several = tuple[Sequence[int], int, Sequence[int], "array[int]"]
"""Of buckets of several values their counts, their totals without so many binary digits, which are zeros of all, and
which five values each names; -1 for none."""
Parts = tuple[int, int, Sequence[int], Sequence[int], _Columns, _Several, tuple[_Columns, tuple[str, ...]]]
"""The stride, the source, the places of the buckets and what stands in them, and the values that have a quote."""
_point: Callable[[Iterable[object]], Point] = partial(tuple.__new__, Point)
_late: Callable[[Iterable[object]], LateStamp] = partial(tuple.__new__, LateStamp)
"""As their classes make them, at half the price."""
_NOTHING: _Columns = ((), (), (), (), ())


def in_columns(series: Series) -> tuple[Callable[..., Series], Parts]:
    """What makes the series again, and what of; as ``copyreg.pickle`` asks for it. All of it stands in one source."""
    points: list[Point] = []
    ones: list[int] = []
    """For each bucket the number of its only value; -1 where it is one of several."""
    known: dict[int, int] = {id(None): -1}
    named = array("q")
    several: list[Bucket] = []
    for bucket in series.filled.values():
        first = bucket.first
        if first is not None and _is_one(bucket):
            ones.append(len(points))
            points.append(first)
            continue
        ones.append(-1)
        several.append(bucket)
        for point in (first, bucket.last, bucket.low, bucket.high, bucket.odd):
            if point is not None and id(point) not in known:
                known[id(point)] = len(points)
                points.append(point)
            named.append(known[id(point)])
    source = points[0].source if points else 0
    totals = [bucket.total for bucket in several]
    told = reduce(or_, totals, 0)
    zeros = max((told & -told).bit_length() - 1, 0)
    counted = (
        array("q", (bucket.count for bucket in several)),
        zeros,
        tuple(map(rshift, totals, repeat(zeros))),
        named,
    )
    quotes = _columns(list(series.quotes)), tuple(series.quotes.values())
    places = array("q", series.filled), array("q", ones)
    return _made, (series.stride, source, *places, _columns(points), counted, quotes)


def _columns(points: Sequence[Point]) -> _Columns:
    if not points:
        return _NOTHING
    steps, values, _, offsets, lines, told = zip(*points, strict=True)
    return array("q", steps), _numbers(values), array("q", offsets), array("q", lines), _late_of(told) or told


def _points(columns: _Columns, source: int) -> list[Point]:
    steps, values, offsets, lines, stamps = columns
    told = stamps.stamps if isinstance(stamps, _Late) else stamps
    if not all(map(isfinite, values)):
        values = list(map(one_nan, values))
    return list(map(_point, zip(steps, values, repeat(source), offsets, lines, told)))


def _is_one(bucket: Bucket) -> bool:
    """Whether it holds one value, and that a finite one."""
    one = bucket.first
    return bucket.count == 1 and one is bucket.last and one is bucket.low and one is bucket.high and bucket.odd is None


def _numbers(values: Sequence[float]) -> Sequence[float]:
    """A whole number stays one."""
    return array("d", values) if set(map(type, values)) == {float} else values


def _made(
    stride: int,
    source: int,
    places: Sequence[int],
    ones: Sequence[int],
    columns: _Columns,
    counted: _Several,
    quotes: tuple[_Columns, tuple[str, ...]],
) -> Series:
    points = [*_points(columns, source), None]  # The last is that of -1.
    counts, zeros, rest, named = counted
    totals = map(lshift, rest, repeat(zeros))
    five = [iter(map(points.__getitem__, named))] * 5
    several = map(Bucket, counts, totals, *five)
    filled = {
        place: next(several) if one < 0 else Bucket(1, 0, points[one], points[one], points[one], points[one])
        for place, one in zip(places, ones, strict=True)
    }
    quoted, texts = quotes
    return Series(stride, filled, dict(zip(_points(quoted, source), texts, strict=True))).trimmed()


copyreg.pickle(Series, in_columns)
