"""What do ranks do that wait too long in a collective?"""

from collections.abc import Callable
from functools import partial

from tests.simulation.job import Group
from tests.simulation.wordings import peers, python, watchdog
from tests.simulation.world import Meeting, Process, World
from tests.simulation.written import Fact


class Watchdogs:
    """The watchdog of every rank: NCCL's ends the process, gloo's wait raises an exception."""

    def __init__(self, world: World, reports: Callable[[Process, Meeting], str] | None = None) -> None:
        self.world = world
        self.deaf: set[int] = set()
        """Ranks whose watchdog does not get to run."""
        self._reports = reports
        self._signalled: set[int] = set()
        """Attempts in which a rank has put the dump signal into the store."""
        self._fired: set[tuple[int, int]] = set()
        world.on_enter.append(self._watch)

    def speaker(self, rank: int, group: Group) -> watchdog.Speaker:
        job = self.world.job
        return watchdog.Speaker(job.era, self.world.clock(rank), rank, group, job.number_of(rank, group))

    def _watch(self, process: Process, meeting: Meeting) -> None:
        limit = self.world.job.timeout + self.world.chance.uniform(0.002, 0.12)
        self.world.after(limit, partial(self._fire, process, meeting, limit))

    def _fire(self, process: Process, meeting: Meeting, ran: float) -> None:
        world, key = self.world, (process.attempt, process.rank)
        if meeting.is_done or not world.is_current(process) or process.is_leaving or key in self._fired:
            return
        if process.rank in self.deaf or process.queue[:1] != [meeting]:
            return
        self._fired.add(key)
        if world.job.backend == "gloo":
            self._raise(process, meeting)
            return
        self._report(process, meeting, ran)

    def _raise(self, process: Process, meeting: Meeting) -> None:
        world, job = self.world, self.world.job
        error = peers.gloo_timeout(job.era, job.timeout, receives=world.chance.random() < 0.7)
        fact = Fact("timeout", process.rank, meeting.group.guid, names_rank=job.era.traceback_has_rank)
        world.say(process.rank, python.traceback(job.era, process.rank, job.script, "loss", error), fact)
        process.is_leaving = True
        world.after(world.chance.uniform(0.4, 2.5), partial(world.end, process, 1))

    def _report(self, process: Process, meeting: Meeting, ran: float) -> None:
        world, job, guid = self.world, self.world.job, meeting.group.guid
        speaker, at, seq = self.speaker(process.rank, meeting.group), world.now, world.seq(meeting.index)
        call = meeting.calls[process.rank]
        text = watchdog.timeout_text(speaker, watchdog.work(job.era, seq, call, job.timeout), ran)
        report = self._reports(process, meeting) if self._reports else ""
        late = tuple(rank for rank in meeting.group.members if rank not in meeting.entered)
        text += report
        enqueued, completed = world.enqueued(process, guid), world.completed(process, guid)
        known = job.era.header != "bare"
        world.say(
            process.rank,
            speaker.line(at, text),
            Fact("timeout", process.rank, guid, seq, op=call.op, numel=call.numel_in, names_rank=known),
            Fact("desync", process.rank, ranks=late) if report else None,
        )
        for line in watchdog.counters(speaker, at, seq, enqueued, completed):
            world.say(process.rank, line, Fact("counters", process.rank, guid, seq, enqueued, names_rank=known))
        patience = 0.0
        if job.dumps:
            patience = world.chance.uniform(8, 20)
            self._signal(process)
        process.is_leaving = True
        world.after(0.1 + patience, partial(self._abort, process, meeting.group, text))

    def _signal(self, process: Process) -> None:
        """The first to time out tells all others, who look into the store once a second."""
        world = self.world
        if process.attempt in self._signalled:
            return
        self._signalled.add(process.attempt)
        default = world.job.groups[0]
        stand = world.enqueued(process, default.guid), world.completed(process, default.guid)
        fact = Fact("counters", process.rank, default.guid, -1, stand[0], names_rank=True)
        for line in watchdog.signals(self.speaker(process.rank, default), world.now, *stand):
            world.say(process.rank, line, fact)
        for other in world.processes.values():
            if other is not process and other.is_alive:
                world.after(world.chance.uniform(0.6, 2.4), partial(self._hear, other, process.rank))

    def _hear(self, process: Process, source: int) -> None:
        world, default = self.world, self.world.job.groups[0]
        if not world.is_current(process) or process.is_leaving or process.rank in self.deaf:
            return
        stand = world.enqueued(process, default.guid), world.completed(process, default.guid)
        speaker = self.speaker(process.rank, default)
        fact = Fact("told", process.rank, default.guid, -1, stand[0], names_rank=True)
        for line in watchdog.told(speaker, world.now, source, *stand):
            world.say(process.rank, line, fact)
        world.after(world.chance.uniform(15, 25), partial(self._give_up, process))

    def _give_up(self, process: Process) -> None:
        world, era = self.world, self.world.job.era
        if not world.is_current(process) or process.is_leaving:
            return
        process.is_leaving = True
        speaker = self.speaker(process.rank, world.job.groups[0])
        why = "collective timeout or exception"
        if era.signals == "global":
            text = f"{speaker.tag}{speaker.tag}ProcessGroupNCCL's watchdog detected a dump signal from another rank and notified the current rank."
            world.say(process.rank, speaker.line(world.now, text, level="F", line=1316))
        else:
            world.say(process.rank, watchdog.terminating(speaker, world.now, why))
        world.after(0.2, partial(world.end, process, -6))

    def _abort(self, process: Process, group: Group, reason: str) -> None:
        world = self.world
        if not world.is_current(process):
            return
        for line in watchdog.aborting(self.speaker(process.rank, group), world.now, reason):
            world.say(process.rank, line)
        world.after(world.chance.uniform(0.05, 1.2), partial(world.end, process, -6))
