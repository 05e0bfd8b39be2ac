"""By how much clocks differ: estimated from the lines that several of them stamped at the same moment.

Medians throughout, so that single lines that came late spoil nothing. A clock that shares too few moments with others
is believed only where it is off by a difference of time zones; else it is taken to be right, and doubted where the
logs show that it is not.
"""

import statistics
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from logsleuth.engine.anchors import Anchors, Dial, Key
from logsleuth.engine.clock import Clock
from logsleuth.engine.zone_doubts import FARTHEST_ZONE, Shown, is_of_another_zone

FEWEST = 3
"""Moments that a clock must share with others before its offset is measured."""
WIDEST = 5.0
"""Seconds by which shared moments may scatter; what scatters more was not shared. Also what few of them may be off."""
FARTHEST = 26 * 3600.0
"""Seconds; time zones differ by no more, and what lies further apart is another run."""
ZONE_STEP = 900.0
"""Seconds; zones differ by quarters of an hour."""
_WHOLE_SECONDS, _FRACTIONS = 0.5, 0.05
"""The least uncertainty, by the resolution of stamps."""


class ClockReading(NamedTuple):
    """What is known of one clock."""

    host: str
    """Empty where no host is known."""
    source: int | None
    """The source that shows it; None for the only clock of a host."""
    clock: Clock
    anchors: int
    """Moments shared with others that tell its offset; 0 where that is not known."""


class _Estimate(NamedTuple):
    ahead: float
    uncertainty: float
    anchors: int


@dataclass(slots=True)
class _Pool:
    """Dials that show one clock."""

    dials: list[Dial]
    component: int | None = None
    """Clocks of one component can be compared; None where the offset is not measured."""
    ahead: float = 0.0
    uncertainty: float = 0.0
    anchors: int = 0
    is_doubted: bool = False
    is_of_another_zone: bool = False


def readings(
    dials: Iterable[Dial],
    anchors: Anchors,
    shown: Mapping[Dial, Shown] | None = None,
    fallen: Mapping[Dial, float] | None = None,
) -> tuple[dict[Dial, Clock], list[ClockReading]]:
    """The clock that each dial shows, and all clocks in the order of hosts and sources.

    Offsets are against the median clock of those that can be compared. ``shown`` tells what each dial showed first and
    last, where that is known, and ``fallen`` by how many seconds those were set back that were.
    """
    fallen = fallen or {}
    pools = _pools({*dials, *anchors.tight, *anchors.loose}, _components(anchors))
    _centre(pools)
    _judge_by_few(pools, anchors)
    _judge_by_zone(pools, shown or {})
    of_host = Counter(pool.dials[0].host for pool in pools)
    clocks: dict[Dial, Clock] = {}
    told: list[ClockReading] = []
    for number, pool in enumerate(pools):
        first = pool.dials[0]
        # Which of its stamps are those from before is not known.
        uncertainty = pool.uncertainty + max((fallen.get(dial, 0.0) for dial in pool.dials), default=0.0)
        clock = Clock(number, pool.ahead, uncertainty, pool.is_doubted, pool.is_of_another_zone)
        clocks |= dict.fromkeys(pool.dials, clock)
        source = first.source if not first.host or of_host[first.host] > 1 else None
        told.append(ClockReading(first.host, source, clock, pool.anchors))
    return clocks, told


# Dials that share moments


def _components(anchors: Anchors) -> dict[Dial, tuple[int, _Estimate]]:
    """Dials that can be compared with others: the number of their component, and their offset against one of it."""
    by_key: dict[Key, list[Dial]] = defaultdict(list)
    for dial, row in anchors.tight.items():
        for key in row:
            by_key[key].append(dial)
    weights = {dial: sum(len(by_key[key]) > 1 for key in row) for dial, row in anchors.tight.items()}
    out: dict[Dial, tuple[int, _Estimate]] = {}
    for number, seed in enumerate(sorted(weights, key=lambda d: (-weights[d], d))):
        if weights[seed] >= FEWEST and seed not in out:
            component = _grow(seed, by_key, out, anchors)
            if len(component) > 1:
                out |= {dial: (number, estimate) for dial, estimate in component.items()}
    return out


def _grow(
    seed: Dial, by_key: Mapping[Key, Sequence[Dial]], taken: Container[Dial], anchors: Anchors
) -> dict[Dial, _Estimate]:
    """All that can be compared with the seed, directly or through others, and are not taken yet."""
    axis = dict(anchors.tight[seed])
    placed = {seed: _Estimate(0.0, _resolution(axis.values()), 0)}
    owners = {rank: _place(seed) for rank in anchors.ranks.get(seed, ())}
    fresh: Iterable[Key] = list(axis)
    while True:
        near = {dial for key in fresh for dial in by_key[key]}
        found: dict[Dial, _Estimate] = {}
        for dial in sorted(dial for dial in near if dial not in placed and dial not in taken):
            row, ranks = anchors.tight[dial], anchors.ranks.get(dial, ())
            if any(owners.get(rank, _place(dial)) != _place(dial) for rank in ranks):
                continue
            if estimate := _estimate([(row[key], axis[key]) for key in row if key in axis]):
                found[dial] = estimate
                owners |= dict.fromkeys(ranks, _place(dial))
        if not found:
            break
        told: dict[Key, list[float]] = defaultdict(list)
        for dial, estimate in found.items():
            for key, seconds in anchors.tight[dial].items():
                if key not in axis:
                    told[key].append(seconds - estimate.ahead)
        axis |= {key: statistics.median(moments) for key, moments in told.items()}
        placed |= found
        fresh = told
    most = max(estimate.anchors for estimate in placed.values())
    return {**placed, seed: placed[seed]._replace(anchors=most)}


def _estimate(pairs: Sequence[tuple[float, float]]) -> _Estimate | None:
    """How far the first of each pair is ahead of the second; None where they do not tell."""
    if len(pairs) < FEWEST:
        return None
    differences = [own - other for own, other in pairs]
    ahead = statistics.median(differences)
    scatter = statistics.median(abs(difference - ahead) for difference in differences)
    if scatter > WIDEST or abs(ahead) > FARTHEST:
        return None
    return _Estimate(ahead, max(scatter, _resolution(own for own, _ in pairs)), len(pairs))


def _resolution(stamps: Iterable[float]) -> float:
    return _WHOLE_SECONDS if all(seconds.is_integer() for seconds in stamps) else _FRACTIONS


def _place(dial: Dial) -> tuple[str, int]:
    """Where the lines of a dial come from: a rank runs in one place."""
    return (dial.host, -1) if dial.host else ("", dial.source)


# Dials that show one clock


def _pools(dials: Iterable[Dial], placed: Mapping[Dial, tuple[int, _Estimate]]) -> list[_Pool]:
    """A host has one clock, but some of its sources may show it in another zone."""
    groups: dict[tuple[str, int, bool], list[Dial]] = defaultdict(list)
    for dial in sorted(dials):
        groups[(*_place(dial), dial.is_zoned)].append(dial)
    out = []
    for group in groups.values():
        components: dict[int, list[tuple[Dial, _Estimate]]] = defaultdict(list)
        for dial in group:
            if dial in placed:
                number, estimate = placed[dial]
                components[number].append((dial, estimate))
        measured = [pool for number, members in components.items() for pool in _by_zone(members, number)]
        rest = [dial for dial in group if dial not in placed]
        if len(measured) == 1:
            measured[0].dials = group
        elif rest:
            measured.append(_Pool(rest))
        out += measured
    return out


def _by_zone(placed: Sequence[tuple[Dial, _Estimate]], component: int) -> list[_Pool]:
    middle = statistics.median_low(estimate.ahead for _, estimate in placed)
    zones: dict[int, list[tuple[Dial, _Estimate]]] = defaultdict(list)
    for dial, estimate in placed:
        zones[round((estimate.ahead - middle) / ZONE_STEP)].append((dial, estimate))
    out = []
    for members in zones.values():
        ahead = statistics.median(estimate.ahead for _, estimate in members)
        scatter = statistics.median(abs(estimate.ahead - ahead) for _, estimate in members)
        uncertainty = max(scatter, statistics.median(estimate.uncertainty for _, estimate in members))
        anchors = max(estimate.anchors for _, estimate in members)
        out.append(_Pool([dial for dial, _ in members], component, ahead, uncertainty, anchors))
    return out


def _centre(pools: Sequence[_Pool]) -> None:
    """Makes the median clock of each component the one that is right."""
    components: dict[int, list[_Pool]] = defaultdict(list)
    for pool in pools:
        if pool.component is not None:
            components[pool.component].append(pool)
    for members in components.values():
        middle = statistics.median_low(pool.ahead for pool in members)
        for pool in members:
            pool.ahead -= middle


# Clocks that share too little


def _judge_by_few(pools: Sequence[_Pool], anchors: Anchors) -> None:
    """Of clocks that were not measured: whether they are of another zone, or cannot be right."""
    shown = [_moments(pool, anchors) for pool in pools]
    by_key: dict[Key, list[float]] = defaultdict(list)
    for row in shown:
        for key, seconds in row.items():
            by_key[key].append(seconds)
    for pool, row in zip(pools, shown, strict=True):
        if pool.component is not None:
            continue
        proofs = [
            difference
            for key, seconds in row.items()
            if abs(difference := seconds - statistics.median_low(by_key[key])) > anchors.apart.get(key, WIDEST)
        ]
        if not proofs or len(proofs) * 2 <= sum(len(by_key[key]) > 1 for key in row):
            continue
        off = statistics.median_low(proofs)
        zone = round(off / ZONE_STEP) * ZONE_STEP
        if zone and abs(off - zone) <= WIDEST and abs(off) <= FARTHEST:
            pool.ahead, pool.uncertainty, pool.anchors = zone, WIDEST, len(proofs)
        else:
            pool.uncertainty, pool.is_doubted = abs(off), True


def _moments(pool: _Pool, anchors: Anchors) -> dict[Key, float]:
    """When the clock showed each moment, on the common axis."""
    out: dict[Key, float] = {}
    for dial in pool.dials:
        for readings_of in (anchors.tight, anchors.loose):
            for key, seconds in readings_of.get(dial, {}).items():
                out[key] = min(seconds - pool.ahead, out.get(key, float("inf")))
    return out


def _judge_by_zone(pools: Sequence[_Pool], shown: Mapping[Dial, Shown]) -> None:
    """Of clocks that say no zone and of which nothing is known: whether they can be right beside those that say one."""
    times = [_time(pool, shown) for pool in pools]
    zoned = [time for pool, time in zip(pools, times, strict=True) if pool.dials[0].is_zoned and time]
    for pool, time in zip(pools, times, strict=True):
        is_measured = pool.component is not None or pool.anchors or pool.is_doubted
        if time and not is_measured and not pool.dials[0].is_zoned and is_of_another_zone(time, zoned):
            pool.uncertainty = FARTHEST_ZONE
            pool.is_doubted = pool.is_of_another_zone = True


def _time(pool: _Pool, shown: Mapping[Dial, Shown]) -> Shown | None:
    """What a clock showed first and last, on the common axis."""
    own = [shown[dial] for dial in pool.dials if dial in shown]
    if not own:
        return None
    return Shown(min(one.first for one in own) - pool.ahead, max(one.last for one in own) - pool.ahead)
