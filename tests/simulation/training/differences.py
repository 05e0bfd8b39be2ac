"""How do batches or ranks differ from their like?"""

import math

from logsleuth.model.analysis import Severity
from tests.simulation.training.faults import Scene, Steady
from tests.simulation.training.healthy import Habits

_TEXT = frozenset({"pretrain", "finetune"})


class OddBatches(Steady):
    """A few batches lie far from all others, one at a time."""

    kind = "odd-batches"
    causes = ("batch-imbalance", "loss-spike")
    least = Severity.INFO
    needs = frozenset({"loss"})
    tasks = _TEXT
    interval = 1
    least_points = 200

    def strike(self, scene: Scene) -> tuple[int, ...]:
        odd = _scattered(scene)
        scene.course.edit("loss", lambda index, value: value * odd.get(index, 1.0))
        scene.course.edit("grad_norm", lambda index, value: value * odd.get(index, 1.0))
        return ()


class LongBatches(Steady):
    """A few batches hold sequences many times as long as all others, and take as much longer."""

    kind = "long-batches"
    causes = ("batch-imbalance",)
    least = Severity.INFO
    needs = frozenset({"loss", "length"})
    tasks = _TEXT | {"reinforce"}
    interval = 1
    least_points = 200

    def habits(self, habits: Habits) -> Habits:
        return habits._replace(resumes=False, curriculum=False, is_ragged=False, ramps=False)

    def strike(self, scene: Scene) -> tuple[int, ...]:
        odd = {index: int(4 + 2 * factor) for index, factor in _scattered(scene).items()}
        usual = scene.course.run.sequence_length // 16
        scene.course.edit("length", lambda index, _: usual * scene.chance.uniform(0.7, 1.1) * odd.get(index, 1))
        scene.course.edit("step_seconds", lambda index, value: value * odd.get(index, 1) ** 0.8)
        return ()


def _scattered(scene: Scene) -> dict[int, float]:
    """A factor for each of a few points in the second half that do not touch."""
    points = len(scene.course.steps)
    places = scene.chance.sample(range(points // 2, points - 4, 4), scene.chance.randrange(4, 9))
    return {place: scene.chance.uniform(4, 8) for place in places}


class NormsDiffer(Steady):
    """One rank computes another gradient norm although all have the same gradients."""

    kind = "norms-differ"
    causes = ("ranks-diverged",)
    needs = frozenset({"loss", "grad_norm", "ranks"})
    tasks = _TEXT
    least_ranks = 4

    def strike(self, scene: Scene) -> tuple[int, ...]:
        rank, since = scene.chance.choice(scene.speakers), scene.moment(0.1, 0.5)
        factor = scene.chance.choice((0.5, 1.8, 3.0))

        def differ(index: int, value: float) -> float:
            return value if index < since else value * factor * math.exp(scene.chance.gauss(0, 0.2))

        scene.course.edit("grad_norm", differ, only=rank)
        return (rank,)


class LossesDiffer(Steady):
    """One rank prints another loss although all print the mean of all."""

    kind = "losses-differ"
    causes = ("ranks-diverged",)
    needs = frozenset({"loss", "ranks"})
    frameworks = ("torchtitan",)
    tasks = _TEXT
    least_ranks = 4

    def strike(self, scene: Scene) -> tuple[int, ...]:
        rank, since = scene.chance.choice(scene.speakers), scene.moment(0.1, 0.5)
        offset = scene.chance.uniform(0.05, 0.4)
        scene.course.edit("loss", lambda index, value: value * (1 + offset) if index >= since else value, only=rank)
        return (rank,)
