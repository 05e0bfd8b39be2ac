"""What comes out of what training scripts print by themselves."""

import math
from pathlib import Path

import pytest

from tests.progress.reading import Values, only, series_in


@pytest.mark.parametrize(
    ("line", "step", "loss"),
    [
        ("step 10: loss=2.5", 10, 2.5),
        ("Iter 10, Loss 2.5", 10, 2.5),
        ("[10/1000] loss: 2.5", 10, 2.5),
        ("iteration 10: loss = -0.25", 10, -0.25),
        ("[step 10] loss=2.5 grad_norm=0.3", 10, 2.5),
        ("Steps: 10, Loss: 2.5, LR: 0.0001", 10, 2.5),
        ("loss 2.5 at step 10", 10, 2.5),
        ("step:10/19560 train_loss:2.5 train_time:3010ms step_avg:338.65ms", 10, 2.5),
        ("step 10: train loss 2.5, val loss 2.75", 10, 2.5),
        ("step 10: val loss 2.75, train loss 2.5", 10, 2.5),
        ("step 10 aux loss 0.01 lm loss 2.5", 10, 2.5),
        ("Epoch [2/5], Step [100/600], Loss: 2.5", 700, 2.5),
        ("Epoch 1 | Batch 20/100 | loss 2.5 | acc 0.5", 120, 2.5),
        ("epoch: 0, global_step: 20, loss: tensor(2.5, device='cuda:0', grad_fn=<NllLossBackward0>)", 20, 2.5),
        ("Step 100 | epoch 0.25 | loss 2.5", 100, 2.5),
        ("2025-03-04 03:12:07,120 - INFO - step 10 - loss 2.5 - lr 0.0001", 10, 2.5),
        ('{"step": 10, "loss": 2.5, "grad_norm": 0.91}', 10, 2.5),
        ('{"grad_norm": 0.91, "loss": 2.5, "val_loss": 2.75, "global_step": 10}', 10, 2.5),
        ('{"time": "2025-03-04T03:12:07Z", "epoch": 1, "step": 10, "train_loss": 2.5}', 10, 2.5),
        ("Train Epoch: 2 [640/60000 (1%)]\tLoss: 2.500000", 60640, 2.5),
    ],
)
def test_a_loss_and_its_step(tmp_path: Path, line: str, step: int, loss: float) -> None:
    assert only(tmp_path, line + "\n")["loss"] == [(step, loss)]


@pytest.mark.parametrize(
    "line",
    [
        "epoch 3 | validation loss 2.51",
        "step 10 val_loss=2.5",
        "Validation step 10 loss 2.5",
        "[eval] step 10 loss 2.5",
        "Step 10: Test Loss: 2.5",
        "step 100 best loss 2.31",
        "step 10 aux loss 0.01",
        "loss_weight 0.5 step 10",
        "step 10 loss_scale 4096",
        '{"step": 10, "eval_loss": 2.5}',
        '{"step": 10, "split": "val", "loss": 2.5}',
        "args: batch_size=8 loss=mse epochs=3",
        "{'loss': 'cross_entropy', 'epoch': 3}",
    ],
)
def test_what_is_no_loss_of_the_training(tmp_path: Path, line: str) -> None:
    assert "loss" not in only(tmp_path, line + "\n")


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("grad_norm=0.75", "grad_norm", 0.75),
        ("grad norm: 0.75", "grad_norm", 0.75),
        ("norm: 0.75", "grad_norm", 0.75),
        ("lr 3.0e-04", "learning_rate", 3e-4),
        ("learning_rate: 0.0003", "learning_rate", 3e-4),
        ("time 125.0ms", "step_seconds", 0.125),
        ("dt: 125.0ms", "step_seconds", 0.125),
        ("step_time=0.125s", "step_seconds", 0.125),
        ("iter_time: 0.125", "step_seconds", 0.125),
        ("0.125s/it", "step_seconds", 0.125),
        ("time: 0.125s data: 0.01s", "step_seconds", 0.125),
        ("data_time: 0.25", "data_seconds", 0.25),
        ("data loading time: 250 ms", "data_seconds", 0.25),
        ("data 0.25s", "data_seconds", 0.25),
        ("tok/s 12,345", "tokens_per_second", 12345),
        ("tokens/sec: 12.5K", "tokens_per_second", 12500),
        ("12,345 tok/s", "tokens_per_second", 12345),
        ("mem 12.5GB", "memory_allocated", 12.5e9),
        ("memory: 2.0 GiB", "memory_allocated", 2**31),
        ("max_mem 12.5GB", "memory_peak", 12.5e9),
        ("reserved 12.5GB", "memory_reserved", 12.5e9),
        ("loss_scale 65536.0", "loss_scale", 65536),
        ("seq_len 2048", "sequence_length", 2048),
    ],
)
def test_what_stands_beside_it(tmp_path: Path, text: str, field: str, value: float) -> None:
    told = only(tmp_path, f"step 10 | loss 2.5 | {text}\n")
    assert told["loss"] == [(10, 2.5)]
    ((step, got),) = told[field]
    assert step == 10
    assert math.isclose(got, value)


def test_time_that_passed_is_no_time_of_a_step(tmp_path: Path) -> None:
    assert only(tmp_path, "step 10 | loss 2.5 | time 1203.2s | elapsed: 0:20:03 | train_time:3010ms\n").keys() == {
        "loss"
    }


@pytest.mark.parametrize("word", ["nan", "NaN", "inf", "-inf"])
def test_what_is_no_number(tmp_path: Path, word: str) -> None:
    ((step, value),) = only(tmp_path, f"step 10 | loss {word} | lr 1e-4\n")["loss"]
    assert (step, str(value)) == (10, word.lower())


def test_ranks_that_name_themselves(tmp_path: Path) -> None:
    log = "".join(f"rank {rank} step {step} loss {2 + rank + step / 8}\n" for step in (1, 2) for rank in (0, 1))
    expected: list[Values] = [[(1, 2.125), (2, 2.25)], [(1, 3.125), (2, 3.25)]]
    assert series_in(tmp_path, log)["train.loss"] == expected


def test_epochs_whose_length_is_not_told_count_lines(tmp_path: Path) -> None:
    log = "".join(f"epoch {epoch} batch {batch} loss {3 - epoch / 2}\n" for epoch in (0, 1) for batch in (0, 1))
    assert only(tmp_path, log)["loss"] == [(0, 3.0), (1, 3.0), (2, 2.5), (3, 2.5)]


def test_bars_with_a_loss(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        "".join(
            f"\rEpoch 2/3:  {n}%|#         | {n}/100 [00:05<00:45,  2.00it/s, loss={3 - n / 8}, lr=1e-4]"
            for n in (2, 3)
        ),
    )
    assert told["loss"] == [(102, 2.75), (103, 2.625)]
    assert told["learning_rate"] == [(102, 1e-4), (103, 1e-4)]
