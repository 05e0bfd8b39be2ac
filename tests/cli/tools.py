"""Tools that stand on the PATH in the place of real ones: small scripts that print what was saved of those."""

from pathlib import Path

NVIDIA_SMI_Q = """\

==============NVSMI LOG==============

Timestamp                                 : Mon Nov 30 10:00:01 2026
Driver Version                            : 550.54.15
CUDA Version                              : 12.4

Attached GPUs                             : 1
GPU 00000000:17:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    Product Brand                         : NVIDIA
    Persistence Mode                      : Enabled
    ECC Mode
        Current                           : Enabled
        Pending                           : Enabled
    FB Memory Usage
        Total                             : 81559 MiB
        Reserved                          : 551 MiB
        Used                              : 4 MiB
        Free                              : 81003 MiB
"""
DMESG = """\
[    0.000000] Linux version 5.15.0-105-generic (buildd@lcy02-amd64-007) #115-Ubuntu SMP Mon Apr 15 09:52:04 UTC 2024
[   11.204817] nvidia-nvlink: Nvlink Core is being initialized, major device number 510
"""
GPU_LOST = """\
[81243.512611] NVRM: Xid (PCI:0000:9b:00): 79, pid=0, name=, GPU has fallen off the bus.
[81243.512613] NVRM: GPU 0000:9b:00.0: GPU has fallen off the bus.
"""


def prints(folder: Path, tool: str, text: str, status: int = 0) -> None:
    """A tool that prints a text, whatever it is asked, and ends with a status."""
    saved = folder / f"{tool}.saved"
    saved.write_text(text, encoding="utf-8")
    runs(folder, tool, f"/bin/cat {saved}\nexit {status}")


def runs(folder: Path, tool: str, script: str) -> None:
    """A tool that is a shell script."""
    path = folder / tool
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
