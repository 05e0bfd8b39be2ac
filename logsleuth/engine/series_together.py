"""One series of those of many members, at a price that hardly grows with how many steps they have in common."""

from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter, itemgetter

from logsleuth.engine.bucket import Bucket
from logsleuth.engine.series import BUCKETS, Series
from logsleuth.model.series import Point

_STEP, _VALUE, _SOURCE, _OFFSET = map(Point._fields.index, ("step", "value", "source", "offset"))
_place_of = itemgetter(_STEP, _SOURCE, _OFFSET)
_size_of = itemgetter(_VALUE, _STEP, _SOURCE, _OFFSET)


def together(parts: Sequence[Series]) -> Series:
    """What ``merged_series`` makes of them. They stay as they are, but may share their buckets with what comes out."""
    if len(parts) == 1:
        (only,) = parts
        return Series(only.stride, only.filled, only.quotes).trimmed()
    stride = max((part.stride for part in parts), default=1)
    places = {place // (stride // part.stride) for part in parts for place in part.filled}
    while len(places) > BUCKETS:
        stride *= 2
        places = {place // 2 for place in places}
    found: dict[int, list[Bucket]] = defaultdict(list)
    for part in parts:
        factor = stride // part.stride
        for place, bucket in part.filled.items():
            found[place // factor].append(bucket)
    quotes = {point: text for part in parts for point, text in part.quotes.items()}
    return Series(stride, {place: _merged(found[place]) for place in sorted(found)}, quotes).trimmed()


def _merged(buckets: list[Bucket]) -> Bucket:
    """One bucket of several. Of equals the first counts, as when they are merged one by one."""
    if len(buckets) == 1:
        return buckets[0]
    firsts, lasts, lows, highs, odds = (
        list(filter(None, map(attrgetter(name), buckets))) for name in ("first", "last", "low", "high", "odd")
    )
    count = sum(map(attrgetter("count"), buckets))
    return Bucket(
        count,
        sum(map(attrgetter("units"), buckets)) if count > 1 else 0,
        min(firsts, key=_place_of, default=None),
        max(lasts, key=_place_of, default=None),
        min(lows, key=_size_of, default=None),
        max(highs, key=_size_of, default=None),
        min(odds, key=_place_of, default=None),
    )
