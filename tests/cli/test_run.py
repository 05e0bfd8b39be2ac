"""``logsleuth run``: when it reports, where to, and that the command's own output and status stay what they are."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from logsleuth.language.messages import RulesError
from tests.cli.conftest import FakeAnalysis
from tests.report.analyses import CASES

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("program.py")

Logsleuth = Callable[..., int]
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where copies go by default."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def sh(script: str) -> list[str]:
    return ["--", "sh", "-c", script]


def test_a_good_end_is_silent_and_leaves_nothing(
    analysis: FakeAnalysis, logsleuth: Logsleuth, capfd: Captured, temp: Path
) -> None:
    assert logsleuth("run", *sh("echo out; echo err >&2")) == 0
    assert capfd.readouterr() == ("out\n", "err\n")
    assert analysis.calls == []
    assert list(temp.iterdir()) == []


def test_a_bad_end_is_reported_on_stderr(
    analysis: FakeAnalysis, logsleuth: Logsleuth, capfd: Captured, temp: Path
) -> None:
    analysis.gives = CASES["root"]()
    assert logsleuth("run", *sh("echo out; exit 7")) == 7
    out, err = capfd.readouterr()
    (copy,) = temp.glob("logsleuth-*/output.log")
    assert copy.read_text() == out == "out\n"
    assert analysis.calls == [((str(copy),), (), True)]
    golden = (ROOT / "tests/report/golden/root.80.txt").read_text(encoding="utf-8")
    assert err == (
        "logsleuth: the command ended with exit status 7; reading what it said\n"
        f"\n{golden}\n"
        f"logsleuth: the output is in {copy}\n"
    )


def test_a_signal_is_a_bad_end(analysis: FakeAnalysis, logsleuth: Logsleuth, capfd: Captured) -> None:
    assert logsleuth("run", *sh("kill -SEGV $$")) == 128 + signal.SIGSEGV
    assert len(analysis.calls) == 1
    assert "the command was ended by SIGSEGV" in capfd.readouterr().err


def test_a_bad_end_that_nothing_explains(analysis: FakeAnalysis, logsleuth: Logsleuth, capfd: Captured) -> None:
    analysis.gives = CASES["healthy"]()
    assert logsleuth("run", *sh("exit 1")) == 1
    err = capfd.readouterr().err
    assert "logsleuth: nothing in the output says why\n" in err
    assert "Nothing wrong" not in err


def test_a_bad_end_beside_which_something_is_worth_knowing(
    analysis: FakeAnalysis, logsleuth: Logsleuth, capfd: Captured
) -> None:
    analysis.gives = CASES["note_only"]()
    assert logsleuth("run", *sh("exit 1")) == 1
    err = capfd.readouterr().err.splitlines()
    assert err[1:3] == [
        "logsleuth: nothing in the output says why",
        "logsleuth: worth knowing: the workers were started again once and went on (elastic.restarted)",
    ]
    assert not any("Nothing wrong" in line for line in err)


def test_a_bad_end_beside_a_warning(analysis: FakeAnalysis, logsleuth: Logsleuth, capfd: Captured) -> None:
    analysis.gives = CASES["warning_only"]()
    assert logsleuth("run", *sh("exit 1")) == 1
    err = capfd.readouterr().err
    assert "logsleuth: nothing in the output says why\n" in err
    assert "No failure in these logs, but something that is worth a look." in err


def test_always_reports_a_good_end_too(
    analysis: FakeAnalysis, logsleuth: Logsleuth, capfd: Captured, temp: Path
) -> None:
    analysis.gives = CASES["healthy"]()
    assert logsleuth("run", "--always", *sh("echo out")) == 0
    out, err = capfd.readouterr()
    assert out == "out\n"
    assert "Nothing wrong found" in err
    assert len(list(temp.glob("*/output.log"))) == 1


def test_the_copy_is_kept_where_the_user_wants_it(
    analysis: FakeAnalysis, logsleuth: Logsleuth, temp: Path, tmp_path: Path
) -> None:
    assert logsleuth("run", "--log-dir", str(tmp_path / "kept"), *sh("echo out")) == 0
    (copy,) = (tmp_path / "kept").iterdir()
    assert copy.read_text() == "out\n"
    assert analysis.calls == []
    assert list(temp.iterdir()) == []


def test_worker_logs_of_torchrun_are_read_too(analysis: FakeAnalysis, logsleuth: Logsleuth, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    (logs / "none_old/attempt_0").mkdir(parents=True)
    script = f"mkdir -p '{logs}/none_new/attempt_0/0'; exit 1"
    logsleuth("run", *sh(script), "--log-dir", str(logs))
    ((paths, _, _),) = analysis.calls
    assert list(paths[1:]) == [str(logs / "none_new")]


def test_options_reach_the_analysis_and_the_commands_own_do_not(
    analysis: FakeAnalysis, logsleuth: Logsleuth, capfd: Captured, tmp_path: Path
) -> None:
    (tmp_path / "own.sleuth").write_text("list own = [1]")
    own = str(tmp_path / "own.sleuth")
    options = ["--rules", own, "--no-local-rules", "--format", "json"]
    assert logsleuth("run", *options, "sh", "-c", 'echo "$@"; exit 1', "sh", "--format", "x", "--always") == 1
    assert analysis.calls[0][1:] == ((own,), False)
    out, err = capfd.readouterr()
    assert out == "--format x --always\n"
    assert '"schema": "logsleuth/1"' in err


def test_bad_rules_are_told_before_the_command_starts(logsleuth: Logsleuth, capfd: Captured, tmp_path: Path) -> None:
    (tmp_path / "bad.sleuth").write_text("rule x {")
    assert logsleuth("run", "--rules", str(tmp_path / "bad.sleuth"), *sh(f"touch '{tmp_path}/started'")) == 2
    assert "bad.sleuth:1" in capfd.readouterr().err
    assert not (tmp_path / "started").exists()


def test_no_command_is_a_usage_error_with_an_example(logsleuth: Logsleuth, capfd: Captured) -> None:
    assert logsleuth("run", "--") == 2
    assert "logsleuth run -- torchrun" in capfd.readouterr().err


@pytest.mark.parametrize(("command", "status"), [("no-such-command-here", 127), ("/dev/null", 126)])
def test_a_command_that_does_not_start(
    command: str, status: int, analysis: FakeAnalysis, logsleuth: Logsleuth, capfd: Captured, temp: Path
) -> None:
    assert logsleuth("run", "--", command) == status
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"logsleuth: {command}: ")
    assert err.count("\n") == 1
    assert analysis.calls == []
    assert list(temp.iterdir()) == []


@pytest.mark.parametrize("failure", [RulesError([], {}), OSError(5, "Input/output error"), ValueError("a defect")])
def test_an_analysis_that_fails_leaves_the_status_alone(
    failure: Exception, analysis: FakeAnalysis, logsleuth: Logsleuth, capfd: Captured
) -> None:
    analysis.gives = failure
    assert logsleuth("run", *sh("exit 9")) == 9
    assert "logsleuth: the output is in " in capfd.readouterr().err


def test_an_interrupted_analysis_leaves_the_status_alone(analysis: FakeAnalysis, logsleuth: Logsleuth) -> None:
    analysis.gives = KeyboardInterrupt()
    assert logsleuth("run", *sh("exit 9")) == 9


def test_no_room_for_a_copy_at_all(
    analysis: FakeAnalysis, logsleuth: Logsleuth, capfd: Captured, tmp_path: Path
) -> None:
    with pytest.MonkeyPatch.context() as patch:  # pytest itself needs a temporary folder after the test.
        patch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
        assert logsleuth("run", *sh("echo out; exit 3")) == 3
    out, err = capfd.readouterr()
    assert out == "out\n"
    assert "cannot hold a copy of the output" in err
    assert "there is no copy of its output to look at" in err
    assert analysis.calls == []


def test_a_stderr_whose_reader_left_leaves_the_status_alone(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    command = [sys.executable, str(PROGRAM), "root", "run", "--", "sh", "-c", "read x; exit 4"]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr
        process.stderr.close()
        process.communicate(b"\n")
    assert process.returncode == 4
