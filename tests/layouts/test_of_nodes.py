"""What the outputs of a node's tools say, line by line, in the light of their headings."""

from logsleuth.layouts.folds import Physical
from logsleuth.layouts.outputs import Outputs
from logsleuth.model.label import told

HEADER = '### logsleuth probe={} host=gpu-a01 exit=0 at=2026-11-26T09:14:02Z command="x"\n'


def said(probe: str, text: str) -> list[str]:
    """What the lines of an output say, the header and blank lines apart."""
    outputs = Outputs()
    lines = (HEADER.format(probe) + text).splitlines()
    unfolded = [one for number, line in enumerate(lines) for one in outputs.feed(Physical(line.encode(), 0, number))]
    texts = (one.text.removeprefix(told(host="gpu-a01")).decode() for one in unfolded[1:])
    return [text for text in texts if text.strip()]


def test_ports_of_ibv_devinfo_belong_to_their_device() -> None:
    text = "hca_id:\tmlx5_0\n\tphys_port_cnt:\t\t1\n\t\tport:\t1\n\t\t\tactive_mtu:\t\t4096 (5)\n"
    assert said("ibv-devinfo", text)[-1] == "ibv_devinfo: mlx5_0 / port 1 / active_mtu: 4096 (5)"


def test_what_amd_smi_says_of_each_gpu() -> None:
    text = "GPU: 0\n    ECC:\n        TOTAL_UNCORRECTABLE_COUNT: 0\n\nGPU: 1\n    ECC:\n        TOTAL_UNCORRECTABLE_COUNT: 3\n"
    assert said("amd-smi", text) == [
        "amd-smi: GPU: 0",
        "amd-smi: gpu 0 / ECC:",
        "amd-smi: gpu 0 / ECC / TOTAL_UNCORRECTABLE_COUNT: 0",
        "amd-smi: GPU: 1",
        "amd-smi: gpu 1 / ECC:",
        "amd-smi: gpu 1 / ECC / TOTAL_UNCORRECTABLE_COUNT: 3",
    ]


def test_error_counts_of_rocm_smi_stand_behind_their_gpu() -> None:
    text = (
        "GPU[0]: \tRAS INFO\n"
        "         Block       Status    Correctable Error  Uncorrectable Error\n"
        "           UMC        ENABLED                  5                    2\n"
        "         ATHUB    UNAVAILABLE\n"
        "______________\n"
        "           UMC        ENABLED                  5                    2\n"
    )
    rows = said("rocm-smi", text)
    assert "rocm-smi: gpu 0 / RAS / UMC: 5 correctable, 2 uncorrectable" in rows
    assert rows[-1].split() == ["UMC", "ENABLED", "5", "2"]


def test_variables_of_nccl_are_told_once_more_as_those_of_the_node() -> None:
    assert said("nccl-env", "CUDA_VISIBLE_DEVICES=0\nNCCL_ALGO=Ring\n") == [
        "CUDA_VISIBLE_DEVICES=0",
        "NCCL_ALGO=Ring",
        "env: NCCL_ALGO=Ring",
    ]
