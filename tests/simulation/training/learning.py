"""How does a model fail to learn, or forget?"""

import math

from logsleuth.model.analysis import Severity
from tests.simulation.training.faults import Scene, Steady

_TEXT = frozenset({"pretrain", "finetune"})


class SpikeRecovers(Steady):
    """A spike of the loss that is gone after a few steps; nobody needs to be woken."""

    kind = "spike-recovers"
    causes = ("loss-spike", "gradient-explosion", "batch-imbalance")
    least = None
    most = Severity.WARNING
    needs = frozenset({"loss"})
    tasks = _TEXT
    least_points = 80

    def strike(self, scene: Scene) -> tuple[int, ...]:
        since, height = scene.moment(0.3, 0.8), scene.chance.uniform(0.5, 1.5)
        lasts = scene.chance.uniform(1.0, 4.0)

        def spike(index: int, value: float) -> float:
            return value if index < since else value * (1 + height * math.exp(-(index - since) / lasts))

        scene.course.edit("loss", spike)
        scene.course.edit("grad_norm", lambda index, value: value * (8 if index == since else 1))
        return ()


class Diverging(Steady):
    """The loss rises and stays up."""

    kind = "diverging"
    causes = ("loss-diverging", "loss-spike", "gradient-explosion")
    needs = frozenset({"loss"})
    tasks = _TEXT
    least_points = 80
    ends = False

    def strike(self, scene: Scene) -> tuple[int, ...]:
        points = len(scene.course.steps)
        since, height = scene.moment(0.35, 0.6), scene.chance.uniform(1.0, 3.0)
        rise = max(4.0, (points - since) * scene.chance.uniform(0.05, 0.3))

        def climb(index: int) -> float:
            return 1 + height * (1 - math.exp(-max(0, index - since) / rise))

        scene.course.edit("loss", lambda index, value: value * climb(index))
        scene.course.edit("grad_norm", lambda index, value: value * climb(index) ** 2)
        return ()


class RateZero(Steady):
    """The learning rate is 0 all along, and the loss does not fall."""

    kind = "rate-zero"
    causes = ("gradients-not-updating",)
    needs = frozenset({"loss", "learning_rate"})
    tasks = _TEXT | {"classify"}
    is_fresh = True
    least_points = 40
    ends = False

    def strike(self, scene: Scene) -> tuple[int, ...]:
        _flatten(scene)
        scene.course.edit("learning_rate", lambda *_: 0.0)
        return ()


class NoGradient(Steady):
    """The gradient norm is exactly 0, and the loss does not fall."""

    kind = "no-gradient"
    causes = ("gradients-not-updating",)
    needs = frozenset({"loss", "grad_norm"})
    tasks = _TEXT
    is_fresh = True
    least_points = 40
    ends = False

    def strike(self, scene: Scene) -> tuple[int, ...]:
        _flatten(scene)
        scene.course.edit("grad_norm", lambda *_: 0.0)
        return ()


class Flat(Steady):
    """The loss of a new model stays what guessing gives."""

    kind = "flat"
    causes = ("gradients-not-updating",)
    needs = frozenset({"loss"})
    tasks = frozenset({"pretrain"})
    is_fresh = True
    least_points = 120
    ends = False

    def strike(self, scene: Scene) -> tuple[int, ...]:
        guess, noise = math.log(scene.course.run.vocabulary) + 0.01, scene.chance.uniform(0.0005, 0.004)
        scene.course.edit("loss", lambda *_: guess * scene.chance.gauss(1, noise))
        scene.course.edit("grad_norm", lambda *_: 0.02 * math.exp(scene.chance.gauss(0, 0.1)))
        return ()


def _flatten(scene: Scene) -> None:
    """The loss of the first step, again and again: every batch has its own."""
    start, noise = scene.course.loss[0], scene.chance.uniform(0.003, 0.03)
    scene.course.edit("loss", lambda *_: start * scene.chance.gauss(1, noise))
