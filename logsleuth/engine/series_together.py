"""One series of those of many members, at a price that hardly grows with how many steps they have in common."""

from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from logsleuth.engine.bucket import FEW, Bucket, place_of, size_of
from logsleuth.engine.column import in_units
from logsleuth.engine.laid_by import LaidBy
from logsleuth.engine.series import BUCKETS, Series
from logsleuth.model.series import Point

_AT_ONCE = 8 * BUCKETS
"""Buckets of series that are laid by that are taken together at once, about: they are held so long."""


class _Part(NamedTuple):
    """A series, unpacked."""

    stride: int
    filled: dict[int, Bucket]
    quotes: dict[Point, str]


def together(parts: Sequence[Series]) -> Series:
    """What ``merged_series`` makes of them. They stay as they are, but may share their buckets with what comes out;
    of one alone it is that one."""
    if len(parts) == 1:
        return parts[0].trimmed()
    known: list[_Part] = []
    size = 0
    for part in parts:
        known.append(_Part(part.stride, part.filled, part.quotes))
        size += len(known[-1].filled) if isinstance(part, LaidBy) else 0
        if size > _AT_ONCE:
            whole = _together(known)
            known, size = [_Part(whole.stride, whole.filled, whole.quotes)], 0
    return _together(known)


def _together(known: Sequence[_Part]) -> Series:
    stride = max((part.stride for part in known), default=1)
    places = {place // (stride // own) for own, filled, _ in known for place in filled}
    while len(places) > BUCKETS:
        stride *= 2
        places = {place // 2 for place in places}
    found: dict[int, list[Bucket]] = defaultdict(list)
    for own, filled, _ in known:
        factor = stride // own
        for place, bucket in filled.items():
            found[place // factor].append(bucket)
    quotes = {point: text for _, _, of_part in known for point, text in of_part.items()}
    return Series(stride, {place: _merged(found[place]) for place in sorted(found)}, quotes).trimmed()


def _merged(buckets: list[Bucket]) -> Bucket:
    """One bucket of several. Of equals the first counts, as when they are merged one by one."""
    if len(buckets) == 1:
        return buckets[0]
    odds = list(filter(None, map(attrgetter("odd"), buckets)))
    firsts: list[Point] = list(filter(None, map(attrgetter("first"), buckets)))
    if not odds and set(map(attrgetter("count"), buckets)) == {1}:
        units = in_units(list(map(attrgetter("value"), firsts)))
        count, total = len(firsts), sum(units.numbers) << units.shift
        lasts = lows = highs = firsts
    else:
        ones = [one.first.value for one in buckets if one.count == 1 and one.first]
        units = in_units(ones)
        count = sum(map(attrgetter("count"), buckets))
        total = (sum(units.numbers) << units.shift) + sum(one.units for one in buckets if one.count != 1)
        lasts, lows, highs = (list(filter(None, map(attrgetter(name), buckets))) for name in ("last", "low", "high"))
    return Bucket(
        count,
        total if count > FEW else 0,
        min(firsts, key=place_of, default=None),
        max(lasts, key=place_of, default=None),
        min(lows, key=size_of, default=None),
        max(highs, key=size_of, default=None),
        min(odds, key=place_of, default=None),
    )
