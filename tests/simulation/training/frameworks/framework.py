"""What does every framework's log have: who prints, and what when?"""

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar, NamedTuple

from tests.simulation.training.course import Point
from tests.simulation.training.run import Run

GIB = 2.0**30


class Straggler(NamedTuple):
    """A rank that computes more slowly."""

    rank: int
    since: int
    """Point from which on."""
    factor: float


class Framework(ABC):
    """A way to write a run down. ``wants`` are quantities that must be printed; whatever else can be is left to chance."""

    name: ClassVar[str] = ""
    tasks: ClassVar[tuple[str, ...]] = ("pretrain", "finetune")
    offers: ClassVar[frozenset[str]] = frozenset()
    """Quantities that it can print: ``loss``, ``grad_norm``, ``learning_rate``, ``loss_scale``, ``step_seconds``,
    ``data_seconds``, ``memory``, ``host_memory``, ``length``, ``time`` (stamps), ``ranks`` (every rank prints),
    ``rank_seconds`` (times by rank)."""
    intervals: ClassVar[tuple[int, ...]] = (1, 1, 5, 10, 10, 50, 100)
    stages: frozenset[str] = frozenset()
    """``batch``, ``length``: what grows in a staged run, and a reader of its lines can tell that from a run that slows
    down."""
    lines: ClassVar[int] = 1
    """About how many a step takes."""
    reduces: ClassVar[bool] = True
    """What every rank prints as loss is the mean over all ranks."""

    def __init__(self, run: Run, wants: frozenset[str], chance: random.Random) -> None:
        self.run = run
        self.wants = wants
        self.chance = chance
        self.straggler: Straggler | None = None
        self.prepare()

    @abstractmethod
    def prepare(self) -> None:
        """Draws versions and options."""

    def may(self, quantity: str, share: float) -> bool:
        """Whether an option that prints this is set."""
        return quantity in self.wants or self.chance.random() < share

    def speakers(self) -> tuple[int, ...]:
        """Ranks that print steps."""
        if "ranks" in self.offers and (self.wants & {"ranks", "rank_seconds"} or self.chance.random() < 0.5):
            return tuple(range(self.run.size))
        return (0,)

    def start(self, rank: int) -> list[str]:
        """Before the first step."""
        del rank
        return []

    @abstractmethod
    def step(self, point: Point) -> str:
        """The line of a step."""

    def overflow(self, point: Point, tried: float, then: float) -> str | None:
        """A step is left out and the loss scale lowered."""
        del point, tried, then
        return None

    def evaluation(self, point: Point) -> list[str]:
        del point
        return []

    def checkpoint(self, point: Point) -> list[str]:
        del point
        return []

    def end(self, point: Point) -> list[str]:
        """After the last step of a run that comes to its end."""
        del point
        return []

    def time(self, point: Point) -> datetime:
        return self.run.at(point.at)

    def percent(self, point: Point) -> int:
        return min(100, 100 * point.step // max(1, self.run.total))


def clock(seconds: float) -> str:
    """``1:02:03``, and days before it, as ``str(timedelta)`` gives."""
    minutes, second = divmod(int(max(0, seconds)), 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    return (f"{days} day{'s' if days > 1 else ''}, " if days else "") + f"{hour}:{minute:02d}:{second:02d}"


def bar_clock(seconds: float) -> str:
    """``02:03`` or ``1:02:03``, as progress bars have it."""
    minutes, second = divmod(int(max(0, seconds)), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute:02d}:{second:02d}"


def comma(now: datetime) -> str:
    """As Python's logging has it."""
    return f"{now:%Y-%m-%d %H:%M:%S},{now.microsecond // 1000:03d}"


def bar(point: Point, run: Run, shown: Sequence[str], width: int = 10, label: str = "") -> str:
    """A tqdm bar, redrawn in place."""
    part = min(1.0, point.step / run.total)
    blocks = "█" * int(width * part)
    left = (run.total - point.step) * run.seconds
    speed = f"{point.step_seconds:5.2f}s/it" if point.step_seconds > 1 else f"{1 / point.step_seconds:5.2f}it/s"
    tail = "".join(f", {text}" for text in shown)
    return (
        f"\r{label}{int(100 * part):3d}%|{blocks:<{width}}| {point.step}/{run.total} "
        f"[{bar_clock(point.at)}<{bar_clock(left)}, {speed}{tail}]"
    )
