"""By how much clocks were set back while they were read: summer time ends, or a host's time was corrected."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from logsleuth.engine.anchors import Dial
from logsleuth.model.origin import Tag

_LEAST = 60.0
"""Seconds; by less, lines may come late that were kept in a buffer."""
_SUMMER, _NEAR = 3600.0, 120.0
"""Seconds by which clocks go back in autumn, and within which two lines around it may lie."""


def set_back(told: Mapping[tuple[int, Tag, Dial], Iterable[tuple[int, float]]]) -> dict[Dial, float]:
    """Seconds by which the stamps of one writer fall back behind earlier ones, the most for every dial.

    ``told`` are offsets and seconds. Lines that name no writer may be of several, one log behind the other: of theirs
    only an hour is believed.
    """
    out: dict[Dial, float] = defaultdict(float)
    for (_, tag, dial), row in told.items():
        latest = float("-inf")
        for _, seconds in sorted(row):
            fall = latest - seconds
            is_believed = abs(fall - _SUMMER) <= _NEAR if tag.is_bare else fall >= _LEAST
            if is_believed:
                out[dial] = max(out[dial], fall)
            latest = max(latest, seconds)
    return dict(out)
