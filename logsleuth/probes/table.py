"""All that is asked of a node. Every probe only reads: nothing here writes, needs root or puts a load on anything."""

from logsleuth.probes.kinds import Command, Facts, Files, Probe, Question, Saved

QUESTIONS = (
    Question("gpus", "GPU state"),
    Question("gpu-links", "Links between GPUs"),
    Question("gpu-processes", "Processes on GPUs"),
    Question("infiniband", "InfiniBand and RoCE"),
    Question("network", "Addresses and MTU"),
    Question("bandwidth", "Measured bandwidth"),
    Question("memory", "Memory"),
    Question("shared-memory", "/dev/shm"),
    Question("limits", "Limits"),
    Question("disk", "Disks"),
    Question("ports", "Rendezvous port"),
    Question("clock", "Clock"),
    Question("kernel-log", "Kernel log"),
    Question("versions", "Versions"),
    Question("modules", "Kernel modules"),
    Question("environment", "Environment"),
)
"""In the order in which they are told."""

_NO_NVIDIA = "no NVIDIA driver is installed here, or its tools are not on the PATH"
_NO_AMD = "no ROCm tools are installed here"
_NO_IB = "no InfiniBand or RoCE tools are installed here"
_DF = r"Filesystem\s+(?!.*\bIUsed\b).*\bMounted on"
_SHM = ("shared-memory", r"\s/dev/shm\s*$")
_GPU_FIELDS = (
    "index,name,uuid,pci.bus_id,driver_version,memory.total,memory.used,utilization.gpu,temperature.gpu,pstate,"
    "clocks.sm,clocks.max.sm,power.draw,power.limit,pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,"
    "pcie.link.width.max,ecc.mode.current,ecc.errors.uncorrected.volatile.total,persistence_mode,compute_mode"
)

PROBES = (
    Probe("nvidia-smi-q", "gpus", Command(("nvidia-smi", "-q"), _NO_NVIDIA, 30.0), r"=+NVSMI LOG=+"),
    Probe(
        "nvidia-smi",
        "gpus",
        Command(("nvidia-smi", f"--query-gpu={_GPU_FIELDS}", "--format=csv"), _NO_NVIDIA, 30.0),
        r"\| NVIDIA-SMI \d|index, (?:name|uuid|pci\.bus_id), |name, (?:uuid|pci\.bus_id), ",
    ),
    Probe("rocm-smi", "gpus", Command(("rocm-smi", "--showallinfo"), _NO_AMD, 30.0), r"=+ ROCm System Management"),
    Probe("amd-smi", "gpus", Command(("amd-smi", "metric"), _NO_AMD, 30.0), r"GPU: \d+\s*$| {4}(?:ECC|THROTTLE):\s*$"),
    Probe(
        "nvidia-smi-topo",
        "gpu-links",
        Command(("nvidia-smi", "topo", "-m"), _NO_NVIDIA, 30.0),
        r"(?:\x1b\[4m)?\s+GPU0\s+(?:GPU1|CPU Affinity|NIC0|mlx5_0)",
    ),
    Probe(
        "nvidia-smi-nvlink",
        "gpu-links",
        Command(("nvidia-smi", "nvlink", "--status"), _NO_NVIDIA, 30.0),
        r"\s+Link \d+: (?:[\d.]+ GB/s|<inactive>)",
    ),
    Probe(
        "nvidia-smi-processes",
        "gpu-processes",
        Command(
            ("nvidia-smi", "--query-compute-apps=gpu_bus_id,pid,used_memory,process_name", "--format=csv"),
            _NO_NVIDIA,
            30.0,
        ),
        r"gpu_(?:bus_id|uuid), pid, ",
        may_be_silent=True,
    ),
    Probe("ibstat", "infiniband", Command(("ibstat",), _NO_IB), r"CA '[^']+'"),
    Probe("ibdev2netdev", "infiniband", Command(("ibdev2netdev",), _NO_IB), r"\S+ port \d+ ==> \S+ \(\w+\)"),
    Probe("ibv-devinfo", "infiniband", Command(("ibv_devinfo",), _NO_IB), r"hca_id:\s"),
    Probe(
        "ib-counters",
        "infiniband",
        Files(
            (
                "/sys/class/infiniband/*/ports/*/counters/*",
                "/sys/class/infiniband/*/ports/*/hw_counters/*",
                "/sys/class/infiniband/*/ports/*/state",
                "/sys/class/infiniband/*/ports/*/rate",
            ),
            "no InfiniBand or RoCE device is known to the kernel",
        ),
        r"/sys/class/infiniband/\S+: ",
    ),
    Probe(
        "ip-address",
        "network",
        Command(("ip", "address"), "the package iproute2 is not installed here"),
        r"\d+: \S+: <[A-Z_,0-9-]*> mtu ",
    ),
    Probe("nccl-tests", "bandwidth", Saved(), r"# nThread \d+ nGpus \d+ |#\s+out-of-place\s+in-place|# nccl-tests"),
    Probe("meminfo", "memory", Files(("/proc/meminfo",), "this kernel tells nothing about memory"), r"MemTotal:\s+\d+"),
    Probe("df", "disk", Command(("df", "-P", "-k"), "there is no df here"), _DF, beside=_SHM),
    Probe(
        "df-inodes",
        "disk",
        Command(("df", "-P", "-i"), "there is no df here"),
        r"Filesystem\s+Inodes\s+IUsed\s",
    ),
    Probe(
        "df-shm",
        "shared-memory",
        Command(("df", "-P", "-k", "/dev/shm"), "there is no df here"),
        _DF,
    ),
    Probe(
        "ulimit",
        "limits",
        Facts("ulimit -a"),
        r"(?:core file size|max locked memory|open files|real-time non-blocking time)\s+\(.*\)\s"
        r"|time\(seconds\)\s|-t: (?:cpu )?time|address space limit \(",
    ),
    Probe(
        "cgroup",
        "limits",
        Facts("cat /sys/fs/cgroup/.../{memory,pids,cpu}.*"),
        r"/sys/fs/cgroup/\S+: ",
        may_be_silent=True,
    ),
    Probe("ports", "ports", Facts("ss -ltn"), r"rendezvous port \d+: ", may_be_silent=True),
    Probe(
        "listening",
        "ports",
        Command(("ss", "-ltn"), "the package iproute2 is not installed here"),
        r"State\s+Recv-Q\s+Send-Q\s",
        may_be_silent=True,
    ),
    Probe("chrony", "clock", Command(("chronyc", "-n", "tracking"), "chrony does not run here"), r"Reference ID\s+: "),
    Probe("timedatectl", "clock", Command(("timedatectl", "status"), "systemd does not run here"), r"\s*Local time: "),
    Probe(
        "dmesg",
        "kernel-log",
        Command(("dmesg",), "there is no dmesg here"),
        r"\[ *\d+\.\d{6}\] |\[\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}\] ",
        may_be_silent=True,
    ),
    Probe("versions", "versions", Facts("versions of kernel, driver, CUDA, NCCL, torch"), r"version of [\w-]+: "),
    Probe(
        "lsmod",
        "modules",
        Command(("lsmod",), "the package kmod is not installed here"),
        r"Module\s+Size\s+Used by",
        may_be_silent=True,
    ),
    Probe(
        "nccl-env",
        "environment",
        Facts("env"),
        r"(?:NCCL|MASTER|CUDA|TORCH|GLOO|UCX)_\w+=",
        may_be_silent=True,
    ),
)
"""In the order in which they are asked and told: of a question the probe first that tells most, and of those that look
alike the one that is meant where no name says it."""

BY_NAME = {probe.name: probe for probe in PROBES}
