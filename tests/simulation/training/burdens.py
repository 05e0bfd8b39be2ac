"""How do memory, data and speed go wrong?"""

import math

from logsleuth.model.analysis import Severity
from tests.simulation.training.faults import Fault, Scene
from tests.simulation.training.frameworks.framework import Straggler
from tests.simulation.training.healthy import Habits


class _Even(Fault):
    """Trouble of a run whose steps are all alike."""

    def habits(self, habits: Habits) -> Habits:
        return habits._replace(resumes=False, curriculum=False, is_ragged=False, ramps=False)


class MemoryGrows(_Even):
    """Something keeps a little of every step; on one rank or on all."""

    kind = "memory-grows"
    causes = ("gpu-memory-leak",)
    needs = frozenset({"memory"})
    least_points = 60
    ends = False

    def strike(self, scene: Scene) -> tuple[int, ...]:
        course, chance = scene.course, scene.chance
        points, room = len(course.steps), course.run.capacity * 0.9 - max(course.allocated)
        gain = min(room, course.run.capacity * chance.uniform(0.25, 0.6))
        only = chance.choice(scene.speakers) if len(scene.speakers) >= 3 and chance.random() < 0.5 else None
        course.edit("allocated", lambda index, value: value + gain * index / points, only)
        most = course.run.capacity * 0.96
        course.edit("reserved", lambda index, value: min(most, value + gain * 1.05 * index / points), only)
        self.shared = scene.speakers if only is None else ()
        return () if only is None else (only,)


class HostMemoryGrows(_Even):
    """The processes of a host hold more and more."""

    kind = "host-memory-grows"
    causes = ("host-memory-leak",)
    needs = frozenset({"host_memory"})
    least_points = 60
    ends = False

    def strike(self, scene: Scene) -> tuple[int, ...]:
        points, gain = len(scene.course.steps), scene.chance.uniform(0.8, 2.5) * scene.course.host_used[0]
        scene.course.edit("host_used", lambda index, value: value + gain * index / points)
        self.shared = scene.speakers
        return ()


class SlowData(_Even):
    """Steps wait for their batch."""

    kind = "slow-data"
    causes = ("data-loading-slow",)
    needs = frozenset({"data_seconds", "step_seconds"})
    least_points = 30

    def strike(self, scene: Scene) -> tuple[int, ...]:
        share, chance = scene.chance.uniform(0.45, 0.85), scene.chance
        waits = [
            seconds * share / (1 - share) * math.exp(chance.gauss(0, 0.25)) for seconds in scene.course.step_seconds
        ]
        self.shared = scene.speakers
        scene.course.edit("data_seconds", lambda index, _: waits[index])
        scene.course.edit("step_seconds", lambda index, value: value + waits[index])
        scene.course.utilization[:] = [max(2.0, 100 * (1 - share) + chance.gauss(0, 8)) for _ in waits]
        return ()


class IdleGpus(_Even):
    """The monitor shows GPUs that have little to do, and no line tells why."""

    kind = "idle-gpus"
    causes = ("gpu-underutilized", "data-loading-slow")
    least = Severity.INFO
    least_points = 60
    monitors = True

    def strike(self, scene: Scene) -> tuple[int, ...]:
        usual = scene.chance.uniform(15, 45)
        scene.course.utilization[:] = [
            min(85.0, max(0.0, scene.chance.gauss(usual, 12))) for _ in scene.course.utilization
        ]
        return ()


class DataDriesUp(_Even):
    """From some step on steps take longer while the GPUs have less to do."""

    kind = "data-dries-up"
    causes = ("data-loading-slow", "slow-iteration", "gpu-underutilized")
    least = Severity.INFO
    needs = frozenset({"step_seconds"})
    least_points = 120
    monitors = True

    def strike(self, scene: Scene) -> tuple[int, ...]:
        since, factor = scene.moment(0.3, 0.6), scene.chance.uniform(2.0, 3.5)
        course, chance = scene.course, scene.chance
        waits = [seconds * (factor - 1) * math.exp(chance.gauss(0, 0.1)) for seconds in course.step_seconds]
        for column in ("step_seconds", "data_seconds"):
            course.edit(column, lambda index, value: value + (waits[index] if index >= since else 0))
        course.utilization[since:] = [
            min(90.0, max(3.0, 95 / factor + chance.gauss(0, 8))) for _ in course.utilization[since:]
        ]
        self.shared = scene.speakers
        return ()


class Slowdown(_Even):
    """From some step on every step takes longer."""

    kind = "slowdown"
    causes = ("slow-iteration", "slow-network", "slow-rank")
    least = Severity.INFO
    needs = frozenset({"step_seconds"})
    least_points = 80

    def strike(self, scene: Scene) -> tuple[int, ...]:
        since, factor = scene.moment(0.3, 0.65), scene.chance.uniform(1.6, 2.6)
        scene.course.edit("step_seconds", lambda index, value: value * (factor if index >= since else 1))
        return ()


class SlowRank(_Even):
    """One rank computes more slowly than all others."""

    kind = "slow-rank"
    causes = ("slow-rank",)
    least = Severity.INFO
    needs = frozenset({"rank_seconds", "step_seconds"})
    least_ranks = 4
    least_points = 40

    def strike(self, scene: Scene) -> tuple[int, ...]:
        course, chance = scene.course, scene.chance
        rank = chance.randrange(course.run.size)
        slow = Straggler(rank, scene.moment(0.05, 0.4), chance.uniform(1.5, 2.5))
        scene.framework.straggler = slow
        # All others wait for it, and only the time that each computes by itself tells who it is.
        course.step_seconds[:] = [
            value * (slow.factor if index >= slow.since else 1) for index, value in enumerate(course.step_seconds)
        ]
        own = course.own.get("step_seconds", {})
        if scene.framework.name == "megatron":
            own.clear()
        elif rank in own:
            own[rank] = list(course.step_seconds)
        return (rank,)


class Hang(_Even):
    """No further step although time goes on in the monitor's lines."""

    kind = "hang"
    causes = ("hang", "collective-timeout", "gpu-underutilized")
    needs = frozenset({"loss", "time"})
    least_points = 40
    monitors = True
    ends = False

    def strike(self, scene: Scene) -> tuple[int, ...]:
        course = scene.course
        course.stops_at = scene.moment(0.4, 0.9)
        lasts = max(3600.0, 15 * course.run.seconds * course.run.interval)
        course.pauses[course.stops_at - 1] = lasts
        idle = scene.chance.choice((0.0, 100.0))
        course.utilization[course.stops_at :] = [idle] * (len(course.steps) - course.stops_at)
        return ()
