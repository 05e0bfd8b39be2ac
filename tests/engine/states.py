"""Strategies for folded states, with everything in them that a line may lead to."""

import math

from hypothesis import strategies as st

from logsleuth.engine.bucket import Bucket
from logsleuth.engine.fold import Kept, Key, State
from logsleuth.engine.series import Series, SeriesKey
from logsleuth.model.event import Occurrence
from logsleuth.model.life import Life, SourceLife
from logsleuth.model.origin import Group, Stamp, Tag
from logsleuth.model.series import Point

COUNTS = st.integers(0, 2**70)
FLOATS = st.floats(allow_nan=False) | st.just(math.nan)
TEXTS = st.text(st.characters(), max_size=8)
"""Lone surrogates are in it."""
STAMPS = st.builds(Stamp, st.floats(-1e10, 1e10).map(lambda at: at + 0.0), st.booleans(), st.booleans())
TAGS = st.builds(
    Tag,
    st.none() | COUNTS,
    st.none() | COUNTS,
    st.none() | COUNTS,
    st.none() | TEXTS,
    st.none() | COUNTS,
)
GROUPS = st.builds(Group, st.none() | TEXTS, st.none() | TEXTS, st.none() | TEXTS, st.none() | COUNTS)
VALUES = TEXTS | st.integers(-(2**70), 2**70) | FLOATS | st.lists(COUNTS, max_size=3).map(tuple)
ABOUT = st.lists(VALUES | st.none(), max_size=2).map(tuple)
OCCURRENCES = st.builds(
    Occurrence,
    event=TEXTS,
    source=COUNTS,
    offset=COUNTS,
    line=COUNTS,
    end_offset=COUNTS,
    tag=TAGS,
    stamp=st.none() | STAMPS,
    after=st.none() | STAMPS,
    segment=COUNTS,
    level=st.none() | TEXTS,
    exception=st.none() | TEXTS,
    group=st.none() | GROUPS,
    fields=st.dictionaries(TEXTS, VALUES, max_size=3),
    text=TEXTS,
    told=st.lists(st.tuples(COUNTS, COUNTS, TEXTS), max_size=2).map(tuple),
    message=COUNTS,
)
KEPT = st.builds(Kept, COUNTS, st.lists(OCCURRENCES, max_size=2), st.lists(OCCURRENCES, max_size=2), COUNTS)
KEYS = st.builds(Key, TEXTS, COUNTS, COUNTS, TAGS, ABOUT, COUNTS)
LIVES = st.builds(
    SourceLife,
    st.none() | STAMPS,
    COUNTS,
    st.none() | STAMPS,
    st.dictionaries(TAGS, st.builds(Life, COUNTS, COUNTS, st.none() | STAMPS), max_size=2),
    TEXTS,
    st.frozensets(st.integers(0, 2**32 - 1), max_size=4),
    st.lists(st.tuples(COUNTS, STAMPS), max_size=2).map(tuple),
)
POINTS = st.builds(Point, st.integers(-(2**40), 2**40), FLOATS, COUNTS, COUNTS, COUNTS, st.none() | STAMPS)
BUCKETS = st.builds(
    Bucket,
    COUNTS,
    st.integers(-(2**3200), 2**3200),
    st.none() | POINTS,
    st.none() | POINTS,
    st.none() | POINTS,
    st.none() | POINTS,
    st.none() | POINTS,
)


@st.composite
def _series(draw: st.DrawFn) -> Series:
    stride = draw(st.sampled_from([1, 2, 64]))
    alone = draw(st.lists(POINTS, max_size=3))
    filled = {point.step // stride: Bucket.of(point) for point in alone}
    filled |= draw(st.dictionaries(st.integers(-5, 5), BUCKETS, max_size=2))
    return Series(stride, filled, {point: draw(TEXTS) for point in alone[:2]})


SERIES_KEYS = st.builds(SeriesKey, TEXTS, TEXTS, COUNTS, TAGS, ABOUT, COUNTS, st.booleans())
STATES = st.builds(
    State,
    st.dictionaries(KEYS, KEPT, max_size=3),
    st.dictionaries(COUNTS, LIVES, max_size=2),
    st.dictionaries(SERIES_KEYS, _series(), max_size=2),
)
