"""What do ranks notice when another one has gone?"""

from functools import partial

from tests.simulation.wordings import peers, python, watchdog
from tests.simulation.world import Meeting, Process, World
from tests.simulation.written import Fact


class Peers:
    """Connections between ranks and to the store; they break when a process ends."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.gone: set[int] = set()
        """Ranks whose process has ended; filled anew by every attempt."""
        world.on_end.append(self._lost)
        world.on_enter.append(self._entered)

    def start(self) -> None:
        self.gone.clear()

    def _lost(self, process: Process) -> None:
        self.gone.add(process.rank)
        if not self.world.job.notices_loss:
            return
        for other in self.world.processes.values():
            if any(process.rank in meeting.group.members for meeting in other.queue):
                self._notices(other, process.rank)

    def _entered(self, process: Process, meeting: Meeting) -> None:
        if self.world.job.notices_loss:
            for rank in meeting.group.members:
                if rank in self.gone:
                    self._notices(process, rank)
                    return

    def _notices(self, process: Process, peer: int) -> None:
        job = self.world.job
        is_near = job.host_of(process.rank) == job.host_of(peer)
        if job.backend == "nccl" and is_near:
            # Between the GPUs of one host there is no connection that could break.
            return
        delay = self.world.chance.uniform(0.02, 0.6) if job.backend == "gloo" else self.world.chance.uniform(0.5, 9)
        self.world.after(delay, partial(self._fail, process, peer))

    def _fail(self, process: Process, peer: int) -> None:
        world, job = self.world, self.world.job
        if not world.is_current(process) or process.is_leaving or process.is_stalled or not process.queue:
            return
        process.is_leaving = True
        address, port = job.host_of(peer).address, world.chance.randrange(1024, 60_000)
        knows_rank = job.era.traceback_has_rank
        fact = Fact("lost", process.rank, names_rank=knows_rank)
        if job.backend == "gloo":
            error = peers.gloo_closed(job.era, address, port, is_reset=world.chance.random() < 0.4)
            world.say(process.rank, python.traceback(job.era, process.rank, job.script, "loss", error), fact)
        elif world.chance.random() < 0.5 and "*" not in world.blocked:
            group, meeting = process.queue[0].group, process.queue[0]
            speaker = watchdog.Speaker(
                job.era, world.clock(process.rank), process.rank, group, job.number_of(process.rank, group)
            )
            work = watchdog.work(job.era, world.seq(meeting.index), meeting.calls[process.rank], job.timeout)
            text = peers.nccl_async(speaker.local, work, job.era.nccl, job.era)
            world.say(process.rank, speaker.line(world.now, text), fact)
            for line in watchdog.aborting(speaker, world.now, text):
                world.say(process.rank, line)
            world.after(world.chance.uniform(0.1, 1), partial(world.end, process, -6))
            return
        else:
            error = peers.nccl_remote(job.era, f"{address}<{port}>")
            world.say(process.rank, python.traceback(job.era, process.rank, job.script, "item", error), fact)
        if job.backend == "nccl" and (
            warning := python.leaving(job.era, process.rank, world.clock(process.rank).cpp(world.now))
        ):
            world.say(process.rank, warning)
        world.after(world.chance.uniform(0.4, 3), partial(world.end, process, 1))

    def lose_store(self) -> None:
        """The process that hosts the store has gone: the monitor thread of each rank notices, and goes on."""
        world, job = self.world, self.world.job
        if job.backend != "nccl" or job.era.name < "2.5":
            return
        for process in world.processes.values():
            if process.is_alive:
                world.after(world.chance.uniform(0.5, 3), partial(self._warn, process, 3))

    def _warn(self, process: Process, times: int) -> None:
        world, job = self.world, self.world.job
        if not world.is_current(process) or process.is_leaving:
            return
        clock, own = world.clock(process.rank), job.host_of(process.rank).name
        place, message = peers.store_gone(job.era, own, job.hosts[0].name, job.port)
        fact = Fact("lost", process.rank, names_rank=True)
        world.say(
            process.rank, watchdog.cpp(job.era, clock, process.rank, world.now, message, level="W", place=place), fact
        )
        speaker = watchdog.Speaker(job.era, clock, process.rank, job.groups[0], 0)
        text = (
            f'{speaker.tag}Failed to check the "should dump" flag on TCPStore, (maybe TCPStore server has shut down too early), '
            f"with error: {'Broken pipe' if times < 3 else peers.store_error(job.era).split(': ', 1)[1]}"
        )
        world.say(process.rank, speaker.line(world.now, text, level="W", line=1662), fact)
        if times > 1:
            world.after(1.0, partial(self._warn, process, times - 1))
