"""What happens when? A discrete-event model of ranks that compute and meet in collectives."""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from tests.simulation.clock import Clock
from tests.simulation.job import Call, Group, Job
from tests.simulation.written import Fact, Line

HORIZON = 6 * 3600.0
"""Seconds after which whatever still runs is given up."""


@dataclass(slots=True, eq=False)
class Meeting:
    """One collective of a group: it completes once all members have entered and the GPU of each has come to it."""

    group: Group
    index: int
    entered: dict[int, float] = field(default_factory=dict)
    calls: dict[int, Call] = field(default_factory=dict)
    is_done: bool = False

    @property
    def agrees(self) -> bool:
        return len({(call.op, call.numel_in, call.numel_out) for call in self.calls.values()}) == 1


@dataclass(slots=True, eq=False)
class Process:
    """A worker of one attempt."""

    rank: int
    attempt: int
    pid: int
    step: int = 0
    place: int = 0
    """The next call within the step."""
    is_alive: bool = True
    is_stalled: bool = False
    """Busy elsewhere: it never goes on by itself."""
    is_leaving: bool = False
    """It has failed already and is on its way out."""
    answers_sigterm: bool = True
    code: int | None = None
    queue: list[Meeting] = field(default_factory=list)
    """What it has enqueued and what is not complete, in order."""
    entered: dict[str, int] = field(default_factory=dict)
    """Collectives that it has entered, by group."""
    finished: dict[str, int] = field(default_factory=dict)


class World:
    """Time, processes and everything that they have said. Kinds of trouble hook in through the callbacks."""

    def __init__(self, job: Job, clocks: tuple[Clock, ...], chance: random.Random) -> None:
        self.job = job
        self.clocks = clocks
        self.chance = chance
        self.now = 0.0
        self.lines: list[Line] = []
        self.processes: dict[int, Process] = {}
        self.attempt = 0
        self.silent: set[int] = set()
        """Hosts of which nothing comes any more."""
        self.blocked: set[str] = set()
        """Groups whose collectives do not get through although everybody has entered; ``*``: nor does their set-up."""
        self.before_call: Callable[[Process, Call], Call | None] = lambda _, call: call
        """What a rank really calls; None: a fault has taken it over."""
        self.on_enter: list[Callable[[Process, Meeting], None]] = []
        self.on_step: list[Callable[[Process], None]] = []
        self.on_finish: list[Callable[[Process], None]] = []
        self.on_end: list[Callable[[Process], None]] = []
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._meetings: dict[tuple[str, int], Meeting] = {}
        self._number = 0

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._events, (self.now + seconds, self._number, action))

    def run(self) -> None:
        """Until nothing happens any more."""
        while self._events and self._events[0][0] < HORIZON:
            self.now, _, action = heapq.heappop(self._events)
            action()

    def clock(self, rank: int) -> Clock:
        return self.clocks[rank // self.job.per_host]

    def say(self, rank: int, text: str, *facts: Fact | None, is_error: bool = True) -> None:
        """A worker writes; nothing comes of a host that is silent."""
        self.write("rank", rank, text, *facts, is_error=is_error, host=rank // self.job.per_host)

    def write(self, writer: str, where: int, text: str, *facts: Fact | None, host: int, is_error: bool = True) -> None:
        if host not in self.silent:
            told = tuple(fact for fact in facts if fact)
            self.lines.append(Line(self.now, len(self.lines), writer, where, self.attempt, is_error, text, told))

    # Life of a worker.

    def start(self, attempt: int) -> None:
        """Starts all workers anew."""
        self.attempt = attempt
        self._meetings.clear()
        first = self.chance.randrange(800, 60_000)
        for rank in range(self.job.size):
            pid = first + rank % self.job.per_host + self.chance.randrange(3) * 100 * (rank // self.job.per_host)
            process = Process(rank, attempt, pid)
            self.processes[rank] = process
            self.after(self.chance.uniform(8, 14), partial(self.go_on, process))

    def is_current(self, process: Process) -> bool:
        return process.is_alive and self.processes.get(process.rank) is process

    def can_act(self, process: Process) -> bool:
        """Its main thread runs its program."""
        return self.is_current(process) and not process.is_leaving and not process.is_stalled

    def go_on(self, process: Process) -> None:
        """Computes up to the next collective."""
        if not self.can_act(process):
            return
        if process.step >= self.job.steps:
            for hook in self.on_finish:
                hook(process)
            self.after(self.chance.uniform(0.5, 2), partial(self.end, process, 0))
            return
        share = self.job.step_seconds / len(self.job.calls)
        # The first step warms up; now and then there is an evaluation or a checkpoint.
        pause = 4.0 if process.step == 0 else 8.0 if process.step % self.job.pause_every == 0 else 1.0
        long = share * (pause if process.place == 0 else 1.0)
        self.after(long * self.chance.uniform(0.95, 1.05), partial(self._call, process))

    def _call(self, process: Process) -> None:
        if not self.can_act(process):
            return
        call = self.before_call(process, self.job.calls[process.place])
        if call is None:
            return
        group = self.job.group(process.rank, call.kind)
        index = process.entered.get(group.guid, 0)
        process.entered[group.guid] = index + 1
        meeting = self._meetings.setdefault((group.guid, index), Meeting(group, index))
        meeting.entered[process.rank] = self.now
        meeting.calls[process.rank] = call
        process.queue.append(meeting)
        process.place += 1
        for hook in self.on_enter:
            hook(process, meeting)
        self._try(meeting)
        if not call.waits:
            self.go_on(process)

    def _try(self, meeting: Meeting) -> None:
        ready = len(meeting.entered) == len(meeting.group.members) and meeting.agrees
        heads = all(self.processes[rank].queue[:1] == [meeting] for rank in meeting.entered)
        if ready and heads and meeting.group.guid not in self.blocked and not meeting.is_done:
            self.after(0.01, partial(self._complete, meeting))

    def _complete(self, meeting: Meeting) -> None:
        if meeting.is_done or not all(self.is_current(self.processes[rank]) for rank in meeting.entered):
            return
        meeting.is_done = True
        waiting = []
        for rank in meeting.group.members:
            process = self.processes[rank]
            process.queue.pop(0)
            process.finished[meeting.group.guid] = meeting.index + 1
            waiting.append((process, meeting.calls[rank].waits))
        for process, waits in waiting:
            if process.queue:
                self._try(process.queue[0])
            elif waits:
                self._resume(process)

    def _resume(self, process: Process) -> None:
        if process.place == len(self.job.calls):
            process.place = 0
            process.step += 1
            for hook in self.on_step:
                hook(process)
        self.go_on(process)

    def end(self, process: Process, code: int) -> None:
        """The process is gone: with an exit code, or -N for signal N."""
        if self.is_current(process):
            process.is_alive, process.code = False, code
            for hook in self.on_end:
                hook(process)

    # What a rank knows of itself.

    def seq(self, index: int) -> int:
        """The sequence number of the n-th simulated collective of a group, counted from 0."""
        return 1 + index * self.job.stride

    def enqueued(self, process: Process, guid: str) -> int:
        entered = process.entered.get(guid, 0)
        return self.seq(entered - 1) if entered > process.finished.get(guid, 0) else self._counted(entered)

    def completed(self, process: Process, guid: str) -> int:
        done = process.finished.get(guid, 0)
        if process.entered.get(guid, 0) > done:
            return self.seq(done) - 1 if done else -1
        return self._counted(done)

    def _counted(self, index: int) -> int:
        # Those of the steps in between lie before the next simulated one.
        return self.seq(index) - 1 if index else -1
