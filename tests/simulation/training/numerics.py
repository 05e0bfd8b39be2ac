"""How does learning go wrong?"""

import math

from logsleuth.model.analysis import Severity
from tests.simulation.training.faults import Fault, Scene
from tests.simulation.training.healthy import Habits

_TEXT = frozenset({"pretrain", "finetune"})
NAN = math.nan


class _Steady(Fault):
    """Trouble of a run that is not restarted within its log."""

    def habits(self, habits: Habits) -> Habits:
        return habits._replace(resumes=False)


class NanLater(_Steady):
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


class Explosion(_Steady):
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


class SpikeRecovers(_Steady):
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


class Diverging(_Steady):
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


class ScaleCollapse(_Steady):
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


class RateZero(_Steady):
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


class NoGradient(_Steady):
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


class Flat(_Steady):
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


class OddBatches(_Steady):
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


class LongBatches(_Steady):
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


class NormsDiffer(_Steady):
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


class LossesDiffer(_Steady):
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
