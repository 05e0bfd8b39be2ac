"""``logsleuth rules format``: which files it touches, what it says, how it ends."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from logsleuth.authoring import format_rules

Command = Callable[..., int]
UNTIDY = "disable   a.b # why\r\n"
TIDY = "disable a.b  # why\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


def test_without_a_path_the_folder_rules_is_laid_out(
    logsleuth: Command, capfd: pytest.CaptureFixture[str], here: Path
) -> None:
    one, two = _write(here / "rules" / "one.sleuth", UNTIDY), _write(here / "rules" / "two.sleuth", TIDY)
    one.chmod(0o640)
    assert logsleuth("rules", "format") == 0
    assert capfd.readouterr().out == "laid out: rules/one.sleuth\n1 file laid out, 1 was so already\n"
    assert one.read_bytes() == two.read_bytes() == TIDY.encode()
    assert one.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in one.parent.iterdir()) == ["one.sleuth", "two.sleuth"]


def test_without_a_path_and_a_folder_nothing_is_touched(logsleuth: Command, capfd: pytest.CaptureFixture[str]) -> None:
    assert logsleuth("rules", "format") == 2
    assert "There is no folder ./rules here; name the rule files or folders" in capfd.readouterr().err


def test_a_check_writes_nothing(logsleuth: Command, capfd: pytest.CaptureFixture[str], here: Path) -> None:
    file = _write(here / "one.sleuth", UNTIDY)
    assert logsleuth("rules", "format", "--check", "one.sleuth") == 1
    assert capfd.readouterr().out == "would change: one.sleuth\n1 file would change, 0 were so already\n"
    assert file.read_bytes() == UNTIDY.encode()
    _write(file, TIDY)
    assert logsleuth("rules", "format", "--check", "one.sleuth") == 0


def test_line_ends_alone_are_a_change(logsleuth: Command, here: Path) -> None:
    file = _write(here / "one.sleuth", TIDY.replace("\n", "\r\n"))
    assert logsleuth("rules", "format", "--check", ".") == 1
    assert logsleuth("rules", "format", ".") == 0
    assert file.read_bytes() == TIDY.encode()


def test_a_difference_writes_nothing(logsleuth: Command, capfd: pytest.CaptureFixture[str], here: Path) -> None:
    file = _write(here / "one.sleuth", UNTIDY)
    assert logsleuth("rules", "format", "--diff", "one.sleuth") == 0
    out = capfd.readouterr().out
    assert "\n-disable   a.b # why\n+disable a.b  # why\n" in out
    assert file.read_bytes() == UNTIDY.encode()
    assert logsleuth("rules", "format", "--diff", "--check", "one.sleuth") == 1


def test_a_file_with_a_syntax_error_is_told_and_the_others_are_laid_out(
    logsleuth: Command, capfd: pytest.CaptureFixture[str], here: Path
) -> None:
    bad, good = _write(here / "bad.sleuth", "rule  {\n"), _write(here / "good.sleuth", UNTIDY)
    assert logsleuth("rules", "format", ".") == 2
    assert "bad.sleuth:1:7: LS102" in capfd.readouterr().err
    assert bad.read_text() == "rule  {\n"
    assert good.read_text() == TIDY


def test_what_is_not_there_is_told(logsleuth: Command, capfd: pytest.CaptureFixture[str]) -> None:
    assert logsleuth("rules", "format", "nowhere.sleuth") == 2
    assert "LS001" in capfd.readouterr().err


def test_a_layout_that_would_say_something_else_is_refused(
    logsleuth: Command, capfd: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = _write(here / "one.sleuth", UNTIDY)
    for wrong in ("disable a.c  # why\n", "disable a.b\n", "disable a.b  # why\n}\n"):
        monkeypatch.setattr(format_rules, "lay_out", lambda *_, wrong=wrong: wrong)
        assert logsleuth("rules", "format", "one.sleuth") == 2
        assert "would change what it says, so nothing was written" in capfd.readouterr().err
        assert file.read_bytes() == UNTIDY.encode()


def _piped(*arguments: str, text: bytes) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "logsleuth", "rules", "format", *arguments]
    root = str(Path(__file__).parents[2])
    return subprocess.run(
        command, input=text, capture_output=True, check=False, env={"PYTHONPATH": root, "PYTHONIOENCODING": "ascii"}
    )


def test_stdin_goes_to_stdout() -> None:
    done = _piped("-", text='list x = [ "é ✓" ]'.encode())
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, 'list x = ["é ✓"]\n', b"")
    assert _piped("-", "--check", text=UNTIDY.encode()).returncode == 1
    assert b"+disable a.b  # why" in _piped("-", "--diff", text=UNTIDY.encode()).stdout


def test_what_is_wrong_with_stdin_is_told() -> None:
    assert b"<stdin>:1:6: LS102" in _piped("-", text=b"rule {").stderr
    assert b"not UTF-8" in _piped("-", text=b"\xff").stderr
    done = _piped("-", "other.sleuth", text=b"")
    assert done.returncode == 2
    assert b"goes with no other PATH" in done.stderr
