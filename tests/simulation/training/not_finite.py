"""How do losses and gradients stop being numbers?"""

import math

from logsleuth.model.analysis import Severity
from tests.simulation.training.faults import Scene, Steady

_TEXT = frozenset({"pretrain", "finetune"})
NAN = math.nan


class NanLater(Steady):
    """From a step on the loss is no number."""

    kind = "nan-later"
    causes = ("loss-nan", "gradient-explosion")
    least = Severity.ERROR
    needs = frozenset({"loss"})
    ends = False

    def first(self, scene: Scene) -> int:
        return scene.moment(0.2, 0.9)

    def strike(self, scene: Scene) -> tuple[int, ...]:
        since = self.first(scene)
        for column in ("loss", "grad_norm"):
            scene.course.edit(column, lambda index, value: NAN if index >= since else value)
        return ()


class NanAtOnce(NanLater):
    """There never was a loss."""

    kind = "nan-at-once"
    is_fresh = True

    def first(self, scene: Scene) -> int:
        del scene
        return 0


class NanOnce(Steady):
    """A single batch without a loss; the run goes on as if it had not been."""

    kind = "nan-once"
    causes = ("loss-nan", "batch-imbalance", "data-error")
    least = None
    most = Severity.WARNING
    needs = frozenset({"loss"})
    frameworks = ("hf", "plain", "accelerate", "jsonl", "torchvision", "detectron2")
    interval = 1
    least_points = 80

    def strike(self, scene: Scene) -> tuple[int, ...]:
        since = scene.moment(0.2, 0.8)
        scene.course.edit("loss", lambda index, value: NAN if index == since else value)
        return ()


class Explosion(Steady):
    """The gradient norm explodes, then the loss is no number."""

    kind = "explosion"
    causes = ("gradient-explosion", "loss-nan")
    least = Severity.ERROR
    needs = frozenset({"loss", "grad_norm"})
    tasks = _TEXT
    least_points = 40
    ends = False

    def strike(self, scene: Scene) -> tuple[int, ...]:
        since, lasts = scene.moment(0.4, 0.85), scene.chance.randrange(1, 4)
        factors = [scene.chance.uniform(20, 80) * 6**place for place in range(lasts)]
        factor = scene.chance.uniform(1.2, 2.5)

        def norm(index: int, value: float) -> float:
            return value if index < since else value * factors[index - since] if index < since + lasts else NAN

        def loss(index: int, value: float) -> float:
            return value if index < since else value * factor if index < since + lasts else NAN

        scene.course.edit("grad_norm", norm)
        scene.course.edit("loss", loss)
        return ()


class ScaleCollapse(Steady):
    """Every step overflows, and the loss scale is halved until there is none."""

    kind = "scale-collapse"
    causes = ("loss-scale-collapse", "loss-nan", "gradient-explosion")
    least = Severity.ERROR
    needs = frozenset({"loss", "loss_scale"})
    precision = "fp16"
    interval = 1
    tasks = _TEXT
    least_points = 90
    ends = False

    def strike(self, scene: Scene) -> tuple[int, ...]:
        course, points = scene.course, len(scene.course.steps)
        since = points - scene.chance.randrange(30, 50)
        scale = course.loss_scale[since - 1]
        for index in range(since, points):
            course.overflows.pop(index, None)
            if scale > 1:
                course.overflows[index] = [(scale, scale / 2)]
                scale /= 2
            course.loss_scale[index] = scale
            course.skipped[index] = 1
        course.edit(
            "loss",
            lambda index, value: course.loss[since - 1] * scene.chance.gauss(1.02, 0.01) if index >= since else value,
        )
        if scene.framework.name == "megatron":
            course.edit("grad_norm", lambda index, value: 0.0 if index >= since else value)
        else:
            course.edit("grad_norm", lambda index, value: math.inf if index >= since else value)
        return ()
