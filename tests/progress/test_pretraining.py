"""What comes out of the logs of frameworks for language models."""

from pathlib import Path

from tests.progress.reading import only

GIB = 2**30


def test_torchtitan_with_colours_in_any_order(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        "[rank0]:[titan] 2025-03-04 03:12:51,120 - root - INFO - \x1b[31mstep: 10  \x1b[32mloss:  7.25000  \x1b[38;2;180;60;0mgrad_norm:  1.2500  \x1b[33mmemory: 40.00GiB(50.70%)  \x1b[34mtps: 5,811  \x1b[36mtflops: 33.51  \x1b[35mmfu: 10.74%\x1b[39m\n"
        "[rank0]:[titan] 2025-03-04 03:12:52,120 - root - INFO - step: 20  loss:  7.12500  memory: 40.00GiB(50.70%)  tps: 5,900  mfu: N/A\n"
        "[rank0]:[titan] 2025-03-04 03:12:53,120 - root - INFO - validate step: 20  loss:  7.50000  memory: 40.00GiB(50.70%)  tps: 9,900\n"
        "[rank0]:[titan] 2025-03-04 03:12:54,120 - root - INFO - step: 30  loss:  nan  grad_norm:  nan  memory: 41.00GiB(50.70%)  tps: 5,900  mfu: 10.1%\n",
    )
    assert [(step, str(value)) for step, value in told["loss"]] == [(10, "7.25"), (20, "7.125"), (30, "nan")]
    assert [(step, str(value)) for step, value in told["grad_norm"]] == [(10, "1.25"), (30, "nan")]
    assert told["memory_reserved"] == [(10, 40 * GIB), (20, 40 * GIB), (30, 41 * GIB)]
    assert "memory_allocated" not in told
    assert told["tokens_per_second"] == [(10, 5811), (20, 5900), (30, 5900)]
    assert told["eval_loss"] == [(20, 7.5)]


def test_nanotron_writes_numbers_for_people(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        """
12/21 01:39:51 [INFO|DP=0|PP=0|TP=0]: iteration: 211 / 1500000 | consumed_tokens: 480M | time_per_iteration_ms: 8.75K | tokens_per_sec: 182K | tokens_per_sec_per_gpu: 699 | global_batch_size: 1.6M | grad_norm: 0.125 | lm_loss: 2.5 | lr: 0.0001 | model_tflops_per_gpu: 15.4 | eta: 1 day, 2:00:00
12/21 01:39:51 [INFO|DP=0|PP=0|TP=0]:  Memory usage: 64.00MiB. Peak allocated 309.00MiB. Peak reserved: 496.00MiB
12/21 01:39:59 [INFO|DP=0|PP=0|TP=0]: iteration: 212 / 1500000 | consumed_tokens: 482M | elapsed_time_per_iteration_ms: 812 | tokens_per_sec: 2.5M | global_batch_size: 512 | lm_loss: 2.25 | lr: 0.0001
""",
    )
    assert told["step_seconds"] == [(211, 8.75), (212, 0.812)]
    assert told["tokens_per_second"] == [(211, 182_000), (212, 2_500_000)]
    assert told["batch_size"] == [(211, 1_600_000), (212, 512)]
    assert (told["loss"], told["grad_norm"]) == ([(211, 2.5), (212, 2.25)], [(211, 0.125)])
    assert [value for _, value in told["memory_allocated"]] == [64 * 2**20]


def test_fairseq(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        """
2025-03-04 03:12:07 | INFO | train_inner | epoch 002:     85 / 282 loss=3.125, nll_loss=1.9, ppl=3.7, wps=9021.5, ups=1.1, wpb=8201, bsz=512, num_updates=367, lr=1e-05, gnorm=0.5, clip=0, loss_scale=32768, train_wall=48, gb_free=9.3, wall=0
2025-03-04 03:13:07 | INFO | valid | epoch 002 | valid on 'valid' subset | loss 3.5 | nll_loss 2.1 | ppl 4.2 | wps 20120 | num_updates 564 | best_loss 3.5
2025-03-04 03:13:08 | INFO | train | epoch 002 | loss 3.4 | nll_loss 2.0 | ppl 4 | wps 9021 | num_updates 564 | lr 1e-05 | gnorm 0.6
""",
    )
    assert (told["loss"], told["grad_norm"], told["loss_scale"]) == ([(367, 3.125)], [(367, 0.5)], [(367, 32768)])
    assert told["eval_loss"] == [(564, 3.5)]


def test_metaseq(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        """
2025-03-04 03:12:07 | INFO | train_inner | {"epoch": 1, "actv_norm": "31.2", "loss": "8.125", "ppl": "279.1", "wps": "9021.5", "num_updates": "200", "lr": "1e-05", "gnorm": "0.75", "clip": "0", "loss_scale": "4", "wall": "101"}
2025-03-04 03:12:09 | INFO | valid | {"epoch": 1, "valid_loss": "8.5", "valid_ppl": "300.1", "valid_num_updates": "200"}
2025-03-04 03:12:11 | INFO | train_inner | {"epoch": 1, "loss": "inf", "num_updates": "300", "gnorm": "nan", "wall": "201"}
""",
    )
    assert [(step, str(value)) for step, value in told["loss"]] == [(200, "8.125"), (300, "inf")]
    assert [(step, str(value)) for step, value in told["grad_norm"]] == [(200, "0.75"), (300, "nan")]
    assert [value for _, value in told["eval_loss"]] == [8.5]


def test_verl(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        "(TaskRunner pid=4711) step:20 - global_seqlen/min:1021.000 - global_seqlen/mean:1500.500 - actor/entropy:0.31 - actor/pg_loss:np.float64(-0.0125) - actor/grad_norm:0.25 - actor/lr:1e-06 - val-core/reward:0.4 - timing_s/gen:20.1 - timing_s/step:41.25 - perf/throughput:812.5\n",
    )
    assert "loss" not in told
    assert (told["policy_loss"], told["grad_norm"]) == ([(20, -0.0125)], [(20, 0.25)])
    assert (told["step_seconds"], told["sequence_length"]) == ([(20, 41.25)], [(20, 1500.5)])
    assert told["learning_rate"] == [(20, 1e-6)]


def test_maxtext_and_torchtune(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        "completed step: 20, seconds: 1.250, TFLOP/s/device: 210.1, Tokens/s/device: 5123.5, total_weights: 4096, loss: 10.250\n",
    )
    assert (told["loss"], told["step_seconds"], told["tokens_per_second"]) == (
        [(20, 10.25)],
        [(20, 1.25)],
        [(20, 5123.5)],
    )
    told = only(
        tmp_path,
        "1|10|Loss: 2.25:   5%|5         | 10/200 [00:10<03:10,  1.00s/it]\r1|11|Loss: 2.125:   6%|5         | 11/200 [00:11<03:09,  1.00s/it]\n"
        "Step 11 | loss:2.125 lr:2e-05 tokens_per_second_per_gpu:512.5 grad_norm:0.75 \n",
    )
    assert told["loss"] == [(10, 2.25), (11, 2.125), (11, 2.125)]
    assert (told["grad_norm"], told["learning_rate"]) == ([(11, 0.75)], [(11, 2e-5)])


def test_nemo(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        "[NeMo I 2025-03-04 03:12:07 nemo_logging:393] Training epoch 0, iteration 7/99 | lr: 1e-05 | global_batch_size: 32 | global_step: 7 | reduced_train_loss: 10.25 | train_step_timing in s: 1.25 | consumed_samples: 256 | val_loss: 10.5\n",
    )
    assert (told["loss"], told["step_seconds"], told["batch_size"]) == ([(7, 10.25)], [(7, 1.25)], [(7, 32)])
    told = only(
        tmp_path,
        "Epoch 0: : 47%|####7     | 7/15 [06:19<07:13, v_num=gjbq, reduced_train_loss=11.50, global_step=2e+3, consumed_samples=12288.0, train_step_timing in s=49.50]\r",
    )
    assert (told["loss"], told["step_seconds"]) == ([(2000, 11.5)], [(2000, 49.5)])
