"""What does a monitor of the GPUs write while a run goes on?"""

import random
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from tests.simulation.training.course import Course

STYLES = ("csv", "bare", "dmon")
_CSV = "timestamp, index, utilization.gpu [%], utilization.memory [%], memory.used [MiB], memory.total [MiB], temperature.gpu, power.draw [W]"
_MOST = 800
"""Readings of a monitor; where a run is longer, its first hours were rotated away."""


class Reading(NamedTuple):
    at: float
    device: int
    utilization: float
    used: float
    """MiB."""
    power: float
    """Watts."""


def monitored(course: Course, style: str, until: float, chance: random.Random) -> str:
    """Readings of the GPUs of the first host from shortly before the start, or the last of them."""
    readings = _readings(course, until, chance)
    total, run = course.run.capacity / 2**20, course.run
    lines: list[str] = []
    if style == "dmon":
        for number, reading in enumerate(readings):
            if number % (20 * min(4, run.per_host)) == 0:
                lines += [
                    "#Time        gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk",
                    "#HH:MM:SS    Idx     W     C     C     %     %     %     %   MHz   MHz",
                ]
            lines.append(
                f" {run.at(reading.at):%H:%M:%S}   {reading.device:5d} {reading.power:5.0f} {40 + reading.power / 18:5.0f}     - {reading.utilization:5.0f} "
                f"{reading.utilization * 0.6:5.0f}     0     0  2619  1980"
            )
        return "\n".join(lines) + "\n"
    units = ("", "", "", "") if style == "bare" else (" %", " %", " MiB", " W")
    if style == "csv":
        lines.append(_CSV)
    for reading in readings:
        now = run.at(reading.at)
        stamp = f"{now:%Y/%m/%d %H:%M:%S}.{now.microsecond // 1000:03d}"
        lines.append(
            f"{stamp}, {reading.device}, {reading.utilization:.0f}{units[0]}, {reading.utilization * 0.6:.0f}{units[1]}, {reading.used:.0f}{units[2]}, "
            f"{total:.0f}{units[2]}, {40 + reading.power / 18:.0f}, {reading.power:.2f}{units[3]}"
        )
    return "\n".join(lines) + "\n"


def _readings(course: Course, until: float, chance: random.Random) -> Iterator[Reading]:
    devices = min(4, course.run.per_host)
    every = min(300.0, max(10.0, (until + 30) / _MOST * devices))
    now = max(-30.0, until - every * _MOST / devices)
    while now < until:
        busy, used = _state(course, now, chance)
        for device in range(devices):
            share = min(100.0, max(0.0, busy + chance.gauss(0, 1.5))) if 0 < busy < 100 else busy
            yield Reading(now + device * 0.002, device, share, used, 75 + share * 5.8 * chance.uniform(0.95, 1.05))
        now += every * chance.uniform(0.98, 1.02)


def _state(course: Course, now: float, chance: random.Random) -> tuple[float, float]:
    """Utilization and MiB in use."""
    last = len(course.at) - 1 if course.stops_at is None else course.stops_at
    index = bisect_left(course.at, now)
    if now < 0:
        return 0.0, 4.0
    if index > last:
        # The run is over, or it stands still and holds what it has.
        stands = course.stops_at is not None
        return (course.utilization[-1], course.reserved[last] / 2**20) if stands else (0.0, 4.0)
    used = course.reserved[index] / 2**20 + 900
    began = course.at[index] - course.step_seconds[index] * course.run.interval
    if now >= began:
        return course.utilization[index], used
    if course.stops_at is not None and index >= course.stops_at:
        return course.utilization[-1], used
    if index in course.restarts:
        return 0.0, 4.0
    return (chance.uniform(30, 75) if index - 1 in course.evaluations else chance.uniform(0, 12)), used
