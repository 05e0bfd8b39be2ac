"""Checks an installed logsleuth, run by the Python it is installed for: ``python check_wheel.py JOB_FOLDER``.

The folder holds the log of a job whose rank 2 was killed.
"""

import importlib.resources
import json
import os
import subprocess
import sys
import time
from pathlib import Path

COLD_START_LIMIT = 0.5
"""Seconds from the shell to the answer about a log of a few lines."""
LATE = ("lark", "pydantic", "rich", "numpy")
"""What an analysis whose rules are compiled already and whose report is JSON has no use for."""


def logsleuth(*arguments: str, imports: bool = False) -> subprocess.CompletedProcess[str]:
    program = [
        sys.executable,
        *(["-X", "importtime"] if imports else []),
        str(Path(sys.executable).with_name("logsleuth")),
    ]
    return subprocess.run([*program, *arguments], capture_output=True, text=True, check=False)


def check_contents() -> None:
    installed = importlib.resources.files("logsleuth")
    assert "site-packages" in str(installed), f"{installed} is not an installed wheel"
    assert installed.joinpath("library.json").is_file(), "the wheel lacks the compiled rules"
    assert installed.joinpath("library", "LIBRARY.md").is_file(), "the wheel lacks the rules"


def check_verdict(job: str) -> None:
    done = logsleuth("analyze", job, "--format", "json")
    assert done.returncode == 1, f"exit status {done.returncode}\n{done.stderr}"
    first = json.loads(done.stdout)["verdicts"][0]
    assert (first["rule"], first["culprits"]["ranks"]) == ("process.killed", [2]), first
    assert not Path(os.environ["LOGSLEUTH_CACHE_DIR"]).exists(), "the shipped rules were compiled at run time"


def check_imports(job: str) -> None:
    trace = logsleuth("analyze", job, "--format", "json", imports=True).stderr
    loaded = {line.rsplit("|", 1)[-1].strip() for line in trace.splitlines() if line.startswith("import time:")}
    assert "logsleuth.drivers.batch" in loaded, "the trace of imports was not understood"
    assert not loaded.intersection(LATE), f"loaded in vain: {sorted(loaded.intersection(LATE))}"


def check_cold_start(job: str) -> None:
    log = Path("short.log")
    log.write_text("".join(Path(job, "train.log").read_text().splitlines(keepends=True)[-20:]))
    times = []
    for _ in range(5):
        before = time.perf_counter()
        logsleuth("analyze", str(log))
        times.append(time.perf_counter() - before)
    print(f"20 lines answered in {times[0]:.2f} s the first time, {min(times):.2f} s at best")
    assert min(times) < COLD_START_LIMIT


if __name__ == "__main__":
    check_contents()
    check_verdict(sys.argv[1])
    check_imports(sys.argv[1])
    check_cold_start(sys.argv[1])
    print("the wheel is complete, names rank 2, and loads only what it needs")
