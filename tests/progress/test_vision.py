"""What comes out of the logs of frameworks for vision, and of bars."""

from pathlib import Path

from tests.progress.reading import only

MIB = 2**20


def test_detectron2(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        """
[03/04 03:12:07 d2.utils.events]:  eta: 1:02:11  iter: 19  total_loss: 1.25  loss_cls: 0.3  time: 0.25  last_time: 0.31  data_time: 0.004  last_data_time: 0.003   lr: 0.02  max_mem: 3120M
[03/04 03:12:17 d2.utils.events]:  eta: 1:02:01  iter: 39  total_loss: nan  loss_cls: nan  time: 0.26  last_time: 0.31  data_time: 0.005  last_data_time: 0.003   lr: 0.02  max_mem: 3120M
""",
    )
    assert [(step, str(value)) for step, value in told["loss"]] == [(19, "1.25"), (39, "nan")]
    assert (told["step_seconds"], told["data_seconds"]) == ([(19, 0.25), (39, 0.26)], [(19, 0.004), (39, 0.005)])
    assert told["memory_peak"] == [(19, 3120 * MIB), (39, 3120 * MIB)]


def test_mmengine_counts_epochs_from_one(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        """
03/04 03:12:07 - mmengine - INFO - Epoch(train)   [1][ 950/1000]  lr: 2.0e-03  eta: 1:02:11  time: 0.31  data_time: 0.02  memory: 4000  grad_norm: 5.25  loss: 1.25  loss_cls: 0.5
03/04 03:12:37 - mmengine - INFO - Epoch(val) [1][ 50/100]    eta: 0:00:11  time: 0.11  data_time: 0.01  memory: 900
03/04 03:13:07 - mmengine - INFO - Epoch(train)   [2][  50/1000]  lr: 2.0e-03  eta: 1:02:11  time: 0.32  data_time: 0.03  memory: 4000  grad_norm: 5.5  loss: 1.125  loss_cls: 0.5
""",
    )
    assert told["loss"] == [(950, 1.25), (1050, 1.125)]
    assert (told["step_seconds"], told["data_seconds"]) == ([(950, 0.31), (1050, 0.32)], [(950, 0.02), (1050, 0.03)])
    assert (told["grad_norm"], told["learning_rate"]) == ([(950, 5.25), (1050, 5.5)], [(950, 0.002), (1050, 0.002)])


def test_the_forerunners_of_mmengine(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        "2021-06-01 10:00:00,123 - mmdet - INFO - Epoch [2][50/7330]\tlr: 1.978e-03, eta: 10:20:01, time: 0.423, data_time: 0.053, memory: 3792, loss_rpn_cls: 0.651, s0.loss_cls: 0.4, loss: 5.5, grad_norm: 12.5\n",
    )
    assert told["loss"] == [(7380, 5.5)]
    assert (told["step_seconds"], told["data_seconds"]) == ([(7380, 0.423)], [(7380, 0.053)])
    told = only(
        tmp_path,
        "2021-06-01 10:00:00,123 - mmseg - INFO - Iter [50/160000]\tlr: 1.0e-02, eta: 10:20:01, time: 0.423, data_time: 0.053, memory: 3792, decode.loss_ce: 0.651, loss: 0.75\n",
    )
    assert told["loss"] == [(50, 0.75)]


def test_values_and_not_the_means_behind_them(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        """
Train: 1 [  20/1000 (  2%)]  Loss: 6.75 (6.96)  Time: 0.412s,  310.2/s  (0.512s,  299.08/s)  LR: 1.000e-05  Data: 0.012 (0.112)
Test: [  20/98]  Time: 0.412 (0.512)  Loss:   0.5 (0.95)  Acc@1: 78.1 (77.2)
""",
    )
    assert (told["loss"], told["step_seconds"], told["data_seconds"]) == (
        [(1020, 6.75)],
        [(1020, 0.412)],
        [(1020, 0.012)],
    )
    assert [value for _, value in told["eval_loss"]] == [0.5]
    told = only(
        tmp_path,
        """
Epoch: [0]  [  20/5005]  eta: 1:02:11  lr: 0.1  img/s: 200.1  loss: 6.5000 (6.9500)  acc1: 0.0000 (0.1000)  time: 0.4125  data: 0.0125  max mem: 5000
Test:  [ 20/98]  eta: 0:00:31  loss: 0.5 (0.95)  acc1: 78.1 (77.2)  time: 0.31  data: 0.02  max mem: 5000
""",
    )
    assert (told["loss"], told["step_seconds"], told["data_seconds"]) == ([(20, 6.5)], [(20, 0.4125)], [(20, 0.0125)])
    assert (told["learning_rate"], told["memory_peak"]) == ([(20, 0.1)], [(20, 5000 * MIB)])
    told = only(
        tmp_path,
        "Epoch: [1][  20/5005]\tTime  0.412 ( 0.5)\tData  0.01 ( 0.1)\tLoss 6.7500e+00 (6.9500e+00)\tAcc@1   0.00 (  0.10)\n"
        "Test: [  0/196]\tTime  0.412 ( 0.5)\tLoss 5.7500e+00 (6.9500e+00)\tAcc@1   0.00 (  0.10)\n",
    )
    assert (told["loss"], told["step_seconds"], told["data_seconds"]) == (
        [(5025, 6.75)],
        [(5025, 0.412)],
        [(5025, 0.01)],
    )
    assert [value for _, value in told["eval_loss"]] == [5.75]


def test_lightning_bars(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        "\rEpoch 0:   0%|          | 0/15 [00:00<?, ?it/s]\rEpoch 0:  47%|####7     | 7/15 [00:03<00:03,  2.11it/s, v_num=3, train_loss=2.500]"
        "\rValidation DataLoader 0:  50%|#####     | 1/2 [00:00<00:00, 20.1it/s]"
        "\rEpoch 1:  47%|####7     | 7/15 [00:03<00:03,  2.11it/s, v_num=3, train_loss_step=2.250, val_loss=2.50, train_loss_epoch=2.40]\n"
        "\rEpoch 2:  47%|####7     | 7/15 [00:03<00:03,  2.11it/s, loss=nan, v_num=0]\n",
    )
    assert [(step, str(value)) for step, value in told["loss"]] == [(7, "2.5"), (22, "2.25"), (37, "nan")]


def test_keras_bars_tell_no_step_of_the_run(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        "Epoch 1/2\n 12/100 [==>...........................] - ETA: 1:02 - loss: 2.5000 - accuracy: 0.1012\r"
        "100/100 [==============================] - 6s 51ms/step - loss: 2.2500 - accuracy: 0.12 - val_loss: 2.4 - val_accuracy: 0.2\n"
        "Epoch 2/2\n 12/100 \u2501\u2501\u2501\u2501\u2501\u2501\u2501\u2501 1:02 51ms/step - accuracy: 0.1012 - loss: 2.1250\n",
    )
    assert [value for _, value in told["loss"]] == [2.5, 2.25, 2.125]
