"""What a process that is started here may use: limits of its own, and those of its cgroup."""

import re
from pathlib import Path, PurePosixPath

from logsleuth.probes.files import labelled
from logsleuth.probes.output import ABSENT, Answer

_ROWS = (
    ("core file size", "blocks", "c", "CORE", 512),
    ("data seg size", "kbytes", "d", "DATA", 1024),
    ("scheduling priority", "", "e", "NICE", 1),
    ("file size", "blocks", "f", "FSIZE", 512),
    ("pending signals", "", "i", "SIGPENDING", 1),
    ("max locked memory", "kbytes", "l", "MEMLOCK", 1024),
    ("max memory size", "kbytes", "m", "RSS", 1024),
    ("open files", "", "n", "NOFILE", 1),
    ("POSIX message queues", "bytes", "q", "MSGQUEUE", 1),
    ("real-time priority", "", "r", "RTPRIO", 1),
    ("stack size", "kbytes", "s", "STACK", 1024),
    ("cpu time", "seconds", "t", "CPU", 1),
    ("max user processes", "", "u", "NPROC", 1),
    ("virtual memory", "kbytes", "v", "AS", 1024),
)
"""The rows of bash's ``ulimit -a``: what it is called, its unit, its letter, the kernel's name, bytes a unit."""

_CGROUPS = "/sys/fs/cgroup"
_UNIFIED = ("memory.max", "memory.high", "memory.current", "memory.events", "pids.max", "pids.current", "cpu.max")
_OF_CONTROLLERS = {
    "memory": ("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.failcnt"),
    "pids": ("pids.max", "pids.current"),
    "cpu": ("cpu.cfs_quota_us", "cpu.cfs_period_us"),
}
"""Files of a controller in the first version of cgroups."""


def ulimit() -> Answer:
    """The limits that a process inherits from this one, as bash prints them: they are those of the shell that
    started it."""
    try:
        import resource
    except ImportError:  # Not on Windows.
        return Answer(ABSENT, b"")
    lines = []
    for title, unit, letter, name, size in _ROWS:
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            soft, _ = resource.getrlimit(kind)
            value = "unlimited" if soft == resource.RLIM_INFINITY else str(soft // size)
            behind = f"({unit}, -{letter})" if unit else f"(-{letter})"
            # bash's own columns: 20 for the title, 20 more up to the value.
            lines.append(f"{title:<20}{behind:>20} {value}\n")
    return Answer("0", "".join(lines).encode())


def cgroup() -> Answer:
    """What limits the cgroup of this process, and those above it."""
    try:
        told = Path("/proc/self/cgroup").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return Answer(ABSENT, b"")
    paths: list[str] = []
    for controllers, within in re.findall(r"^\d+:([^:\n]*):(/[^\n]*)$", told, re.MULTILINE):
        if ".." in within:
            continue  # A cgroup outside of what a container may see.
        if not controllers:
            paths += [f"{folder}/{file}" for folder in _upwards(_CGROUPS, within) for file in _UNIFIED]
        for controller, files in _OF_CONTROLLERS.items():
            if controller in controllers.split(","):
                root = (
                    f"{_CGROUPS}/{controllers}"
                    if Path(f"{_CGROUPS}/{controllers}").is_dir()
                    else f"{_CGROUPS}/{controller}"
                )
                paths += [f"{folder}/{file}" for folder in _upwards(root, within) for file in files]
    return labelled(paths)


def _upwards(root: str, within: str) -> list[str]:
    """The folder of a cgroup and those above it, the root included."""
    below = PurePosixPath(within.lstrip("/"))
    return [str(PurePosixPath(root, folder)) for folder in (below, *below.parents) if str(folder) != "."] + [root]
