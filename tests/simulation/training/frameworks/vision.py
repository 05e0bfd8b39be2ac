"""Trainers of image models: detectron2, mmengine and mmcv, timm, torchvision's references."""

from tests.simulation.training.course import Point
from tests.simulation.training.frameworks.framework import Framework, clock

_VISION = frozenset({"loss", "learning_rate", "step_seconds", "data_seconds", "memory"})


class Detectron(Framework):
    name = "detectron2"
    tasks = ("detect",)
    offers = _VISION | {"time"}
    intervals = (20,)

    def prepare(self) -> None:
        self.has_last = self.chance.random() < 0.6

    def step(self, point: Point) -> str:
        left = clock((self.run.total - point.step) * self.run.seconds)
        last = f"  last_time: {point.step_seconds * 1.02:.4f}" if self.has_last else ""
        last_data = f"  last_data_time: {point.data_seconds * 0.9:.4f}" if self.has_last else ""
        return (
            f"[{self.time(point):%m/%d %H:%M:%S} d2.utils.events]:  eta: {left}  iter: {point.step - 1}  total_loss: {point.loss:.4g}  "
            f"loss_cls: {point.loss * 0.41:.4g}  loss_box_reg: {point.loss * 0.33:.4g}  loss_rpn_cls: {point.loss * 0.2:.4g}    "
            f"time: {point.step_seconds:.4f}{last}  data_time: {point.data_seconds:.4f}{last_data}   lr: {point.learning_rate:.5g}  "
            f"max_mem: {point.peak / 2**20:.0f}M"
        )

    def evaluation(self, point: Point) -> list[str]:
        head = f"[{self.time(point):%m/%d %H:%M:%S} d2.evaluation.evaluator]: "
        return [
            f"{head}Inference done 11/5000. Dataloading: 0.0011 s/iter. Inference: 0.0713 s/iter. Eval: 0.0003 s/iter. Total: 0.0727 s/iter. ETA=0:06:02"
        ]

    def checkpoint(self, point: Point) -> list[str]:
        return [
            f"[{self.time(point):%m/%d %H:%M:%S} fvcore.common.checkpoint]: Saving checkpoint to output/model_{point.step:07d}.pth"
        ]


class OpenMmlab(Framework):
    """mmengine, and mmcv before it."""

    name = "mmengine"
    tasks = ("detect", "classify")
    offers = _VISION | {"grad_norm", "time"}
    intervals = (50, 10)

    def prepare(self) -> None:
        self.is_old = self.chance.random() < 0.4
        self.shows_norm = self.may("grad_norm", 0.4)

    def _head(self, point: Point) -> str:
        now = self.time(point)
        if self.is_old:
            return f"{now:%Y-%m-%d %H:%M:%S},{now.microsecond // 1000:03d} - mmdet - INFO - "
        return f"{now:%m/%d %H:%M:%S} - mmengine - INFO - "

    def step(self, point: Point) -> str:
        run = self.run
        within, epoch = point.step % run.epoch_steps or run.epoch_steps, (point.step - 1) // run.epoch_steps + 1
        left = clock((run.total - point.step) * run.seconds)
        held = f"memory: {point.peak / 2**20:.0f}"
        if self.is_old:
            norm = f", grad_norm: {point.grad_norm:.4f}" if self.shows_norm else ""
            return (
                f"{self._head(point)}Epoch [{epoch}][{within}/{run.epoch_steps}]\tlr: {point.learning_rate:.3e}, eta: {left}, time: {point.step_seconds:.3f}, "
                f"data_time: {point.data_seconds:.3f}, {held}, loss_cls: {point.loss * 0.6:.4f}, loss_bbox: {point.loss * 0.4:.4f}, loss: {point.loss:.4f}{norm}"
            )
        norm = f"  grad_norm: {point.grad_norm:.4f}" if self.shows_norm else ""
        return (
            f"{self._head(point)}Epoch(train)  [{epoch}][{within:4d}/{run.epoch_steps}]  lr: {point.learning_rate:.4e}  eta: {left}  "
            f"time: {point.step_seconds:.4f}  data_time: {point.data_seconds:.4f}  {held}{norm}  loss: {point.loss:.4f}  "
            f"loss_cls: {point.loss * 0.6:.4f}  loss_bbox: {point.loss * 0.4:.4f}"
        )

    def evaluation(self, point: Point) -> list[str]:
        return [
            f"{self._head(point)}Epoch(val) [{int(point.epoch)}][5000/5000]    coco/bbox_mAP: 0.3120  data_time: 0.0021  time: 0.0411"
        ]

    def checkpoint(self, point: Point) -> list[str]:
        return [f"{self._head(point)}Saving checkpoint at {int(point.epoch)} epochs"]


class Timm(Framework):
    name = "timm"
    tasks = ("classify",)
    offers = frozenset({"loss", "learning_rate", "step_seconds", "data_seconds"})
    intervals = (50,)

    def prepare(self) -> None:
        self.means = {"loss": 0.0, "time": 0.0, "data": 0.0}
        self.count = 0

    def _mean(self, name: str, value: float) -> float:
        """A running mean over the epoch, as its meters print in brackets."""
        self.means[name] += (value - self.means[name]) / self.count
        return self.means[name]

    def step(self, point: Point) -> str:
        run = self.run
        within, epoch = point.step % run.epoch_steps, point.step // run.epoch_steps
        self.count = 1 if within < run.interval else self.count + 1
        loss, took, waited = (
            self._mean("loss", point.loss),
            self._mean("time", point.step_seconds),
            self._mean("data", point.data_seconds),
        )
        return (
            f"Train: {epoch} [{within:>4d}/{run.epoch_steps} ({100 * within / run.epoch_steps:>3.0f}%)]  Loss: {point.loss:#.3g} ({loss:#.3g})  "
            f"Time: {point.step_seconds:.3f}s, {run.batch / point.step_seconds:>7.2f}/s  ({took:.3f}s, {run.batch / took:>7.2f}/s)  "
            f"LR: {point.learning_rate:.3e}  Data: {point.data_seconds:.3f} ({waited:.3f})"
        )

    def evaluation(self, point: Point) -> list[str]:
        return [
            f"Test: [  {n:2d}/48]  Time: 0.{611 - n} (0.611)  Loss:  {point.loss * 1.1:>7.3f} ({point.loss * 1.1:>6.3f})  Acc@1:  61.328 ( 61.328)  Acc@5:  83.594 ( 83.594)"
            for n in (0, 48)
        ]


class Torchvision(Framework):
    """``MetricLogger`` of the references; many projects have copied it."""

    name = "torchvision"
    tasks = ("classify", "detect")
    offers = _VISION
    intervals = (10, 20)

    def prepare(self) -> None:
        self.mean = 0.0

    def step(self, point: Point) -> str:
        run = self.run
        within, epoch = point.step % run.epoch_steps, point.step // run.epoch_steps
        self.mean = point.loss if point.place == 0 else 0.95 * self.mean + 0.05 * point.loss
        left = clock((run.epoch_steps - within) * run.seconds)
        return (
            f"Epoch: [{epoch}]  [{within:>5d}/{run.epoch_steps}]  eta: {left}  lr: {point.learning_rate:.6f}  loss: {point.loss:.4f} ({self.mean:.4f})  "
            f"time: {point.step_seconds:.4f}  data: {point.data_seconds:.4f}  max mem: {point.peak / 2**20:.0f}"
        )

    def evaluation(self, point: Point) -> list[str]:
        return [
            f"Test:  [  0/100]  eta: 0:01:02  loss: {point.loss * 1.1:.4f} ({point.loss * 1.1:.4f})  time: 0.6211  data: 0.4012  max mem: {point.peak / 2**20:.0f}",
            "Test: Total time: 0:00:31",
        ]


class ImageNet(Framework):
    """The ImageNet example of torch: value and mean in brackets."""

    name = "imagenet"
    tasks = ("classify",)
    offers = frozenset({"loss", "step_seconds", "data_seconds"})
    intervals = (10, 100)

    def prepare(self) -> None:
        self.means: dict[str, float] = {}

    def _pair(self, name: str, value: float, digits: str) -> str:
        self.means[name] = 0.9 * self.means.get(name, value) + 0.1 * value
        return f"{name} {value:{digits}} ({self.means[name]:{digits}})"

    def step(self, point: Point) -> str:
        run = self.run
        within, epoch = point.step % run.epoch_steps, point.step // run.epoch_steps
        width = len(str(run.epoch_steps))
        return "\t".join(
            [
                f"Epoch: [{epoch}][{within:{width}d}/{run.epoch_steps}]",
                self._pair("Time", point.step_seconds, "6.3f"),
                self._pair("Data", point.data_seconds, "6.3f"),
                self._pair("Loss", point.loss, ".4e"),
                self._pair("Acc@1", 40.0 + 0.01 * within, "6.2f"),
            ]
        )
