"""Times ``logsleuth analyze`` on a log of 20 lines: the first time ever, and every time after.

Run from a checkout: ``python -m benchmarks.coldstart``. A checkout compiles its rules the first time. An installed
wheel brings them compiled; to time that, run ``cd benchmarks && PYTHON coldstart.py`` with the Python that has it.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

LINES = [
    *(f"[rank{rank}]: step {step} | loss {2 / (step + 1):.4f}" for step in range(4) for rank in range(4)),
    "[rank2]: Traceback (most recent call last):",
    '[rank2]:   File "/srv/job/train.py", line 48, in <module>',
    "[rank2]:     labels = table[key]",
    "[rank2]: KeyError: 'validation'",
]


class Cost(NamedTuple):
    wall: float
    """Seconds from the start of the process to its end."""
    cpu: float
    """Seconds, user and system."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="runs of each kind (default: %(default)s)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="logsleuth-coldstart-") as scratch:
        log = Path(scratch, "job.log")
        log.write_text("\n".join(LINES) + "\n", encoding="utf-8")
        analyze = ["analyze", str(log), "--no-local-rules"]
        first = [_answer(analyze, 1, Path(scratch, f"cache-{run}")) for run in range(args.runs)]
        later = [_answer(analyze, 1, Path(scratch, "cache-0")) for _ in range(args.runs)]
        version = [_answer(["--version"], 0, Path(scratch, "cache-0")) for _ in range(args.runs)]
    print(f"logsleuth from {_whence()}, Python {sys.version.partition(' ')[0]}")
    for name, costs in (("with an empty cache", first), ("with a warm cache", later), ("--version", version)):
        walls, cpus = [cost.wall for cost in costs], [cost.cpu for cost in costs]
        spread = f"{min(walls):.3f} to {max(walls):.3f} s"
        print(f"{name:20} median {statistics.median(walls):.3f} s, {spread}; CPU {statistics.median(cpus):.3f} s")


def _whence() -> str:
    """Where the program that is timed lies: in a wheel, whose rules come compiled, or in a checkout."""
    code = "import logsleuth, pathlib; print(pathlib.Path(logsleuth.__file__).with_name('library.json').is_file())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return "an installed wheel" if found.stdout.strip() == "True" else "a checkout, which compiles its rules once"


def _answer(arguments: list[str], status: int, cache: Path) -> Cost:
    """The cost of a call that ends with this status."""
    before, began = os.times(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "logsleuth", *arguments],
        env={**os.environ, "LOGSLEUTH_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    took, after = time.perf_counter() - began, os.times()
    if done.returncode != status:
        raise SystemExit(f"expected exit status {status}, got {done.returncode}: {done.stdout}{done.stderr}")
    return Cost(took, after.children_user + after.children_system - before.children_user - before.children_system)


if __name__ == "__main__":
    main()
