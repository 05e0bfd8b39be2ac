"""What comes out of the dictionaries of Hugging Face's Trainer and of what is built on it."""

from pathlib import Path

from tests.progress.reading import only


def test_numbers(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        """
***** Running training *****
  Num examples = 1,024
{'loss': 2.5, 'grad_norm': 1.25, 'learning_rate': 5e-05, 'epoch': 0.01}
{'loss': 2.25, 'grad_norm': nan, 'learning_rate': 4.5e-05, 'epoch': 0.02}
{'eval_loss': 2.75, 'eval_runtime': 12.31, 'eval_samples_per_second': 81.2, 'eval_steps_per_second': 10.1, 'epoch': 0.02}
{'loss': 2.125, 'grad_norm': 0.5, 'learning_rate': 4e-05, 'epoch': 0.03}
{'train_runtime': 4968.2, 'train_samples_per_second': 9.662, 'train_steps_per_second': 2.415, 'train_loss': 1.02, 'epoch': 1.0}
""",
    )
    assert [value for _, value in told["loss"]] == [2.5, 2.25, 2.125]
    assert [str(value) for _, value in told["grad_norm"]] == ["1.25", "nan", "0.5"]
    assert [value for _, value in told["learning_rate"]] == [5e-5, 4.5e-5, 4e-5]
    assert [value for _, value in told["eval_loss"]] == [2.75]


def test_texts(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        """
{'loss': '4.318', 'grad_norm': '1.421', 'learning_rate': '0.0009167', 'epoch': '0.25'}
{'loss': 'nan', 'grad_norm': 'inf', 'learning_rate': '0.0009', 'epoch': '0.5'}
""",
    )
    assert [str(value) for _, value in told["loss"]] == ["4.318", "nan"]
    assert [str(value) for _, value in told["grad_norm"]] == ["1.421", "inf"]


def test_between_bars(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        "\r  1%|          | 10/1000 [00:10<16:30,  1.00s/it]\r                    \r{'loss': 2.5, 'grad_norm': 1.5, 'learning_rate': 5e-05, 'epoch': 0.01}\n"
        "\r  2%|2         | 20/1000 [00:20<16:20,  1.00s/it]{'loss': 2.25, 'grad_norm': 1.25, 'learning_rate': 5e-05, 'epoch': 0.02}\n",
    )
    assert [value for _, value in told["loss"]] == [2.5, 2.25]
    assert [value for _, value in told["grad_norm"]] == [1.5, 1.25]


def test_keys_of_others_in_between(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        """
{'num_tokens': 81920.0, 'mean_token_accuracy': 0.61, 'loss': 1.75, 'rewards/chosen': 0.1, 'grad_norm': 0.5, 'entropy': 1.2, 'learning_rate': 2e-05, 'epoch': 0.02}
[INFO|callbacks.py:312] 2025-03-04 03:12:07,120 >> {'loss': 1.5, 'learning_rate': 1.0000e-05, 'epoch': 0.10, 'throughput': 1234.5}
{'loss': 1.25, 'grad_norm': 0.75, 'learning_rate': 2e-05, 'memory/max_mem_active(gib)': 21.1, 'memory/max_mem_allocated(gib)': 20.0, 'memory/device_mem_reserved(gib)': 24.0, 'tokens_per_second_per_gpu': 512.5, 'epoch': 0.2}
{"current_steps": 10, "total_steps": 100, "loss": 9.5, "lr": 1e-05, "epoch": 0.1}
""",
    )
    # The last line tells a step, which the others do not.
    assert told["loss"] == [(10, 9.5)]
    assert [value for _, value in told["tokens_per_second"]] == [1234.5, 512.5]
    assert [value for _, value in told["memory_peak"]] == [20 * 2**30]
    assert [value for _, value in told["grad_norm"]] == [0.5, 0.75]


def test_policy_optimisation_tells_no_loss_that_must_fall(tmp_path: Path) -> None:
    told = only(
        tmp_path,
        "{'loss': 0.0012, 'grad_norm': 0.25, 'learning_rate': 9e-07, 'num_tokens': 12345.0, 'reward': 0.35, 'kl': 0.001, 'epoch': 0.01}\n",
    )
    assert "loss" not in told
    assert [value for _, value in told["policy_loss"]] == [0.0012]
    assert [value for _, value in told["grad_norm"]] == [0.25]
