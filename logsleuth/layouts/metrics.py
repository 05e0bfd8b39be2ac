"""What metrics are called in the logs of trackers, and the one line that is told of a row of them.

Trackers prefix names (``train/loss``, ``optim/grad_norm``), Lightning appends how a value was reduced
(``train_loss_step``), W&B has columns of its own (``_step``, ``_timestamp``). Rules know a row as
``{"step": 10, "loss": 2.25, ...}``, which scripts print themselves.
"""

import math
import re
from collections.abc import Mapping

from logsleuth.model.label import told

Row = Mapping[str, object]

_NAMES: dict[str, tuple[str, ...]] = {
    "step": (
        "step", "_step", "global_step", "trainer/global_step", "iteration", "iter", "num_updates", "current_steps",
        "train/step", "train/global_step", "global_steps", "iterations", "steps", "update",
    ),
    "loss": (
        "loss", "train_loss", "train/loss", "training_loss", "train/train_loss", "loss/train", "training/loss",
        "lm_loss", "lm loss", "train/lm_loss", "train_loss_step", "train/loss_step", "loss_step", "losses/train",
        "total_loss", "train/total_loss", "train/ce_loss", "train/crossentropyloss", "loss/train/total",
        "train.loss", "reduced_train_loss", "loss_metrics/global_avg_loss",
    ),
    "eval_loss": (
        "eval_loss", "eval/loss", "val_loss", "val/loss", "valid_loss", "validation_loss", "valid/loss",
        "validation/loss", "loss/val", "loss/eval", "test_loss", "test/loss",
    ),
    "grad_norm": (
        "grad_norm", "train/grad_norm", "gradient_norm", "grad norm", "gnorm", "optim/grad_norm",
        "optim/total_grad_norm", "train/global_grad_norm", "global_grad_norm", "l2_norm/grad/global",
        "grad_norm/total", "actor/grad_norm",
    ),
    "lr": (
        "lr", "learning_rate", "train/learning_rate", "train/lr", "optim/lr", "optim/learning_rate",
        "learning rate", "lr-adamw", "lr-adam", "lr-sgd", "optim/learning_rate_group0",
    ),
    "loss_scale": ("loss_scale", "train/loss_scale", "loss scale", "grad_scale", "fp16/loss_scale"),
    "step_time": (
        "step_time", "step_time_s", "time_per_step", "iteration_time", "time/step", "perf/step_time",
        "train/step_time", "time_metrics/end_to_end(s)", "iter_time", "time/iteration",
    ),
    "data_time": ("data_time", "data_time_s", "data_loading_time", "time/data", "time_metrics/data_loading(s)"),
    "tokens_per_second": (
        "tokens_per_second", "tokens_per_sec", "tokens/s", "throughput/tokens_per_sec", "perf/tokens_per_second",
        "tps", "throughput/device/tokens_per_second", "throughput(tps)", "train/tokens_per_second",
    ),
    "epoch": ("epoch", "train/epoch", "trainer/epoch", "epochs"),
    "rank": ("rank", "global_rank"),
}  # fmt: skip
_KNOWN = {name: meaning for meaning, names in _NAMES.items() for name in names}
_CLOCKS = ("_timestamp", "timestamp", "created_at", "wall_time", "time", "ts", "datetime", "@timestamp", "date")
_PARTS = ("split", "phase", "mode", "stage", "subset", "set", "prefix", "type")
"""Keys that say which part of a run, or of the data, a row is about."""
_EVALUATION = re.compile(r"\s*(?:val|eval|test|dev)", re.IGNORECASE)
_EPOCH_SECONDS = range(10**9, 10**10)
_ISO = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?")
_COUNTS = ("step", "epoch")
_MEASURES = ("loss", "eval_loss", "grad_norm", "lr", "loss_scale", "step_time", "data_time", "tokens_per_second")


def meaning(name: str) -> str | None:
    """What rules call a metric of this name; None where it is none that they know."""
    return _KNOWN.get(name.strip().lower())


def is_metrics(names: list[str]) -> bool:
    """Whether a row of these names tells how a training goes: a count, and something that was measured."""
    known = {meaning(name) for name in names}
    return any(count in known for count in _COUNTS) and any(measure in known for measure in _MEASURES)


def lines_of(row: Row) -> list[bytes]:
    """The lines that say what a row says: one of the training, one of an evaluation; none where it says neither."""
    values: dict[str, str] = {}
    for name, value in row.items():
        known = meaning(name)
        if known is not None and known not in values and (number := _number(value)) is not None:
            values[known] = number
    if any(_EVALUATION.match(str(row.get(part, ""))) for part in _PARTS) and "loss" in values:
        values.setdefault("eval_loss", values.pop("loss"))
    counts = [count for count in _COUNTS if count in values and _is_count(values[count], count)][:1]
    measured = [name for name in _MEASURES if name in values and name != "eval_loss"]
    label = told(rank=int(values["rank"]) if values.get("rank", "").isdigit() else None, stamp=_stamp(row))
    lines = []
    for names in (measured, ["eval_loss"] if "eval_loss" in values else []):
        if counts and names:
            text = ", ".join(f'"{name}": {values[name]}' for name in (*counts, *names))
            lines.append(label + b"{" + text.encode() + b"}")
    return lines


def _is_count(number: str, name: str) -> bool:
    return name == "epoch" or re.fullmatch(r"\d{1,15}", number) is not None


def _number(value: object) -> str | None:
    """A number as rules read it; None for what is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, int):
        return str(value) if abs(value) < 10**15 else None
    if not isinstance(value, float):
        return None
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf"
    return str(int(value)) if value.is_integer() and abs(value) < 10**15 else repr(value)


def _stamp(row: Row) -> bytes | None:
    for name in _CLOCKS:
        value = row.get(name)
        if isinstance(value, str) and _ISO.fullmatch(value):
            return value.encode()
        number = _number(value)
        if number is not None and re.fullmatch(r"\d{10}(?:\.\d+)?", number) and int(float(number)) in _EPOCH_SECONDS:
            return f"{float(number):.6f}".encode()
    return None
