"""A series as a few columns: how it goes from one process to another at a third of the cost of its objects."""

from array import array
from collections.abc import Callable, Sequence

from logsleuth.engine.bucket import Bucket
from logsleuth.engine.series import Series
from logsleuth.model.origin import Stamp
from logsleuth.model.series import LateStamp, Point

_Columns = tuple[Sequence[int], Sequence[float], Sequence[int], Sequence[int], Sequence[Stamp | LateStamp | None]]
"""Step, value, offset, line and stamp of each of several values of one source."""
_Parts = tuple[int, int, Sequence[int], _Columns, dict[int, Bucket], dict[Point, str]]
_NOTHING: _Columns = ((), (), (), (), ())


def in_columns(series: Series) -> tuple[Callable[..., Series], _Parts]:
    """What makes the series again, and what of; as ``copyreg.pickle`` asks for it. All of it stands in one source."""
    several = {place: bucket for place, bucket in series.filled.items() if not _is_one(bucket)}
    points = [bucket.first for place, bucket in series.filled.items() if place not in several and bucket.first]
    columns, source = _NOTHING, 0
    if points:
        steps, values, sources, offsets, lines, told = zip(*points, strict=True)
        columns = array("q", steps), _numbers(values), array("q", offsets), array("q", lines), told
        source = sources[0]
    return _made, (series.stride, source, array("q", series.filled), columns, several, series.quotes)


def _is_one(bucket: Bucket) -> bool:
    """Whether it holds one value, and that a finite one."""
    one = bucket.first
    return (
        one is not None
        and bucket.count == 1
        and one is bucket.last
        and one is bucket.low
        and one is bucket.high
        and bucket.odd is None
    )


def _numbers(values: Sequence[float]) -> Sequence[float]:
    """A whole number stays one."""
    return array("d", values) if set(map(type, values)) == {float} else values


def _made(
    stride: int,
    source: int,
    places: Sequence[int],
    columns: _Columns,
    several: dict[int, Bucket],
    quotes: dict[Point, str],
) -> Series:
    steps, values, offsets, lines, told = columns
    points = map(Point, steps, values, [source] * len(steps), offsets, lines, told)
    ones = (Bucket(1, 0, point, point, point, point) for point in points)
    filled = {place: several[place] if place in several else next(ones) for place in places}
    return Series(stride, filled, quotes).trimmed()
