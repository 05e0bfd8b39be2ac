"""The variables that steer NCCL, torch and the launchers; what is secret is named, never shown."""

import os
import re

from logsleuth.probes.output import Answer

_WANTED = re.compile(
    r"(?:NCCL|RCCL|TORCH|PYTORCH|GLOO|UCX|OMPI_MCA|FI|MASTER|CUDA|NVIDIA|HIP|HSA|ROCR|TORCHELASTIC|OMP|KMP)_\w+"
    r"|(?:LOCAL_)?(?:RANK|WORLD_SIZE)|GROUP_RANK|LD_PRELOAD|LD_LIBRARY_PATH"
    r"|SLURM_(?:JOB_ID|NNODES|NTASKS|NTASKS_PER_NODE|NODEID|PROCID|LOCALID|GPUS_ON_NODE|JOB_NODELIST)"
)
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|COOKIE|SIGNATURE|PRIVATE", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"(\w+://)[^/@\s]*@")
"""Name and password in an address."""
NOT_SHOWN = "(not shown)"


def told() -> Answer:
    """``NAME=VALUE``, sorted by name; none is fine."""
    lines = [f"{name}={shown(name, value)}\n" for name, value in sorted(os.environ.items()) if _WANTED.fullmatch(name)]
    return Answer("0", "".join(lines).encode())


def shown(name: str, value: str) -> str:
    """The value as it may leave the node, in one line."""
    if _SECRET.search(name):
        return NOT_SHOWN
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in _IN_ADDRESS.sub(rf"\1{NOT_SHOWN}@", value)
    )
