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

LINES = [
    *(f"[rank{rank}]: step {step} | loss {2 / (step + 1):.4f}" for step in range(4) for rank in range(4)),
    "[rank2]: Traceback (most recent call last):",
    '[rank2]:   File "/srv/job/train.py", line 48, in <module>',
    "[rank2]:     labels = table[key]",
    "[rank2]: KeyError: 'validation'",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="runs of each kind (default: %(default)s)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="logsleuth-coldstart-") as scratch:
        log = Path(scratch, "job.log")
        log.write_text("\n".join(LINES) + "\n", encoding="utf-8")
        first = [_answer(log, Path(scratch, f"cache-{run}")) for run in range(args.runs)]
        later = [_answer(log, Path(scratch, "cache-0")) for _ in range(args.runs)]
    for name, times in (("with an empty cache", first), ("with a warm cache", later)):
        print(f"{name:20} median {statistics.median(times):.3f} s, {min(times):.3f} to {max(times):.3f} s")


def _answer(log: Path, cache: Path) -> float:
    """Seconds from the start of the process to its end."""
    command = [sys.executable, "-m", "logsleuth", "analyze", str(log), "--no-local-rules"]
    before = time.perf_counter()
    done = subprocess.run(
        command, env={**os.environ, "LOGSLEUTH_CACHE_DIR": str(cache)}, capture_output=True, text=True, check=False
    )
    took = time.perf_counter() - before
    if done.returncode != 1:
        raise SystemExit(f"expected a verdict and exit status 1, got {done.returncode}: {done.stdout}{done.stderr}")
    return took


if __name__ == "__main__":
    main()
