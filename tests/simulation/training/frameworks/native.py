"""Trainers close to torch: torchtitan, DeepSpeed, Lightning and fairseq."""

import json
import math

from tests.simulation.training.course import Point
from tests.simulation.training.frameworks.framework import GIB, Framework, bar, bar_clock, clock, comma


class Titan(Framework):
    """Every rank prints unless it is told not to; its loss is that of all ranks, and so is the norm."""

    name = "torchtitan"
    tasks = ("pretrain", "pretrain", "finetune")
    stages = frozenset({"batch", "length"})
    offers = frozenset({"loss", "grad_norm", "memory", "time", "ranks"})

    def prepare(self) -> None:
        self.shows_norm = self.may("grad_norm", 0.7)
        self.is_coloured = self.chance.random() < 0.3
        self.is_eager = self.chance.random() < 0.2

    def _head(self, at: float) -> str:
        return f"[titan] {comma(self.run.at(at))} - root - INFO - "

    def start(self, rank: int) -> list[str]:
        head = self._head(0)
        lines = [
            f"{head}Starting job: Llama 3 {self.chance.choice(('8B', '1B'))} training",
            f"{head}CUDA capacity: NVIDIA H100 80GB HBM3 with {self.run.capacity / GIB:.2f}GiB memory",
            f"{head}Peak FLOPS used for computing MFU: 9.890e+14",
            f"{head}Training starts at step {self.run.first + 1}, with local batch size {max(1, self.run.batch // self.run.size)}, global batch size {self.run.batch}, sequence length {self.run.sequence_length}, total steps {self.run.total}",
        ]
        return lines if rank == 0 else lines[1:]

    def step(self, point: Point) -> str:
        red, plain = ("\x1b[31m", "\x1b[39m") if self.is_coloured else ("", "")
        rate = point.batch * point.length / point.step_seconds / self.run.size
        norm = f"  grad_norm: {point.grad_norm:7.4f}" if self.shows_norm else ""
        return (
            f"{self._head(point.at)}{red}step: {point.step:2d}{plain}  loss: {point.loss:8.5f}{norm}  "
            f"memory: {point.reserved / GIB:5.2f}GiB({100 * point.reserved / self.run.capacity:.2f}%)  tps: {round(rate):,}  "
            f"tflops: {330 * self.run.seconds / point.step_seconds:,.2f}  mfu: {33 * self.run.seconds / point.step_seconds:.2f}%"
        )

    def evaluation(self, point: Point) -> list[str]:
        return [
            f"{self._head(point.at)}validate step: {point.step:2d}  loss: {point.loss * 1.02:7.4f}  "
            f"memory: {point.reserved / GIB:5.2f}GiB({100 * point.reserved / self.run.capacity:.2f}%)  tps: 9,120"
        ]

    def checkpoint(self, point: Point) -> list[str]:
        head = self._head(point.at)
        lines = [
            f"{head}Saving the checkpoint (or staging if async is enabled).",
            f"{head}[GC] GC collection invoked by checkpointer. took 0.04 seconds",
        ]
        return [*lines, f"{head}Finished saving the checkpoint (or staging if async is enabled)in 9.71 seconds."]

    def end(self, point: Point) -> list[str]:
        head = self._head(point.at + 3)
        return [
            *([f"{head}Sleeping 2 seconds for other ranks to complete"] if point.rank == 0 else []),
            f"{head}Training completed",
        ]


class DeepSpeed(Framework):
    """Its engine's own lines, those of its timers and of its pipelines; a report of memory, the host's too."""

    name = "deepspeed"
    lines = 4
    stages = frozenset({"batch"})
    offers = frozenset({"loss", "learning_rate", "loss_scale", "step_seconds", "memory", "host_memory", "time"})
    intervals = (1, 10, 10, 100)

    def prepare(self) -> None:
        self.shows_loss = self.may("loss", 0.6)
        self.shows_report = self.may("host_memory", 0.15)
        self.has_timers = self.chance.random() < 0.4
        self.skipped = 0

    def _head(self, at: float, place: str) -> str:
        return f"[{comma(self.run.at(at))}] [INFO] [{place}] "

    def start(self, rank: int) -> list[str]:
        del rank
        return [
            f"{self._head(0, 'logging.py:96:log_dist')}[Rank 0] DeepSpeed info: version=0.14.4, git-hash=unknown, git-branch=unknown",
            f"{self._head(1, 'config.py:1001:print')}DeepSpeedEngine configuration:",
            f"{self._head(1, 'config.py:1005:print')}  activation_checkpointing_config  {{}}",
            f"{self._head(1, 'config.py:1005:print')}  dynamic_loss_scale_args ...... None",
            f"{self._head(1, 'config.py:1005:print')}  gradient_clipping ............ 1.0",
            f"{self._head(1, 'config.py:1005:print')}  train_batch_size ............. {self.run.batch}",
            f"{self._head(1, 'config.py:1005:print')}  zero_allow_untested_optimizer  False",
        ]

    def step(self, point: Point) -> str:
        run, rate = self.run, point.batch / point.step_seconds
        self.skipped += point.skipped
        lines = [
            f"{self._head(point.at, 'logging.py:96:log_dist')}[Rank 0] step={point.step}, skipped={self.skipped}, lr=[{point.learning_rate}], mom=[(0.9, 0.95)]",
            f"{self._head(point.at, 'timer.py:258:stop')}epoch=0/micro_step={point.step}/global_step={point.step}, RunningAvgSamplesPerSec="
            f"{run.batch / run.seconds}, CurrSamplesPerSec={rate}, MemAllocated={round(point.allocated / GIB, 2)}GB, "
            f"MaxMemAllocated={round(point.peak / GIB, 2)}GB",
        ]
        if self.shows_loss:
            lines.append(
                f"steps: {point.step} loss: {point.loss:.4f} iter time (s): {point.step_seconds:.3f} samples/sec: {rate:.3f}"
            )
        if self.has_timers:
            most = point.step_seconds * 1000
            lines.append(
                f"{self._head(point.at, 'logging.py:96:log_dist')}[Rank 0] time (ms) | fwd: {most * 0.3:.2f} | bwd: {most * 0.6:.2f} | "
                f"bwd_inner: {most * 0.55:.2f} | bwd_allreduce: {most * 0.04:.2f} | step: {most * 0.05:.2f}"
            )
        if self.shows_report:
            lines += self._report(point)
        return "\n".join(lines)

    def _report(self, point: Point) -> list[str]:
        percent = 100 * point.host_used / 1.08e12
        return [
            f"{self._head(point.at, 'utils.py:781:see_memory_usage')}after step {point.step}",
            f"{self._head(point.at, 'utils.py:782:see_memory_usage')}MA {round(point.allocated / GIB, 2)} GB         Max_MA {round(point.peak / GIB, 2)} GB         "
            f"CA {round(point.reserved / GIB, 2)} GB         Max_CA {round(point.reserved / GIB)} GB ",
            f"{self._head(point.at, 'utils.py:789:see_memory_usage')}CPU Virtual Memory:  used = {round(point.host_used / GIB, 2)} GB, percent = {percent:.1f}%",
        ]

    def overflow(self, point: Point, tried: float, then: float) -> str | None:
        head = self._head(point.at, "loss_scaler.py:183:update_scale")
        return f"{head}[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: {int(tried)}, reducing to {int(then)}"

    def checkpoint(self, point: Point) -> list[str]:
        path = f"/ckpt/run/global_step{point.step}/mp_rank_00_model_states.pt"
        head = self._head(point.at, "torch_checkpoint_engine.py:21:save")
        return [f"{head}[Torch] Saving {path}...", f"{head}[Torch] Saved {path}."]


class Lightning(Framework):
    """A bar of tqdm or of rich, and what people print beside it."""

    name = "lightning"
    tasks = ("pretrain", "finetune", "denoise", "classify", "memorize")
    offers = frozenset({"loss", "grad_norm", "learning_rate"})

    def prepare(self) -> None:
        styles = ("bar", "rich", "csv") if not self.wants - {"loss"} else ("csv",)
        self.style = self.chance.choice(styles)

    def start(self, rank: int) -> list[str]:
        del rank
        return [
            "GPU available: True (cuda), used: True",
            "TPU available: False, using: 0 TPU cores",
            f"Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/{self.run.size}",
            "----------------------------------------------------------------------------------------------------",
            "distributed_backend=nccl",
            f"All distributed processes registered. Starting with {self.run.size} processes",
            "----------------------------------------------------------------------------------------------------",
            "",
            "  | Name  | Type        | Params | Mode ",
            "----------------------------------------------",
            "0 | model | Transformer | 124 M  | train",
            "----------------------------------------------",
            "0         Non-trainable params",
            *(["epoch,step,train_loss,lr,grad_norm"] if self.style == "csv" else []),
            *([self._empty_bar()] if self.style == "bar" and self.run.first == 0 else []),
        ]

    def _empty_bar(self) -> str:
        """Older releases show a loss before there is one."""
        loss = self.chance.choice(("", ", loss=nan"))
        return (
            f"\rEpoch 0:   0%|          | 0/{self.run.epoch_steps} [00:00<?, ?it/s{loss}, v_num={self.run.number % 40}]"
        )

    def step(self, point: Point) -> str:
        run = self.run
        within = point.step % run.epoch_steps or run.epoch_steps
        epoch = (point.step - 1) // run.epoch_steps
        match self.style:
            case "bar":
                local = run._replace(total=run.epoch_steps)
                shown = (f"v_num={run.number % 40}", f"train_loss={point.loss:.3g}")
                return bar(point._replace(step=within), local, shown, label=f"Epoch {epoch}: ")
            case "rich":
                blocks = "━" * int(40 * within / run.epoch_steps)
                return (
                    f"Epoch {epoch}/{max(0, run.total // run.epoch_steps - 1)} {blocks:<40} {within}/{run.epoch_steps} {clock(point.at)} • "
                    f"{clock((run.epoch_steps - within) * run.seconds)} {1 / point.step_seconds:.2f}it/s v_num: {run.number % 40}.000 train_loss: {point.loss:.3f}"
                )
        return f"{epoch},{point.step},{point.loss},{point.learning_rate},{point.grad_norm}"

    def evaluation(self, point: Point) -> list[str]:
        return (
            []
            if self.style == "csv"
            else [
                f"\rValidation DataLoader 0: 100%|██████████| 20/20 [{bar_clock(8)}<00:00,  2.44it/s]",
                f"val_loss: {point.loss * 1.04:.4f}",
            ]
        )

    def end(self, point: Point) -> list[str]:
        del point
        return [f"`Trainer.fit` stopped: `max_steps={self.run.total}` reached."]


class Fairseq(Framework):
    """Text with bars between, or JSON with values that are strings."""

    name = "fairseq"
    tasks = ("pretrain", "finetune")
    stages = frozenset({"batch", "length"})
    offers = frozenset({"loss", "grad_norm", "learning_rate", "loss_scale", "time"})

    def prepare(self) -> None:
        self.is_json = self.chance.random() < 0.4

    def _head(self, at: float, logger: str) -> str:
        now = self.run.at(at)
        return f"[{comma(now)}][{logger}][INFO] - " if self.is_json else f"{now:%Y-%m-%d %H:%M:%S} | INFO | {logger} | "

    def start(self, rank: int) -> list[str]:
        del rank
        return [
            f"{self._head(0, 'fairseq_cli.train')}num. shared model params: 124,439,808 (num. trained: 124,439,808)",
            f"{self._head(1, 'fairseq.trainer')}No existing checkpoint found checkpoints/checkpoint_last.pt",
            f"{self._head(2, 'fairseq.trainer')}begin training epoch 1",
        ]

    def step(self, point: Point) -> str:
        run = self.run
        within, epoch = point.step % run.epoch_steps, point.step // run.epoch_steps + 1
        rate = point.batch * point.length / point.step_seconds
        shown = {
            "loss": f"{point.loss:.3f}",
            "ppl": f"{2 ** min(30.0, point.loss) if math.isfinite(point.loss) else point.loss:.2f}",
            "wps": f"{rate:.1f}",
            "ups": f"{1 / point.step_seconds:.2f}",
            "wpb": f"{point.batch * point.length}",
            "bsz": f"{point.batch}",
            "num_updates": f"{point.step}",
            "lr": f"{point.learning_rate:.6g}",
            "gnorm": f"{point.grad_norm:.3f}",
            "clip": "0",
            **({"loss_scale": f"{point.loss_scale:.0f}"} if run.precision == "fp16" else {}),
            "train_wall": f"{point.step_seconds * run.interval:.0f}",
            "gb_free": "9.3",
            "wall": f"{point.at:.0f}",
        }
        if self.is_json:
            body = {"epoch": epoch, "update": f"{point.epoch:.3f}", **shown}
            return self._head(point.at, "train_inner") + json.dumps(body)
        return f"{self._head(point.at, 'train_inner')}epoch {epoch:03d}: {within:6d} / {run.epoch_steps} " + ", ".join(
            f"{key}={value}" for key, value in shown.items()
        )

    def overflow(self, point: Point, tried: float, then: float) -> str | None:
        del tried
        return f"{self._head(point.at, 'fairseq.trainer')}NOTE: gradient overflow detected, ignoring gradient, setting loss scale to: {then}"

    def checkpoint(self, point: Point) -> list[str]:
        head = self._head(point.at, "fairseq.checkpoint_utils")
        return [
            f"{head}Preparing to save checkpoint for epoch 1 @ {point.step} updates",
            f"{head}Saved checkpoint checkpoints/checkpoint_1_{point.step}.pt (writing took 3.1 seconds)",
        ]
