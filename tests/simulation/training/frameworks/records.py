"""Trainers that write a record of several lines for a step: Composer and OLMo."""

import math

from tests.simulation.training.course import Point
from tests.simulation.training.frameworks.framework import Framework


class Composer(Framework):
    """A record of several lines for a batch."""

    name = "composer"
    lines = 12
    tasks = ("pretrain", "finetune")
    stages = frozenset({"batch", "length"})
    offers = frozenset({"loss", "grad_norm", "learning_rate", "memory"})

    def prepare(self) -> None:
        self.shows_norm = self.may("grad_norm", 0.5)
        self.has_epochs = self.chance.random() < 0.4

    def step(self, point: Point) -> str:
        run = self.run
        within = point.step % run.epoch_steps or run.epoch_steps
        head = (
            f"[epoch={(point.step - 1) // run.epoch_steps + 1}][batch={within}/{run.epoch_steps}]:"
            if self.has_epochs
            else f"[batch={point.step}/{run.total}]:"
        )
        rate = point.batch / point.step_seconds
        shown = [
            f"time/batch: {point.step - 1}",
            f"loss/train/total: {point.loss:.4f}",
            f"metrics/train/LanguageCrossEntropy: {point.loss:.4f}",
            *([f"l2_norm/grad/global: {point.grad_norm:.4f}"] if self.shows_norm else []),
            f"lr-DecoupledAdamW/group0: {point.learning_rate:.4e}",
            f"memory/current_allocated_mem: {point.allocated / 1e9:.4f}",
            f"memory/peak_reserved_mem: {point.reserved / 1e9:.4f}",
            "memory/alloc_retries: 0",
            f"throughput/batches_per_sec: {1 / point.step_seconds:.4f}",
            f"throughput/tokens_per_sec: {rate * point.length:.4f}",
            f"time/remaining_estimate: {(run.total - point.step) * run.seconds / 3600:.4f}",
        ]
        return "\n".join([head, *(f"\t Train {text}" for text in shown)])

    def evaluation(self, point: Point) -> list[str]:
        return [
            "[Eval batch=1/10] Eval on eval data",
            f"\t Eval metrics/eval/LanguageCrossEntropy: {point.loss * 1.03:.4f}",
        ]


class Olmo(Framework):
    """A header with the step, then a line for every metric."""

    name = "olmo"
    lines = 8
    tasks = ("pretrain",)
    stages = frozenset({"batch", "length"})
    offers = frozenset({"loss", "grad_norm", "learning_rate", "memory", "time"})

    def prepare(self) -> None:
        self.is_late = self.chance.random() < 0.5

    def _head(self, at: float) -> str:
        now = self.run.at(at)
        if self.is_late:
            return f"{now:%Y-%m-%d %H:%M:%S}.{now.microsecond // 1000:03d} {self.run.hosts[0].split('.')[0]}:0 [olmo.train:967] INFO     "
        return f"[{now:%Y-%m-%d %H:%M:%S}] INFO     [olmo.train:816, rank=0] "

    def step(self, point: Point) -> str:
        epoch = ",epoch=0" if self.is_late else ""
        return "\n".join(
            [
                f"{self._head(point.at)}[step={point.step}/{self.run.total}{epoch}]",
                f"    optim/total_grad_norm={point.grad_norm:.4f}",
                f"    optim/learning_rate_group0={point.learning_rate:.4g}",
                f"    train/CrossEntropyLoss={point.loss:.3f}",
                f"    train/Perplexity={math.exp(min(20, point.loss)) if math.isfinite(point.loss) else point.loss:,.0f}",
                f"    throughput/device/tokens_per_second={point.batch * point.length / point.step_seconds / self.run.size:,.0f}",
                f"    throughput/device/batches_per_second={1 / point.step_seconds:.4f}",
                f"    System/Peak GPU Memory (MB)={point.peak / 1e6:,.0f}",
            ]
        )

    def checkpoint(self, point: Point) -> list[str]:
        head = self._head(point.at)
        return [f"{head}Saving checkpoint...", f"{head}Checkpoint saved to /ckpt/run/step{point.step}"]
