"""The present of a test: its lines came when their stamps say."""

from collections.abc import Iterator

from logsleuth.engine.calendar import Calendar
from logsleuth.engine.fold import State
from logsleuth.model.origin import Stamp
from logsleuth.model.present import Arrivals, Present

Came = tuple[int, int, Stamp | None]
"""Source, offset behind the start of a line, and its stamp."""


def present_of(state: State, now: float | None) -> Present | None:
    """The moment ``now``, for somebody who saw each line come at the time that it tells; None where logs have ended."""
    if now is None:
        return None
    came = list(_came(state))
    calendar = Calendar(stamp for _, _, stamp in came if stamp)
    arrivals: dict[int, Arrivals] = {source: Arrivals() for source in state.sources}
    for source, end, stamp in sorted(came, key=lambda item: item[:2]):
        seconds = calendar.seconds(stamp)
        if seconds is not None:
            arrivals[source].note(end, seconds)
    return Present(now, arrivals)


def _came(state: State) -> Iterator[Came]:
    for kept in state.kept.values():
        yield from ((o.source, o.offset + 1, o.stamp or o.after) for o in kept.occurrences)
    for series in state.series.values():
        points = (point for bucket in series.buckets for point in bucket.points)
        yield from ((point.source, point.offset + 1, point.stamp) for point in points)
    for source, facts in state.sources.items():
        yield source, max((life.last for life in facts.lives.values()), default=0) + 1, facts.last_stamp
