"""The vocabulary of causes: what a person would be told first.

The order is that of the kinds; it is a late tie-breaker among roots (an earlier kind wins).
"""

from enum import StrEnum


class Kind(StrEnum):
    """A family of causes, in the order in which ties between roots are broken."""

    HARDWARE = "hardware"
    SCHEDULER = "scheduler"
    PROCESS = "process"
    GPU_MEMORY = "gpu-memory"
    HOST_RESOURCES = "host-resources"
    CUDA = "cuda"
    CODE = "code"
    DATA = "data"
    STORAGE = "storage"
    NUMERICS = "numerics"
    NETWORK = "network"
    RENDEZVOUS = "rendezvous"
    COLLECTIVE = "collective"
    SPEED = "speed"
    NONE = "none"


_CAUSES = {
    Kind.HARDWARE: "gpu-fell-off-bus gpu-ecc-error gpu-hardware-fault nvlink-error fabric-manager-not-ready node-lost",
    Kind.SCHEDULER: "job-time-limit job-preempted job-cancelled",
    Kind.PROCESS: "host-oom killed terminated segfault aborted bus-error uncaught-exception teardown-failure",
    Kind.GPU_MEMORY: "gpu-oom gpu-oom-fragmentation gpu-memory-held-by-other-process gpu-memory-leak",
    Kind.HOST_RESOURCES: "host-memory-leak shared-memory-exhausted too-many-open-files",
    Kind.CUDA: "illegal-memory-access device-side-assert cuda-library-error cuda-unknown-error invalid-device "
    "gpu-unavailable no-kernel-image driver-too-old torch-without-cuda",
    Kind.CODE: "collective-mismatch ddp-unused-parameters ddp-model-mismatch torch-compile-failure dependency-error "
    "bad-arguments",
    Kind.DATA: "data-error empty-dataset uneven-data dataloader-worker-died data-loading-slow batch-imbalance",
    Kind.STORAGE: "disk-full checkpoint-save-failed checkpoint-load-failed filesystem-error hub-unreachable",
    Kind.NUMERICS: "loss-nan gradient-explosion loss-scale-collapse loss-spike loss-diverging ranks-diverged "
    "gradients-not-updating",
    Kind.NETWORK: "unreachable-peer wrong-network-interface name-resolution-failed rdma-link-error rdma-misconfigured "
    "rdma-memlock-limit gpudirect-failure net-plugin-failure p2p-failure nvls-failure nccl-version-mismatch "
    "duplicate-gpu slow-network",
    Kind.RENDEZVOUS: "port-in-use rendezvous-timeout store-lost launch-misconfigured",
    Kind.COLLECTIVE: "rank-never-entered-collective peer-exited watchdog-stuck collective-timeout",
    Kind.SPEED: "slow-rank slow-iteration gpu-underutilized hang",
    Kind.NONE: "elastic-restart misleading-setting cause-not-in-log",
}

CAUSES: dict[str, Kind] = {name: kind for kind, names in _CAUSES.items() for name in names.split()}
"""Every cause that a rule may give, with its kind, in the order of the vocabulary."""

KIND_ORDER: dict[Kind, int] = {kind: place for place, kind in enumerate(Kind)}
