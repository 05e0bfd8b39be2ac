"""What does the agent of torchrun on each host do about its workers?"""

import math
from functools import partial

from tests.simulation.job import Host
from tests.simulation.losses_of_peers import Peers
from tests.simulation.wordings import agent
from tests.simulation.world import Process, World
from tests.simulation.written import Fact


class Agents:
    """One agent on each host: it starts the workers, looks at them, ends and restarts them, and reports."""

    def __init__(self, world: World, peers: Peers, restarts: int, *, is_talkative: bool) -> None:
        self.world = world
        self.peers = peers
        self.left = restarts
        self.restarts = restarts
        self.is_talkative = is_talkative
        """LOGLEVEL=INFO."""
        self.pids = {host.node: world.chance.randrange(300, 790) for host in world.job.hosts}
        self.looking: set[int] = set()
        """Hosts whose agent has seen a failure and is about to look."""
        self.gone: set[int] = set()
        self._is_restarting = False
        world.on_end.append(self._ended)

    def start(self, attempt: int) -> None:
        world, job = self.world, self.world.job
        self.looking.clear()
        self._is_restarting = False
        self.peers.start()
        for host in job.hosts:
            if attempt == 0 and job.per_host > 1:
                self._say(host, "W", agent.RUN, 779, *agent.omp())
            self._info(host, agent.API, 707, "[default] Rendezvous'ing worker group")
            ranks = job.ranks_of(host)
            told = agent.rendezvous_complete(attempt, job.hosts[0].name, job.port, host.node, len(job.hosts), ranks)
            self._info(host, agent.API, 553, *told, fact=Fact("size", job.size, ranks=tuple(ranks)))
            self._info(host, agent.API, 715, "[default] Starting worker group")
        world.start(attempt)

    def _info(self, host: Host, file: str, line: int, *texts: str, fact: Fact | None = None) -> None:
        if self.is_talkative:
            self._say(host, "I", file, line, *texts, fact=fact)

    def _say(self, host: Host, level: str, file: str, line: int, *texts: str, fact: Fact | None = None) -> None:
        world = self.world
        text = agent.lines(
            world.job.era, world.clocks[host.node], self.pids[host.node], world.now, level, file, line, texts
        )
        world.write("agent", host.node, text, fact, host=host.node)

    def _ended(self, process: Process) -> None:
        host = self.world.job.host_of(process.rank)
        if host.node in self.gone or host.node in self.world.silent or host.node in self.looking:
            return
        workers = self._workers(host)
        if process.code == 0:
            if all(worker.code == 0 for worker in workers):
                self.world.after(0.1, partial(self._succeeded, host))
            return
        self.looking.add(host.node)
        poll = self.world.job.era.poll
        phase = host.node * 0.37 % poll
        due = (math.floor((self.world.now - phase) / poll) + 1) * poll + phase
        self.world.after(due - self.world.now, partial(self._look, host, process.attempt))

    def _workers(self, host: Host) -> list[Process]:
        return [self.world.processes[rank] for rank in self.world.job.ranks_of(host)]

    def _succeeded(self, host: Host) -> None:
        wait = "Waiting 300 seconds for other agents to finish"
        self._info(host, agent.API, 932, f"[default] worker group successfully finished. {wait}.")
        self._info(host, agent.API, 985, f"Local worker group finished (WorkerState.SUCCEEDED). {wait}")
        self._info(host, agent.API, 1000, "Done waiting for other agents. Elapsed: 0.00031 seconds")

    def _look(self, host: Host, attempt: int) -> None:
        """The agent notices which workers have failed, and ends the others."""
        world = self.world
        if attempt != world.attempt or host.node in world.silent:
            return
        noticed = world.now
        failed = [worker for worker in self._workers(host) if worker.code not in (None, 0)]
        running = [worker for worker in self._workers(host) if worker.is_alive]
        self._close(host, running)
        world.after(0.2, partial(self._wait, host, attempt, failed, running, noticed))

    def _wait(self, host: Host, attempt: int, failed: list[Process], running: list[Process], noticed: float) -> None:
        """Until all workers have gone."""
        if any(worker.is_alive for worker in running):
            self.world.after(0.2, partial(self._wait, host, attempt, failed, running, noticed))
        else:
            self._report(host, attempt, failed, running, noticed)

    def _close(self, host: Host, running: list[Process]) -> None:
        world = self.world
        for worker in running:
            text = f"Sending process {worker.pid} closing signal SIGTERM"
            self._say(host, "W", agent.MULTI, 900, text, fact=Fact("ended", worker.rank))
            if worker.answers_sigterm:
                world.after(0.05, partial(world.end, worker, -15))
            else:
                world.after(30.1, partial(self._kill, host, worker))

    def _kill(self, host: Host, worker: Process) -> None:
        if self.world.is_current(worker):
            text = (
                f"Unable to shutdown process {worker.pid} via Signals.SIGTERM, forcefully exiting via Signals.SIGKILL"
            )
            self._say(host, "W", agent.MULTI, 916, text)
            self.world.end(worker, -9)

    def _report(self, host: Host, attempt: int, failed: list[Process], running: list[Process], noticed: float) -> None:
        world, job = self.world, self.world.job
        if attempt != world.attempt or host.node in self.gone or host.node in world.silent:
            return
        first = min(failed, key=lambda worker: worker.rank)
        local = job.local(first.rank)
        text = f"failed (exitcode: {first.code}) local_rank: {local} (pid: {first.pid}) of binary: {job.python}"
        self._say(host, "E", agent.MULTI, 874, text, fact=Fact("failed", first.rank, code=first.code or 0))
        if self.left > 0 or self._is_restarting:
            self._restart(host, attempt)
            return
        listed = failed + (running if job.era.lists_victims else [])
        failures = [agent.Failure(w.rank, job.local(w.rank), w.pid, w.code or -15, noticed) for w in listed]
        facts = [Fact("exit", failure.rank, code=failure.code, names_rank=True) for failure in failures]
        table = agent.table(job.script, host.name, world.clocks[host.node], failures)
        world.write("agent", host.node, table, *facts, host=host.node)
        self.gone.add(host.node)
        if host.node == 0:
            self.peers.lose_store()

    def _restart(self, host: Host, attempt: int) -> None:
        """All agents meet anew; those that had no failure of their own are told that somebody waits."""
        is_first, self._is_restarting = not self._is_restarting, True
        self.left -= is_first
        text = (
            f"[default] Worker group FAILED. {self.left + 1}/{self.restarts} attempts left; will restart worker group"
        )
        self._info(host, agent.API, 942, text)
        self._info(host, agent.API, 733, "[default] Stopping worker group")
        if not is_first:
            return
        for other in self.world.job.hosts:
            if other.node not in self.looking:
                self.looking.add(other.node)
                told = f"[default] Detected 1 new nodes from group_rank={other.node}; will restart worker group"
                self._info(other, agent.API, 960, told)
                self._close(other, [worker for worker in self._workers(other) if worker.is_alive])
        self.world.after(self.world.chance.uniform(35, 45), partial(self.start, attempt + 1))
