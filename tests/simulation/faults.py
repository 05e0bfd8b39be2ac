"""What can go wrong in a job, and who is guilty of it?"""

import random
from typing import ClassVar

from tests.simulation.agents import Agents
from tests.simulation.job import Call, Job, Shape
from tests.simulation.losses_of_peers import Peers
from tests.simulation.tasks import Tasks
from tests.simulation.watchdogs import Watchdogs
from tests.simulation.world import Process, World


class Scene:
    """The parts of a running job that a fault can act on."""

    def __init__(self, world: World, dogs: Watchdogs, peers: Peers, launcher: Agents | Tasks) -> None:
        self.world = world
        self.dogs = dogs
        self.peers = peers
        self.launcher = launcher


class Fault:
    """A kind of trouble. It strikes ``ranks`` in ``step`` before the call at ``place``, in some attempts."""

    kind: ClassVar[str] = ""
    shape: ClassVar[Shape] = Shape()
    causes: tuple[str, ...] = ()
    """Fair answers where the logs hold what happened."""
    also: tuple[str, ...] = ()
    """Fair too where they do not hold all of it."""
    proof: str = ""
    """What convicts the guilty, see ``truth.py``."""
    restarts: ClassVar[int] = 0
    attempts: ClassVar[tuple[int, ...]] = (0,)

    def __init__(self, job: Job, chance: random.Random) -> None:
        self.chance = chance
        self.ranks: tuple[int, ...] = (chance.randrange(job.size),)
        self.step = chance.randrange(1, job.steps)
        self.place = chance.randrange(len(job.calls))

    @classmethod
    def adapt(cls, job: Job) -> Job:
        """What a job of this kind must have beyond its shape."""
        return job

    def prepare(self, scene: Scene) -> None:
        """Hooks into the job before it starts."""
        self.scene = scene
        scene.world.before_call = self.before

    def before(self, process: Process, call: Call) -> Call | None:
        """Called by the world before every collective: what is really called, or None where the rank never gets to it."""
        if not self.is_here(process):
            return call
        self.strike(process)
        return None

    def is_here(self, process: Process) -> bool:
        """Whether a guilty rank is where the fault strikes."""
        is_place = process.step == self.step and process.place == self.place
        return is_place and process.rank in self.ranks and process.attempt in self.attempts

    def strike(self, process: Process) -> None:
        """What happens to the rank in the place of its call; nothing, where a kind has no guilty rank."""

    @property
    def guilty(self) -> tuple[int, ...]:
        return self.ranks

    @property
    def guilty_hosts(self) -> tuple[str, ...]:
        """Hosts that may be named besides those of the guilty ranks."""
        return ()

    def describe(self) -> str:
        return f"{self.kind}: rank {', '.join(map(str, self.ranks))}, step {self.step}, before call {self.place}"


class Healthy(Fault):
    """Nothing goes wrong."""

    kind = "healthy"

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.ranks = ()

    def describe(self) -> str:
        return "healthy"
