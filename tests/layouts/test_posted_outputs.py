"""Outputs of tools as they are posted: another tool for the same ports, a stack whose head was left away."""

from pathlib import Path

import pytest

import logsleuth
from logsleuth.layouts.folds import Physical
from logsleuth.layouts.outputs import Outputs, recognised

PORT = """Infiniband device 'mlx5_0' port 1 status:
	default gid:	 fe80:0000:0000:0000:a288:c2ff:fe51:7e02
	base lid:	 0xffff
	sm lid:		 0x0
	state:		 {state}
	phys state:	 {physical}
	rate:		 {rate} Gb/sec (4X HDR)
	link_layer:	 InfiniBand

"""


def lines(text: str) -> list[str]:
    outputs = Outputs()
    fed = (outputs.feed(Physical(line, 0, number)) for number, line in enumerate(text.encode().split(b"\n")))
    return [said.text.decode() for unfolded in fed for said in unfolded]


@pytest.mark.parametrize(
    ("state", "word"),
    [("4: ACTIVE", "Active"), ("1: DOWN", "Down"), ("2: INIT", "Initializing"), ("3: ARMED", "Armed")],
)
def test_ibstatus_says_it_in_the_words_of_ibstat(state: str, word: str) -> None:
    text = PORT.format(state=state, physical="5: LinkUp", rate=200)
    assert recognised(text.encode())
    assert lines(text)[:8] == [
        "ibstatus: Infiniband device 'mlx5_0' port 1 status:",
        "ibstatus: mlx5_0 / port 1 / default gid: fe80:0000:0000:0000:a288:c2ff:fe51:7e02",
        "ibstatus: mlx5_0 / port 1 / base lid: 0xffff",
        "ibstatus: mlx5_0 / port 1 / sm lid: 0x0",
        f"ibstat: mlx5_0 / port 1 / State: {word} (state: {state})",
        "ibstat: mlx5_0 / port 1 / Physical state: LinkUp (phys state: 5: LinkUp)",
        "ibstat: mlx5_0 / port 1 / Rate: 200 (rate: 200 Gb/sec (4X HDR))",
        "ibstat: mlx5_0 / port 1 / Link layer: InfiniBand (link_layer: InfiniBand)",
    ]


def test_a_port_that_waits_is_told_from_ibstatus_too(tmp_path: Path) -> None:
    node = tmp_path / "gpu-b17"
    node.mkdir()
    good, waits = (PORT.format(state=state, physical="5: LinkUp", rate=200) for state in ("4: ACTIVE", "2: INIT"))
    (node / "ibstatus.txt").write_text(good + waits.replace("mlx5_0", "mlx5_1"))
    (verdict,) = logsleuth.analyze(node).verdicts
    assert verdict.rule == "preflight.port_initializing"
    assert "of mlx5_1 has a link" in verdict.summary
    (node / "ibstatus.txt").write_text(good + good.replace("mlx5_0", "mlx5_1"))
    assert not logsleuth.analyze(node).verdicts


STACK = """Thread 40117 (idle): "MainThread"
    barrier (torch/distributed/distributed_c10d.py:4551)
    <module> (train.py:140)
Thread 40201 (idle)
"""


def test_a_stack_needs_no_head() -> None:
    assert recognised(STACK.encode())
    assert lines(STACK)[:3] == [
        'py-spy: thread "MainThread" idle',
        'py-spy: thread "MainThread" idle / 0: barrier (torch/distributed/distributed_c10d.py:4551)',
        'py-spy: thread "MainThread" idle / 1: <module> (train.py:140)',
    ]


def test_a_head_still_tells_the_process() -> None:
    text = "Process 4711: python train.py\nPython v3.11.9 (/usr/bin/python3.11)\n\n" + STACK
    outputs = Outputs()
    fed = [outputs.feed(Physical(line, 0, 0)) for line in text.encode().split(b"\n")]
    said = [line.text for unfolded in fed for line in unfolded if b"barrier" in line.text]
    assert len(said) == 1
    assert b"4711" in said[0]


@pytest.mark.parametrize(
    "text",
    [
        "Thread 40117 (idle) has nothing to do\nstep 3 loss 2.1\n",
        'Thread 0x00007f12 (most recent call first):\n  File "train.py", line 3 in <module>\n',
        "Thread 12 (active)\nstep 3 loss 2.1\n",
        "Infiniband device is missing\n" * 5,
    ],
)
def test_words_like_theirs_are_a_log(text: str) -> None:
    assert not recognised(text.encode())


SMI = """Thu Nov 26 09:13:50 2026
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 525.105.17   Driver Version: 525.105.17   CUDA Version: 12.0     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|                               |                      |               MIG M. |
|===============================+======================+======================|
|   0  NVIDIA A100-SXM...  On   | 00000000:17:00.0 Off |                    0 |
| N/A   31C    P0    55W / 400W |      3MiB / 40960MiB |      0%      Default |
|                               |                      |             Disabled |
+-------------------------------+----------------------+----------------------+
|   1  NVIDIA A100-SXM...  On   | 00000000:2A:00.0 Off |                    0 |
| N/A   33C    P0    52W / 400W |      3MiB / 40960MiB |      0%      Default |
|                               |                      |             Disabled |
+-------------------------------+----------------------+----------------------+
"""


def test_rows_of_a_table_were_not_wrapped(tmp_path: Path) -> None:
    """They are all as wide as the table, as lines are that a terminal cut."""
    log = tmp_path / "gpu.txt"
    log.write_text(SMI)
    (of_file,) = logsleuth.analyze(log).inputs
    assert of_file.layout == "lines"


def test_a_part_of_nvidia_smi_needs_no_head() -> None:
    text = (
        "Timestamp                                 : Thu Nov 26 09:13:50 2026\n"
        "Driver Version                            : 550.54.15\n\n"
        "GPU 00000000:17:00.0\n    Product Name                          : NVIDIA A100-SXM4-80GB\n    [...]\n"
        "    Remapped Rows\n        Pending                           : Yes\n"
    )
    assert recognised(text.encode())
    assert "nvidia-smi -q: gpu 00000000:17:00.0 / Remapped Rows / Pending: Yes" in lines(text)
    assert not recognised(b"GPU 00000000:17:00.0\nstep 3 loss 2.1\nstep 4 loss 2.0\n")
