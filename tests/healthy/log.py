"""A log that a healthy job writes: its clock, its numbers, its files."""

import math
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple


class Log:
    """What is written so far, drawn from a seed; ``wanted`` is the number of lines to be about."""

    def __init__(self, seed: int, wanted: int) -> None:
        self.chance = random.Random(seed)
        self.now = datetime(2026, 3, 4, 10, 0, tzinfo=UTC) + timedelta(seconds=self.chance.randrange(10_000_000))
        self.wanted = wanted
        self.written = 0
        self.files: dict[str, list[str]] = {}
        self.step = 0
        self._drop = self.chance.uniform(5, 8)

    def say(self, text: str, file: str = "train.log", label: str = "") -> None:
        """Writes text with its holes filled, under a label where a launcher puts one before every line."""
        for hole, value in self._stamps().items():
            if hole in text:
                text = text.replace(hole, value)
        lines = text.split("\n")
        self.files.setdefault(file, []).extend(label + line for line in lines)
        self.written += len(lines)

    def draw(self, text: str, file: str = "train.log") -> None:
        """A progress bar: what comes next is glued to it."""
        rows = self.files.setdefault(file, [""])
        rows[-1] += "\r" + text

    def go_on(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def has_room(self) -> bool:
        """Whether another step may be written; counts it, and lets time pass."""
        if self.written >= self.wanted:
            return False
        self.step += 1
        self.go_on(self.chance.uniform(1.45, 1.55))
        return True

    @property
    def loss(self) -> float:
        """Falls as losses do, with a noise of a hundredth."""
        return 1.6 + self._drop * math.exp(-self.step / 40) + 0.6 / (1 + self.step / 300) + self.chance.gauss(0, 0.015)

    @property
    def norm(self) -> float:
        return 0.4 + 2 * math.exp(-self.step / 30) + abs(self.chance.gauss(0, 0.04))

    @property
    def seconds(self) -> float:
        return self.chance.gauss(1.5, 0.012)

    def texts(self) -> dict[str, str]:
        """By path, each with its last line ended."""
        return {path: "\n".join(lines) + "\n" for path, lines in self.files.items()}

    def _stamps(self) -> dict[str, str]:
        now = self.now
        return {
            "{day}": f"{now:%Y-%m-%d}",
            "{clock}": f"{now:%H:%M:%S}",
            "{ms}": f"{now.microsecond // 1000:03}",
            "{us}": f"{now.microsecond:06}",
            "{glog}": f"{now:%m%d %H:%M:%S}.{now.microsecond:06}",
            "{iso}": f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond:06}000Z",
            "{syslog}": f"{now:%b} {now.day:2} {now:%H:%M:%S}",
            "{month}": f"{now:%m/%d}",
        }


class Family(NamedTuple):
    """A framework, or a kind of log, and how it writes a job that is well."""

    name: str
    write: Callable[[Log], None]


def written(family: Family, seed: int, wanted: int) -> dict[str, str]:
    """The logs of one job by path; the same for the same arguments."""
    log = Log(seed, wanted)
    family.write(log)
    return log.texts()
