"""Which versions of kernel, driver, CUDA, NCCL and torch are installed here. Nothing of them is imported or started."""

import platform
import re
from pathlib import Path

from logsleuth.probes.kinds import Command
from logsleuth.probes.output import Answer
from logsleuth.probes.running import ask

_DRIVER = Path("/proc/driver/nvidia/version")
_ASKED = """
import importlib.metadata as m, platform
print("version of python:", platform.python_version())
for name in %r:
    try:
        print("version of %%s:" %% name, m.version(name))
    except m.PackageNotFoundError:
        pass
"""
_PACKAGES = (
    "torch", "nvidia-nccl-cu11", "nvidia-nccl-cu12", "nvidia-nccl-cu13", "nvidia-cuda-runtime-cu11",
    "nvidia-cuda-runtime-cu12", "nvidia-cuda-runtime", "nvidia-cudnn-cu12", "pytorch-triton-rocm", "triton",
    "transformer-engine", "flash-attn", "deepspeed", "lightning", "accelerate", "transformers", "ray",
)  # fmt: skip
_TOOLS = (
    ("cuda-driver", ("nvidia-smi", "-q", "-d", "MEMORY"), r"CUDA Version\s*:\s*([\d.]+)"),
    ("cuda-toolkit", ("nvcc", "--version"), r"release [\d.]+, V([\d.]+)"),
)
"""A name, the tool that tells its version, and where in its words. ``cuda-driver`` is the newest CUDA that the driver
knows."""


def told() -> Answer:
    """``version of NAME: VERSION``, one a line; of what is not there the line says so.

    Packages are those of the ``python3`` that comes first on the PATH, which is the one that starts a job.
    """
    lines = [f"version of kernel: {platform.release()}", f"version of driver: {_driver()}"]
    for name, words, pattern in _TOOLS:
        answer = ask(Command(words, ""))
        match = re.search(pattern.encode(), answer.body)
        lines.append(f"version of {name}: {match[1].decode() if match else f'not known ({words[0]}: {answer.exit})'}")
    answer = ask(Command(("python3", "-c", _ASKED % (_PACKAGES,)), ""))
    packages = answer.body.decode("utf-8", "replace").splitlines() if answer.exit == "0" else []
    lines += [line for line in packages if line.startswith("version of ")]
    if not any(line.startswith("version of torch: ") for line in lines):
        lines.append("version of torch: not known (the python3 on the PATH has none)")
    return Answer("0", "".join(f"{line}\n" for line in lines).encode())


def _driver() -> str:
    try:
        text = _DRIVER.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "not known (no NVIDIA driver is loaded)"
    match = re.search(r"Kernel Module(?: for \S+)?\s+([\d.]+)", text)
    return match[1] if match else "not known (its words are of an unknown form)"
