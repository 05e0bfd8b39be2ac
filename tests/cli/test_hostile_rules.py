"""Commands on files that are no rules: one clear answer, status 2, and never a traceback."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder of what must not be read as rules, with one file of rules among them."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    (folder / "folder.sleuth").mkdir()
    (folder / "binary.sleuth").write_bytes(bytes(range(256)))
    (folder / "loop.sleuth").symlink_to(folder / "loop.sleuth")
    (folder / "fine.sleuth").write_text("list a = [1]\n")
    (folder / "unreadable.sleuth").write_text("list b = [1]\n")
    (folder / "unreadable.sleuth").chmod(0)
    if sys.platform != "win32":
        os.mkfifo(folder / "pipe.sleuth")
    (tmp_path / "rank0.log").write_text("hello\n")
    return folder


@pytest.mark.parametrize("command", [["rules", "check"], ["rules", "test"], ["analyze", "rank0.log", "--rules"]])
def test_every_file_that_is_no_rules_is_named(
    logsleuth: Callable[..., int],
    capfd: pytest.CaptureFixture[str],
    hostile: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
) -> None:
    monkeypatch.chdir(hostile.parent)
    assert logsleuth(*command, str(hostile)) == 2
    told = capfd.readouterr()
    text = told.out + told.err
    assert "Traceback" not in text
    for name in ("folder", "binary", "loop", "pipe"):
        assert f"{name}.sleuth:1:1: LS001" in text
    assert "fine.sleuth" not in text


def test_text_full_of_control_characters_is_told_on_clean_lines(
    logsleuth: Callable[..., int], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "x.sleuth"
    file.write_text("rule a.b {\n  severty \x1b0;x\x07\0 fatal\n}\n")
    assert logsleuth("rules", "check", str(file)) == 2
    told = capfd.readouterr()
    assert "LS101" in told.out + told.err
    assert all(char.isprintable() or char == "\n" for char in told.out + told.err)
