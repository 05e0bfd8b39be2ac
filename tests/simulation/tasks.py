"""What do srun and its step daemons do about tasks that end?"""

from functools import partial

from tests.simulation.losses_of_peers import Peers
from tests.simulation.world import Process, World
from tests.simulation.written import Fact

_ENDS = {-6: "Aborted (core dumped)", -9: "Killed", -11: "Segmentation fault (core dumped)", -15: "Terminated"}


class Tasks:
    """A step of SLURM with one task for every rank, ended as a whole once a task has failed."""

    def __init__(self, world: World, peers: Peers) -> None:
        self.world = world
        self.peers = peers
        self._is_ending = False
        world.on_end.append(self._ended)

    def start(self, attempt: int) -> None:
        self.world.start(attempt)

    def _ended(self, process: Process) -> None:
        world, job = self.world, self.world.job
        host = job.host_of(process.rank)
        if process.rank == 0 and any(other.is_alive and other.step < job.steps for other in world.processes.values()):
            self.peers.lose_store()
        if process.code in (0, None) or host.node in world.silent:
            return
        name = host.name.split(".")[0]
        how = _ENDS.get(process.code, f"Exited with exit code {process.code}")
        if process.code == -15:
            # Told host by host once the step has ended.
            return
        fact = Fact("exit", process.rank, code=process.code, names_rank=True)
        self._say(f"srun: error: {name}: task {process.rank}: {how}", fact)
        if not self._is_ending:
            self._is_ending = True
            world.after(world.chance.uniform(0.3, 1.5), self._cancel)

    def _cancel(self) -> None:
        world, number = self.world, self.world.job.number
        self._say(f"srun: Terminating StepId={number}.0")
        moment = f"{world.clocks[0].at(world.now):%Y-%m-%dT%H:%M:%S}"
        first = world.job.hosts[0].name.split(".")[0]
        self._say(f"slurmstepd: error: *** STEP {number}.0 ON {first} CANCELLED AT {moment} ***")
        self._say("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.")
        for process in list(world.processes.values()):
            if process.is_alive:
                world.after(world.chance.uniform(0.05, 0.5), partial(world.end, process, -15))
        world.after(0.6, self._tell_terminated)

    def _tell_terminated(self) -> None:
        for host in self.world.job.hosts:
            ranks = [rank for rank in self.world.job.ranks_of(host) if self.world.processes[rank].code == -15]
            if ranks and host.node not in self.world.silent:
                tasks = f"task {ranks[0]}" if len(ranks) == 1 else f"tasks {_list(ranks)}"
                facts = [Fact("exit", rank, code=-15, names_rank=True) for rank in ranks]
                self._say(f"srun: error: {host.name.split('.')[0]}: {tasks}: {_ENDS[-15]}", *facts)

    def _say(self, text: str, *facts: Fact) -> None:
        self.world.write("srun", 0, text, *facts, host=-1)


def _list(tasks: list[int]) -> str:
    """As SLURM writes a list: ``0-1,3``."""
    runs: list[list[int]] = []
    for task in tasks:
        if runs and task == runs[-1][1] + 1:
            runs[-1][1] = task
        else:
            runs.append([task, task])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
