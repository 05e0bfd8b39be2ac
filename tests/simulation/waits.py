"""Troubles in which ranks wait: for one that does not come, or for a fabric that does not carry."""

import random
from functools import partial

from tests.simulation.faults import Fault, Scene
from tests.simulation.job import Call, Job, Shape
from tests.simulation.wordings import nccl, peers, python, watchdog
from tests.simulation.world import Meeting, Process
from tests.simulation.written import Fact

WAITING = ("rank-never-entered-collective", "collective-timeout", "hang", "cause-not-in-log")


class Straggler(Fault):
    """A rank is busy elsewhere and never comes to a collective."""

    kind = "straggler"
    causes: tuple[str, ...] = ("rank-never-entered-collective", "hang")
    also: tuple[str, ...] = WAITING
    proof = "absence"

    def strike(self, process: Process) -> None:
        process.is_stalled = True
        process.answers_sigterm = self.chance.random() > 0.2


class StragglerInGroup(Straggler):
    """The same before a collective of a sub-group: those of other groups wait for the victims."""

    kind = "straggler-in-group"
    shape = Shape(backends=("nccl",), has_groups=True)

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        inner = [place for place, call in enumerate(job.calls) if call.kind != "default"]
        self.place = chance.choice(inner or [0])


class Fabric(Fault):
    """All ranks of the default group enter, and nothing gets through: nobody is guilty."""

    kind = "fabric"
    shape = Shape(backends=("nccl",))
    causes: tuple[str, ...] = (
        "collective-timeout",
        "hang",
        "unreachable-peer",
        "rdma-link-error",
        "p2p-failure",
        "cause-not-in-log",
    )
    also: tuple[str, ...] = WAITING
    proof = "none"

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.place = next(place for place, call in enumerate(job.calls) if call.kind == "default")

    def before(self, process: Process, call: Call) -> Call | None:
        if (process.step, process.place) >= (self.step, self.place):
            self.scene.world.blocked.add("0")
        return call

    @property
    def guilty(self) -> tuple[int, ...]:
        return ()


class Bootstrap(Fault):
    """Hosts cannot reach each other: communicators are begun and never complete."""

    kind = "bootstrap"
    shape = Shape(least_hosts=2, backends=("nccl",))
    causes: tuple[str, ...] = (
        "unreachable-peer",
        "wrong-network-interface",
        "collective-timeout",
        "hang",
        "cause-not-in-log",
    )
    also: tuple[str, ...] = ("peer-exited", *WAITING)
    proof = "none"

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.ranks = ()
        self.target = chance.choice(job.hosts)
        self.gives_up = chance.random() < 0.6

    def prepare(self, scene: Scene) -> None:
        super().prepare(scene)
        scene.world.blocked.add("*")
        scene.world.blocked.update(group.guid for group in scene.world.job.groups)
        # A process that still connects has no work yet that a watchdog could see.
        scene.dogs.deaf.update(range(scene.world.job.size))
        if self.gives_up:
            scene.world.on_enter.append(self._entered)

    def _entered(self, process: Process, meeting: Meeting) -> None:
        world = self.scene.world
        if world.job.host_of(process.rank) != self.target and process.queue[0] is meeting:
            world.after(self.chance.uniform(60, 64), partial(self._fail, process))

    def _fail(self, process: Process) -> None:
        world, job = self.scene.world, self.scene.world.job
        if not world.is_current(process) or process.is_leaving:
            return
        process.is_leaving = True
        host, port = job.host_of(process.rank), self.chance.randrange(30_000, 60_000)
        peer = nccl.Peer(
            host.name, host.address, process.pid, job.local(process.rank), process.rank, job.size, job.era.nccl
        )
        world.say(process.rank, nccl.unreachable(peer, self.target.address, port), is_error=False)
        error = peers.nccl_remote(job.era, f"{self.target.address}<{port}>")
        fact = Fact("lost", process.rank, names_rank=job.era.traceback_has_rank)
        world.say(process.rank, python.traceback(job.era, process.rank, job.script, "item", error), fact)
        world.after(self.chance.uniform(0.5, 3), partial(world.end, process, 1))

    @property
    def guilty_hosts(self) -> tuple[str, ...]:
        return (self.target.name,)

    def describe(self) -> str:
        return f"{self.kind}: {self.target.name} cannot be reached"


class Barrier(Fault):
    """A monitored barrier misses a rank."""

    kind = "barrier"
    shape = Shape(backends=("gloo",))
    causes: tuple[str, ...] = ("rank-never-entered-collective", "hang")
    also: tuple[str, ...] = (*WAITING, "peer-exited")
    proof = "barrier"

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.ranks = (chance.randrange(1, job.size),)
        self.place = 0
        self.limit = chance.choice((30, 120, 300))

    def before(self, process: Process, call: Call) -> Call | None:
        if process.step != self.step or process.place != self.place:
            return call
        process.is_stalled = True
        if process.rank == 0:
            self.scene.world.after(self.limit, partial(self._give_up, process))
        return None

    def _give_up(self, process: Process) -> None:
        world, job, missing = self.scene.world, self.scene.world.job, self.ranks[0]
        text = f"[Rank 0]: Rank {missing} failed to pass monitoredBarrier in {self.limit * 1000} ms"
        cause = peers.gloo_timeout(job.era, self.limit, receives=True).removeprefix("RuntimeError: ")
        self._say(process, text, Fact("barrier", 0, ranks=(missing,)), cause)
        for rank in range(1, job.size):
            if rank != missing:
                told = (
                    f"Rank {rank} successfully reached monitoredBarrier, but received errors while waiting for send/recv from "
                    "rank 0. Please check rank 0 logs for faulty rank."
                )
                port = self.chance.randrange(1024, 60_000)
                closed = peers.gloo_closed(job.era, job.hosts[0].address, port, is_reset=False).removeprefix(
                    "RuntimeError: "
                )
                world.after(
                    self.chance.uniform(0.1, 0.8),
                    partial(self._say, world.processes[rank], told, Fact("lost", rank), closed),
                )

    def _say(self, process: Process, text: str, fact: Fact, cause: str) -> None:
        world, job = self.scene.world, self.scene.world.job
        if not world.is_current(process):
            return
        clock = world.clock(process.rank)
        place = "ProcessGroupGloo.cpp:67"
        world.say(
            process.rank, watchdog.cpp(job.era, clock, process.rank, world.now, text, level="E", place=place), fact
        )
        error = f"RuntimeError: {text}\n Original exception: \n{cause}"
        world.say(process.rank, python.traceback(job.era, process.rank, job.script, "barrier", error), fact)
        world.after(self.chance.uniform(0.3, 2), partial(world.end, process, 1))


class Stuck(Fault):
    """A rank hangs in a CUDA call that holds the GIL: even its watchdog does not run; only its monitor thread does."""

    kind = "watchdog-stuck"
    shape = Shape(backends=("nccl",), eras=("2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.9"))
    causes: tuple[str, ...] = ("watchdog-stuck", "hang")
    also: tuple[str, ...] = ("watchdog-stuck", "peer-exited", *WAITING)
    proof = "stuck"

    @classmethod
    def adapt(cls, job: Job) -> Job:
        return job._replace(timeout=1800.0)

    def strike(self, process: Process) -> None:
        world, seconds = self.scene.world, self.chance.choice((480, 600))
        process.is_stalled = True
        process.answers_sigterm = False
        self.scene.dogs.deaf.add(process.rank)
        world.after(seconds + self.chance.uniform(0, 5), partial(self._monitor, process, seconds))

    def _monitor(self, process: Process, seconds: int) -> None:
        world = self.scene.world
        if not world.is_current(process):
            return
        speaker = self.scene.dogs.speaker(process.rank, world.job.groups[0])
        for line in watchdog.stuck(speaker, world.now, seconds):
            world.say(process.rank, line, Fact("stuck", process.rank, names_rank=True))
        world.after(3.2, partial(world.end, process, -6))


class Desync(Straggler):
    """A straggler, and the timeouts carry torch's desync report."""

    kind = "desync"
    shape = Shape(backends=("nccl",), has_groups=False)
    proof = "desync"
    causes: tuple[str, ...] = ("rank-never-entered-collective", "hang")

    def report(self, process: Process, meeting: Meeting) -> str:
        """What the report adds to a timeout; only the default group is there."""
        present = tuple(sorted(meeting.entered))
        late = tuple(rank for rank in meeting.group.members if rank not in meeting.entered)
        number = self.scene.world.seq(meeting.index)
        return (
            watchdog.desync_report(process.rank, late, present, number, meeting.calls[process.rank].op) if late else ""
        )
