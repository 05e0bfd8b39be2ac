"""Megatron-LM and what descends from it: the old and the new line, the BigScience fork, NeMo and nanotron."""

import math

from tests.simulation.training.course import Point
from tests.simulation.training.frameworks.framework import Framework, bar, bar_clock


class Megatron(Framework):
    """The last rank prints; a loss that is no number is left out of the line and counted."""

    name = "megatron"
    stages = frozenset({"batch"})
    offers = frozenset(
        {"loss", "grad_norm", "learning_rate", "loss_scale", "step_seconds", "memory", "time", "rank_seconds", "length"}
    )
    tasks = ("pretrain", "pretrain", "finetune")

    def prepare(self) -> None:
        styles = ("bigscience",) if "length" in self.wants else ("old", "new", "new", "bigscience")
        if self.wants & {"time", "rank_seconds"}:
            styles = ("new",)
        self.style = self.chance.choice(styles)
        self.shows_throughput = self.chance.random() < 0.5
        self.shows_memory = self.may("memory", 0.3)
        self.shows_stragglers = "rank_seconds" in self.wants or (self.style == "new" and self.chance.random() < 0.15)
        self.shows_timers = self.chance.random() < 0.25

    def speakers(self) -> tuple[int, ...]:
        return (self.run.size - 1,)

    def start(self, rank: int) -> list[str]:
        del rank
        lines = [
            f"using world size: {self.run.size}, data-parallel size: {self.run.size}, context-parallel size: 1, "
            "tensor-model-parallel size: 1, pipeline-model-parallel size: 1",
            "------------------------ arguments ------------------------",
            "  clip_grad ....................................... 1.0",
            "  check_for_nan_in_loss_and_grad .................. False",
            "  exit_on_missing_checkpoint ...................... False",
            f"  global_batch_size ............................... {self.run.batch}",
            "  hysteresis ...................................... 2",
            f"  log_interval .................................... {self.run.interval}",
            "  loss_scale ...................................... None",
            "  skip_train ...................................... False",
            "-------------------- end of arguments ---------------------",
            " > number of parameters on (tensor, pipeline) model parallel rank (0, 0): 1315950592",
        ]
        if self.run.first:
            lines += [
                f" loading checkpoint from /ckpt/run at iteration {self.run.first}",
                f"  successfully loaded checkpoint from /ckpt/run at iteration {self.run.first}",
            ]
        else:
            lines += [
                "WARNING: could not find the metadata file /ckpt/run/latest_checkpointed_iteration.txt ",
                "    will not load any checkpoints and will start from random",
            ]
        return [
            *lines,
            "> building train, validation, and test datasets ...",
            f"[before the start of training step] datetime: {self.run.start:%Y-%m-%d %H:%M:%S} ",
        ]

    def step(self, point: Point) -> str:
        run, nan = self.run, 0 if math.isfinite(point.loss) else run_of_nan(point)
        is_old = self.style != "new"
        stamp = f" [{self.time(point):%Y-%m-%d %H:%M:%S}]" if not is_old else ""
        took = (
            f"elapsed time per iteration (s): {point.step_seconds:.2f}"
            if self.style == "bigscience"
            else f"elapsed time per iteration (ms): {point.step_seconds * 1000:.1f}"
        )
        parts = [
            f"{stamp} iteration {point.step:8d}/{run.total:8d}",
            f"consumed samples: {point.samples:12d}",
            *([f"consumed tokens: {point.samples * run.sequence_length:14d}"] if self.style == "bigscience" else []),
            took,
            *([f"throughput per GPU (TFLOP/s/GPU): {180 * run.seconds / point.step_seconds:.1f}"]
              if self.shows_throughput and self.style == "new" else []),
            f"learning rate: {point.learning_rate:.{3 if is_old else 6}E}",
            f"global batch size: {point.batch:5d}",
            *([f"lm loss: {point.loss:.6E}"] if math.isfinite(point.loss) else []),
            f"loss scale: {point.loss_scale:.1f}",
            f"grad norm: {point.grad_norm:.3f}",
            *(["num zeros: 0.0"] if self.style == "bigscience" else []),
            *([f"actual seqlen: {point.length:5d}"] if self.style == "bigscience" else []),
            f"number of skipped iterations: {point.skipped:3d}",
            f"number of nan iterations: {nan:3d}",
        ]  # fmt: skip
        return "\n".join([" | ".join(parts) + " |", *self._beside(point)])

    def _beside(self, point: Point) -> list[str]:
        lines = []
        if self.shows_memory and (point.place == 0 or "memory" in self.wants):
            held, kept = point.allocated / 2**20, point.reserved / 2**20
            lines.append(
                f"[Rank {point.rank}] (after {point.step} iterations) memory (MB) | allocated: {held} | max allocated: "
                f"{point.peak / 2**20} | reserved: {kept} | max reserved: {kept}"
            )
        if self.shows_stragglers:
            lines += self._stragglers(point)
        if self.shows_timers and not self.shows_stragglers:
            most = point.step_seconds * 1000
            lines += [
                "(min, max) time across ranks (ms):",
                f"    forward-backward ...............................: ({most * 0.9:.2f}, {most * 0.93:.2f})",
                f"    optimizer ......................................: ({most * 0.02:.2f}, {most * 0.025:.2f})",
            ]
        return lines

    def _stragglers(self, point: Point) -> list[str]:
        size, chance = self.run.size, self.chance
        slow = self.straggler
        usual = 186.0
        rates = {rank: usual * chance.uniform(0.975, 1.0) for rank in range(size)}
        times = {rank: point.step_seconds * 930 * chance.uniform(0.99, 1.0) for rank in range(size)}
        if slow is not None and point.place >= slow.since:
            rates[slow.rank] /= slow.factor
            times[slow.rank] = point.step_seconds * 990
            for rank in set(rates) - {slow.rank}:
                times[rank] /= slow.factor
        last, first = min(rates, key=lambda rank: rates[rank]), max(rates, key=lambda rank: rates[rank])
        short, long = min(times, key=lambda rank: times[rank]), max(times, key=lambda rank: times[rank])
        stamp = f"{self.time(point):%Y-%m-%d %H:%M:%S}"
        ordered = sorted(rates, key=lambda rank: rates[rank])
        return [
            f"[{stamp}] | MnRtt/Rnk: {times[short]:.2f}ms/{short} | MxRtt/Rnk: {times[long]:.2f}ms/{long} | MnPwr/Rnk: 402.11W/{short} | "
            f"MxPwr/Rnk: 431.87W/{first} | MnTmp/Rnk: 47.00C/{first} | MxTmp/Rnk: 61.00C/{first} | MnUtl/Rnk: 97.00%/{short} | "
            f"MxUtl/Rnk: 99.00%/{first} | MnClk/Rnk: 1605.00MHz/{short} | MxClk/Rnk: 1755.00MHz/{first} | MnDRtt/Rnk: 0.41ms/{first} | "
            f"MxDRtt/Rnk: 0.93ms/{short} | MnEtpt/Rnk: {rates[last]:.2f}TF/{last} | MxEtpt/Rnk: {rates[first]:.2f}TF/{first}",
            "^^^^ Bottom 2 Ranks with lowest  Etpt(TF): " + ", ".join(f"{rates[r]:.2f}/{r}" for r in ordered[:2]),
            "^^^^ Top    2 Ranks with highest Etpt(TF): " + ", ".join(f"{rates[r]:.2f}/{r}" for r in ordered[-2:]),
        ]

    def evaluation(self, point: Point) -> list[str]:
        text = f" validation loss at iteration {point.step} | lm loss value: {point.loss * 1.03:.6E} | lm loss PPL: {math.exp(min(20, point.loss)):.6E} | "
        dashes = "-" * (len(text) - 1)
        return [dashes, text, dashes]

    def checkpoint(self, point: Point) -> list[str]:
        stamp = f"[{self.time(point):%Y-%m-%d %H:%M:%S}] " if self.style == "new" else ""
        return [
            f"{stamp}saving checkpoint at iteration {point.step:7d} to /ckpt/run in torch_dist format",
            f"  successfully saved checkpoint from iteration {point.step:7d} to /ckpt/run [ t 1/1, p 1/1 ]",
        ]

    def end(self, point: Point) -> list[str]:
        return [f"[after training is done] datetime: {self.time(point):%Y-%m-%d %H:%M:%S} "]


def run_of_nan(point: Point) -> int:
    """Iterations that are counted as NaN since the last line: at least the one that is printed."""
    return max(1, point.skipped)


class Nemo(Framework):
    """NeMo 1 (a bar) and NeMo 2 (lines)."""

    name = "nemo"
    stages = frozenset({"batch"})
    offers = frozenset({"loss", "grad_norm", "learning_rate", "step_seconds", "time"})

    def prepare(self) -> None:
        self.is_second = bool(self.wants & {"time", "batch"}) or self.chance.random() < 0.5
        if not self.is_second:
            self.stages = frozenset()
        self.shows_norm = self.may("grad_norm", 0.5)

    def start(self, rank: int) -> list[str]:
        del rank
        stamp = f"[NeMo I {self.run.start:%Y-%m-%d %H:%M:%S}"
        return [
            f"{stamp} nemo_logging:393] Experiments will be logged at /results/default/version_{self.run.number % 90}",
            f"[NeMo W {self.run.start:%Y-%m-%d %H:%M:%S} nemo_logging:405] The checkpoint callback was told to monitor a validation value and trainer's max_steps was set to {self.run.total}. Please ensure that max_steps will run for at least 1 epochs to ensure that checkpointing will not error out.",
            f"All distributed processes registered. Starting with {self.run.size} processes",
            "LOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: [" + ",".join(str(n) for n in range(self.run.per_host)) + "]",
        ]

    def step(self, point: Point) -> str:
        run = self.run
        samples = point.samples
        if self.is_second:
            stamp = f"{self.time(point):%Y-%m-%d %H:%M:%S}"
            norm = f" | grad_norm: {point.grad_norm:.4g}" if self.shows_norm else ""
            return (
                f"[NeMo I {stamp} nemo_logging:393] Training epoch 0, iteration {point.step}/{run.total - 1} | lr: {point.learning_rate:.4g} | "
                f"global_batch_size: {point.batch} | global_step: {point.step} | reduced_train_loss: {point.loss:.4g}{norm} | "
                f"train_step_timing in s: {point.step_seconds:.4g} | consumed_samples: {samples}"
            )
        shown = [
            f"v_num={run.number % 90}",
            f"reduced_train_loss={point.loss:.3g}",
            f"global_step={float(point.step):.4g}",
            f"consumed_samples={float(samples):.4g}",
            f"train_step_timing in s={point.step_seconds:.3g}",
            f"lr={point.learning_rate:.3g}",
            *([f"grad_norm={point.grad_norm:.3g}"] if self.shows_norm else []),
        ]
        return bar(point, run, shown, label="Epoch 0: : ")

    def evaluation(self, point: Point) -> list[str]:
        return [
            f"\rValidation DataLoader 0: : 100%|##########| 32/32 [{bar_clock(12)}<00:00,  2.61it/s]",
            f"val_loss={point.loss * 1.04:.3g}",
        ]

    def checkpoint(self, point: Point) -> list[str]:
        stamp = f"{self.time(point):%Y-%m-%d %H:%M:%S}"
        return [
            f"[NeMo I {stamp} nemo_logging:393] Scheduled async checkpoint save for /results/checkpoints/step={point.step}.ckpt"
        ]

    def end(self, point: Point) -> list[str]:
        del point
        return [f"`Trainer.fit` stopped: `max_steps={self.run.total}` reached."]


class Nanotron(Framework):
    """Numbers with a letter for thousands and millions."""

    name = "nanotron"
    tasks = ("pretrain",)
    stages = frozenset({"batch", "length"})
    offers = frozenset({"loss", "grad_norm", "learning_rate", "step_seconds", "time"})

    def prepare(self) -> None:
        self.key = self.chance.choice(("time_per_iteration_ms", "elapsed_time_per_iteration_ms"))

    def _head(self, at: float, level: str = "INFO") -> str:
        now = self.run.at(at)
        return f"{now:%m/%d/%Y %H:%M:%S} [{level}|DP=0|PP=0|TP=0|{self.run.hosts[0].split('.')[0]}]: "

    def start(self, rank: int) -> list[str]:
        del rank
        head = self._head(0)
        return [
            f"{head}Config:",
            f"{head}Config(general=GeneralArgs(project='run', run='r{self.run.number}', seed=42, ignore_sanity_checks=True),",
            f"{head}[Training Plan] Stage Training Stage has {self.run.total - self.run.first} remaining training steps",
            f"{head} Memory usage: 64.15MiB. Peak allocated 309.29MiB. Peak reserved: 496.00MiB",
        ]

    def step(self, point: Point) -> str:
        tokens = point.batch * point.length / point.step_seconds
        return self._head(point.at) + " | ".join(
            [
                f"iteration: {point.step} / {self.run.total}",
                f"consumed_tokens: {human(point.samples * self.run.sequence_length)}",
                f"{self.key}: {human(point.step_seconds * 1000)}",
                f"tokens_per_sec: {human(tokens)}",
                f"tokens_per_sec_per_gpu: {human(tokens / self.run.size)}",
                f"global_batch_size: {human(point.batch * point.length)}",
                f"lm_loss: {human(point.loss)}",
                f"lr: {human(point.learning_rate)}",
                f"model_tflops_per_gpu: {human(150 * self.run.seconds / point.step_seconds)}",
                f"grad_norm: {human(point.grad_norm)}",
            ]
        )

    def checkpoint(self, point: Point) -> list[str]:
        return [f"{self._head(point.at, 'WARNING')}Saving checkpoint at /ckpt/run/{point.step}"]


def human(value: float) -> str:
    """Three digits and a letter."""
    if not math.isfinite(value):
        return str(value)
    for letter in ("", "K", "M", "B"):
        if abs(value) < 1000:
            return f"{value:.3g}{letter}"
        value /= 1000
    return f"{value:.3g}T"
