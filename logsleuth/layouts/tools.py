"""The outputs of tools that are known, and how each begins."""

import re
from collections.abc import Callable
from functools import cache, partial

from logsleuth.layouts.filesystems import FileSystems
from logsleuth.layouts.matrix import Matrix
from logsleuth.layouts.outline import Addresses, AmdMetrics, GpuQuery, InfiniBandState, NvLinks, VerbsDevices
from logsleuth.layouts.ras import Watch
from logsleuth.layouts.report import AsItStands, Environment, ErrorCounts, Prefixed, Reading, Report
from logsleuth.layouts.stacks import Stacks

_LIMIT = rb"(?:unlimited|not supported|\d+)"


def _report(
    name: str, probes: str, begins: bytes, reading: Callable[[], Reading], unfolds: bool = True, goes_on: bytes = b""
) -> Report:
    return Report(name, frozenset(probes.split()), begins, reading, unfolds, goes_on)


def _prefixed(name: str, probes: str, begins: bytes, looks: bytes) -> Report:
    return _report(name, probes, begins, partial(Prefixed, name, looks))


def _raw(name: str, probes: str, begins: bytes, looks: bytes) -> Report:
    return _report(name, probes, begins, partial(AsItStands, looks), unfolds=False)


REPORTS: tuple[Report, ...] = (
    _report("nvidia-smi -q", "nvidia-smi-q", rb"=+NVSMI LOG=+\s*$", GpuQuery),
    _report(
        "nvidia-smi topo",
        "nvidia-smi-topo",
        rb"(?:\x1b\[4m)?[ \t]+(?:\x1b\[4m)?GPU0\s+(?:GPU1|CPU Affinity|NIC0|mlx5_)",
        Matrix,
    ),
    _report(
        "nvidia-smi nvlink", "nvidia-smi-nvlink", rb"GPU \d+: .{1,80} \(UUID: (?:GPU|MIG)-[0-9a-f-]+\)\s*$", NvLinks
    ),
    _report("ibstat", "ibstat", rb"CA '[\w.-]+'\s*$", InfiniBandState),
    _report("ibv_devinfo", "ibv-devinfo ibv_devinfo", rb"hca_id:\s+\S+\s*$", VerbsDevices),
    _report("ip address", "ip-address", rb"1: lo(?:@\S+)?: <[A-Z_,]+> mtu \d+ ", Addresses),
    # The name of the last column is translated, the share is not but for a letter (Use%, Uso%, Ben%, Verw%, Capacity).
    _report(
        "df",
        "df df-shm df-inodes",
        rb"(?=\S)[^:=|/\n]{5,40}[ \t]\S{2,16}(?:[ \t]+\S{2,16}){2,3}[ \t]+(?:\S{1,12}%|Capacity)[ \t]+"
        rb"(?:Mounted on|\S[^:=|/%\n]{5,30})[ \t]*$",
        FileSystems,
        goes_on=rb"\r?\n(?:.*[\d-]%?\s+/|\S+\r?\n\s)",
    ),
    _report("amd-smi", "amd-smi", rb"GPU: \d+\s*$", AmdMetrics, goes_on=rb"\r?\n {4}[A-Z_]+:"),
    _raw("counters of InfiniBand", "ib-counters", rb"/sys/class/infiniband/\S+: ", rb"/sys/class/infiniband/"),
    _raw("cgroup", "cgroup", rb"/sys/fs/cgroup/\S+: ", rb"/sys/fs/cgroup/"),
    _report("py-spy dump", "py-spy", rb"Process \d{1,8}: \S", Stacks, goes_on=rb".*\nPython v\d"),
    _report("ncclras", "ncclras nccl-ras", rb"NCCL version \S+ compiled with CUDA \S+\s*$", Watch),
    _prefixed(
        "ulimit",
        "ulimit",
        rb"(?:real-time non-blocking time\s+\(|core file size\s+\((?:blocks|512-blocks|kbytes)|time\(seconds\)\s+"
        rb"|address space limit \("
        rb"|-t: (?:cpu )?time|cpu time\s+\(seconds\))",
        # bash, ksh: ``open files (-n) 1024``; dash: ``nofiles 1024``; zsh, busybox: ``-n: file descriptors 1024``.
        rb"(?:-\w(?: \d+)?: [a-z].*|[A-Za-z].*\((?:.*, )?-\w\)|"
        rb"(?:time|file|data|stack|coredump|memory|locked memory|process|nofiles|vmemory|locks|rtprio)(?:\(\w+\))?)\s+"
        + _LIMIT
        + rb"\s*$|\s*$",
    ),
    _prefixed(
        "meminfo",
        "meminfo",
        rb"MemTotal:\s+\d+ kB\s*$",
        rb"[A-Za-z_()0-9]+:\s+\d+ kB\s*$|HugePages_\w+:\s+\d+\s*$|\s*$",
    ),
    _prefixed(
        "free",
        "free",
        rb"[ \t]+total\s+used\s+free\s+(?:shared|available)",
        rb"\s+total\s|(?:Mem|Swap|Total|Low|High):|\s*$",
    ),
    _prefixed(
        "chronyc tracking",
        "chrony",
        rb"Reference ID\s+: [0-9A-F]{8} ",
        rb"(?:Reference ID|Stratum|Ref time \(UTC\)|System time|Last offset|RMS offset|Frequency|Residual freq|Skew"
        rb"|Root delay|Root dispersion|Update interval|Leap status)\s+: |\s*$",
    ),
    _prefixed(
        "timedatectl",
        "timedatectl",
        rb"[ \t]*Local time: \w{3} \d{4}-\d\d-\d\d",
        rb"\s*(?:Local time|Universal time|RTC time|Time ?zone|System clock synchronized|NTP \w+|Network time on"
        rb"|systemd-timesyncd\S* active|RTC in local TZ|DST active|\w+ DST change): |\s{10,}\S|\s*$",
    ),
    _prefixed(
        "ss",
        "listening",
        rb"State\s+Recv-Q\s+Send-Q\s",
        rb"State\s|(?:LISTEN|ESTAB|UNCONN|TIME-WAIT|CLOSE-WAIT)\s|\s*$",
    ),
    _prefixed(
        "lsmod",
        "lsmod",
        rb"Module\s+Size\s+Used by\s*$",
        rb"[a-z]\w*\s+\d+\s+-?\d+(?:\s+[\w,\[\]-]+)?\s*$|Module\s+Size|\s*$",
    ),
    _raw(
        "nvidia-smi",
        "nvidia-smi",
        rb"\| NVIDIA-SMI \d|\+-{60,}\+\s*$|\w{3} \w{3} +\d+ \d\d:\d\d:\d\d 20\d\d\s*$",
        rb"\s*[|+]|\s*$|No running|\w{3} \w{3} +\d+ \d\d:\d\d:\d\d 20\d\d",
    ),
    _raw("ibdev2netdev", "ibdev2netdev", rb"\S+ port \d+ ==> \S+ \(\w+\)", rb"\S+ port \d+ ==> |\s*$"),
    _raw("versions", "versions", rb"version of kernel: ", rb"version of [\w-]+: |\s*$"),
    _raw("rendezvous ports", "ports", rb"rendezvous port \d+: ", rb"rendezvous port \d+: |\s*$"),
    _report("env", "nccl-env env", rb"(?!)", Environment, unfolds=False),
    _raw("dcgmi", "dcgmi", rb"Successfully ran diagnostic|Health Monitor Report", rb"\s*[|+]|\s*$|\w"),
    _report(
        "rocm-smi", "rocm-smi", rb"=+ ROCm System Management Interface =+", ErrorCounts, goes_on=rb".*\n=+ RAS Info"
    ),
    _raw(
        "nccl-tests",
        "nccl-tests",
        rb"# nThread \d+ nGpus \d+ |# nccl-tests version",
        rb"#|\s|.*NCCL |NCCL version|\s*$",
    ),
)
"""In the order in which they are tried."""


@cache
def beginnings() -> re.Pattern[bytes]:
    """Finds a line with which an output begins that has to be unfolded."""
    unfolding = (report.begins + report.goes_on for report in REPORTS if report.unfolds)
    return re.compile(b"^(?:" + b"|".join(unfolding) + b")", re.MULTILINE)


@cache
def _firsts() -> list[tuple[re.Pattern[bytes], Report]]:
    return [(re.compile(report.begins), report) for report in REPORTS]


def begun(line: bytes) -> Report | None:
    """The output that begins with this line."""
    return next((report for first, report in _firsts() if first.match(line)), None)


def of_probe(name: str) -> Report | None:
    """The output that is collected under this name."""
    return next((report for report in REPORTS if name in report.probes), None)
