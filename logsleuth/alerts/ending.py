"""Has a process that we started ended, and how is it made to? POSIX only."""

import asyncio
import contextlib
import os
import signal
import subprocess
import time

GRACE = 2.0
"""Seconds between SIGTERM and SIGKILL."""
_SOONEST, _LATEST = 0.005, 0.1
"""Seconds between two looks. asyncio's own way to wait for a process starts a thread on some systems, and we fork."""


async def has_ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Waits up to so many seconds for the process; whether it has ended."""
    deadline = time.monotonic() + seconds
    pause = _SOONEST
    while process.poll() is None:
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        await asyncio.sleep(min(pause, left))
        pause = min(pause * 1.5, _LATEST)
    return True


async def end(process: subprocess.Popen[bytes], grace: float = GRACE) -> None:
    """Ends a process that leads a group, and that group: asks first, and after the grace does not ask."""
    _signal_group(process.pid, signal.SIGTERM)
    await has_ended(process, grace)
    _signal_group(process.pid, signal.SIGKILL)
    await has_ended(process, GRACE)


def _signal_group(leader: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)
