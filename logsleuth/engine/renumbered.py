"""What was folded, with other numbers for its sources.

Sources of a live job are numbered in the order in which they appeared, those of logs that are there in the natural
order of their paths, and an answer may depend on that order. Nothing else of a state does: points of one series stand
in one source, so that what buckets and quotes have chosen stays chosen.
"""

from collections.abc import Mapping

from logsleuth.engine.bucket import Bucket
from logsleuth.engine.fold import Kept, State
from logsleuth.engine.series import Series
from logsleuth.model.event import Occurrence
from logsleuth.model.series import Point


def renumbered(state: State, mapping: Mapping[int, int]) -> State:
    """The state with the new number of each source in place of its old one; ``state`` stays as it is.

    ``mapping`` holds every source of the state (KeyError otherwise) and gives no number twice. What keeps its number is
    shared with ``state``; if all do, ``state`` itself comes back.
    """
    if all(old == new for old, new in mapping.items()):
        return state
    return State(
        {
            key._replace(source=mapping[key.source]): _kept(kept, key.source, mapping)
            for key, kept in state.kept.items()
        },
        {mapping[source]: life for source, life in state.sources.items()},
        {
            key._replace(source=mapping[key.source]): _series(of, key.source, mapping)
            for key, of in state.series.items()
        },
    )


def _kept(kept: Kept, source: int, mapping: Mapping[int, int]) -> Kept:
    number = mapping[source]
    if number == source:
        return kept
    # The earliest are mostly the latest too: one object stays one.
    moved: dict[int, Occurrence] = {
        id(occurrence): occurrence._replace(source=number) for occurrence in (*kept.earliest, *kept.latest)
    }
    earliest, latest = ([moved[id(o)] for o in of] for of in (kept.earliest, kept.latest))
    return Kept(kept.count, earliest, latest, kept.repeats)


def _series(series: Series, source: int, mapping: Mapping[int, int]) -> Series:
    number = mapping[source]
    if number == source:
        return series
    filled = {place: _bucket(bucket, number) for place, bucket in series.filled.items()}
    return Series(series.stride, filled, {_moved(point, number): text for point, text in series.quotes.items()})


def _bucket(bucket: Bucket, number: int) -> Bucket:
    points = (bucket.first, bucket.last, bucket.low, bucket.high, bucket.odd)
    moved = {id(point): _moved(point, number) for point in points if point}
    return Bucket(bucket.count, bucket.total, *(moved.get(id(point)) for point in points))


def _moved(point: Point, number: int) -> Point:
    return Point(point.step, point.value, number, point.offset, point.line, point.told)
