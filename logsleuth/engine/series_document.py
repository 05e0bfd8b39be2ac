"""Series as a document: the lines that tell their numbers, each once, and of every series what its buckets keep.

A line that feeds five series is one line. Stamps are read: whoever reads the document has no framing.
"""

import math
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from logsleuth.engine.bucket import Bucket
from logsleuth.engine.documented import (
    DocumentError,
    Json,
    Known,
    Mentioned,
    Numbered,
    all_chosen,
    chosen,
    items,
    number_document,
    numbers,
    truth,
    value,
    value_document,
    whole,
    wholes,
)
from logsleuth.engine.series import Series, SeriesKey
from logsleuth.model.origin import Stamp
from logsleuth.model.series import Point


class _Line(NamedTuple):
    source: int
    offset: int
    line: int
    stamp: Stamp | None


class WrittenSeries:
    """The series of a document, while it is written."""

    def __init__(self, mentioned: Mentioned) -> None:
        self._mentioned = mentioned
        self._lines: Numbered[_Line] = Numbered()

    def row(self, key: SeriesKey, series: Series) -> list[Json]:
        mentioned, texts = self._mentioned, self._mentioned.texts
        points = _Points()
        alone: list[int] = []
        others: list[Json] = []
        for place, bucket in series.filled.items():
            only = bucket.first or bucket.odd
            if only is not None and place == only.step // series.stride and bucket == Bucket.of(only):
                alone.append(points.number(only))
            else:
                others.append([place, *_bucket_row(bucket, points)])
        quotes: list[Json] = [
            [points.number(point), mentioned.evidence.number(line)] for point, line in series.quotes.items()
        ]
        held = points.held
        return [
            texts.number(key.series),
            texts.number(key.event),
            key.source,
            mentioned.tags.number(key.tag),
            [value_document(subject) for subject in key.about],
            key.segment,
            key.by_step,
            series.stride,
            _differences([point.step for point in held]),
            [number_document(point.value) for point in held],
            _differences([self._line(point) for point in held]),
            _differences(alone),
            others,
            quotes,
        ]

    def _line(self, point: Point) -> int:
        return self._lines.number(_Line(point.source, point.offset, point.line, point.stamp))

    def lines(self) -> list[Json]:
        """All lines that were mentioned, as columns."""
        held = self._lines.items()
        return [
            _differences([line.source for line in held]),
            _differences([line.offset for line in held]),
            _differences([line.line for line in held]),
            _differences([self._mentioned.stamp(line.stamp) for line in held]),
        ]


class _Points:
    """The points of a series, each once."""

    def __init__(self) -> None:
        self.held: list[Point] = []
        self._numbers: dict[tuple[Point, float], int] = {}

    def number(self, point: Point) -> int:
        # Zero and minus zero are equal, but not the same.
        key = point, math.copysign(1.0, point.value)
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self.held)
            self.held.append(point)
        return known


def _bucket_row(bucket: Bucket, points: _Points) -> list[Json]:
    """The total without the zeros that its binary digits end in, and how many these are."""
    zeros = (bucket.total & -bucket.total).bit_length() - 1 if bucket.total else 0
    kept = (bucket.first, bucket.last, bucket.low, bucket.high, bucket.odd)
    numbers = [-1 if point is None else points.number(point) for point in kept]
    return [bucket.count, bucket.total >> zeros, zeros, *numbers]


def series_of(rows: Sequence[object], lines: object, known: Known) -> dict[SeriesKey, Series]:
    """The inverse."""
    columns = [_summed(column) for column in items(lines, 4)]
    if len(set(map(len, columns))) > 1:
        raise DocumentError
    sources, offsets, lines_of, stamps = columns
    told = list(map(_Line, sources, offsets, lines_of, all_chosen(known.stamps, stamps)))
    return dict(_series(row, told, known) for row in rows)


def _series(document: object, lines: Sequence[_Line], known: Known) -> tuple[SeriesKey, Series]:
    row = items(document, 14)
    key = SeriesKey(
        chosen(known.texts, row[0]),
        chosen(known.texts, row[1]),
        whole(row[2]),
        chosen(known.tags, row[3]),
        tuple(map(value, items(row[4]))),
        whole(row[5]),
        truth(row[6]),
    )
    stride = whole(row[7])
    if stride < 1:
        raise DocumentError
    points = _points(_summed(row[8]), items(row[9]), _summed(row[10]), lines)
    series = Series(stride)
    for point in all_chosen(points, _summed(row[11])):
        series.filled[point.step // stride] = Bucket.of(point)
    or_none = [*points, None]
    for other in items(row[12]):
        place, *told = wholes(items(other, 9))
        series.filled[place] = _bucket(told, or_none)
    for quote in items(row[13]):
        at, line = items(quote, 2)
        series.quotes[chosen(points, at)] = chosen(known.evidence, line)
    return key, series


def _points(
    steps: Sequence[int], values: Sequence[object], places: Sequence[int], lines: Sequence[_Line]
) -> list[Point]:
    if not len(steps) == len(values) == len(places):
        raise DocumentError
    told = all_chosen(lines, places)
    return [Point(step, of, *line) for step, of, line in zip(steps, numbers(values), told, strict=True)]


def _bucket(told: Sequence[int], points: Sequence[Point | None]) -> Bucket:
    """``points`` end with none, which is the one before the first."""
    count, total, zeros, *kept = told
    if not 0 <= zeros < 1 << 16 or min(kept) < -1 or max(kept) >= len(points) - 1:
        raise DocumentError
    return Bucket(count, total << zeros, *[points[at] for at in kept])


def _differences(values: Sequence[int]) -> list[Json]:
    """Each but the first as what it has more than the one before: small numbers, and many of them equal."""
    return [after - before for before, after in pairwise((0, *values))]


def _summed(document: object) -> list[int]:
    """The inverse."""
    return list(accumulate(wholes(document)))
