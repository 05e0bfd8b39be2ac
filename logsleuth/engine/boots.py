"""When hosts were started, so that kernels' lines which count from then have a time.

Two things tell it. A line of syslog or the journal may show both (``Jan  5 10:00:00 node-7 kernel: [81234.567890]``);
and what a kernel said only once may stand in another log of its host with a stamp (``dmesg -T``, the journal).
"""

import re
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from logsleuth.model.event import Occurrence
from logsleuth.model.origin import BOOT, NOWHERE, PathLabel, Stamp

_BOTH = re.compile(r"kernel: \[ {0,6}(\d{1,9}\.\d{6})\]")
_AGREED = 60.0
"""Seconds by which what tells of one start may scatter: a kernel's clock drifts by seconds a day."""
_AGAIN = 60.0
"""Seconds by which a kernel's count may fall back in a log; by more, the host was started again."""

Times = Callable[[float], Stamp | None]
"""The time of a line, by what its stamp counts."""
_Starts = dict[tuple[bool, bool], list[float]]
"""When a host was started, by whether the stamps that tell have a year and a zone."""


def kernel_times(occurrences: Iterable[Occurrence], labels: Mapping[int, PathLabel]) -> dict[int, Times]:
    """For each source that counts from a start of its host which something tells: how to read its stamps."""
    counting: dict[int, list[Occurrence]] = defaultdict(list)
    dated: list[Occurrence] = []
    for o in occurrences:
        if o.stamp and o.stamp.seconds < NOWHERE:
            counting[o.source].append(o)
        elif o.stamp and o.stamp.seconds >= 0:
            dated.append(o)
    found = {}
    for source, own in counting.items():
        own.sort(key=lambda o: o.offset)
        counts = [o.stamp.seconds for o in own if o.stamp]
        if all(after >= before - _AGAIN for before, after in pairwise(counts)):
            hosts = {host for o in own if (host := _host(o, labels))}
            if (times := _times(own, dated, hosts, labels)) is not None:
                found[source] = times
    return found


def _host(o: Occurrence, labels: Mapping[int, PathLabel]) -> str | None:
    return o.tag.host or labels.get(o.source, PathLabel()).tag.host


def _times(
    own: list[Occurrence], dated: list[Occurrence], hosts: set[str], labels: Mapping[int, PathLabel]
) -> Times | None:
    if len(hosts) > 1:
        return None
    starts: _Starts = defaultdict(list)
    same: dict[float, Stamp] = {}
    told: dict[tuple[str, int], list[Occurrence]] = defaultdict(list)
    for other in dated:
        host = _host(other, labels)
        if not hosts or host in hosts:
            told[other.event, other.message].append(other)
        if host in hosts and other.stamp and (both := _BOTH.search(other.text)):
            starts[other.stamp[1:]].append(other.stamp.seconds - float(both[1]))
    once: dict[tuple[str, int], list[Occurrence]] = defaultdict(list)
    for o in own:
        once[o.event, o.message].append(o)
    for key, (o, *more) in once.items():
        stamps = sorted({other.stamp for other in told[key] if other.stamp}, key=lambda stamp: (stamp[1:], stamp[0]))
        if o.stamp and stamps and not more and stamps[-1].seconds - stamps[0].seconds <= 1.0:
            starts[stamps[-1][1:]].append(stamps[-1].seconds - (o.stamp.seconds - BOOT))
            same[o.stamp.seconds] = stamps[-1]
    if not starts:
        return None
    kind = max(starts)
    start = statistics.median_low(starts[kind])
    if any(abs(other - start) > _AGREED for other in starts[kind]):
        return None

    def time(count: float) -> Stamp | None:
        # A line that another log has as well is given that stamp, so that the two are known to be one.
        return None if count >= NOWHERE else same.get(count) or Stamp(start + (count - BOOT), *kind)

    return time
