"""What time does a host think it is, and how do its programs write that down?"""

import random
from datetime import datetime, timedelta
from typing import NamedTuple


class Clock(NamedTuple):
    """The clock of one host."""

    start: datetime
    """When the job started, by a true clock; logs are written in one time zone."""
    skew: float
    """Seconds by which this clock is ahead."""

    def at(self, seconds: float) -> datetime:
        """Its reading so many seconds after the start of the job."""
        return self.start + timedelta(seconds=seconds + self.skew)

    def cpp(self, seconds: float) -> str:
        """As C++ lines have it: the month has one digit or two, nine digits of a second."""
        now = self.at(seconds)
        return f"{now.month}{now:%d %H:%M:%S}.{now.microsecond:06d}{(now.microsecond * 7) % 1000:03d}"

    def python(self, seconds: float) -> str:
        """As the agent's lines in glog's look have it."""
        now = self.at(seconds)
        return f"{now:%m%d %H:%M:%S}.{now.microsecond // 1000:03d}000"

    def comma(self, seconds: float) -> str:
        """As Python's logging has it."""
        now = self.at(seconds)
        return f"{now:%Y-%m-%d %H:%M:%S},{now.microsecond // 1000:03d}"

    def iso(self, seconds: float) -> str:
        """As container runtimes have it."""
        now = self.at(seconds)
        return f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond:06d}000Z"


def draw_clocks(chance: random.Random, hosts: int) -> tuple[Clock, ...]:
    """The clocks of all hosts: mostly good ones, sometimes seconds apart, rarely minutes."""
    start = datetime(2024, 1, 1) + timedelta(minutes=chance.randrange(2 * 365 * 24 * 60), seconds=chance.randrange(60))
    spread = chance.choices((0.05, 2.5, 150.0), (70, 24, 6))[0]
    return tuple(Clock(start, round(chance.uniform(-spread, spread), 3)) for _ in range(hosts))
