"""What a command costs."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Cost(NamedTuple):
    wall: float
    """Seconds."""
    cpu: float
    """Seconds of the process and of those that it waited for, user and system."""


def measure(command: Sequence[str], more: Mapping[str, str] | None = None, folder: Path | None = None) -> Cost:
    """Runs a command to its end, in a folder and with more variables if there are any.

    0 and 1 are the exit statuses of all that search: something was found, or nothing. Raises RuntimeError for others.
    """
    before = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **(more or {})},
        cwd=folder,
    )
    assert process.stderr
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - before
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{command[0]} ended with {process.returncode}: {said[-400:].decode(errors='replace')}")
    return Cost(wall, used.ru_utime + used.ru_stime)
