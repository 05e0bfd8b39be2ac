"""A series as a few columns: how it goes from one process to another at a third of the cost of its objects."""

from array import array
from collections.abc import Callable, Sequence
from itertools import repeat

from logsleuth.engine.bucket import Bucket
from logsleuth.engine.series import Series
from logsleuth.model.origin import Stamp
from logsleuth.model.series import LateStamp, Point

_Columns = tuple[Sequence[int], Sequence[float], Sequence[int], Sequence[int], Sequence[Stamp | LateStamp | None]]
"""Step, value, offset, line and stamp of each of several values of one source."""
_Several = tuple[Sequence[int], tuple[int, ...], "array[int]"]
"""Of buckets of several values their counts, their totals, and which five values each names; -1 for none."""
_Parts = tuple[int, int, Sequence[int], Sequence[int], _Columns, _Several, dict[Point, str]]
_NOTHING: _Columns = ((), (), (), (), ())


def in_columns(series: Series) -> tuple[Callable[..., Series], _Parts]:
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
    columns, source = _NOTHING, 0
    if points:
        steps, values, sources, offsets, lines, told = zip(*points, strict=True)
        columns = array("q", steps), _numbers(values), array("q", offsets), array("q", lines), told
        source = sources[0]
    counted = array("q", (bucket.count for bucket in several)), tuple(bucket.total for bucket in several), named
    return _made, (series.stride, source, array("q", series.filled), array("q", ones), columns, counted, series.quotes)


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
    quotes: dict[Point, str],
) -> Series:
    steps, values, offsets, lines, told = columns
    points = [*map(Point, steps, values, repeat(source), offsets, lines, told), None]  # The last is that of -1.
    counts, totals, named = counted
    five = [iter(map(points.__getitem__, named))] * 5
    several = map(Bucket, counts, totals, *five)
    filled = {
        place: next(several) if one < 0 else Bucket(1, 0, points[one], points[one], points[one], points[one])
        for place, one in zip(places, ones, strict=True)
    }
    return Series(stride, filled, quotes).trimmed()
