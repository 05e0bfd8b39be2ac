"""``logsleuth analyze``: arguments, exit statuses, and what goes to which stream."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from logsleuth.language.messages import RulesError
from logsleuth.model.cluster import ClusterError
from tests.cli.conftest import FakeAnalysis
from tests.report.analyses import CASES

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("program.py")

Logsleuth = Callable[..., int]
Captured = pytest.CaptureFixture[str]


def program(*arguments: str) -> list[str]:
    return [sys.executable, str(PROGRAM), *arguments]


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"}


@pytest.mark.parametrize(
    ("case", "status"),
    [
        ("healthy", 0),
        ("warning_only", 0),
        ("undecided", 0),
        ("empty_log", 0),
        ("root", 1),
        ("symptom", 1),
        ("unreadable_inputs", 1),
        ("nothing_read", 2),
        ("no_input", 2),
    ],
)
def test_the_exit_status_tells_the_outcome(
    case: str, status: int, analysis: FakeAnalysis, logsleuth: Logsleuth, capsys: Captured
) -> None:
    analysis.gives = CASES[case]()
    for output_format in ("terminal", "json"):
        assert logsleuth("analyze", "logs", "--format", output_format) == status
        out, err = capsys.readouterr()
        assert bool(out) is (status != 2 or output_format == "json")
        assert bool(err) is (status == 2)


def test_arguments_reach_the_analysis(analysis: FakeAnalysis, logsleuth: Logsleuth) -> None:
    logsleuth("analyze", "b", "a", "-")
    logsleuth("analyze", "--rules", "x", "a", "--rules=y", "--no-local-rules", "--", "--b")
    assert analysis.calls == [(("b", "a", "-"), (), True), (("a", "--b"), ("x", "y"), False)]


def test_json_is_one_document_on_stdout(analysis: FakeAnalysis, logsleuth: Logsleuth, capsys: Captured) -> None:
    analysis.gives = CASES["several"]()
    logsleuth("analyze", "logs", "--format", "json")
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "logsleuth/1"
    assert document["verdicts"][0]["cause"] == "killed"


def test_the_terminal_report_is_on_stdout(analysis: FakeAnalysis, logsleuth: Logsleuth, capsys: Captured) -> None:
    analysis.gives = CASES["root"]()
    logsleuth("analyze", "logs")
    golden = ROOT / "tests/report/golden/root.80.txt"
    assert capsys.readouterr() == (golden.read_text(encoding="utf-8"), "")


def test_nothing_that_can_be_read_is_told_on_stderr(
    analysis: FakeAnalysis, logsleuth: Logsleuth, capsys: Captured
) -> None:
    analysis.gives = CASES["nothing_read"]()
    logsleuth("analyze", "logs", "--format", "json")
    out, err = capsys.readouterr()
    assert json.loads(out)["verdicts"] == []
    assert err.startswith("None of the 2 inputs could be read, so nothing can be said.\n  - logs/rank0.log: permission")


def test_no_path_is_a_usage_error_with_an_example(
    analysis: FakeAnalysis, logsleuth: Logsleuth, capsys: Captured
) -> None:
    assert logsleuth("analyze") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "logsleuth analyze logs/" in err
    assert analysis.calls == []


@pytest.mark.parametrize(
    "arguments", [["analyse"], ["analyze", "--fromat", "json", "x"], ["analyze", "--format", "xml", "x"]]
)
def test_usage_errors(arguments: list[str], logsleuth: Logsleuth, capsys: Captured) -> None:
    assert logsleuth(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Error: " in err
    assert "Traceback" not in err


def test_errors_of_rules_are_printed_as_they_are(
    analysis: FakeAnalysis, logsleuth: Logsleuth, capsys: Captured
) -> None:
    class MadeUpError(RulesError):
        def __init__(self) -> None:
            Exception.__init__(self, "my.sleuth:3:1: LS101: no such event\n  3 | whne\n    | ^^^^")

    analysis.gives = MadeUpError()
    assert logsleuth("analyze", "logs") == 2
    assert capsys.readouterr() == ("", "my.sleuth:3:1: LS101: no such event\n  3 | whne\n    | ^^^^\n")


def test_an_unexpected_error_of_the_system_is_a_sentence(
    analysis: FakeAnalysis, logsleuth: Logsleuth, capsys: Captured
) -> None:
    analysis.gives = PermissionError(13, "Permission denied", "logs/\x1b[31mrank0.log")
    assert logsleuth("analyze", "logs") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("logsleuth: logs/\\x1b[31mrank0.log: Permission denied; nothing was analysed.")
    assert err.count("\n") == 1


def test_a_defect_is_never_taken_for_a_verdict(analysis: FakeAnalysis, logsleuth: Logsleuth, capsys: Captured) -> None:
    analysis.gives = ZeroDivisionError("division by zero")
    assert logsleuth("analyze", "logs") == 70
    assert "this is a defect of logsleuth" in capsys.readouterr().err


def test_an_interrupt_is_quiet() -> None:
    done = subprocess.run(program("interrupt", "analyze", "x"), env=ENVIRONMENT, capture_output=True, check=False)
    assert done.returncode == 130
    assert done.stdout == b""
    assert done.stderr.strip() == b"analysed x"


@pytest.mark.parametrize("output_format", ["terminal", "json"])
def test_a_reader_that_leaves_is_no_error(output_format: str) -> None:
    command = program("huge", "analyze", "x", "--format", output_format)
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b"analysed x\n"
    assert process.returncode == 141


def test_a_full_disk_is_told_in_a_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            program("root", "analyze", "x"), env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.endswith(
        b"logsleuth: the report could not be written: No space left on device. Make room, or write it elsewhere.\n"
    )


def test_an_output_that_is_closed_harms_nothing() -> None:
    command = " ".join(f"'{word}'" for word in program("root", "analyze", "x"))
    done = subprocess.run(["sh", "-c", f"{command} >&- 2>&-"], env=ENVIRONMENT, check=False)
    assert done.returncode == 1


@pytest.mark.parametrize(("encoding", "arrow"), [("ascii", b"-> the agent"), ("utf-8", "→ the agent".encode())])
def test_the_report_fits_the_encoding_of_stdout(encoding: str, arrow: bytes) -> None:
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": encoding}
    done = subprocess.run(program("root", "analyze", "x"), env=environment, capture_output=True, check=False)
    assert done.returncode == 1
    assert arrow in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--engine", "local", "--scheduler", "tcp://head:8786"], "Leave out one of them"),
        (["--engine", "dask", "--follow"], "Leave out it or --follow"),
        (["--scheduler", "tcp://head:8786", "--follow"], "Leave out it or --follow"),
        (["--engine", "ray"], "'local', 'dask'"),
    ],
)
def test_who_reads_is_said_without_contradiction(
    arguments: list[str], told: str, analysis: FakeAnalysis, logsleuth: Logsleuth, capsys: Captured
) -> None:
    assert logsleuth("analyze", "x", *arguments) == 2
    assert told in capsys.readouterr().err
    assert analysis.calls == []


def test_a_cluster_that_cannot_be_used_is_told_in_a_sentence(
    analysis: FakeAnalysis, logsleuth: Logsleuth, capsys: Captured
) -> None:
    analysis.gives = ClusterError("The scheduler is on holiday. Ask another one.")
    assert logsleuth("analyze", "--engine", "dask", "x") == 2
    assert capsys.readouterr() == ("", "logsleuth: The scheduler is on holiday. Ask another one.\n")


def test_a_scanner_that_is_not_there_is_a_mistake_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text("all is well\n")
    run = subprocess.run(
        [sys.executable, "-m", "logsleuth", "analyze", str(tmp_path / "train.log")],
        cwd=ROOT,
        env={**os.environ, "LOGSLEUTH_SCANNER": "telescope"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "telescope" in run.stderr
    assert "hyperscan" in run.stderr
    assert "Traceback" not in run.stderr
