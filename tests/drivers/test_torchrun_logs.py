"""Tests of ``logsleuth.drivers.torchrun_logs``."""

from pathlib import Path

import pytest

from logsleuth.drivers.torchrun_logs import log_directories, run_folders


@pytest.mark.parametrize(
    ("command", "environment", "directories"),
    [
        ("torchrun train.py", {}, []),
        ("torchrun --log-dir logs train.py", {}, ["logs"]),
        ("torchrun --log_dir=logs --tee 3 train.py", {}, ["logs"]),
        ("torchrun --log-dir logs train.py --log_dir runs", {}, ["logs", "runs"]),
        ("torchrun --log-dir", {}, []),
        ("torchrun --log-dir= train.py", {}, []),
        ("torchrun train.py", {"PET_LOG_DIR": "logs"}, ["logs"]),
        ("torchrun --log-dir logs train.py", {"PET_LOG_DIR": "logs"}, ["logs"]),
        ("torchrun train.py", {"PET_LOG_DIR": ""}, []),
    ],
)
def test_log_directories(command: str, environment: dict[str, str], directories: list[str]) -> None:
    assert log_directories(command.split(), environment) == tuple(map(Path, directories))


def test_only_folders_of_torchrun_count(tmp_path: Path) -> None:
    (tmp_path / "logs/none_a1/attempt_0/3").mkdir(parents=True)
    (tmp_path / "logs/none_a1/attempt_1/3").mkdir(parents=True)
    (tmp_path / "logs/tensorboard/events").mkdir(parents=True)
    (tmp_path / "logs/train.log").write_text("")
    assert run_folders([tmp_path / "logs", tmp_path / "missing"]) == {tmp_path / "logs/none_a1"}
