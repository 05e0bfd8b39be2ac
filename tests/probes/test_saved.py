"""Which probe an output is of, and which node's: by its header, by its text, by names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.ingest.labels import label
from logsleuth.probes.output import Header, Output, host_name, read_header
from logsleuth.probes.saved import node_of, recognised
from logsleuth.probes.table import BY_NAME, PROBES, QUESTIONS

TEXTS = {
    "nvidia-smi-q": "\n==============NVSMI LOG==============\n\nTimestamp     : Mon Nov 30 10:00:01 2026\n",
    "nvidia-smi": "index, name, driver_version, memory.total [MiB]\n0, NVIDIA H100 80GB HBM3, 550.54.15, 81559 MiB\n",
    "nvidia-smi-topo": "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \tNV18\tPIX\t0-51\t0\tN/A\n",
    "nvidia-smi-nvlink": "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1b0e)\n\t Link 0: 26.562 GB/s\n",
    "nvidia-smi-processes": "gpu_bus_id, pid, used_gpu_memory [MiB], process_name\n",
    "ibstat": "CA 'mlx5_0'\n\tCA type: MT4129\n\tNumber of ports: 1\n",
    "ibdev2netdev": "mlx5_0 port 1 ==> ibp24s0 (Up)\n",
    "ibv-devinfo": "hca_id:\tmlx5_0\n\ttransport:\t\t\tInfiniBand (0)\n",
    "ib-counters": "/sys/class/infiniband/mlx5_0/ports/1/counters/link_downed: 0\n",
    "ip-address": "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000\n",
    "nccl-tests": "# nThread 1 nGpus 8 minBytes 8 maxBytes 134217728 step: 2(factor)\n",
    "meminfo": "MemTotal:       2113532100 kB\nMemFree:        2050011232 kB\n",
    "df": "Filesystem     1K-blocks  Used Available Use% Mounted on\n/dev/sda2      959786032 1 2 51% /\n",
    "df-inodes": "Filesystem       Inodes  IUsed    IFree IUse% Mounted on\n/dev/sda2      60964864 1 2    2% /\n",
    "ulimit": "core file size              (blocks, -c) 0\n",
    "cgroup": "/sys/fs/cgroup/memory.max: max\n",
    "ports": "rendezvous port 29500: free (the usual one)\n",
    "listening": "State  Recv-Q Send-Q Local Address:Port Peer Address:PortProcess\n",
    "chrony": "Reference ID    : 0A140001 (10.20.0.1)\nStratum         : 3\n",
    "timedatectl": "               Local time: Mon 2026-11-30 10:00:00 UTC\n",
    "dmesg": "[    0.000000] Linux version 5.15.0-105-generic\n",
    "versions": "version of kernel: 5.15.0-105-generic\n",
    "lsmod": "Module                  Size  Used by\nnvidia_peermem         16384  0\n",
    "nccl-env": "NCCL_DEBUG=INFO\n",
}


@pytest.mark.parametrize("probe", TEXTS)
@pytest.mark.parametrize("name", ["output.txt", "dmesg_is_not_it.log"])
def test_the_text_tells_whatever_the_name(probe: str, name: str) -> None:
    saved = recognised(name, TEXTS[probe].encode())
    assert saved is not None
    assert (saved.probe.name, saved.header, saved.exit) == (probe, None, None)


@pytest.mark.parametrize(
    ("name", "text", "probe"),
    [
        ("df-shm.txt", TEXTS["df"], "df-shm"),
        ("node-7_df_shm.txt", TEXTS["df"], "df-shm"),
        ("nvidia_smi_topo.node-7.out", "nothing that is known\n", "nvidia-smi-topo"),
        ("ibstat", "\n", "ibstat"),
        ("pdf.txt", "text\n", None),
        ("train.log", "step 1 loss 2.3\n", None),
        ("report.txt", "", None),
    ],
)
def test_the_name_tells_where_the_text_does_not(name: str, text: str, probe: str | None) -> None:
    saved = recognised(name, text.encode())
    assert (saved.probe.name if saved else None) == probe


@pytest.mark.parametrize(
    ("within", "root", "node"),
    [
        ("alpha/df.txt", "saved", "alpha"),
        ("alpha/gpu/df.txt", "saved", "alpha"),
        ("df.txt", "alpha", "alpha"),
        ("alpha.tar.gz!df.txt", "saved", "alpha"),
        ("df.txt", "logsleuth-alpha.tar.gz", "alpha"),
        ("-rf/df.txt", "saved", None),
        ("../df.txt", "saved", None),
    ],
)
def test_names_tell_the_node(within: str, root: str, node: str | None) -> None:
    assert node_of(within, root) == node


@given(st.sampled_from(PROBES), st.text(), st.binary(max_size=60))
def test_a_header_is_read_as_it_was_written(probe: object, host: str, body: bytes) -> None:
    chosen = next(one for one in PROBES if one is probe)
    header = Header(chosen.name, host_name(host), "0", "2026-11-30T10:00:00Z", "x -y")
    text = Output(chosen, header, body).text
    assert read_header(text) == header
    saved = recognised("anything.txt", text)
    assert saved is not None
    assert (saved.probe, saved.header) == (chosen, header)
    assert text == header.line() + body


@given(st.binary(max_size=200))
def test_any_bytes_are_some_output_or_none(head: bytes) -> None:
    recognised("x.txt", head)
    assert read_header(b" " + head) is None


def test_every_probe_answers_a_question_and_every_question_has_a_probe() -> None:
    assert {probe.question for probe in PROBES} == {question.name for question in QUESTIONS}
    assert len({probe.name for probe in PROBES}) == len(PROBES)


@pytest.mark.parametrize("probe", BY_NAME)
def test_a_host_before_the_name_of_a_probe_is_the_node(probe: str) -> None:
    assert label(f"node-7_{probe}.txt").tag.host == "node-7"
