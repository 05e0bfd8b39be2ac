"""Troubles in which a process, or a whole host, comes to an end."""

import random
from functools import partial

from tests.simulation.faults import Fault, Scene
from tests.simulation.job import Job, Shape
from tests.simulation.wordings import kernel, memory, python
from tests.simulation.world import Process
from tests.simulation.written import Fact

ECHOES = (
    "peer-exited",
    "collective-timeout",
    "store-lost",
    "cause-not-in-log",
    "rank-never-entered-collective",
    "hang",
    "terminated",
    "aborted",
)
"""What may be said where the log of the guilty is not there."""


class Raises(Fault):
    """A rank dies of an exception of its own."""

    kind = "exception"
    causes: tuple[str, ...] = ("uncaught-exception",)
    also: tuple[str, ...] = ("uncaught-exception", "aborted", *ECHOES)
    proof = "exception"

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.where, self.error = chance.choice(
            (
                ("data", "KeyError: 'label_ids'"),
                ("data", "IndexError: list index out of range"),
                ("model", "ValueError: expected a sequence of 2048 tokens, got 2051"),
                ("model", "RuntimeError: shape '[8, -1, 64]' is invalid for input of size 5000"),
                ("data", "AssertionError: sample 48213 has no answer"),
                ("data", "ZeroDivisionError: division by zero"),
            )
        )

    def strike(self, process: Process) -> None:
        fail(self.scene, process, self.where, self.error)


def fail(scene: Scene, process: Process, where: str, error: str) -> None:
    """A process writes its traceback and leaves with 1."""
    world, job = scene.world, scene.world.job
    process.is_leaving = True
    fact = Fact("exception", process.rank, names_rank=job.era.traceback_has_rank)
    world.say(process.rank, python.traceback(job.era, process.rank, job.script, where, error), fact)
    if job.backend == "nccl" and (
        text := python.leaving(job.era, process.rank, world.clock(process.rank).cpp(world.now))
    ):
        world.say(process.rank, text)
    world.after(world.chance.uniform(0.3, 3), partial(world.end, process, 1))


class OutOfMemory(Raises):
    """A rank has no GPU memory left."""

    kind = "gpu-oom"
    causes: tuple[str, ...] = ("gpu-oom", "gpu-oom-fragmentation", "batch-imbalance")
    also: tuple[str, ...] = ("gpu-oom", *ECHOES)

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.where = "model"
        self.error = ""

    def strike(self, process: Process) -> None:
        job = self.scene.world.job
        fail(self.scene, process, "model", memory.gpu_out_of_memory(job.era, job.local(process.rank), self.chance))


class AllOutOfMemory(OutOfMemory):
    """All ranks run out of GPU memory in the same step."""

    kind = "gpu-oom-all"
    causes: tuple[str, ...] = ("gpu-oom", "gpu-oom-fragmentation")
    proof = "exceptions"

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.ranks = tuple(range(job.size))
        self.place = 0


class Killed(Fault):
    """Somebody sends SIGKILL to a rank."""

    kind = "killed"
    causes: tuple[str, ...] = ("killed",)
    also: tuple[str, ...] = ("killed", "host-oom", *ECHOES)
    proof = "exit"
    code = -9

    def strike(self, process: Process) -> None:
        self.scene.world.end(process, self.code)


class OutOfHostMemory(Killed):
    """The kernel kills a rank, and its log is there."""

    kind = "host-oom"
    causes: tuple[str, ...] = ("host-oom",)

    def strike(self, process: Process) -> None:
        world, job = self.scene.world, self.scene.world.job
        host = job.host_of(process.rank)
        text = kernel.out_of_memory(world.clocks[host.node], host.name, world.now, process.pid)
        world.write("kernel", host.node, text, Fact("oom-kill", process.rank), host=host.node)
        world.end(process, -9)


class Segfault(Killed):
    """A rank crashes in native code."""

    kind = "segfault"
    causes: tuple[str, ...] = ("segfault",)
    also: tuple[str, ...] = ("segfault", "aborted", *ECHOES)
    code = -11


class NodeLost(Fault):
    """A host goes away: its agent and its workers stop at once, and nobody writes anything about it there."""

    kind = "node-lost"
    shape = Shape(least_hosts=2)
    causes: tuple[str, ...] = (
        "node-lost",
        "peer-exited",
        "unreachable-peer",
        "rank-never-entered-collective",
        "hang",
        "cause-not-in-log",
        "collective-timeout",
    )
    also: tuple[str, ...] = (*ECHOES, "node-lost", "unreachable-peer")
    proof = "silence"

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.host = job.hosts[chance.randrange(1, len(job.hosts))]
        self.ranks = (self.host.node * job.per_host,)

    def strike(self, process: Process) -> None:
        world = self.scene.world
        world.silent.add(world.job.host_of(process.rank).node)
        for rank in world.job.ranks_of(self.host):
            world.end(world.processes[rank], -9)

    def describe(self) -> str:
        return f"{self.kind}: {self.host.name} is gone in step {self.step}"


class LeavesEarly(Fault):
    """A rank leaves with exit code 0 while the others go on."""

    kind = "left-early"
    causes: tuple[str, ...] = ("peer-exited", "uneven-data", "rank-never-entered-collective", "collective-timeout")
    also: tuple[str, ...] = (*ECHOES, "uneven-data")
    proof = "left"

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.place = 0

    def strike(self, process: Process) -> None:
        process.is_leaving = True
        world = self.scene.world
        world.after(world.chance.uniform(0.5, 2), partial(world.end, process, 0))


class StoreHostDies(Raises):
    """Rank 0, which hosts the store or lies beside it, fails, and all others lose the store as well."""

    kind = "store-host"
    shape = Shape(backends=("nccl",), least_hosts=2)

    def __init__(self, job: Job, chance: random.Random) -> None:
        super().__init__(job, chance)
        self.ranks = (0,)
        self.is_killed = chance.random() < 0.5
        self.proof = "exit" if self.is_killed else "exception"
        if self.is_killed:
            self.causes = ("killed",)
            self.also = ("killed", "host-oom", *ECHOES)

    def strike(self, process: Process) -> None:
        self.scene.peers.lose_store()
        if not self.is_killed:
            super().strike(process)
            return
        self.scene.world.end(process, -9)


class Recovered(Raises):
    """A failure from which a restart recovers: no failure is due at all."""

    kind = "recovered"
    shape = Shape(launchers=("torchrun",), eras=("2.4", "2.5", "2.6", "2.7", "2.9"))
    restarts = 1
    proof = "none"

    @property
    def guilty(self) -> tuple[int, ...]:
        return ()


class Twice(Raises):
    """The same rank fails in the first attempt and in the second."""

    kind = "twice"
    shape = Shape(launchers=("torchrun",))
    restarts = 1
    attempts = (0, 1)
