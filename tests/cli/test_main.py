"""The command as a whole: version, help, how it is started, and what its start does not load."""

import subprocess
import sys
from pathlib import Path

import pytest

import logsleuth as package

ROOT = Path(__file__).parents[2]


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_version() -> None:
    done = python("-m", "logsleuth", "--version")
    assert (done.stdout, done.stderr, done.returncode) == (f"logsleuth {package.__version__}\n", "", 0)


@pytest.mark.parametrize("command", ["analyze", "run"])
def test_help_names_the_commands(command: str) -> None:
    done = python("-m", "logsleuth", "--help")
    assert (done.stderr, done.returncode) == ("", 0)
    assert command in done.stdout
    done = python("-m", "logsleuth", command, "-h")
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.startswith(f"Usage: logsleuth {command}")


def test_no_command_shows_the_help_and_is_a_usage_error() -> None:
    done = python("-m", "logsleuth")
    assert done.returncode == 2
    assert "analyze" in done.stdout + done.stderr


@pytest.mark.parametrize("module", ["logsleuth", "logsleuth.cli.main"])
def test_the_start_loads_nothing_heavy(module: str) -> None:
    heavy = {"rich", "lark", "pydantic", "regex", "numpy", "hyperscan", "torch"}
    done = python("-c", f"import sys, {module}; print(*({heavy!r} & set(sys.modules)))")
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_the_public_names_exist() -> None:
    assert {"analyze", "Analysis", "Verdict", "__version__"} <= set(package.__all__) <= set(dir(package))
    for name in package.__all__:
        assert getattr(package, name) is not None


def test_other_names_do_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'analyse'"):
        _ = package.analyse


@pytest.mark.parametrize("command", [[], ["rules"]])
def test_help_cuts_no_sentence(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = python("-m", "logsleuth", *command, "--help")
    assert "..." not in done.stdout.partition("Commands:")[2]


STANDARD = {
    "asyncio",
    "concurrent",
    "http",
    "email",
    "logging",
    "multiprocessing",
    "socket",
    "ssl",
    "subprocess",
    "tempfile",
}
LIBRARIES = {
    "rich",
    "pygments",
    "lark",
    "pydantic",
    "regex",
    "numpy",
    "hyperscan",
    "ahocorasick_rs",
    "greenlet",
    "fsspec",
}
OURS = {
    f"logsleuth.{module}"
    for module in (
        "cli.run",
        "cli.following",
        "drivers.tracing",
        "language.check",
        "language.check_event",
        "language.functions",
        "language.kinds",
        "language.parse",
        "model.trace",
        "recorder.dump",
        "report.terminal",
        "report.why_not",
        "tokenize.near_lines",
    )
}


def test_an_analysis_of_a_little_log_loads_only_what_it_needs(tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    log.write_text("".join(f"[rank{rank}]: step {step} | loss 2.0\n" for step in range(5) for rank in range(4)))
    code = (
        "import sys; from logsleuth.cli.main import main\n"
        f"try: main(['analyze', {str(log)!r}, '--no-local-rules', '--format', 'json'])\n"
        f"except SystemExit as end: print(end.code, *sorted({STANDARD | LIBRARIES | OURS!r} & set(sys.modules)), file=sys.stderr)"
    )
    python("-m", "logsleuth", "analyze", str(log), "--no-local-rules")  # The rules are compiled once.
    assert python("-c", code).stderr == "0\n"
