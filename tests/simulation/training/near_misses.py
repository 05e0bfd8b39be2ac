"""Which healthy runs look like trouble at first sight?"""

import math

from tests.simulation.training.faults import Healthy, Scene
from tests.simulation.training.healthy import Habits

_TEXT = frozenset({"pretrain", "finetune"})


class ScaleSearch(Healthy):
    """fp16 finds its loss scale: the first steps overflow, one after another."""

    kind = "fp16-search"
    needs = frozenset({"loss_scale"})
    precision = "fp16"
    is_fresh = True


class Overflows(Healthy):
    """A scaler of fp16 tries a larger scale now and then: one step overflows, is skipped, and that is that."""

    kind = "fp16-overflows"
    needs = frozenset({"loss", "grad_norm"})
    frameworks = ("hf", "accelerate", "plain", "jsonl", "llama-factory")
    tasks = _TEXT
    precision = "fp16"
    least_points = 80

    def strike(self, scene: Scene) -> tuple[int, ...]:
        points, chance = len(scene.course.steps), scene.chance
        early = range(chance.randrange(1, 4)) if scene.course.run.first == 0 else ()
        overflown = {*early, *chance.sample(range(8, points - 4, 5), chance.randrange(2, 7))}
        value = chance.choice((math.inf, math.nan))
        scene.course.edit("grad_norm", lambda index, norm: value if index in overflown else norm)
        return ()


class LocalLosses(Healthy):
    """Every rank prints the loss of its own batch."""

    kind = "local-losses"
    needs = frozenset({"loss", "ranks"})
    frameworks = ("plain", "jsonl")
    least_ranks = 2


class MemorySettles(Healthy):
    """Memory grows while the first batches come, then no more."""

    kind = "memory-settles"
    needs = frozenset({"memory"})
    least_points = 60

    def strike(self, scene: Scene) -> tuple[int, ...]:
        half = scene.chance.uniform(2, len(scene.course.steps) / 15)
        for column in ("allocated", "reserved"):
            scene.course.edit(column, lambda index, value: value * (1 - 0.5 * math.exp(-index / half)))
        return ()


class MemoryCurriculum(Healthy):
    """Sequences become longer in stages, and memory with them."""

    kind = "memory-curriculum"
    needs = frozenset({"memory"})
    stages = frozenset({"length"})
    is_fresh = True
    tasks = frozenset({"pretrain"})
    least_points = 60

    def habits(self, habits: Habits) -> Habits:
        return habits._replace(curriculum=True, resumes=False)


class MemorySawtooth(Healthy):
    """Memory grows until the collector of Python runs, again and again."""

    kind = "memory-sawtooth"
    needs = frozenset({"memory"})
    least_points = 90

    def strike(self, scene: Scene) -> tuple[int, ...]:
        period, height = scene.chance.randrange(9, 26), scene.chance.uniform(0.1, 0.25)
        scene.course.edit("allocated", lambda index, value: value * (1 + height * (index % period) / period))
        return ()


class HostCacheFills(Healthy):
    """The file cache and the loaders fill the host's memory, up to a level."""

    kind = "host-cache-fills"
    needs = frozenset({"host_memory"})
    least_points = 60

    def strike(self, scene: Scene) -> tuple[int, ...]:
        half = len(scene.course.steps) / scene.chance.uniform(8, 20)
        scene.course.edit("host_used", lambda index, value: value * (1.5 - 0.5 * math.exp(-index / half)))
        return ()


class EpochsBegin(Healthy):
    """The loaders start anew with every epoch: one step in many waits for them."""

    kind = "epochs-begin"
    needs = frozenset({"data_seconds", "step_seconds"})
    least_points = 60

    def strike(self, scene: Scene) -> tuple[int, ...]:
        every = scene.chance.randrange(15, 30)
        extra = scene.course.run.seconds * scene.chance.uniform(2, 6)
        for column in ("data_seconds", "step_seconds"):
            scene.course.edit(column, lambda index, value: value + (extra if index % every == 0 else 0))
        return ()


class BatchStages(Healthy):
    """The batch grows in stages, and steps take longer."""

    kind = "batch-stages"
    needs = frozenset({"step_seconds"})
    stages = frozenset({"batch"})
    is_fresh = True
    tasks = frozenset({"pretrain"})
    least_points = 60

    def habits(self, habits: Habits) -> Habits:
        return habits._replace(ramps=True, resumes=False)


class CountedPauses(Healthy):
    """Evaluations and checkpoints are counted into the time of the step that follows."""

    kind = "counted-pauses"
    needs = frozenset({"step_seconds"})
    least_points = 60

    def habits(self, habits: Habits) -> Habits:
        return habits._replace(evaluates=True, saves=True)

    def strike(self, scene: Scene) -> tuple[int, ...]:
        pauses, interval = scene.course.pauses, scene.course.run.interval
        scene.course.edit("step_seconds", lambda index, value: value + pauses.get(index - 1, 0.0) / interval)
        return ()


class Resumed(Healthy):
    """The run is restarted and goes on from its last checkpoint: steps go back, memory and speed warm up anew."""

    kind = "resumed"
    least_points = 80

    def habits(self, habits: Habits) -> Habits:
        return habits._replace(resumes=True, saves=True)


class LossOfZero(Healthy):
    """A policy gradient's loss is 0 by design; the norm tells that it learns."""

    kind = "loss-of-zero"
    needs = frozenset({"loss", "grad_norm"})
    frameworks = ("hf",)
    tasks = frozenset({"reinforce"})

    def strike(self, scene: Scene) -> tuple[int, ...]:
        scene.course.edit("loss", lambda _, value: round(value / 40, 4) + 0.0)
        return ()


class NormNotComputed(Healthy):
    """Something else clips, so the norm is printed as 0; the loss falls all the same."""

    kind = "norm-not-computed"
    needs = frozenset({"loss", "grad_norm"})
    frameworks = ("megatron", "plain")
    tasks = frozenset({"pretrain"})
    is_fresh = True

    def strike(self, scene: Scene) -> tuple[int, ...]:
        scene.course.edit("grad_norm", lambda *_: 0.0)
        return ()


class IdleAfterwards(Healthy):
    """The job is done, and the monitor goes on."""

    kind = "idle-afterwards"
    needs = frozenset({"loss"})
    monitors = True
    ends = True
