"""What comes out of the logs of Megatron-LM, its forks, and DeepSpeed."""

import math
from pathlib import Path

import pytest

from tests.progress.reading import only, series_in

GIB = 2**30

CORE = """
 [2025-12-19 10:49:15] iteration      119/  500000 | consumed samples:        60928 | elapsed time per iteration (ms): 9812.4 | throughput per GPU (TFLOP/s/GPU): 40.1 | learning rate: 1.190000E-05 | global batch size:   512 | lm loss: 2.500000E+00 | z_loss: 1.120000E-03 | mtp_1 loss: 2.900000E+00 | loss scale: 1.0 | grad norm: 0.750 | num zeros: 0 | params norm: 301.125 | number of skipped iterations:   0 | number of nan iterations:   0 |
 [2025-12-19 10:49:16.123456] iteration      120/  500000 | consumed samples:        61440 | skipped samples:            0 | elapsed time per iteration (ms): 812.5 | throughput per GPU (TFLOP/s/GPU): 412.1 | energy per GPU (J/iter/GPU): 310.1 | power per GPU (W/GPU): 380.2 | learning rate: 1.200000E-05 | global batch size:   512 | loss scale: 1.0 | grad norm: nan | number of skipped iterations:   1 | number of nan iterations:   1 |
    forward-backward ...............................: (700.12, 705.10)
    batch-generator ................................: (12.50, 30.25)
 [2025-12-19T10:49:17+08:00] iteration      121/  500000 | consumed samples:        61952 | elapsed time per iteration (ms): 813.5 | learning rate: 1.210000E-05 | global batch size:   512 | load_balancing_loss: 1.0E+00 | lm loss: 2.250000E+00 | loss scale: 1.0 | grad norm: inf | number of skipped iterations:   0 | number of nan iterations:   0 |
 validation loss at iteration 121 | lm loss value: 2.750000E+00 | lm loss PPL: 1.564263E+01 |
"""


def test_core(tmp_path: Path) -> None:
    told = only(tmp_path, CORE)
    assert told["loss"] == [(119, 2.5), (121, 2.25)]
    assert told["step_seconds"] == [(119, pytest.approx(9.8124)), (120, 0.8125), (121, 0.8135)]
    assert [(step, str(value)) for step, value in told["grad_norm"]] == [(119, "0.75"), (120, "nan"), (121, "inf")]
    assert told["learning_rate"] == [(119, 1.19e-5), (120, 1.2e-5), (121, 1.21e-5)]
    assert told["loss_scale"] == [(119, 1.0), (120, 1.0), (121, 1.0)]
    assert told["batch_size"] == [(119, 512), (120, 512), (121, 512)]
    assert told["eval_loss"] == [(121, 2.75)]


def test_seconds_and_lengths_of_a_fork(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        """
 iteration       20/   50000 | consumed samples:        40960 | consumed tokens:     83886080 | elapsed time per iteration (s): 5.12 | learning rate: 1.342E-04 | global batch size:  2048 | lm loss: 6.500000E+00 | grad norm: 1.331 | num zeros: 0.0 | actual seqlen:  2048 | number of skipped iterations:   0 | number of nan iterations:   0 | samples per second: 400.100 | TFLOPs: 150.21 |
time (ms) | forward-compute: 1012.10 | backward-compute: 2012.10 | optimizer: 101.22
""",
    )
    assert (told["step_seconds"], told["sequence_length"], told["loss"]) == ([(20, 5.12)], [(20, 2048)], [(20, 6.5)])


def test_another_order_with_samples_in_front(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        """
 samples/sec: 30.512 | iteration       10/  320000 | elapsed time per iteration (ms): 523.4 | learning rate: 1.000E-06 | approx flops per GPU: 30.1TFLOPS | lm_loss: 1.125E+01 | loss scale: 4096.0 | number of skipped iterations:   2 | number of nan iterations:   0 |
""",
    )
    assert (told["loss"], told["loss_scale"]) == ([(10, 11.25)], [(10, 4096.0)])


def test_a_run_that_goes_on_from_a_checkpoint(tmp_path: Path) -> None:
    line = " iteration {n:8d}/     100 | consumed samples: {n:12d} | elapsed time per iteration (ms): 500.0 | lm loss: {x:.6E} | number of nan iterations:   0 |\n"
    first = "".join(line.format(n=n, x=5 - n / 4) for n in (1, 2, 3, 4))
    told = only(tmp_path, first + " loading checkpoint from /ckpt at iteration 2\n" + line.format(n=3, x=4.5))
    assert [step for step, _ in told["loss"]] == [1, 2, 3, 3, 4]


def test_memory_of_ranks(tmp_path: Path) -> None:
    told = series_in(
        tmp_path,
        """
[Rank 0] (after 10 iterations) memory (MB) | allocated: 2048.0 | max allocated: 4096.0 | reserved: 6144.0 | max reserved: 6144.0
[Rank 8] (after 10 iterations) memory (MB) | allocated: 1024.0 | max allocated: 4096.0 | reserved: 6144.0 | max reserved: 6144.0
""",
    )
    assert told["train.memory_allocated"] == [[(10, 2 * GIB)], [(10, GIB)]]
    assert told["train.memory_reserved"] == [[(10, 6 * GIB)], [(10, 6 * GIB)]]
    assert told["train.memory_peak"] == [[(10, 4 * GIB)], [(10, 4 * GIB)]]


def test_deepspeed(tmp_path: Path) -> None:
    told = series_in(
        tmp_path,
        """
[2024-02-03 08:11:09,412] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=2, lr=[1e-05, 1e-05], mom=[(0.9, 0.95), (0.9, 0.95)]
[2024-02-03 08:11:09,413] [INFO] [timer.py:215:stop] epoch=0/micro_step=40/global_step=10, RunningAvgSamplesPerSec=12.1, CurrSamplesPerSec=12.2, MemAllocated=21.5GB, MaxMemAllocated=33.0GB
[2024-02-03 08:11:10,412] [INFO] [logging.py:96:log_dist] [Rank 0] time (ms) | fwd_microstep: 12.10 | bwd_microstep: 30.10 | step_microstep: 2.10
[2024-02-03 08:11:12,412] [INFO] [utils.py:803:see_memory_usage] after backward
[2024-02-03 08:11:12,413] [INFO] [utils.py:804:see_memory_usage] MA 1.5 GB         Max_MA 2.0 GB         CA 4.0 GB         Max_CA 4 GB
[2024-02-03 08:11:12,414] [INFO] [utils.py:811:see_memory_usage] CPU Virtual Memory:  used = 100.5 GB, percent = 12.3%
""",
    )
    assert told["train.learning_rate"] == [[(10, 1e-5)]]
    assert told["train.memory_allocated"] == [[(10, 21.5e9)]]
    assert [value for _, value in told["host.memory_used"][0]] == [100.5e9]
    assert "train.loss" not in told


def test_deepspeed_pipeline(tmp_path: Path) -> None:
    told = only(tmp_path, "steps: 30 loss: nan iter time (s): 0.512 samples/sec: 62.500\n")
    ((step, value),) = told["loss"]
    assert step == 30
    assert math.isnan(value)
    assert told["step_seconds"] == [(30, 0.512)]
