"""Trainers of Hugging Face and scripts on top of them: a dict a line."""

import json
import math
from typing import Any, ClassVar

from tests.simulation.training.course import Point
from tests.simulation.training.frameworks.framework import GIB, Framework, bar, comma

_TEXT = ("finetune", "finetune", "memorize", "pretrain", "reinforce", "prefer")


class Trainer(Framework):
    """Versions 4 and 5, with and without a bar, with what TRL and Axolotl add."""

    name = "hf"
    tasks: ClassVar[tuple[str, ...]] = _TEXT
    offers = frozenset({"loss", "grad_norm", "learning_rate", "memory", "length"})

    def prepare(self) -> None:
        self.is_fifth = self.chance.random() < 0.35
        self.has_bar = self.chance.random() < 0.5
        self.shows_norm = self.may("grad_norm", 0.85)
        # Its filter replaces a loss that is no number, and the norm alone tells.
        self.hides_nan = self.shows_norm and self.chance.random() < 0.4
        extras = {"reinforce": ("grpo",), "prefer": ("dpo",)}.get(self.run.task, ("", "sft", "axolotl"))
        if "memory" in self.wants:
            extras = ("axolotl",)
        if "length" in self.wants:
            extras = ("grpo",)
        self.extra = self.chance.choice(extras)

    def start(self, rank: int) -> list[str]:
        del rank
        run = self.run
        return [
            "***** Running training *****",
            f"  Num examples = {run.epoch_steps * run.batch:,}",
            f"  Num Epochs = {max(1, run.total // run.epoch_steps)}",
            f"  Instantaneous batch size per device = {max(1, run.batch // run.size)}",
            f"  Total train batch size (w. parallel, distributed & accumulation) = {run.batch}",
            f"  Total optimization steps = {run.total:,}",
            "  Number of trainable parameters = 167,772,160",
        ]

    def record(self, point: Point) -> dict[str, Any]:
        is_hidden = self.hides_nan and math.isnan(point.loss)
        found: dict[str, Any] = {"loss": 0.0 if is_hidden else round(point.loss, 4)}
        if self.shows_norm:
            found["grad_norm"] = point.grad_norm
        found["learning_rate"] = point.learning_rate
        match self.extra:
            case "sft":
                found |= {
                    "entropy": round(abs(point.loss) * 0.9, 4),
                    "num_tokens": float(point.samples * point.length),
                    "mean_token_accuracy": round(min(0.99, 1 / (1 + abs(point.loss) / 2)), 6)
                    if point.loss == point.loss
                    else 0.0,
                }
            case "axolotl":
                found |= {
                    "memory/max_mem_active(gib)": round(point.peak / GIB, 2),
                    "memory/max_mem_allocated(gib)": round(point.peak / GIB, 2),
                    "memory/device_mem_reserved(gib)": round(point.reserved / GIB, 2),
                }
            case "dpo":
                margin = 2 * point.step / self.run.total
                found |= {
                    "rewards/chosen": round(margin / 3, 6),
                    "rewards/rejected": round(-margin, 6),
                    "rewards/accuracies": round(min(0.9, 0.5 + margin / 3), 4),
                    "logps/chosen": -212.4,
                    "logps/rejected": -240.9,
                }
            case "grpo":
                found |= {
                    "num_tokens": float(point.samples * self.run.sequence_length),
                    "completions/mean_length": round(point.length * 0.6, 2),
                    "completions/max_length": float(point.length),
                    "reward": round(0.5 + 0.4 * point.step / self.run.total, 4),
                    "reward_std": 0.21,
                    "kl": round(0.001 + 0.05 * point.step / self.run.total, 6),
                }
        found["epoch"] = round(point.epoch, 2)
        return found

    def words(self, record: dict[str, Any]) -> str:
        if self.is_fifth:
            return repr({key: f"{value:.4g}" for key, value in record.items()})
        return repr(record)

    def step(self, point: Point) -> str:
        text = self.words(self.record(point))
        if self.has_bar:
            return (
                f"{bar(point, self.run, ())}\n{' ' * 50}\n{text}"
                if point.place % 7 == 0
                else f"{bar(point, self.run, ())}\n{text}"
            )
        return text

    def evaluation(self, point: Point) -> list[str]:
        found = {
            "eval_loss": round(point.loss * 1.06 + 0.01, 6),
            "eval_runtime": 21.4307,
            "eval_samples_per_second": 46.661,
            "eval_steps_per_second": 5.833,
            "epoch": round(point.epoch, 2),
        }
        return ["***** Running Evaluation *****", "  Num examples = 1000", "  Batch size = 8", self.words(found)]

    def checkpoint(self, point: Point) -> list[str]:
        return [f"Saving model checkpoint to /out/checkpoint-{point.step}"]

    def end(self, point: Point) -> list[str]:
        found = {
            "train_runtime": round(point.at, 4),
            "train_samples_per_second": 9.662,
            "train_steps_per_second": round(1 / self.run.seconds, 3),
            "train_loss": round(point.loss * 1.2, 6),
            "epoch": round(point.epoch, 2),
        }
        done = "Training completed. Do not forget to share your model on huggingface.co/models =)"
        return ["", "", done, "", "", self.words(found)]


class LlamaFactory(Trainer):
    """Its callback logs the dict once more, with a time and a throughput."""

    name = "llama-factory"
    tasks = ("finetune", "finetune", "memorize")
    offers = frozenset({"loss", "grad_norm", "learning_rate", "time"})

    def prepare(self) -> None:
        super().prepare()
        self.extra = ""
        self.line = self.chance.choice((143, 148, 157))
        self.is_recent = self.chance.random() < 0.5
        self.shows_both = self.may("grad_norm", 0.6)

    def step(self, point: Point) -> str:
        rate = point.batch * point.length / point.step_seconds
        parts = f"'loss': {point.loss:.4f}, 'learning_rate': {point.learning_rate:.4e}, 'epoch': {point.epoch:.2f}, 'throughput': {rate:.2f}"
        stamp = f"{self.time(point):%Y-%m-%d %H:%M:%S}"
        mine = (
            f"[INFO|{stamp}] llamafactory.train.callbacks:{self.line} >> {{{parts}}}"
            if self.is_recent
            else f"[INFO|callbacks.py:{self.line}] {comma(self.time(point))} >> {{{parts}}}"
        )
        return f"{super().step(point)}\n{mine}" if self.shows_both else mine


class Accelerate(Framework):
    """A script that logs through the module of accelerate, or a bar with a postfix."""

    name = "accelerate"
    tasks = ("finetune", "denoise", "memorize", "pretrain")
    offers = frozenset({"loss", "grad_norm", "learning_rate", "time", "step_seconds"})

    def prepare(self) -> None:
        self.is_bar = not self.wants - {"loss", "learning_rate"} and self.chance.random() < 0.5

    def start(self, rank: int) -> list[str]:
        del rank
        head = f"{self.run.start:%m/%d/%Y %H:%M:%S} - INFO - __main__ - "
        return [
            f"{head}Distributed environment: MULTI_GPU  Backend: nccl",
            f"Num processes: {self.run.size}",
            "Process index: 0",
            "Device: cuda:0",
            "",
            f"Mixed precision type: {self.run.precision if self.run.precision != 'fp32' else 'no'}",
            f"{head}***** Running training *****",
            f"{head}  Total optimization steps = {self.run.total}",
        ]

    def step(self, point: Point) -> str:
        if self.is_bar:
            return bar(
                point, self.run, (f"lr={point.learning_rate:.3g}", f"step_loss={point.loss:.3g}"), label="Steps: "
            )
        return (
            f"{self.time(point):%m/%d/%Y %H:%M:%S} - INFO - __main__ - epoch {int(point.epoch)}: step {point.step}: loss: {point.loss:.4f}, "
            f"grad_norm: {point.grad_norm:.4f}, lr: {point.learning_rate:.2e}, time: {point.step_seconds:.3f}s"
        )

    def evaluation(self, point: Point) -> list[str]:
        loss = point.loss * 1.05
        known = math.isfinite(loss)
        return [f"epoch {int(point.epoch)}: perplexity: {math.exp(min(20, loss)) if known else loss} eval_loss: {loss}"]

    def checkpoint(self, point: Point) -> list[str]:
        return [
            f"{self.time(point):%m/%d/%Y %H:%M:%S} - INFO - accelerate.accelerator - Saving current state to step_{point.step}"
        ]


class JsonLines(Framework):
    """A JSON object a line, as many trainers write beside their text."""

    name = "jsonl"
    tasks = ("pretrain", *_TEXT, "classify", "denoise")
    offers = frozenset(
        {"loss", "grad_norm", "learning_rate", "step_seconds", "data_seconds", "memory", "time", "ranks", "length"}
    )
    reduces = False

    def prepare(self) -> None:
        self.has_level = self.chance.random() < 0.4
        self.shown = {quantity for quantity in sorted(self.offers) if self.may(quantity, 0.6)} | {"loss"}
        self.length = self.chance.choice(("seq_len", "max_seq_len", "sequence_length"))
        self.names = self.chance.choice((("loss", "lr"), ("train_loss", "learning_rate"), ("train/loss", "train/lr")))

    def step(self, point: Point) -> str:
        loss, rate = self.names
        found: dict[str, Any] = {}
        if "time" in self.shown:
            found["time" if not self.has_level else "ts"] = self.time(point).isoformat(timespec="milliseconds")
        if self.has_level:
            found |= {"level": "INFO", "event": "step"}
        if "ranks" in self.shown:
            found["rank"] = point.rank
        found |= {"step": point.step, "epoch": round(point.epoch, 3), loss: round(point.loss, 5)}
        extras = {
            "grad_norm": ("grad_norm", round(point.grad_norm, 4)),
            "learning_rate": (rate, point.learning_rate),
            "step_seconds": ("step_time", round(point.step_seconds, 4)),
            "data_seconds": ("data_time", round(point.data_seconds, 4)),
            "memory": ("memory_allocated", int(point.allocated)),
            "length": (self.length, point.length),
        }
        found |= {extras[quantity][0]: extras[quantity][1] for quantity in sorted(self.shown) if quantity in extras}
        return json.dumps(found)

    def evaluation(self, point: Point) -> list[str]:
        return [json.dumps({"step": point.step, "eval_loss": round(point.loss * 1.05, 5)})]

    def end(self, point: Point) -> list[str]:
        return [json.dumps({"event": "finished", "step": point.step, "at": comma(self.time(point))})]
