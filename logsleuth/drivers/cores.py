"""How many processes may work at once here?"""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

MOST = 16
"""Processes that are begun where nobody says how many: enough for any disk, and no more than others will bear."""
_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUP = Path("/proc/self/cgroup")


def usable_cores() -> int:
    """The cores that this process may use: those it is bound to, and no more than its container is granted."""
    bound = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return max(min([bound, *_granted()]), 1)


def may_fork() -> bool:
    """Whether a fork of this process could work: it has no other thread, which might hold a lock at that moment."""
    return hasattr(os, "fork") and threading.active_count() == 1


def _granted() -> Iterator[int]:
    """What control groups grant, in cores; a part of a core counts as one."""
    for group in _own_groups():
        try:
            quota, period = (_GROUPS / group / "cpu.max").read_text().split()
            yield -(-int(quota) // int(period))
        except (OSError, ValueError):  # There is none, or it is ``max``.
            continue
    try:
        quota, period = ((_GROUPS / "cpu" / f"cpu.cfs_{what}_us").read_text() for what in ("quota", "period"))
        if int(quota) > 0:
            yield -(-int(quota) // int(period))
    except (OSError, ValueError):
        return


def _own_groups() -> list[PurePosixPath]:
    """The group of this process and those around it."""
    try:
        lines = _OWN_GROUP.read_text().splitlines()
    except OSError:
        return []
    own = next((line[3:] for line in lines if line.startswith("0::")), "/")
    inner = PurePosixPath(own.lstrip("/"))
    return [inner, *inner.parents]
