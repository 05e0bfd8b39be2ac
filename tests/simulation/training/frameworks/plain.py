"""What people print themselves."""

import math

from tests.simulation.training.course import Point
from tests.simulation.training.frameworks.framework import GIB, Framework, comma

_STYLES = ("bars", "equals", "nano", "commas", "logging", "brackets")


class Plain(Framework):
    """One of several styles; numbers of the wanted quantities are appended as ``name=value`` or ``name: value``."""

    name = "plain"
    tasks = ("pretrain", "finetune", "memorize", "reinforce", "denoise", "classify")
    offers = frozenset(
        {"loss", "grad_norm", "learning_rate", "step_seconds", "data_seconds", "memory", "host_memory", "length", "time", "ranks", "rank_seconds"}
    )  # fmt: skip
    reduces = False

    def prepare(self) -> None:
        styles = ("logging", "brackets") if "time" in self.wants else _STYLES
        self.style = self.chance.choice(styles)
        self.length = self.chance.choice(("seq_len", "seq_len", "max_len", "seqlen"))
        self.shown = {quantity for quantity in sorted(self.offers) if self.may(quantity, 0.35)}
        if "rank_seconds" in self.wants:
            self.shown.add("step_seconds")

    def start(self, rank: int) -> list[str]:
        return [f"rank {rank}: device cuda:{rank % self.run.per_host}, world size {self.run.size}"]

    def _extras(self, point: Point, is_equal: bool) -> list[str]:
        texts = {
            "grad_norm": ("grad_norm", f"{point.grad_norm:.4f}"),
            "learning_rate": ("lr", f"{point.learning_rate:.3e}"),
            "step_seconds": ("step_time", f"{point.step_seconds:.3f}s"),
            "data_seconds": ("data_time", f"{point.data_seconds:.3f}s"),
            "memory": ("mem_alloc", f"{point.allocated / GIB:.2f}GB"),
            "host_memory": ("host_mem", f"{point.host_used / GIB:.2f}GB"),
            "length": (self.length, f"{point.length}"),
        }
        mark = "=" if is_equal else ": "
        names = [quantity for quantity in texts if quantity in self.shown]
        return [f"{texts[name][0]}{mark}{texts[name][1]}" for name in names]

    def step(self, point: Point) -> str:
        extras, run = self._extras(point, self.style in ("equals", "logging")), self.run
        epoch = int(point.epoch)
        who = [f"rank {point.rank}"] if "ranks" in self.shown and self.style == "bars" else []
        match self.style:
            case "bars":
                return " | ".join([f"step {point.step}", f"loss {point.loss:.4f}", *who, *extras])
            case "equals":
                return " ".join([f"epoch={epoch} step={point.step} loss={point.loss:.5f}", *extras])
            case "nano":
                text = f"iter {point.step}: loss {point.loss:.4f}, time {point.step_seconds * 1000:.2f}ms, mfu {30 * run.seconds / point.step_seconds:.2f}%"
                return ", ".join([text, *extras])
            case "commas":
                return ", ".join([f"Epoch {epoch}, Step {point.step}/{run.total}, Loss: {point.loss:.4f}", *extras])
            case "logging":
                return f"{comma(self.time(point))} INFO train.py:212 " + " ".join(
                    [f"step={point.step} loss={point.loss:.4f}", *extras]
                )
        stamp = f"{self.time(point):%Y-%m-%d %H:%M:%S}"
        return f"[{stamp}] [{epoch}][{point.step}/{run.total}] " + "  ".join(
            [f"Step: {point.step}", f"loss: {point.loss:.4f}", *extras]
        )

    def evaluation(self, point: Point) -> list[str]:
        loss = point.loss * 1.04
        return [
            self.chance.choice(
                (
                    f"validation: loss {loss:.4f}",
                    f"step {point.step}: train loss {point.loss:.4f}, val loss {loss:.4f}",
                    f"eval_loss={loss:.4f} ppl={math.exp(min(20, loss)) if math.isfinite(loss) else loss:.2f}",
                )
            )
        ]

    def checkpoint(self, point: Point) -> list[str]:
        return [f"saved checkpoint to out/step_{point.step}.pt"]

    def end(self, point: Point) -> list[str]:
        return ["training finished", f"total time {point.at:.1f} s"]
