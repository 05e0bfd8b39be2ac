"""The state of a stretch of a source, once it is known what stands in front of it."""

from logsleuth.engine.fold import State
from logsleuth.model.event import Occurrence
from logsleuth.model.origin import Stamp


def behind(state: State, segments: int, unknown: Stamp, after: Stamp | None) -> State:
    """The state behind so many events that begin an attempt, with the last stamp before it in place of ``unknown``."""

    def moved(o: Occurrence) -> Occurrence:
        return o._replace(segment=o.segment + segments, after=after if o.after == unknown else o.after)

    return State(
        {key._replace(segment=key.segment + segments): kept.changed(moved) for key, kept in state.kept.items()},
        state.sources,
        {key._replace(segment=key.segment + segments): series for key, series in state.series.items()},
    )
