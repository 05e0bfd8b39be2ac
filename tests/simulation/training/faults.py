"""What is the frame of a kind of trouble, and of a healthy run that looks like one?"""

import random
from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from logsleuth.model.analysis import Severity
from tests.simulation.training.course import Course
from tests.simulation.training.frameworks.framework import Framework
from tests.simulation.training.healthy import Habits
from tests.simulation.training.run import Bounds
from tests.simulation.training.truth import Truth


class Scene(NamedTuple):
    """A healthy run that trouble can strike."""

    course: Course
    framework: Framework
    speakers: tuple[int, ...]
    """Ranks that print."""
    chance: random.Random

    def moment(self, earliest: float, latest: float) -> int:
        """A point within two shares of the run, two points away from its ends."""
        points = len(self.course.steps)
        low = max(2, int(points * earliest))
        return min(points - 3, self.chance.randrange(low, max(low + 1, int(points * latest))))


class Fault(ABC):
    """A kind of trouble, or of its absence."""

    kind: ClassVar[str] = ""
    causes: ClassVar[tuple[str, ...]] = ()
    least: ClassVar[Severity | None] = Severity.WARNING
    most: ClassVar[Severity] = Severity.FATAL
    needs: ClassVar[frozenset[str]] = frozenset()
    """Quantities without which nobody could see it."""
    tasks: ClassVar[frozenset[str]] = frozenset()
    """Empty: any."""
    frameworks: ClassVar[tuple[str, ...]] = ()
    """Empty: any that can print what is needed."""
    stages: ClassVar[frozenset[str]] = frozenset()
    """What grows in the run, so that its lines must tell of it."""
    least_points: ClassVar[int] = 24
    least_ranks: ClassVar[int] = 1
    is_fresh: ClassVar[bool | None] = None
    precision: ClassVar[str] = ""
    interval: ClassVar[int] = 0
    """Steps between two printed ones; 0: any."""
    monitors: ClassVar[bool | None] = None
    """Whether a monitor of the GPUs runs beside; None: either."""
    ends: ClassVar[bool | None] = None
    """Whether the run comes to its end; None: either."""

    @classmethod
    def bounds(cls, framework: type[Framework], most_lines: int) -> Bounds:
        tasks = tuple(task for task in framework.tasks if not cls.tasks or task in cls.tasks)
        most_ranks = 8 if cls.needs & {"ranks", "rank_seconds"} else 16
        lines = framework.lines * (most_ranks if "ranks" in cls.needs else 1)
        return Bounds(
            tasks,
            least_points=cls.least_points,
            most_points=max(cls.least_points, most_lines // lines),
            least_ranks=cls.least_ranks,
            most_ranks=most_ranks,
            intervals=(cls.interval,) if cls.interval else framework.intervals,
            is_fresh=cls.is_fresh,
        )

    shared: tuple[int, ...] = ()
    """Set by a strike that hits all of these ranks alike, in what is each one's own."""

    def habits(self, habits: Habits) -> Habits:
        """What the run must do, or must not, for the trouble to be what it is."""
        return habits

    @abstractmethod
    def strike(self, scene: Scene) -> tuple[int, ...]:
        """Makes the run go wrong; the ranks that are to blame."""

    def truth(self, culprits: tuple[int, ...]) -> Truth:
        return Truth(self.kind, self.causes, culprits, self.shared, self.least if self.causes else None, self.most)


class Healthy(Fault):
    """Nothing goes wrong; this one says nothing of what it looks like."""

    kind = "healthy"
    least_points = 12

    def strike(self, scene: Scene) -> tuple[int, ...]:
        del scene
        return ()


class Steady(Fault):
    """Trouble of a run that is not restarted within its log."""

    def habits(self, habits: Habits) -> Habits:
        return habits._replace(resumes=False)
